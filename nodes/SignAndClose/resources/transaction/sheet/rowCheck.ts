import { sleep } from 'n8n-workflow';

import { RowFailure, RowsFailure, type ExplainedFailure } from '../../../messages/failures';
import { joinSentences } from '../../../values/words';
import type { OperationCall } from '../../../run/operation';
import { asError } from '../../../transport/failure/failure';
import { isForm } from './source';

/*
 * All rows of a run are checked before the first one is sent. Otherwise a sheet whose last row lacks
 * an email address would be half created before anybody knows, and would have to be cut for the next
 * run.
 */

/** The rows of each run, until their items take them. State of this process; docs/architecture.md lists all of it. */
const checks = new WeakMap<object, Promise<Map<number, unknown>>>();
/** n8n does other work in between, however many rows there are. */
const AT_A_TIME = 20;
/** How many rows a message names. */
const MOST_NAMED = 10;
const MOST_REMEDIES = 3;

/**
 * Reads the rows of all items, once a run. Where 'On Error' continues, each row stands for itself.
 * @param readRow reads the row of an item, of whose call only the values and the claims are used
 * @returns that of the item; undefined where it isn't read before
 * @throws RowsFailure when rows can't be used; RowFailure when the only one can't
 */
export async function checkRows<T>(
	call: OperationCall,
	readRow: (call: OperationCall) => T,
): Promise<T | undefined> {
	const { context, itemIndex } = call;
	if (isForm(call.params) || context.continueOnFail()) return undefined;
	const check = checks.get(context) ?? checkAllRows(call, readRow);
	checks.set(context, check);
	const rows = (await check) as Map<number, T>;
	const row = rows.get(itemIndex);
	// All of them at once would take much memory.
	rows.delete(itemIndex);
	return row;
}

async function checkAllRows<T>(call: OperationCall, readRow: (call: OperationCall) => T) {
	const { length: count } = call.context.getInputData();
	const rows = new Map<number, T>();
	const failures: RowFailure[] = [];
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		if (itemIndex % AT_A_TIME === AT_A_TIME - 1) await sleep(0);
		try {
			rows.set(itemIndex, readRow(call.withItem(itemIndex)));
		} catch (thrown) {
			if (!(thrown instanceof RowFailure)) throw asError(thrown);
			failures.push(thrown);
		}
	}
	if (failures.length > 0) throw buildRowsFailure(failures, count);
	return rows;
}

/** What to do about rows, each once. */
const listRemedies = (failures: RowFailure[]): string[] =>
	[...new Set(failures.flatMap(({ fault }) => fault.failures.map(({ remedy }) => remedy)))].slice(
		0,
		MOST_REMEDIES,
	);

function buildRowsFailure(failures: RowFailure[], count: number): ExplainedFailure {
	const [first] = failures;
	if (count === 1) return first;
	const texts = new Set(failures.map(({ fault }) => fault.message));
	if (failures.length === count && texts.size === 1)
		return new RowsFailure(
			`None of the ${count} rows can be used. Nothing was created`,
			joinSentences(first.fault.message, first.remedy),
			{ final: true },
		);
	return new RowsFailure(
		`${failures.length} of ${count} rows can't be used${failures.length === 1 ? `: ${first.row}` : ''}. Nothing was created`,
		joinSentences(
			...failures
				.slice(0, MOST_NAMED)
				.map(
					({ row, fault }) => `${row}: ${fault.failures.map(({ message }) => message).join('; ')}`,
				),
			failures.length > MOST_NAMED && `And ${failures.length - MOST_NAMED} more`,
			...listRemedies(failures),
			"Correct the rows, and run all of them again. To go on with the others, set 'On Error' in the node's settings to continue",
		),
		{ final: true },
	);
}
