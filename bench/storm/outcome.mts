import { DatabaseSync } from 'node:sqlite';

import { parse } from 'flatted';

/** What became of the events. */
export interface StormOutcome {
	/** How many events were answered 200. */
	answered: number;
	/** How many executions n8n has stored. */
	executions: number;
	/** How many of the answered events exactly one execution has passed on. */
	passedOnce: number;
	/** Answered 200, but in no stored execution. */
	notStored: number[];
	/** Not passed on, because a kill has interrupted the execution. */
	interrupted: number[];
	/** Passed on by more than one execution. */
	doubled: number[];
	/** Stored in executions that ended, but not passed on. */
	lost: number[];
	/** How many forged events were passed on. */
	forgedPassed: number;
	/** How many events were passed on because the service's event records had them. */
	recovered: number;
}

interface StoredExecution {
	status: string;
	/** webhook for a call, trigger for an event of the event records. */
	mode: string;
	/** Numbers of the events that started the execution. */
	received: number[];
	/** Numbers of the events that the trigger has passed on. */
	passed: number[];
}

const numbersOf = (items: any[] | undefined): number[] =>
	(items ?? [])
		.map(({ json }) => json?.data?.number)
		.filter((number) => typeof number === 'number');

function readExecutions(file: string): StoredExecution[] {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const rows = database
			.prepare(
				"select e.status, e.mode, d.data from execution_entity e join execution_data d on d.executionId = e.id where e.mode in ('webhook', 'trigger')",
			)
			.all() as Array<{ status: string; mode: string; data: string }>;
		return rows.map(({ status, mode, data }) => {
			const { resultData, executionData } = parse(data) as any;
			const output = resultData?.runData?.Events?.[0]?.data?.main?.[0];
			const unprocessed = executionData?.nodeExecutionStack?.flatMap(
				(entry: any) => entry.data?.main?.[0] ?? [],
			);
			return {
				status,
				mode,
				passed: numbersOf(output),
				received: [...numbersOf(output), ...numbersOf(unprocessed)],
			};
		});
	} finally {
		database.close();
	}
}

/** Reads n8n's database, which must not be in use. `answered` are the events answered 200. */
export function readStormOutcome(file: string, answered: ReadonlySet<number>): StormOutcome {
	const executions = readExecutions(file);
	const passedCounts = new Map<number, number>();
	const interrupted = new Set<number>();
	const stored = new Set<number>();
	for (const { status, passed, received } of executions) {
		for (const number of received) stored.add(number);
		if (status === 'success')
			for (const number of passed) passedCounts.set(number, (passedCounts.get(number) ?? 0) + 1);
		else for (const number of received) interrupted.add(number);
	}
	const events = [...answered];
	const timesPassed = (number: number) => passedCounts.get(number) ?? 0;
	const notPassed = events.filter((number) => timesPassed(number) === 0);
	return {
		answered: events.length,
		executions: executions.length,
		passedOnce: events.filter((number) => timesPassed(number) === 1).length,
		notStored: events.filter((number) => !stored.has(number)),
		interrupted: notPassed.filter((number) => interrupted.has(number)),
		doubled: events.filter((number) => timesPassed(number) > 1),
		lost: notPassed.filter((number) => stored.has(number) && !interrupted.has(number)),
		recovered: executions
			.filter(({ status, mode }) => status === 'success' && mode === 'trigger')
			.flatMap(({ passed }) => passed).length,
		forgedPassed: [...passedCounts.keys()].filter((number) => !answered.has(number)).length,
	};
}
