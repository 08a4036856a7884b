import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUN_DIR } from '../../scripts/runtime.mjs';

/** One `npm start` at a time: they would share n8n's database. */

const FILE = join(RUN_DIR, 'start.json');

/**
 * Takes the lock; one that a killed start left behind counts for nothing.
 * @throws with the addresses of the start that holds it
 */
export function takeLock(addresses: { editor: string; console: string }): void {
	mkdirSync(RUN_DIR, { recursive: true });
	const holder = readHolder();
	if (holder !== undefined && isStart(holder.pid)) {
		throw new Error(
			`It is running already (process ${holder.pid}).\n\n  Editor    ${holder.editor}\n  Console   ${holder.console}\n\nStop it with Ctrl-C there before starting another one.`,
		);
	}
	writeFileSync(FILE, JSON.stringify({ pid: process.pid, ...addresses }));
}

/** Gives the lock back, if it is ours. */
export function dropLock(): void {
	if (readHolder()?.pid === process.pid) rmSync(FILE, { force: true });
}

function readHolder(): { pid: number; editor: string; console: string } | undefined {
	try {
		return JSON.parse(readFileSync(FILE, 'utf8')) as {
			pid: number;
			editor: string;
			console: string;
		};
	} catch {
		return undefined;
	}
}

function isStart(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	// The number may have gone to another program since.
	const commandLine = `/proc/${pid}/cmdline`;
	return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes('start.mts');
}
