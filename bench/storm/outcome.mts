import { DatabaseSync } from 'node:sqlite';

import { parse } from 'flatted';

import type { Ledger } from './ledger.mts';

/** What became of the events. */
export interface StormOutcome {
	/** How many events were answered 200. */
	answered: number;
	/** How many events weren't, and had to be found by the trigger. */
	due: number;
	/** How many executions n8n has stored. */
	executions: number;
	/** How many of the answered and the due events exactly one execution has passed on. */
	passedOnce: number;
	/** Answered 200 or due, but in no stored execution. */
	notStored: number[];
	/** Not passed on, because a kill has interrupted the execution. */
	interrupted: number[];
	/** Passed on by more than one execution. */
	doubled: number[];
	/** Stored in executions that ended, but not passed on. */
	lost: number[];
	/**
	 * Passed on although they were over before the workflow was published or used their account, or
	 * belong to an account that the workflow didn't use then, or were rejected.
	 */
	replayed: number[];
	/** How many forged events were passed on. */
	forgedPassed: number;
	/** Forged events that were passed on as confirmed by the service. */
	believed: number[];
	/** How many events were passed on because the service showed them, and not by a call. */
	recovered: number;
}

interface StoredEvent {
	number: number;
	isConfirmed: boolean;
}

interface StoredExecution {
	status: string;
	/** webhook for a call, trigger for an event that the trigger has found. */
	mode: string;
	/** When n8n stored it, in milliseconds since 1970. */
	at: number;
	/** The events that started the execution. */
	received: StoredEvent[];
	/** The events that the trigger has passed on. */
	passed: StoredEvent[];
}

type ReadNumber = (json: any) => number | undefined;

/** The number of an event is in its payload, or it's the completion of a transaction. */
const numbersIn =
	({ completions }: Ledger): ReadNumber =>
	(json) => {
		if (typeof json?.data?.number === 'number') return json.data.number;
		return json?.event === 'transaction.completed'
			? completions.get(json.transaction_id)
			: undefined;
	};

/** @param since when the first of them was stored, as n8n writes it */
function readExecutions(file: string, readNumber: ReadNumber, since = ''): StoredExecution[] {
	const eventsIn = (items: any[] | undefined): StoredEvent[] =>
		(items ?? []).flatMap(({ json }) => {
			const number = readNumber(json);
			return number === undefined ? [] : [{ number, isConfirmed: json.confirmed === true }];
		});
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const rows = database
			.prepare(
				"select e.status, e.mode, e.createdAt, d.data from execution_entity e join execution_data d on d.executionId = e.id where e.mode in ('webhook', 'trigger') and e.createdAt >= ?",
			)
			.all(since) as Array<{ status: string; mode: string; createdAt: string; data: string }>;
		return rows.map(({ status, mode, createdAt, data }) => {
			const { resultData, executionData } = parse(data) as any;
			const passed = eventsIn(resultData?.runData?.Events?.[0]?.data?.main?.[0]);
			const unprocessed = executionData?.nodeExecutionStack?.flatMap(
				(entry: any) => entry.data?.main?.[0] ?? [],
			);
			return {
				status,
				mode,
				// n8n writes the time of UTC without saying so.
				at: Date.parse(`${createdAt.replace(' ', 'T')}Z`),
				passed,
				received: [...passed, ...eventsIn(unprocessed)],
			};
		});
	} finally {
		database.close();
	}
}

/** Whether executions that n8n has stored since then have passed on all of these events. */
export function havePassed(
	file: string,
	ledger: Ledger,
	numbers: readonly number[],
	since: Date,
): boolean {
	const stored = since.toISOString().replace('T', ' ').replace('Z', '');
	const passed = new Set(
		readExecutions(file, numbersIn(ledger), stored)
			.filter(({ status }) => status === 'success')
			.flatMap((execution) => execution.passed.map(({ number }) => number)),
	);
	return numbers.every((number) => passed.has(number));
}

/** Reads n8n's database, which must not be in use, and compares it with what must have become. */
export function readStormOutcome(file: string, ledger: Ledger): StormOutcome {
	const executions = readExecutions(file, numbersIn(ledger));
	const passedCounts = new Map<number, number>();
	const interrupted = new Set<number>();
	const stored = new Set<number>();
	const replayed = new Set<number>();
	const forgedPassed = new Set<number>();
	const believed = new Set<number>();
	const { answered, due, forged } = ledger;
	const isExpected = (number: number) => answered.has(number) || due.has(number);
	for (const { status, at, passed, received } of executions) {
		for (const { number } of received) stored.add(number);
		if (status !== 'success') {
			// A run that has failed by itself is no excuse.
			if (status !== 'error') for (const { number } of received) interrupted.add(number);
			continue;
		}
		for (const { number, isConfirmed } of passed) {
			if (forged.has(number)) {
				forgedPassed.add(number);
				if (isConfirmed) believed.add(number);
			} else if (!isExpected(number) || ledger.isForeign(number, at)) replayed.add(number);
			else passedCounts.set(number, (passedCounts.get(number) ?? 0) + 1);
		}
	}
	const events = [...new Set([...answered.keys(), ...due])];
	const timesPassed = (number: number) => passedCounts.get(number) ?? 0;
	const notPassed = events.filter((number) => timesPassed(number) === 0);
	return {
		answered: answered.size,
		due: due.size,
		executions: executions.length,
		passedOnce: events.filter((number) => timesPassed(number) === 1).length,
		notStored: events.filter((number) => !stored.has(number)),
		interrupted: notPassed.filter((number) => interrupted.has(number)),
		doubled: events.filter((number) => timesPassed(number) > 1),
		lost: notPassed.filter(
			(number) => stored.has(number) && !interrupted.has(number) && !replayed.has(number),
		),
		replayed: [...replayed],
		forgedPassed: forgedPassed.size,
		believed: [...believed],
		recovered: executions
			.filter(({ status, mode }) => status === 'success' && mode === 'trigger')
			.flatMap(({ passed }) => passed).length,
	};
}

/** Counts what must not have become of an event. What a kill cuts off is none of it. */
export function failuresOf({
	notStored,
	doubled,
	lost,
	replayed,
	believed,
	forgedPassed,
}: StormOutcome): number {
	const lists = [notStored, doubled, lost, replayed, believed];
	return lists.reduce((sum, { length }) => sum + length, forgedPassed);
}
