import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
 * the same credential, with and without its own batches, and an earlier build of this package. First
 * reads at services that vary in different ways, then other work at one of them. All candidates meet
 * the same answer times, by the seed of the round. Prints medians and their ratios. Run: node
 * bench/sideBySide/sideBySide.mts [--seeds 5] [--only reads|one|closings|documents|many] [--service
 * "200 ms, sigma 0.6"] [--baseline <package.tgz>], after npm start has installed everything.
 */

const { values } = parseArgs({
	options: {
		seeds: { type: 'string', default: '5' },
		only: { type: 'string' },
		service: { type: 'string', default: '' },
		baseline: { type: 'string' },
	},
});
const seeds = Number(values.seeds);

/** The medians of a candidate. */
type Row = Measured & { name: string; ours: boolean };

/** Runs all candidates in turn, once for each seed. */
async function compare(
	scenario: Scenario,
	service: Service,
	candidates: Array<{ n8n: RunningN8n; candidate: Candidate }>,
): Promise<Row[]> {
	const outcomes = candidates.map((): Measured[] => []);
	for (let seed = 1; seed <= seeds; seed++)
		for (const [index, { n8n, candidate }] of candidates.entries())
			outcomes[index].push(await measure(n8n, scenario, candidate, service, seed));
	return candidates.map(({ candidate: { name, ours } }, index) => {
		const middle = (what: keyof Measured) => median(outcomes[index].map((one) => one[what]));
		return {
			name,
			ours,
			seconds: middle('seconds'),
			cpuSeconds: middle('cpuSeconds'),
			requests: middle('requests'),
			mostAtOnce: middle('mostAtOnce'),
		};
	});
}

const print = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const title = (text: string) => process.stdout.write(`\n### ${text}\n\n`);
const head = (...cells: string[]) => {
	print(...cells);
	print(...cells.map(() => '---'));
};
const time = (seconds: number) => `${seconds.toFixed(2)} s`;

function printScenario(rows: Row[]): void {
	head('', 'Time', 'Time of ours / this', 'CPU', 'CPU of ours / this', 'Requests', 'At once');
	const own = rows.find(({ ours }) => ours)!;
	for (const row of rows) {
		const ratio = (what: 'seconds' | 'cpuSeconds') =>
			row === own ? '' : (own[what] / row[what]).toFixed(2);
		print(
			row.name,
			time(row.seconds),
			ratio('seconds'),
			time(row.cpuSeconds),
			ratio('cpuSeconds'),
			String(row.requests),
			String(row.mostAtOnce),
		);
	}
}

function printService({ name }: Service, [ours, other]: Array<Row | undefined>): void {
	const ratio = (what: 'seconds' | 'cpuSeconds') =>
		other === undefined ? '' : (ours![what] / other[what]).toFixed(2);
	print(
		name,
		time(ours!.seconds),
		other === undefined ? 'fails' : time(other.seconds),
		ratio('seconds'),
		ratio('cpuSeconds'),
		String(ours!.mostAtOnce),
	);
}

if (values.baseline !== undefined && !existsSync(values.baseline))
	throw new Error(`There is no ${values.baseline}`);
await inTemporaryFolder(async (folder) => {
	const start = async (userFolder: string, tarball: string) =>
		await startN8n({ userFolder: join(folder, userFolder), tarball });
	const now = await start('now', join(RUN_DIR, 'package.tgz'));
	const baseline =
		values.baseline === undefined ? undefined : await start('baseline', resolve(values.baseline));
	const inNow = (candidate: Candidate) => ({ n8n: now, candidate });
	const inBaseline = (candidate: Candidate) =>
		baseline === undefined || !candidate.ours
			? []
			: [{ n8n: baseline, candidate: { ...candidate, name: 'Earlier build', ours: false } }];
	try {
		process.stdout.write(`Medians of ${seeds} seeds. Less than 1 means that ours takes less.\n`);
		const { name, candidates } = reads(1000);
		const [own, httpRequest] = candidates;
		// The first run of each only warms up.
		for (const candidate of candidates) await measure(now, reads(1000), candidate, USUAL);
		if ((values.only ?? 'reads') === 'reads') {
			title(name);
			head('Service', 'Time', 'HTTP Request', 'Time of ours / its', 'CPU of ours / its', 'At once');
			for (const service of SERVICES.filter((one) => one.name.includes(values.service))) {
				const both = service.unavailable === undefined ? [own, httpRequest] : [own];
				printService(service, await compare(reads(1000), service, both.map(inNow)));
			}
		}
		for (const scenario of SCENARIOS)
			if ((values.only ?? scenario.key) === scenario.key) {
				title(`${scenario.name}, ${USUAL.name}`);
				const all = scenario.candidates.map(inNow);
				printScenario(
					await compare(scenario, USUAL, [...all, ...scenario.candidates.flatMap(inBaseline)]),
				);
			}
	} finally {
		await now.stop();
		await baseline?.stop();
	}
});
