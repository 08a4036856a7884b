import { sleep } from 'n8n-workflow';

import { InputFailure, OtherInputFailure } from '../../../messages/explainedFailure';
import type { OperationCall } from '../../../run/operation';
import { asError } from '../../../transport/failure/failure';
import { isAutomatic } from './parseRow';

/*
 * All rows of a run are checked before the first one is sent. Otherwise a sheet whose last row lacks
 * an email address would be half created before anybody knows, and would have to be cut for the next
 * run.
 */

/** The check of each run. State of this process; docs/architecture.md lists all of it. */
const checks = new WeakMap<object, Promise<void>>();
/** n8n does other work in between, however many rows there are. */
const AT_A_TIME = 200;
/** How many rows a message names. */
const MOST_NAMED = 5;

/**
 * Checks the rows of all items, once a run. Where 'On Error' continues, each row stands for itself.
 * Columns that a person has mapped need the expressions of each item, so they aren't checked before.
 * @param read reads the row of an item
 * @throws InputFailure when the row of another item can't be used
 */
export async function checkRows(
	call: OperationCall,
	read: (call: OperationCall) => unknown,
): Promise<void> {
	const { context } = call;
	if (!isAutomatic(call.params) || context.continueOnFail()) return;
	const check = checks.get(context) ?? checkAll(call, read);
	checks.set(context, check);
	await check;
}

async function checkAll(call: OperationCall, read: (call: OperationCall) => unknown) {
	const { length: count } = call.context.getInputData();
	const faults = new Map<number, string>();
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		if (itemIndex % AT_A_TIME === AT_A_TIME - 1) await sleep(0);
		try {
			read({ ...call, itemIndex });
		} catch (thrown) {
			if (!(thrown instanceof InputFailure)) throw asError(thrown);
			faults.set(itemIndex, thrown.message);
		}
	}
	// The only fault of all may be the item's own, which is told when it's read.
	if ([...faults.keys()].every((itemIndex) => itemIndex === call.itemIndex)) return;
	const named = [...faults].slice(0, MOST_NAMED);
	const remedy = [
		...named.map(([itemIndex, text]) => `Item ${itemIndex + 1}: ${text}`),
		...(faults.size > MOST_NAMED ? [`And ${faults.size - MOST_NAMED} more`] : []),
		"Correct the rows, or set 'On Error' to continue with the others",
	];
	throw new OtherInputFailure(
		call.params.label('columns'),
		`can't be used for ${faults.size} of ${count} rows, so nothing was sent`,
		remedy.join('. '),
	);
}
