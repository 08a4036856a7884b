import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUN_DIR } from '../../scripts/runtime.mjs';

/** Names the running `npm start`. Only one may run, because all share n8n's database. */
const LOCK_FILE = join(RUN_DIR, 'start.json');

/**
 * Claims the lock. A lock that a killed process left behind is ignored.
 * @throws with the URLs of the process that holds it
 */
export function acquireStartLock(urls: { editor: string; console: string }): void {
	mkdirSync(RUN_DIR, { recursive: true });
	const holder = readHolder();
	if (holder !== undefined && isRunningStart(holder.pid)) {
		throw new Error(
			`It's already running (process ${holder.pid}).\n\n  Editor    ${holder.editor}\n  Console   ${holder.console}\n\nStop that one with Ctrl-C before you start another.`,
		);
	}
	writeFileSync(LOCK_FILE, JSON.stringify({ pid: process.pid, ...urls }));
}

/** Releases the lock if this process holds it. */
export function releaseStartLock(): void {
	if (readHolder()?.pid === process.pid) rmSync(LOCK_FILE, { force: true });
}

function readHolder(): { pid: number; editor: string; console: string } | undefined {
	try {
		return JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as {
			pid: number;
			editor: string;
			console: string;
		};
	} catch {
		return undefined;
	}
}

function isRunningStart(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	// The process ID may belong to another program by now.
	const commandLine = `/proc/${pid}/cmdline`;
	return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes('start.mts');
}
