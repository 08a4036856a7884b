import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { N8nApi, PACKAGE } from '../clients/n8nApi.mts';
import { freePort } from './ports.mts';
import { NODE_BINARY, ROOT } from '../../scripts/runtime.mjs';

/** A real n8n as a child process, with the packed package installed by n8n's own installer. */

export interface N8nOptions {
	/** Holds n8n's database, encryption key and installed packages; may exist already. */
	userFolder: string;
	/** Any free one when left out. */
	port?: number;
	/** The file `npm pack` made; nothing is installed when left out. */
	tarball?: string;
	/**
	 * Folders (joined with ;) flows may read and write; the user folder's `archive` when left out.
	 */
	filesFolder?: string;
	/** More environment, or other values than the usual ones; undefined removes one. */
	env?: Record<string, string | undefined>;
	/** Address that webhooks are told; n8n's own when left out. */
	webhookUrl?: string;
	/** Which n8n: a folder below host/. */
	installation?: string;
	/** Gets every line n8n writes. */
	log?: (line: string) => void;
	/** How long n8n may take until it is ready. */
	readyMs?: number;
	/** Ends a start that is under way. */
	signal?: AbortSignal;
}

export interface RunningN8n {
	url: string;
	port: number;
	pid: number;
	userFolder: string;
	/** Signed in as the owner. */
	api: N8nApi;
	/** Everything n8n has written so far. */
	log(): string;
	/** Resident memory of n8n's main process in bytes. */
	rss(): number;
	/** Ends n8n and everything it started. May be called more than once. */
	stop(): Promise<void>;
	/** Cuts n8n off without a chance to tidy up, as a power failure would. */
	kill(): Promise<void>;
}

/** What is put into n8n's process and onto its PATH. */
const OWN = join(ROOT, 'host', 'run');
const READY_MS = 180_000;
const READY_POLL_MS = 200;
const STOP_MS = 10_000;
const LOG_TAIL_LINES = 30;

/**
 * Starts n8n, waits until it is ready, signs in and installs the package.
 * @throws with the end of n8n's log when it does not become ready
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	options.signal?.throwIfAborted();
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	mkdirSync(options.userFolder, { recursive: true });
	const child = spawn(
		NODE_BINARY,
		['--require', join(OWN, 'preload.cjs'), n8nProgram(options.installation), 'start'],
		{
			cwd: options.userFolder,
			env: await environment(options, port, url),
			stdio: ['ignore', 'pipe', 'pipe'],
			// A process group of its own, so that n8n and its task runner can be ended together and a
			// terminal's Ctrl-C reaches only us.
			detached: true,
		},
	);
	const lines = collect(child, join(options.userFolder, 'n8n.log'), options.log);
	const stop = () => end(child, 'SIGTERM');
	const onAbort = () => void stop();
	options.signal?.addEventListener('abort', onAbort, { once: true });
	try {
		await ready(child, url, lines, options);
		const api = new N8nApi(url);
		await api.signIn();
		if (options.tarball !== undefined) await install(api, options.tarball, options.userFolder);
		options.signal?.throwIfAborted();
		return {
			url,
			port,
			pid: child.pid as number,
			userFolder: options.userFolder,
			api,
			log: () => lines.join('\n'),
			rss: () => residentBytes(child.pid as number),
			stop,
			kill: () => end(child, 'SIGKILL'),
		};
	} catch (thrown) {
		await stop();
		options.signal?.throwIfAborted();
		throw thrown;
	} finally {
		options.signal?.removeEventListener('abort', onAbort);
	}
}

/** A process of n8n beside the main one, in queue mode. */
export interface N8nHelper {
	url: string;
	stop(): Promise<void>;
	log(): string;
}

/**
 * Starts `n8n webhook` or `n8n worker` (queue mode) over the same user folder as the main process,
 * which has installed the package before.
 * @throws with the end of its log when it does not become ready
 */
export async function startHelper(
	command: 'webhook' | 'worker',
	options: N8nOptions,
): Promise<N8nHelper> {
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const env = {
		...(await environment(options, port, url)),
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
	};
	const child = spawn(
		NODE_BINARY,
		['--require', join(OWN, 'preload.cjs'), n8nProgram(options.installation), command],
		{ cwd: options.userFolder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
	);
	const lines = collect(child, join(options.userFolder, `n8n-${command}-${port}.log`), options.log);
	const limit = Date.now() + (options.readyMs ?? READY_MS);
	while (!(await healthy(`${url}/healthz`))) {
		if (child.exitCode !== null || Date.now() > limit) {
			await end(child, 'SIGTERM');
			throw new Error(
				`n8n ${command} did not become ready.\n${lines.slice(-LOG_TAIL_LINES).join('\n')}`,
			);
		}
		await new Promise((wake) => setTimeout(wake, READY_POLL_MS));
	}
	return { url, stop: () => end(child, 'SIGTERM'), log: () => lines.join('\n') };
}

async function healthy(url: string): Promise<boolean> {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
	} catch {
		return false;
	}
}

/** What 1.x does not know, or refuses. */
const ONLY_TWO = {
	// Its list of servers is fetched from outside, at every start.
	N8N_DISABLED_MODULES: 'mcp-registry',
};

function isOne(installation = 'n8n'): boolean {
	return installation.endsWith('-1');
}

function n8nProgram(installation = 'n8n'): string {
	const file = join(ROOT, 'host', installation, 'node_modules', 'n8n', 'bin', 'n8n');
	if (!existsSync(file) || !existsSync(NODE_BINARY))
		throw new Error(
			`n8n is not installed in host/${installation} yet. Run \`npm start\` or \`npm test\`: both install it.`,
		);
	return file;
}

