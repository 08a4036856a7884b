import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { during, say, stopAll } from '../scripts/progress.mjs';
import { OWNER } from './clients/n8nApi.mts';
import { setUpDemo } from './demo/setUp.mts';
import { travel, type Journey } from './demo/refinanceClosing.mts';
import { dropLock, takeLock } from './run/startLock.mts';
import { startN8n, type RunningN8n } from './run/n8n.mts';
import { isFree } from './run/ports.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';

/**
 * `npm start`: sandbox, a real n8n with the package, both example flows, one closing from beginning
 * to end.
 */

const INTERRUPTED = 130;

let sandbox: Sandbox | undefined;
let n8n: RunningN8n | undefined;
let stopping: Promise<void> | undefined;
const halt = new AbortController();

/** Stops what was started, once, whoever asks first. */
async function stop(): Promise<void> {
	stopping ??= (async () => {
		stopAll();
		halt.abort(new Error('Stopped'));
		await n8n?.stop();
		await starting?.catch(() => undefined);
		await sandbox?.close();
		dropLock();
	})();
	await stopping;
}

let starting: Promise<RunningN8n> | undefined;

async function main(): Promise<number> {
	const options = readOptions();
	const address = (port: number) => `http://127.0.0.1:${port}`;
	takeLock({ editor: address(options.port), console: `${address(options.sandboxPort)}/console` });
	await checkPort(options.port, 'the editor', '--port');
	await checkPort(options.sandboxPort, 'the sandbox', '--sandbox-port');
	sandbox = await startSandbox({ port: options.sandboxPort });
	say(`Sandbox of the service: ${sandbox.url}`);
	const archiveFolder = join(RUN_DIR, 'archive');
	starting = startN8n({
		userFolder: join(RUN_DIR, 'n8n'),
		port: options.port,
		tarball: join(RUN_DIR, 'package.tgz'),
		filesFolder: archiveFolder,
		signal: halt.signal,
	});
	const running = await during('Starting n8n', async () => await (starting as Promise<RunningN8n>));
	n8n = running;
	const { api } = running;
	const [installed] = await api.packages();
	say(`Installed in n8n: ${installed.packageName} ${installed.installedVersion}`);
	const held = sandbox;
	const demo = await during(
		'Importing credential and flows, publishing the archive flow',
		async () => await setUpDemo(api, held, archiveFolder),
	);
	const journey = await travel(api, held.url, demo, say);
	report(journey, archiveFolder);
	if (options.once) return journey.complaints.length === 0 ? 0 : 1;
	say();
	say(`Editor    ${running.url}`);
	say(`          sign in with ${OWNER.email} and ${OWNER.password}`);
	say(`Flow      ${running.url}/workflow/${demo.closing.id}`);
	say(`Console   ${held.url}/console  (play signer and notary of your own runs there)`);
	say();
	say('Ctrl-C stops everything.');
	await new Promise(() => undefined);
	return 0;
}

function report({ transactionId, states, files, complaints }: Journey, folder: string): void {
	say();
	say(`Transaction  ${transactionId}`);
	say(`States       ${states.join(' -> ')}`);
	say(`Archive      ${folder}`);
	for (const { name, bytes, sha256, opens } of files) {
		say(
			`  ${String(bytes).padStart(7)} bytes  ${name.slice(transactionId.length + 1)}  (${opens}, sha256 ${sha256.slice(0, 16)}, as the service holds it)`,
		);
	}
	for (const complaint of complaints) say(`NOT RIGHT    ${complaint}`);
	if (complaints.length === 0)
		say(`All ${files.length} files are what the service holds, byte for byte.`);
}

function readOptions(): { once: boolean; port: number; sandboxPort: number } {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '5680' },
		},
	});
	const port = readPort(values.port, '--port');
	const sandboxPort = readPort(values['sandbox-port'], '--sandbox-port');
	if (port === sandboxPort) throw new Error(`--port and --sandbox-port cannot both be ${port}`);
	return { once: values.once, port, sandboxPort };
}

function readPort(text: string, option: string): number {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > 65_535)
		throw new Error(`${option} takes a number from 1 to 65535, not '${text}'`);
	return port;
}

async function checkPort(port: number, what: string, option: string): Promise<void> {
	if (await isFree(port)) return;
	const other = port + 100 > 65_535 ? port - 100 : port + 100;
	throw new Error(
		`Port ${port}, for ${what}, is in use. Stop what uses it, or choose another: npm start -- ${option} ${other}`,
	);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (stopping === undefined) say('\nStopping n8n and the sandbox ...');
		void stop().then(() => process.exit(INTERRUPTED));
	});
}

main()
	.catch((thrown: unknown) => {
		// What fails because everything is being stopped needs no words.
		if (stopping === undefined)
			process.stderr.write(`\n${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
		return 1;
	})
	.then(async (code) => {
		// Whoever asked to stop sets the exit code, too.
		if (stopping !== undefined) return;
		await stop();
		process.exit(code);
	});
