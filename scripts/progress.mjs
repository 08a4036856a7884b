/**
 * Runs commands and shows their progress: what is running, and for how long. Several may run side by
 * side. Plain JavaScript without dependencies, because it runs before anything is installed.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ROOT, RUN_DIR } from './runtime.mjs';

const HEARTBEAT_MS = 15_000;
const TAIL_LINES = 50;
const KILL_AFTER_MS = 5000;
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const children = new Set();
let interrupted = false;

export function printLine(text = '') {
	process.stdout.write(`${text}\n`);
}

/** Whether the user has asked to stop. */
export const isInterrupted = () => interrupted;

/** Ends all running commands and their children. Kills those that don't exit in time. */
export function stopCommands() {
	interrupted = true;
	signalAll('SIGTERM');
	setTimeout(() => signalAll('SIGKILL'), KILL_AFTER_MS).unref();
}

function signalAll(signal) {
	for (const child of children) {
		try {
			process.kill(-child.pid, signal);
		} catch {
			// It has already exited.
		}
	}
}

/**
 * Shows a step and its duration while `work` runs.
 * @returns what `work` returned
 */
export async function showProgress(title, work) {
	const startTime = Date.now();
	const seconds = () => `${Math.round((Date.now() - startTime) / 1000)} s`;
	printLine(`${title} ...`);
	const heartbeat = setInterval(() => printLine(`  ${title} ... ${seconds()}`), HEARTBEAT_MS);
	try {
		const result = await work();
		printLine(`${title}: done (${seconds()})`);
		return result;
	} catch (error) {
		printLine(`${title}: ${interrupted ? 'stopped' : 'failed'} after ${seconds()}`);
		throw error;
	} finally {
		clearInterval(heartbeat);
	}
}

/**
 * Runs a command in its own process group and writes its output into a log. Never throws.
 * @returns the exit code, the log's path and its text
 */
export async function runLogged(name, command, args, { cwd = ROOT, env = process.env } = {}) {
	const log = join(RUN_DIR, 'logs', `${name.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}.log`);
	if (interrupted) return { code: 130, log, text: '' };
	mkdirSync(dirname(log), { recursive: true });
	const file = openSync(log, 'w');
	const child = spawn(command, args, { cwd, env, stdio: ['ignore', file, file], detached: true });
	children.add(child);
	const code = await new Promise((resolve) => {
		child.once('error', () => resolve(127));
		child.once('close', (exit) => resolve(exit ?? 130));
	});
	children.delete(child);
	closeSync(file);
	return { code, log, text: readFileSync(log, 'utf8') };
}

/**
 * Runs a command and shows it as a step.
 * @returns the log's text
 * @throws with the end of the log and its path
 */
export async function runStep(title, command, args, options) {
	return await showProgress(title, async () => {
		const { code, log, text } = await runLogged(title, command, args, options);
		if (code !== 0)
			throw new Error(
				`${title}: the command exited with code ${code}. The end of ${relative(ROOT, log)}:\n\n${lastLines(text)}`,
			);
		return text;
	});
}

/** The last lines of a text. */
export function lastLines(text, lines = TAIL_LINES) {
	return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Runs a command in this terminal and forwards every signal to it.
 * @returns its exit code
 */
export async function runInForeground(command, args, env = process.env) {
	const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
	const forward = (signal) => {
		interrupted = true;
		child.kill(signal);
	};
	for (const signal of SIGNALS) process.on(signal, forward);
	try {
		return await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 130));
		});
	} finally {
		for (const signal of SIGNALS) process.off(signal, forward);
	}
}

/** Runs a script to its end: what it throws is printed, and its number becomes the exit code. */
export function runScript(main) {
	main().then(
		(code) => process.exit(code ?? 0),
		(error) => {
			process.stderr.write(`\n${error.message}\n`);
			process.exit(1);
		},
	);
}
