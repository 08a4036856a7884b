import { writeFileSync } from 'node:fs';

import { useBinaryMode } from '../engine.mts';
import { findFault } from './faults.mts';
import { nameOf, runCell, type Cell, type Ran } from './cell.mts';
import { judge, type Verdict } from './judge.mts';
import { knownDeviation, unneededEntries } from './known.mts';
import { Pool } from './pool.mts';

/** Describes a test for each operation and group of faults, which runs all of its cells. */

/** How many cells run side by side, and how many of those that move more than 10 MB. */
const SIDE_BY_SIDE = 24;
const HEAVY_SIDE_BY_SIDE = 1;
/** After so many cells of the full form, a line says how far it is. */
const TOLD_EVERY = 1000;
/** How many times as long limits are at most when a cell is run again on a busy machine. */
const MOST_STRETCH = 64;
/**
 * What a limit can lead to that meets an honest answer. What is done twice, wrongly reported or let
 * out is wrong on any machine, and so is a run that hangs.
 */
const BY_A_LIMIT =
	/^(succeeds|found|fails|unknown) instead of |^other items suffer: |^the fault struck nothing,/;

/** What a cell came to. */
export interface Result {
	name: string;
	outcome: string;
	deviations: string[];
	/** Why the deviation is expected. */
	known?: string;
	ms: number;
}

/**
 * @param cells what to run
 * @param reportFile gets the results as JSON
 */
export function describeFaults(cells: Cell[], reportFile?: string): void {
	const pools = { light: new Pool(SIDE_BY_SIDE), heavy: new Pool(HEAVY_SIDE_BY_SIDE) };
	const results: Result[] = [];
	const running = new Map<Cell, Promise<Result>>();

	const run = async (cell: Cell): Promise<Result> => {
		const pool = findFault(cell.fault).heavy ? pools.heavy : pools.light;
		const result = await pool.run(async () => await resultOf(cell));
		results.push(result);
		if (reportFile && results.length % TOLD_EVERY === 0)
			process.stdout.write(`${results.length} of ${cells.length} cells\n`);
		return result;
	};
	beforeAll(async () => {
		await useBinaryMode('filesystem');
		// All of them wait for their turn; the tests only collect.
		for (const cell of cells) running.set(cell, run(cell));
	});
	afterAll(() => {
		if (reportFile)
			writeFileSync(reportFile, JSON.stringify({ results, unneeded: unneeded(cells, results) }));
	});

	const byOperation = Map.groupBy(cells, ({ scene }) => scene.split('#')[0]);
	for (const [operation, its] of byOperation)
		describe(operation, () => {
			const byGroup = Map.groupBy(its, ({ fault }) => fault.split(':')[0]);
			for (const [group, some] of byGroup)
				test(`${group}: ${some.length} cells`, async () => {
					const done = await Promise.all(some.map(async (cell) => await running.get(cell)!));
					const wrong = done.filter(({ deviations, known }) => deviations.length > 0 && !known);
					if (wrong.length > 0) throw plainError(table(wrong));
				});
		});
}

const unneeded = (cells: Cell[], results: Result[]) =>
	unneededEntries(
		cells.map(({ fault }) => fault),
		results.flatMap(({ known = [] }) => known),
	);

async function resultOf(cell: Cell): Promise<Result> {
	const name = nameOf(cell);
	try {
		const [ran, { deviations, outcome }] = await judged(cell);
		const known = deviations.length > 0 ? knownDeviation(cell, deviations) : undefined;
		return { name, outcome, deviations, known, ms: ran.ms };
	} catch (error) {
		const deviations = [`the cell itself failed: ${(error as Error).stack}`];
		return { name, outcome: 'none', deviations, ms: 0 };
	}
}

/**
 * Limits that end an endless fault soon can meet an honest answer on a busy machine, and then the
 * node does right what the table doesn't expect. Such a cell is run again, with longer ones.
 */
async function judged(cell: Cell, stretch = 1): Promise<[Ran, Verdict]> {
	const ran = await runCell(cell, { stretch });
	const verdict = judge(ran);
	const { deviations } = verdict;
	const isByLimit = deviations.length > 0 && deviations.every((told) => BY_A_LIMIT.test(told));
	return isByLimit && ran.isHeldUp && stretch < MOST_STRETCH
		? await judged(cell, stretch * 8)
		: [ran, verdict];
}

function table(wrong: Result[]): string {
	const lines = wrong.map(
		({ name, deviations }) => `  ${name}\n${deviations.map((one) => `      ${one}`).join('\n')}`,
	);
	return `${wrong.length} cells deviate:\n${lines.join('\n')}\nRun one again: npm run faults -- --only '${wrong[0].name}'`;
}

/** An error without the lines of code around it, which would hide the table. */
function plainError(message: string): Error {
	const error = new Error(message);
	error.stack = message;
	return error;
}
