/**
 * `npm run faults` runs every operation at a service that fails in every way that it knows,
 * `npm run seeds` whole workflows with random faults, and `npm run lost-creates` creates whose
 * answers are lost, with their retries. `npm run late` runs every write whose answer is lost and which
 * is done before, later or never, with everybody who may try again, and new papers and copies with
 * what the ledger has of each document. They print figures, and each
 * deviation with the command that repeats it.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { installRuntime } from '../install.mjs';
import { runScript } from '../progress.mjs';
import { RUN_DIR } from '../runtime.mjs';
import { runTests } from '../jest/run.mjs';

const USAGE = `Usage:
  npm run faults -- [--only <part of a cell's name>]
  npm run seeds -- [--seeds <how many>] [--from <first seed>]
  npm run lost-creates -- [--seeds <how many>] [--from <first seed>]
  npm run late -- [--only <part of a cell's name>]`;
const OPTIONS = {
	only: { type: 'string', default: '' },
	seeds: { type: 'string', default: '1000' },
	from: { type: 'string', default: '1' },
};
const MOST_SHOWN = 100;
/** A day: all cells or seeds are one test. */
const LIMIT_MS = String(24 * 3_600_000);

/** Runs a program in parts, one a core, and gives what each has left in its report. */
async function runInParts(file, reportName, environmentOf) {
	const parts = Array.from({ length: availableParallelism() }, (_, index) => index);
	return await Promise.all(
		parts.map(async (part) => {
			const report = `${part + 1}-of-${parts.length}-${reportName}`;
			return await run(file, report, environmentOf(part, parts.length));
		}),
	);
}

/** Runs a program, and gives what it has left in its report. */
async function run(file, reportName, env) {
	const reportFile = join(RUN_DIR, 'results', reportName);
	mkdirSync(dirname(reportFile), { recursive: true });
	rmSync(reportFile, { force: true });
	const args = ['--selectProjects', 'programs', '--runInBand', '--testTimeout', LIMIT_MS, file];
	await runTests(args, { FAULTS_REPORT: reportFile, ...env });
	if (!existsSync(reportFile)) throw new Error('There is no report');
	return JSON.parse(readFileSync(reportFile, 'utf8'));
}

function print(text) {
	process.stdout.write(`${text}\n`);
}

/** Prints how often each value occurs. */
function count(title, values) {
	const counts = new Map();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	const parts = [...counts].sort((one, other) => other[1] - one[1]);
	print(`${title}: ${parts.map(([value, times]) => `${value} ${times}`).join(', ') || 'none'}`);
}

async function faults({ only }) {
	const file = 'test/support/faultMatrix/full.run.mts';
	const reports = await runInParts(file, 'faults.json', (part, parts) => ({
		FAULTS_ONLY: only,
		FAULTS_PART: `${part}/${parts}`,
	}));
	const results = reports.flatMap((report) => report.results);
	const wrong = results.filter(({ deviations, known }) => deviations.length > 0 && !known);
	for (const { name, deviations } of wrong.slice(0, MOST_SHOWN))
		print(`\n${deviations.join('\n')}\n  npm run faults -- --only '${name}'`);
	print(`\nCells: ${results.length}`);
	count(
		'Outcomes',
		results.map(({ outcome }) => outcome),
	);
	count(
		'Known deviations',
		results.flatMap(({ known }) => (known ? [known] : [])),
	);
	// A part of the cells needs a part of the entries.
	const isUnneeded = (entry) => reports.every(({ unneeded }) => unneeded.includes(entry));
	const stale = only ? [] : reports[0].unneeded.filter(isUnneeded);
	if (stale.length > 0) print(`Nothing needs these entries of known.mts: ${stale.join('; ')}`);
	print(`Deviations: ${wrong.length}`);
	return wrong.length + stale.length;
}

/** Of a result of lateAnswers.mts, what isn't as the node promises. */
const deviationsOf = ({ doubled, wrong }) => [...doubled, ...wrong];

async function late({ only }) {
	const results = [];
	for (const program of ['lateAnswers', 'newPapers']) {
		const report = await run(`test/faults/${program}.run.mts`, `${program}.json`, {
			FAULTS_ONLY: only,
		});
		results.push(...report.results);
	}
	const [cutOff, whole] = [true, false].map((one) =>
		results.filter(({ isCutOff }) => isCutOff === one),
	);
	const wrong = whole.filter((one) => deviationsOf(one).length > 0);
	for (const one of wrong.slice(0, MOST_SHOWN))
		print(`\n${deviationsOf(one).join('\n')}\n  npm run late -- --only '${one.name}'`);
	print(`\nCells: ${whole.length}`);
	count(
		'Told in the end',
		whole.map(({ told }) => told.at(-1)),
	);
	count(
		'Unknown in the end',
		whole.filter(({ told }) => told.at(-1) === 'unknown').map(({ scene }) => scene),
	);
	print(`Deviations: ${wrong.length}`);
	print(`\nStopped or killed in between: ${cutOff.length}`);
	count(
		'Doubled then',
		cutOff
			.filter(({ doubled }) => doubled.length > 0)
			.map(({ actor, scene }) => `${actor}: ${scene}`),
	);
	count(
		'Told wrongly then',
		cutOff.filter((one) => one.wrong.length > 0).map(({ actor, scene }) => `${actor}: ${scene}`),
	);
	return wrong.length;
}

/** Runs seeds, and prints sums of what they came to. */
async function runSeeds(options, command, file, sums) {
	const [from, howMany] = [Number(options.from), Number(options.seeds)];
	const reports = await runInParts(file, `${command}.json`, (part, parts) => {
		const [first, next] = [part, part + 1].map((one) => Math.floor((one * howMany) / parts));
		return { SEEDS_FROM: String(from + first), SEEDS_COUNT: String(next - first) };
	});
	const results = reports.flatMap((report) => report.results);
	const tooFewFound = reports.some((report) => report.tooFewFound);
	const wrong = results.filter(({ deviations }) => deviations.length > 0);
	for (const { seed, deviations } of wrong.slice(0, MOST_SHOWN))
		print(`\n${deviations.join('\n')}\n  npm run ${command} -- --from ${seed} --seeds 1`);
	print(`\nSeeds: ${results.length}, from ${from}`);
	for (const [name, label] of Object.entries(sums))
		print(`${label}: ${results.reduce((total, one) => total + one[name], 0)}`);
	count(
		'Items',
		results.flatMap(({ items }) => items),
	);
	print(`Seeds that deviate: ${wrong.length}`);
	if (tooFewFound) print('Too few are found');
	return wrong.length + (tooFewFound ? 1 : 0);
}

function seeds(options) {
	const sums = { steps: 'Steps', requests: 'Requests', struck: 'Struck', effects: 'Effects' };
	return runSeeds(options, 'seeds', 'test/support/faultSeeds/full.run.mts', sums);
}

function lostCreates(options) {
	const sums = {
		runs: 'Runs',
		effects: 'Effects',
		toFind: 'Lost, but made',
		found: 'Found of those',
	};
	return runSeeds(options, 'lost-creates', 'test/faults/lostCreates/full.run.mts', sums);
}

async function main() {
	const [, , command, ...args] = process.argv;
	const work = { matrix: faults, seeds, 'lost-creates': lostCreates, late }[command];
	if (work === undefined) throw new Error(USAGE);
	let options;
	try {
		options = parseArgs({ args, options: OPTIONS }).values;
	} catch {
		throw new Error(USAGE);
	}
	await installRuntime();
	return (await work(options)) === 0 ? 0 : 1;
}

runScript(main);
