import { DatabaseSync } from 'node:sqlite';

import { parse } from 'flatted';

/** What became of every event, from n8n's own database: it is read when n8n has stopped. */

export interface Verdict {
	/** Events answered 200, each counted once. */
	answered: number;
	/** Runs that n8n has stored. */
	runs: number;
	/** Answered 200, and exactly one run has passed them on. */
	passedOnce: number;
	/** Answered 200 without any stored run. */
	withoutRecord: number[];
	/** Whose only runs were cut off by a kill. */
	cut: number[];
	/** Passed on by more than one run. */
	doubled: number[];
	/** Answered 200, with whole runs, and not passed on. */
	lost: number[];
	/** Forged events that were passed on. */
	forgedPassed: number;
}

interface StoredRun {
	status: string;
	/** Numbers of the events that came into the run. */
	taken: number[];
	/** Numbers of the events that the trigger has passed on. */
	passed: number[];
}

const numbersOf = (items: any[] | undefined): number[] =>
	(items ?? [])
		.map(({ json }) => json?.data?.number)
		.filter((number) => typeof number === 'number');

function readRuns(file: string): StoredRun[] {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const rows = database
			.prepare(
				"select e.status, d.data from execution_entity e join execution_data d on d.executionId = e.id where e.mode in ('webhook', 'trigger')",
			)
			.all() as Array<{ status: string; data: string }>;
		return rows.map(({ status, data }) => {
			const { resultData, executionData } = parse(data) as any;
			const output = resultData?.runData?.Events?.[0]?.data?.main?.[0];
			const waiting = executionData?.nodeExecutionStack?.flatMap(
				(entry: any) => entry.data?.main?.[0] ?? [],
			);
			return {
				status,
				passed: numbersOf(output),
				taken: [...numbersOf(output), ...numbersOf(waiting)],
			};
		});
	} finally {
		database.close();
	}
}

export function judgeStorm(file: string, answered: ReadonlySet<number>): Verdict {
	const runs = readRuns(file);
	const passed = new Map<number, number>();
	const cutRuns = new Set<number>();
	const recorded = new Set<number>();
	for (const { status, passed: out, taken } of runs) {
		for (const number of taken) recorded.add(number);
		if (status === 'success')
			for (const number of out) passed.set(number, (passed.get(number) ?? 0) + 1);
		else for (const number of taken) cutRuns.add(number);
	}
	const all = [...answered];
	const times = (number: number) => passed.get(number) ?? 0;
	return {
		answered: all.length,
		runs: runs.length,
		passedOnce: all.filter((number) => times(number) === 1).length,
		withoutRecord: all.filter((number) => !recorded.has(number)),
		cut: all.filter((number) => times(number) === 0 && cutRuns.has(number)),
		doubled: all.filter((number) => times(number) > 1),
		lost: all.filter(
			(number) => times(number) === 0 && recorded.has(number) && !cutRuns.has(number),
		),
		forgedPassed: [...passed.keys()].filter((number) => !answered.has(number)).length,
	};
}
