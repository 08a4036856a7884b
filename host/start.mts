import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { startSandbox, type Sandbox } from '../sandbox/index.mts';
import { printLine, showProgress, SIGNALS, stopCommands } from '../scripts/progress.mjs';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { describeNextSteps, workflowList } from './demo/addresses.mts';
import { runClosing, type ClosingResult } from './demo/runClosing.mts';
import { setUpDemo, writePapers } from './demo/setUpDemo.mts';
import { runTour, type Tour } from './demo/tour.mts';
import { startMailbox, type Mailbox } from './mailbox/mailbox.mts';
import { startN8n, type RunningN8n } from './run/n8n.mts';
import { isPortFree } from './run/ports.mts';
import { acquireStartLock, releaseStartLock } from './run/startLock.mts';

/**
 * `npm start`: a sandbox of the service, a mailbox, a real n8n with the package and the example
 * workflows, and one closing from beginning to end.
 */

/** What a shell reports for a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;
const MAX_PORT = 65_535;
const USER_FOLDER = join(RUN_DIR, 'n8n');

const abortStart = new AbortController();
let sandbox: Sandbox | undefined;
let mailbox: Mailbox | undefined;
let startingN8n: Promise<RunningN8n> | undefined;
let n8n: RunningN8n | undefined;
let stopping: Promise<void> | undefined;

/** Stops everything that was started. Later calls wait for the first one. */
async function stop(): Promise<void> {
	stopping ??= (async () => {
		stopCommands();
		abortStart.abort(new Error('Stopped'));
		await n8n?.stop();
		await startingN8n?.catch(() => undefined);
		// n8n writes its copy of the editor anew at each start. The linter would read all of it.
		rmSync(join(USER_FOLDER, '.cache'), { recursive: true, force: true });
		await sandbox?.close();
		await mailbox?.close();
		releaseStartLock();
	})();
	await stopping;
}

interface Options {
	once: boolean;
	tour: boolean;
	verbose: boolean;
	port: number;
	sandboxPort: number;
	mailboxPort: number;
}

async function main(): Promise<number> {
	const options = readOptions();
	const urlOf = (port: number) => `http://127.0.0.1:${port}`;
	acquireStartLock({
		editor: workflowList(urlOf(options.port)),
		console: `${urlOf(options.sandboxPort)}/console`,
	});
	await assertPortFree(options.port, 'the editor', '--port');
	await assertPortFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	await assertPortFree(options.mailboxPort, 'the mailbox', '--mailbox-port');
	// n8n keeps what an earlier start archived, so a transaction never has the ID of an earlier one.
	const runningSandbox = (sandbox = await startSandbox({
		port: options.sandboxPort,
		seed: randomUUID(),
	}));
	printLine(`Sandbox of the service: ${sandbox.url}`);
	const office = (mailbox = await startMailbox(options.mailboxPort));
	const archiveFolder = join(RUN_DIR, 'archive');
	const papersFolder = join(RUN_DIR, 'papers');
	await writePapers(papersFolder);
	const starting = (startingN8n = startN8n({
		userFolder: USER_FOLDER,
		port: options.port,
		tarball: join(RUN_DIR, 'package.tgz'),
		filesFolder: `${archiveFolder};${papersFolder}`,
		editor: true,
		signal: abortStart.signal,
	}));
	const { api, url } = (n8n = await showProgress('Starting n8n', async () => await starting));
	const [installed] = await api.packages.list();
	printLine(`Installed in n8n: ${installed.packageName} ${installed.installedVersion}`);
	const demo = await showProgress(
		'Importing the credentials and all examples, publishing the archive workflow',
		async () => await setUpDemo(api, runningSandbox, office, archiveFolder),
	);
	if (options.tour) return await tellTour({ api, sandbox: runningSandbox, demo, editorUrl: url });
	const printDetail = options.verbose ? printLine : () => undefined;
	const result = await runClosing(api, runningSandbox.url, demo, printLine, printDetail);
	printResult(result, archiveFolder, printDetail);
	if (options.once) return result.problems.length === 0 ? 0 : 1;
	printLine();
	const places = { editorUrl: url, sandbox: runningSandbox, mailboxUrl: office.url };
	for (const line of describeNextSteps({ ...places, papersFolder, demo })) printLine(line);
	printLine();
	printLine('Press Ctrl-C to stop everything.');
	// Ctrl-C ends the process.
	await new Promise(() => undefined);
	return 0;
}

