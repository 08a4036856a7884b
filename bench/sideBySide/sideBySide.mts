import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { RUN_DIR } from '../../scripts/runtime.mjs';
import { median } from '../statistics.mts';
import { inTemporaryFolder } from '../temporaryFolder.mts';
import { measure, type Measured } from './measure.mts';
import { reads, SCENARIOS, type Candidate, type Scenario } from './scenarios.mts';
import { SERVICES, USUAL, type Service } from './services.mts';

/**
 * Compares the node with what somebody could take instead, in one run: n8n's HTTP Request node with
 * the same credential. First reads at services that vary in
 * different ways, then other work at one of them. All candidates meet the same answer times, by the
 * seed of the round. Prints medians and their ratios. Run: node bench/sideBySide/sideBySide.mts
 * [--seeds 5], after npm start has installed everything.
 */

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '5' } } });
const seeds = Number(values.seeds);

/** Runs all candidates in turn, once for each seed, and prints the medians. */
async function compare(
	n8n: RunningN8n,
	scenario: Scenario,
	service: Service,
	candidates: Candidate[],
): Promise<void> {
	const outcomes = candidates.map((): Measured[] => []);
	for (let seed = 1; seed <= seeds; seed++)
		for (const [index, candidate] of candidates.entries())
			outcomes[index].push(await measure(n8n, scenario, candidate, service, seed));
	const middle = (index: number, what: keyof Measured) =>
		median(outcomes[index].map((outcome) => outcome[what]));
	const ours = candidates.findIndex((candidate) => candidate.ours);
	for (const [index, { name }] of candidates.entries()) {
		const ratio = (what: keyof Measured) =>
			index === ours ? '' : (middle(ours, what) / middle(index, what)).toFixed(2);
		print(
			service.name,
			name,
			`${middle(index, 'seconds').toFixed(2)} s`,
			ratio('seconds'),
			`${middle(index, 'cpuSeconds').toFixed(2)} s`,
			ratio('cpuSeconds'),
			String(middle(index, 'requests')),
			String(middle(index, 'mostAtOnce')),
		);
	}
}

const print = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

function printHead(title: string): void {
	const cells = ['Service', 'Who', 'Time', 'Ratio', 'CPU', 'Ratio', 'Requests', 'At once'];
	process.stdout.write(`\n### ${title}\n\n`);
	for (const row of [cells, cells.map(() => '---')]) print(...row);
}

await inTemporaryFolder(async (folder) => {
	const n8n = await startN8n({ userFolder: folder, tarball: join(RUN_DIR, 'package.tgz') });
	try {
		process.stdout.write(`Medians of ${seeds} seeds. Less than 1 means that ours takes less.\n`);
		const scenario = reads(1000);
		const [ours, httpRequest] = scenario.candidates;
		// The first run of each only warms up.
		for (const candidate of scenario.candidates) await measure(n8n, scenario, candidate, USUAL);
		printHead(scenario.name);
		for (const service of SERVICES)
			await compare(
				n8n,
				scenario,
				service,
				// A single refusal without a word stops HTTP Request.
				service.unavailable === undefined ? [ours, httpRequest] : [ours],
			);
		for (const other of SCENARIOS) {
			printHead(other.name);
			await compare(n8n, other, USUAL, other.candidates);
		}
	} finally {
		await n8n.stop();
	}
});
