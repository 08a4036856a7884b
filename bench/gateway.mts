import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { answerTime, type AnswerTimes } from './answerTimes.mts';
import { startLimitedService } from './limitedService.mts';
import { measure } from './sideBySide/measure.mts';
import { reads } from './sideBySide/scenarios.mts';
import { median } from './statistics.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Compares the node with the best fixed number of requests at once, at a service behind a gateway
 * that becomes slower the more requests are open: 1 + (open / 32)² times. Fixed numbers are sent
 * without n8n, so that nothing but their number counts. Run: node bench/gateway.mts [--seeds 5],
 * after npm start has installed everything.
 */

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '5' } } });
const SEEDS = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
const READS = 1000;
const FIXED = [16, 24, 32, 40, 48];
const SERVICES: AnswerTimes[] = [
	{ medianMs: 50, sigma: 0.6, knee: 32 },
	{ medianMs: 200, sigma: 0.3, knee: 32 },
	{ medianMs: 200, sigma: 0.6, knee: 32 },
];

/** How many seconds the reads take with so many at once. */
async function fixed(atOnce: number, times: AnswerTimes): Promise<number> {
	await using service = await startLimitedService(() => ({ accepted: true, headers: {} }), {
		answerMs: answerTime(times),
	});
	let next = 0;
	const began = performance.now();
	const readOn = async () => {
		while (next < READS) await (await fetch(`${service.url}/transactions/or_${next++}`)).text();
	};
	await Promise.all(Array.from({ length: atOnce }, readOn));
	return (performance.now() - began) / 1000;
}

await inTemporaryFolder(async (userFolder) => {
	const n8n = await startN8n({ userFolder, tarball: join(RUN_DIR, 'package.tgz') });
	try {
		const scenario = reads(READS);
		const [own] = scenario.candidates;
		const print = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
		print('Service', 'Sign and Close', 'Best fixed number', 'Ours / that');
		print('---', '---', '---', '---');
		await measure(n8n, scenario, own, { times: SERVICES[0] });
		for (const times of SERVICES) {
			const [ours, others] = [[] as number[], FIXED.map(() => [] as number[])];
			for (const seed of SEEDS) {
				ours.push((await measure(n8n, scenario, own, { times }, seed)).seconds);
				for (const [index, atOnce] of FIXED.entries())
					others[index].push(await fixed(atOnce, { ...times, seed }));
			}
			const best = others
				.map((seconds, index) => ({ atOnce: FIXED[index], seconds: median(seconds) }))
				.sort((a, b) => a.seconds - b.seconds)[0];
			print(
				`${times.medianMs} ms, sigma ${times.sigma}`,
				`${median(ours).toFixed(2)} s`,
				`${best.seconds.toFixed(2)} s (${best.atOnce})`,
				(median(ours) / best.seconds).toFixed(2),
			);
		}
	} finally {
		await n8n.stop();
	}
});
