/**
 * `npm run pairs -- [--seeds 1000] [--from <first seed>]`: runs Create and Send with two items of one
 * number, one after the other, at a service that keeps what it's told (test/engine/transaction/pairs).
 * Each seed has ten pairs. Prints what deviates, as small as possible, with the command that repeats it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { installRuntime } from '../install.mjs';
import { runTests } from '../jest/run.mjs';
import { printLine, runScript } from '../progress.mjs';
import { RUN_DIR } from '../runtime.mjs';

const REPORT = join(RUN_DIR, 'results', 'pairs.json');
const PROGRAM = 'test/engine/transaction/pairs/full.run.mts';
const MOST_SHOWN = 20;
/** A day: all seeds are one test. */
const LIMIT_MS = String(24 * 3_600_000);

async function main() {
	const { seeds, from } = parseArgs({
		options: {
			seeds: { type: 'string', default: '1000' },
			from: { type: 'string', default: '1' },
		},
	}).values;
	await installRuntime();
	mkdirSync(dirname(REPORT), { recursive: true });
	rmSync(REPORT, { force: true });
	await runTests(
		['--selectProjects', 'programs', '--runInBand', '--testTimeout', LIMIT_MS, PROGRAM],
		{ FAULTS_REPORT: REPORT, SEEDS_FROM: from, SEEDS_COUNT: seeds },
	);
	if (!existsSync(REPORT)) throw new Error('There is no report');
	const { results } = JSON.parse(readFileSync(REPORT, 'utf8'));
	const wrong = results.filter(({ deviations }) => deviations.length > 0);
	for (const { seed, deviations } of wrong.slice(0, MOST_SHOWN))
		printLine(`\n${deviations.join('\n')}\n  npm run pairs -- --from ${seed} --seeds 1`);
	const played = results.reduce((total, { pairs: count }) => total + count, 0);
	printLine(`\nSeeds: ${results.length}, from ${from}. Pairs: ${played}`);
	printLine(`Seeds that deviate: ${wrong.length}`);
	return wrong.length === 0 ? 0 : 1;
}

runScript(main);
