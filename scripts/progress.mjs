/**
 * Steps that a person watches: what takes more than a moment says what it does and how long it has
 * taken, several side by side when need be. Plain JavaScript without dependencies: it runs before
 * anything is installed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { ROOT, RUN_DIR } from './runtime.mjs';

const HEARTBEAT_MS = 15_000;
const LIVE_MS = 1000;
const TAIL_LINES = 25;
const KILL_AFTER_MS = 5000;
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const children = new Set();
/** Titles of what is under way, with when it began. */
const underWay = new Map();
let interrupted = false;
let timer;

const live = process.stdout.isTTY === true;
const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;
const clear = () => live && process.stdout.write('\r\x1b[K');

function drawLine() {
	if (underWay.size === 0) return;
	const text = [...underWay]
		.map(([title, began]) => `${title} ... ${seconds(began)}`)
		.join('  |  ');
	process.stdout.write(`\r\x1b[K${text.slice(0, (process.stdout.columns ?? 100) - 1)}`);
}

function heartbeat() {
	for (const [title, began] of underWay) {
		if (Date.now() - began >= HEARTBEAT_MS)
			process.stdout.write(`  ${title} ... ${seconds(began)}\n`);
	}
}

function watch(title) {
	underWay.set(title, Date.now());
	if (live) drawLine();
	else process.stdout.write(`${title} ...\n`);
	timer ??= setInterval(live ? drawLine : heartbeat, live ? LIVE_MS : HEARTBEAT_MS);
}

function unwatch(title) {
	underWay.delete(title);
	if (underWay.size === 0) {
		clearInterval(timer);
		timer = undefined;
	}
}

/** Prints a line of its own, above the live line when there is one. */
export function say(text = '') {
	clear();
	process.stdout.write(`${text}\n`);
	if (live) drawLine();
}

/** Whether somebody has asked to stop. */
export const isInterrupted = () => interrupted;

/**
 * Ends everything that was started here, children of children included; what does not go is killed.
 */
export function stopAll() {
	interrupted = true;
	signalAll('SIGTERM');
	setTimeout(() => signalAll('SIGKILL'), KILL_AFTER_MS).unref();
}

function signalAll(signal) {
	for (const child of children) {
		try {
			process.kill(-child.pid, signal);
		} catch {
			// It has ended by itself.
		}
	}
}

/**
 * Shows what is done, and for how long, while `work` goes on.
 * @returns what `work` returned
 */
export async function during(title, work) {
	const began = Date.now();
	watch(title);
	try {
		const result = await work();
		unwatch(title);
		say(`${title}: done (${seconds(began)})`);
		return result;
	} catch (thrown) {
		unwatch(title);
		say(`${title}: ${interrupted ? 'stopped' : 'failed'} after ${seconds(began)}`);
		throw thrown;
	}
}

/**
 * Runs a command in a process group of its own, its output going into a log. Resolves to exit code,
 * log and its text; never throws.
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
 * Runs a command as a step that is shown.
 * @returns the log's text
 * @throws with the tail of the log and its place
 */
export async function step(title, command, args, options) {
	return await during(title, async () => {
		const { code, log, text } = await runLogged(title, command, args, options);
		if (code !== 0)
			throw new Error(
				`${title} did not succeed (exit code ${code}). The end of ${relative(ROOT, log)}:\n\n${tail(text)}`,
			);
		return text;
	});
}

/** The last lines of a log. */
export function tail(text, lines = TAIL_LINES) {
	return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Runs a command that talks to the person itself, and hands it every signal.
 * @returns its exit code
 */
export async function handOver(command, args, env = process.env) {
	const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
	const pass = (signal) => {
		interrupted = true;
		child.kill(signal);
	};
	for (const signal of SIGNALS) process.on(signal, pass);
	try {
		return await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 130));
		});
	} finally {
		for (const signal of SIGNALS) process.off(signal, pass);
	}
}

/**
 * A digest of files (their contents) and other words; a file that is missing counts as its name.
 */
export function digestOf(inputs) {
	const hash = createHash('sha256');
	for (const input of inputs)
		hash.update(existsSync(input) ? readFileSync(input) : input).update('\0');
	return hash.digest('hex');
}

/** Does `work` unless it was done for the same inputs before. */
export async function onceFor(stamp, inputs, present, work) {
	if (present() && existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(inputs)) return;
	await work();
	mkdirSync(dirname(stamp), { recursive: true });
	// Taken afterwards: npm may have rewritten its lock file.
	writeFileSync(stamp, digestOf(inputs));
}
