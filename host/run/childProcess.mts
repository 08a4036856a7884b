import { type ChildProcess, execFileSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';

import { PATIENCE_MS } from './patience.mts';

/** How long a process may take to end by itself: ten seconds, on a machine as fast as the makers'. */
const KILL_AFTER_MS = PATIENCE_MS / 30;

/** Copies what a process writes into a file. The returned lines grow as it writes. */
export function collectOutput(child: ChildProcess, file: string): string[] {
	const lines: string[] = [];
	const copy = createWriteStream(file);
	for (const stream of [child.stdout, child.stderr]) {
		let rest = '';
		stream?.setEncoding('utf8').on('data', (text: string) => {
			copy.write(text);
			const parts = (rest + text).split('\n');
			rest = parts.pop() ?? '';
			lines.push(...parts);
		});
	}
	child.once('close', () => copy.end());
	child.once('error', (error) => lines.push(String(error)));
	return lines;
}

export function hasExited(child: ChildProcess): boolean {
	return child.exitCode !== null || child.signalCode !== null;
}

/** Ends a detached process and everything it started. */
export async function endProcessGroup(
	child: ChildProcess,
	signal: 'SIGTERM' | 'SIGKILL',
): Promise<void> {
	const { pid } = child;
	if (pid === undefined) return;
	const exited = hasExited(child)
		? Promise.resolve()
		: new Promise<void>((resolve) => child.once('exit', () => resolve()));
	signalGroup(pid, signal);
	const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), KILL_AFTER_MS);
	await exited;
	clearTimeout(timer);
	// n8n's task runner may outlive n8n by a moment.
	signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// It has already exited.
	}
}

/** What Linux counts the time of processes in. */
const CLOCK_TICK_MS = 10;

/** Milliseconds that the cores have worked for a process so far, on Linux. */
export function cpuMs(pid: number): number {
	// The name of the process, in brackets, may have spaces.
	const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
	const [user, system] = fields.split(' ').slice(11, 13).map(Number);
	return (user + system) * CLOCK_TICK_MS;
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
	const status = `/proc/${pid}/status`;
	const kilobytes = existsSync(status)
		? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
		: execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
	return Number(kilobytes ?? 0) * 1024;
}
