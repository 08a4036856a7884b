import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { measure } from '../sideBySide/measure.mts';
import { reads } from '../sideBySide/scenarios.mts';
import { median } from '../statistics.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';

/**
 * Measures whether many items cost more than few: the work for an item, the longest time for which
 * the node keeps n8n from everything else, and the memory that it takes beyond n8n's own items. Run:
 * node bench/manyItems/manyItems.mts [--rounds 5] [--few 1000] [--many 50000], after npm start has
 * installed everything.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		few: { type: 'string', default: '1000' },
		many: { type: 'string', default: '50000' },
	},
});
/** A service that answers at once. */
const AT_ONCE = { times: { medianMs: 0, sigma: 0 } };
const [rounds, few, many] = [values.rounds, values.few, values.many].map(Number);

/** What watch.cjs has seen in a run. */
interface Watched {
	items: number;
	seconds: number;
	cpuSeconds: number;
	longestBlockMs: number;
	beyondItemsBytes: number;
}

/** Runs the reads in an n8n that is watched, after a round that warms up. */
async function watch(what: 'loop' | 'memory', counts: number[]): Promise<Watched[]> {
	return await inTemporaryFolder(async (userFolder) => {
		const file = join(userFolder, 'watched.jsonl');
		const n8n = await startN8n({
			userFolder,
			tarball: join(RUN_DIR, 'package.tgz'),
			env: {
				NODE_OPTIONS: `--require ${join(import.meta.dirname, 'watch.cjs')}`,
				WATCH: what,
				WATCH_FILE: file,
			},
		});
		try {
			for (const count of [few, ...counts]) {
				const scenario = reads(count);
				await measure(n8n, scenario, scenario.candidates[0], AT_ONCE);
			}
			const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
			return lines.map((line) => JSON.parse(line) as Watched);
		} finally {
			await n8n.stop();
		}
	});
}

const all = await watch('loop', Array.from({ length: rounds }, () => [few, many]).flat());
const of = (count: number, read: (watched: Watched) => number) =>
	median(all.filter(({ items }) => items === count).map(read));
const perItem = (count: number) =>
	of(count, ({ cpuSeconds, items }) => (1000 * cpuSeconds) / items);
const memory = await watch('memory', [many]);
process.stdout.write(
	[
		`Medians of ${rounds} rounds, service without latency:`,
		...[few, many].map(
			(count) =>
				`- ${count} items: ${of(count, ({ seconds }) => seconds).toFixed(1)} s, ${perItem(count).toFixed(2)} ms CPU an item, longest block ${of(count, ({ longestBlockMs }) => longestBlockMs).toFixed(0)} ms`,
		),
		`- CPU an item with ${many} is ${(perItem(many) / perItem(few)).toFixed(2)} of that with ${few}`,
		`- ${many} items: at most ${(memory[0].beyondItemsBytes / 1024 ** 2).toFixed(0)} MB beyond n8n's own items`,
		'',
	].join('\n'),
);
