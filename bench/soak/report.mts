import { readFileSync } from 'node:fs';

/** What is watched of n8n during a soak. */

const MEGABYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const ESTABLISHED = '01';

/** One look at n8n's own metrics. */
export interface Sample {
	atMs: number;
	heapBytes: number;
	residentBytes: number;
	openFiles: number;
}

/** Reads n8n's metrics (N8N_METRICS=true). */
export async function takeSample(n8nUrl: string): Promise<Sample> {
	const text = await (await fetch(`${n8nUrl}/metrics`)).text();
	const value = (name: string) => Number(new RegExp(`^\\S*${name} (\\S+)`, 'm').exec(text)?.[1]);
	return {
		atMs: Date.now(),
		heapBytes: value('nodejs_heap_size_used_bytes'),
		residentBytes: value('process_resident_memory_bytes'),
		openFiles: value('process_open_fds'),
	};
}

/**
 * How fast the heap grows, in megabytes an hour: a line through the lowest value of each window,
 * because what lies above the lowest is mostly garbage that hasn't been collected yet.
 */
export function heapSlope(samples: Sample[], windowMs: number): number {
	const windows = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / windowMs));
	const points = [...windows.values()].map((some) =>
		some.reduce((lowest, one) => (one.heapBytes < lowest.heapBytes ? one : lowest)),
	);
	const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
	const hours = points.map(({ atMs }) => atMs / HOUR_MS);
	const sizes = points.map(({ heapBytes }) => heapBytes / MEGABYTE);
	const [hour, size] = [mean(hours), mean(sizes)];
	const covariance = mean(hours.map((one, index) => (one - hour) * (sizes[index] - size)));
	return covariance / mean(hours.map((one) => (one - hour) ** 2));
}

/** Open connections to a local port, seen from the side that has connected (/proc/net/tcp). */
export function connectionsTo(port: number): number {
	const hex = port.toString(16).toUpperCase().padStart(4, '0');
	return ['/proc/net/tcp', '/proc/net/tcp6']
		.flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
		.map((line) => line.trim().split(/\s+/))
		.filter(([, , remote, state]) => remote?.endsWith(`:${hex}`) && state === ESTABLISHED).length;
}

/** Lines of n8n's log that tell of something that nobody took care of. */
export function alarmingLines(log: string): string[] {
	return log
		.split('\n')
		.filter((line) =>
			/MaxListenersExceeded|unhandled ?rejection|uncaught|memory leak|heap out of memory/i.test(
				line,
			),
		);
}
