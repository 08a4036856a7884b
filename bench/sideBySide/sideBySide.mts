import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { measure, type Measured } from './measure.mts';
import { SCENARIOS, type Scenario } from './scenarios.mts';
import { median } from '../statistics.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';

/**
 * Compares the node with what somebody could take instead, in one run: n8n's HTTP Request node with
 * the same credential, with and without its own batches, and an earlier build of this package. All
 * of them talk to the same service, whose answers take some time. Prints medians and their ratios.
 * Run: node bench/sideBySide/sideBySide.mts [--rounds 5] [--latency 50] [--only reads] [--baseline
 * <package.tgz>], after npm start has installed everything.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		latency: { type: 'string', default: '50' },
		only: { type: 'string' },
		baseline: { type: 'string' },
	},
});
const rounds = Number(values.rounds);

async function compare(scenario: Scenario, now: RunningN8n, baseline?: RunningN8n): Promise<void> {
	const candidates = [
		...scenario.candidates.map((candidate) => ({ n8n: now, candidate })),
		...(baseline === undefined
			? []
			: scenario.candidates
					.filter(({ ours }) => ours)
					.map((candidate) => ({
						n8n: baseline,
						candidate: { ...candidate, name: 'Earlier build', ours: false },
					}))),
	];
	const outcomes = candidates.map((): Measured[] => []);
	// The first round only warms up.
	for (let round = 0; round <= rounds; round++)
		for (const [index, { n8n, candidate }] of candidates.entries()) {
			const outcome = await measure(n8n, scenario, candidate, Number(values.latency));
			if (round > 0) outcomes[index].push(outcome);
		}
	const middle = (index: number, what: keyof Measured) =>
		median(outcomes[index].map((outcome) => outcome[what]));
	const own = candidates.findIndex(({ candidate }) => candidate.ours);
	print(`\n### ${scenario.name}\n`);
	print('| | Time | Time of ours / this | CPU | CPU of ours / this | Requests | At once |');
	print('| --- | --- | --- | --- | --- | --- | --- |');
	for (const [index, { candidate }] of candidates.entries()) {
		const ratio = (what: keyof Measured) =>
			index === own ? '' : (middle(own, what) / middle(index, what)).toFixed(2);
		const shown = (what: keyof Measured) => `${middle(index, what).toFixed(2)} s`;
		print(
			`| ${candidate.name} | ${shown('seconds')} | ${ratio('seconds')} | ${shown('cpuSeconds')} | ${ratio('cpuSeconds')} | ${middle(index, 'requests')} | ${middle(index, 'mostAtOnce')} |`,
		);
	}
}

const print = (line: string) => process.stdout.write(`${line}\n`);

const start = async (userFolder: string, tarball: string) =>
	await startN8n({ userFolder, tarball });

if (values.baseline !== undefined && !existsSync(values.baseline))
	throw new Error(`There is no ${values.baseline}`);
await inTemporaryFolder(async (folder) => {
	const now = await start(join(folder, 'now'), join(RUN_DIR, 'package.tgz'));
	const baseline =
		values.baseline === undefined
			? undefined
			: await start(join(folder, 'baseline'), resolve(values.baseline));
	try {
		print(
			`Medians of ${rounds} rounds, service with ${values.latency} ms. Less than 1 means that ours is faster.`,
		);
		for (const scenario of SCENARIOS)
			if ((values.only ?? scenario.key) === scenario.key) await compare(scenario, now, baseline);
	} finally {
		await now.stop();
		await baseline?.stop();
	}
});