async function environment(
	options: N8nOptions,
	port: number,
	url: string,
): Promise<Record<string, string>> {
	const archive = join(options.userFolder, 'archive');
	mkdirSync(archive, { recursive: true });
	// A variable of the calling shell (a database, a queue) must not turn this n8n into another one.
	const inherited = Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) =>
				!/^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL|NODE_OPTIONS|NODE_ENV|JEST_)/.test(name),
		),
	);
	const webhookUrl = options.webhookUrl ?? `${url}/`;
	const wanted: Record<string, string | undefined> = {
		...inherited,
		NODE_ENV: 'production',
		PATH: [join(OWN, 'path'), dirname(NODE_BINARY), process.env.PATH ?? ''].join(delimiter),
		...(options.tarball === undefined ? {} : installerEnvironment(options.tarball)),
		N8N_USER_FOLDER: options.userFolder,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `${url}/`,
		N8N_SECURE_COOKIE: 'false',
		// Its default, 5679, would clash with any other n8n on this machine.
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_PYTHON_ENABLED: 'false',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// Off: the catalogue of verified packages is fetched from outside.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_RESTRICT_FILE_ACCESS_TO: options.filesFolder ?? archive,
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
		EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
		EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		// Today's defaults, said aloud: n8n warns that they will change.
		N8N_RUNNERS_TASK_TIMEOUT: '300',
		N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(2 * 1024 ** 3),
		N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '5000',
		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
		...(isOne(options.installation)
			? { WEBHOOK_URL: webhookUrl }
			: { N8N_WEBHOOK_URL: webhookUrl, ...ONLY_TWO }),
		...options.env,
	};
	return Object.fromEntries(
		Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined),
	);
}

/** What host/path/npm needs to stand in for the registry. */
function installerEnvironment(tarball: string): Record<string, string> {
	return {
		SIGN_AND_CLOSE_TARBALL: tarball,
		SIGN_AND_CLOSE_VERSION: versionOf(tarball),
		SIGN_AND_CLOSE_NPM: realNpm(),
		npm_config_update_notifier: 'false',
	};
}

function realNpm(): string {
	const found = (process.env.PATH ?? '')
		.split(delimiter)
		.map((folder) => join(folder, 'npm'))
		.find((file) => file !== join(OWN, 'path', 'npm') && existsSync(file));
	if (found === undefined) throw new Error('npm is not on the PATH');
	return found;
}

function versionOf(tarball: string): string {
	return (
		JSON.parse(
			execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
		) as { version: string }
	).version;
}

/**
 * Installs the package the way a user does, with n8n's own installer; updates it when the tarball
 * is another one than last time, and does nothing when it is the same.
 */
async function install(api: N8nApi, tarball: string, userFolder: string): Promise<void> {
	const stamp = join(userFolder, 'installed.sha256');
	const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
	const known = (await api.packages()).find(({ packageName }) => packageName === PACKAGE);
	if (
		known !== undefined &&
		known.failedLoading !== true &&
		existsSync(stamp) &&
		readFileSync(stamp, 'utf8') === digest
	)
		return;
	const version = versionOf(tarball);
	if (known === undefined) await api.installPackage(PACKAGE, version);
	else await api.updatePackage(PACKAGE, version);
	writeFileSync(stamp, digest);
}

function collect(child: ChildProcess, file: string, log?: (line: string) => void): string[] {
	const lines: string[] = [];
	const copy = createWriteStream(file);
	for (const stream of [child.stdout, child.stderr]) {
		let rest = '';
		stream?.setEncoding('utf8').on('data', (text: string) => {
			copy.write(text);
			const parts = (rest + text).split('\n');
			rest = parts.pop() ?? '';
			for (const line of parts) {
				lines.push(line);
				log?.(line);
			}
		});
	}
	child.once('close', () => copy.end());
	child.once('error', (failure) => lines.push(String(failure)));
	return lines;
}

async function ready(
	child: ChildProcess,
	url: string,
	lines: string[],
	options: N8nOptions,
): Promise<void> {
	const readyMs = options.readyMs ?? READY_MS;
	const limit = Date.now() + readyMs;
	const told = () =>
		`The end of its log (${join(options.userFolder, 'n8n.log')}):\n${lines.slice(-LOG_TAIL_LINES).join('\n')}`;
	for (;;) {
		options.signal?.throwIfAborted();
		if (child.exitCode !== null || child.signalCode !== null)
			throw new Error(
				`n8n ended before it was ready (${child.exitCode ?? child.signalCode}). ${told()}`,
			);
		if (Date.now() > limit)
			throw new Error(`n8n was not ready after ${readyMs / 1000} s. ${told()}`);
		if (await answers(`${url}/healthz/readiness`)) {
			// Readiness comes before the editor's routes do.
			if (await answers(`${url}/rest/settings`)) return;
		}
		await new Promise((wake) => setTimeout(wake, READY_POLL_MS));
	}
}

async function answers(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
		const text = await response.text();
		// While it starts, n8n answers 200 with a page that says so.
		return response.ok && text.startsWith('{');
	} catch {
		return false;
	}
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
	if (child.pid === undefined) return;
	const gone =
		child.exitCode !== null || child.signalCode !== null
			? Promise.resolve()
			: new Promise<void>((resolve) => child.once('exit', () => resolve()));
	signalGroup(child.pid, signal);
	const late = setTimeout(() => signalGroup(child.pid as number, 'SIGKILL'), STOP_MS);
	await gone;
	clearTimeout(late);
	// The task runner may outlive n8n by a moment; nothing of the group may stay.
	signalGroup(child.pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// Already gone.
	}
}

function residentBytes(pid: number): number {
	const status = `/proc/${pid}/status`;
	const kilobytes = existsSync(status)
		? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
		: execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
	return Number(kilobytes ?? 0) * 1024;
}