/** Tells the tour. Who sits in front of it goes on with Enter; for a script, it goes on by itself. */
async function tellTour(places: Omit<Tour, 'print' | 'waitForReader'>): Promise<number> {
	const waitForReader = async () => {
		if (process.stdin.isTTY) await askToGoOn('Press Enter to go on.');
	};
	const problems = await runTour({ ...places, print: printLine, waitForReader });
	printLine();
	for (const problem of problems) printLine(`PROBLEM: ${problem}`);
	if (problems.length === 0) printLine('That was the tour.');
	if (process.stdin.isTTY) await askToGoOn('Look around. Press Enter to stop everything.');
	return problems.length === 0 ? 0 : 1;
}

async function askToGoOn(question: string): Promise<void> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	// Ctrl-C reaches the terminal first.
	terminal.on('SIGINT', () => process.emit('SIGINT'));
	await terminal.question(question);
	terminal.close();
}

/** Says in words what became of the example closing, and in detail what proves it. */
function printResult(
	{ transactionId, statuses, files, problems }: ClosingResult,
	folder: string,
	printDetail: (line?: string) => void,
): void {
	printDetail(`Statuses: ${statuses.join(' -> ')}`);
	for (const { name, bytes, sha256, content } of files)
		printDetail(
			`  ${String(bytes).padStart(7)} bytes  ${name.slice(transactionId.length + 1)}  (${content}, sha256 ${sha256})`,
		);
	printLine();
	for (const problem of problems) printLine(`PROBLEM: ${problem}`);
	if (problems.length > 0) return;
	printLine('Done: the closing was sent, signed, notarized and archived.');
	printLine(`All ${files.length} files match the service's files, byte for byte. They're in`);
	printLine(folder);
}

function readOptions(): Options {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			tour: { type: 'boolean', default: false },
			verbose: { type: 'boolean', default: false },
			port: { type: 'string', default: '5678' },
			'sandbox-port': { type: 'string', default: '5680' },
			'mailbox-port': { type: 'string', default: '5681' },
		},
	});
	const port = readPort(values.port, '--port');
	const sandboxPort = readPort(values['sandbox-port'], '--sandbox-port');
	const mailboxPort = readPort(values['mailbox-port'], '--mailbox-port');
	if (new Set([port, sandboxPort, mailboxPort]).size < 3)
		throw new Error('--port, --sandbox-port and --mailbox-port must differ');
	const { once, tour, verbose } = values;
	return { once, tour, verbose, port, sandboxPort, mailboxPort };
}

function readPort(text: string, option: string): number {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > MAX_PORT)
		throw new Error(`${option} must be a number from 1 to ${MAX_PORT}, not '${text}'`);
	return port;
}

async function assertPortFree(port: number, purpose: string, option: string): Promise<void> {
	if (await isPortFree(port)) return;
	const other = port + 100 > MAX_PORT ? port - 100 : port + 100;
	throw new Error(
		`Port ${port}, for ${purpose}, is in use. Stop the program that uses it, or choose another port: npm start -- ${option} ${other}`,
	);
}

for (const signal of SIGNALS) {
	process.on(signal, () => {
		if (stopping === undefined) printLine('\nStopping n8n and the sandbox ...');
		void stop().then(() => process.exit(EXIT_INTERRUPTED));
	});
}

main()
	.catch((error: unknown) => {
		// Stopping makes what is under way fail; that needs no message.
		if (stopping === undefined)
			process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		return 1;
	})
	.then(async (code) => {
		// The signal handler sets the exit code when the user has stopped it.
		if (stopping !== undefined) return;
		await stop();
		process.exit(code);
	});
