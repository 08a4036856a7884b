import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { NODE_BINARY } from '../../scripts/runtime.mjs';
import { N8nClient } from '../clients/n8n/client.mts';
import {
	collectOutput,
	cpuMs,
	endProcessGroup,
	hasExited,
	residentBytes,
} from './childProcess.mts';
import { N8N_PROGRAM, PRELOAD_FILE } from './folders.mts';
import { installPackage } from './installPackage.mts';
import { n8nEnvironment, type N8nOptions } from './n8nEnvironment.mts';
import { PATIENCE_MS, waitUntil } from './patience.mts';
import { freePort } from './ports.mts';

/** A real n8n as a child process, with the packed package installed. */
export interface RunningN8n {
	url: string;
	userFolder: string;
	/** Signed in as the owner. */
	api: N8nClient;
	/** Everything n8n has written so far. */
	log(): string;
	/** Resident memory of n8n's main process. */
	residentBytes(): number;
	/** Milliseconds that the cores have worked for n8n's main process so far. */
	cpuMs(): number;
	/** Ends n8n and everything it started. May be called more than once. */
	stop(): Promise<void>;
	/** Ends n8n without a chance to clean up, as a power failure would. */
	kill(): Promise<void>;
}

/** A process that queue mode adds to the main one. */
export interface QueueProcess {
	url: string;
	stop(): Promise<void>;
}

/** After that, a question that n8n leaves open while it starts is asked again. */
const PROBE_MS = PATIENCE_MS / 60;
const LOG_TAIL_LINES = 30;

interface N8nProcess {
	child: ChildProcess;
	lines: string[];
	logFile: string;
}

/**
 * Starts n8n, waits until it is ready, signs in and installs the package.
 * @throws with the end of n8n's log when it doesn't become ready
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	options.signal?.throwIfAborted();
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	mkdirSync(options.userFolder, { recursive: true });
	const n8n = spawnN8n(
		'start',
		options.userFolder,
		'n8n.log',
		await n8nEnvironment(options, port, url),
	);
	const { child, lines } = n8n;
	const stop = () => endProcessGroup(child, 'SIGTERM');
	const onAbort = () => void stop();
	options.signal?.addEventListener('abort', onAbort, { once: true });
	try {
		await waitUntilReady(
			'n8n',
			n8n,
			// n8n reports that it is ready before it serves the routes of its API. This one comes last, with
			// the editor or without, and needs no login.
			async () =>
				(await answersJson(`${url}/healthz/readiness`)) &&
				(await answersJson(`${url}/rest/options/timezones`)),
			options.signal,
		);
		const api = new N8nClient(url);
		await api.session.signIn();
		if (options.tarball !== undefined)
			await installPackage(api, options.tarball, options.userFolder);
		options.signal?.throwIfAborted();
		return {
			url,
			userFolder: options.userFolder,
			api,
			log: () => lines.join('\n'),
			residentBytes: () => residentBytes(child.pid as number),
			cpuMs: () => cpuMs(child.pid as number),
			stop,
			kill: () => endProcessGroup(child, 'SIGKILL'),
		};
	} catch (error) {
		await stop();
		options.signal?.throwIfAborted();
		throw error;
	} finally {
		options.signal?.removeEventListener('abort', onAbort);
	}
}

/**
 * Starts `n8n webhook` or `n8n worker` over the user folder of a main process that has installed
 * the package.
 * @throws with the end of its log when it doesn't become ready
 */
export async function startQueueProcess(
	command: 'webhook' | 'worker',
	options: N8nOptions,
): Promise<QueueProcess> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const n8n = spawnN8n(command, options.userFolder, `n8n-${command}-${port}.log`, {
		...(await n8nEnvironment(options, port, url)),
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
	});
	const stop = () => endProcessGroup(n8n.child, 'SIGTERM');
	try {
		await waitUntilReady(`n8n ${command}`, n8n, async () => await answersOk(`${url}/healthz`));
	} catch (error) {
		await stop();
		throw error;
	}
	return { url, stop };
}

function spawnN8n(
	command: 'start' | 'webhook' | 'worker',
	folder: string,
	logName: string,
	env: Record<string, string>,
): N8nProcess {
	if (!existsSync(N8N_PROGRAM) || !existsSync(NODE_BINARY))
		throw new Error("n8n isn't installed yet. Run `npm start` or `npm test`: both install it.");
	const child = spawn(NODE_BINARY, ['--require', PRELOAD_FILE, N8N_PROGRAM, command], {
		cwd: folder,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		// In its own process group, n8n can be ended together with its task runner, and the Ctrl-C of a
		// terminal reaches only this process.
		detached: true,
	});
	const logFile = join(folder, logName);
	return { child, lines: collectOutput(child, logFile), logFile };
}

async function waitUntilReady(
	name: string,
	{ child, lines, logFile }: N8nProcess,
	isReady: () => Promise<boolean>,
	signal?: AbortSignal,
): Promise<void> {
	const logTail = () =>
		`The end of its log (${logFile}):\n${lines.slice(-LOG_TAIL_LINES).join('\n')}`;
	await waitUntil(
		async () => {
			signal?.throwIfAborted();
			if (hasExited(child))
				throw new Error(
					`${name} exited before it was ready (${child.exitCode ?? child.signalCode}). ${logTail()}`,
				);
			return await isReady();
		},
		() => `${logTail()}\n${name} wasn't ready`,
	);
}

async function answersJson(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) });
		// While it starts, n8n answers 200 with a web page that says so.
		return response.ok && (await response.text()).startsWith('{');
	} catch {
		return false;
	}
}

async function answersOk(url: string): Promise<boolean> {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })).ok;
	} catch {
		return false;
	}
}
