import type { OperationCall, OperationResult } from '../../../run/operation';
import { isDraft } from '../../../transport/answers/transactionState';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { describeNextStep, type joinHints } from '../../../form/hints';
import {
	describeDifferingFields,
	listDifferingFields,
	toDifferenceOutput,
	type ItemDifference,
} from '../../draft/difference';
import { compareTransaction } from '../../draft/draftComparison';
import { addRemark, nameItem } from '../sheet/hint';
import { buildCreateResult, type NewTransaction } from './creation';
import { describeUpdateIt } from '../sheet/source';
import type { IfTransactionExists } from './options';

/* What comes out for an item that was created before. */

/** Differences that the service shows. Nobody can tell whether what no answer shows differs. */
export const listKnownDifferences = (differences: ItemDifference[]) =>
	differences.filter(({ kind }) => kind !== 'unknown');

/** The note of a row whose transaction was there before. */
const markFound = ({ note }: NewTransaction, ...remarks: Array<string | undefined>) =>
	addRemark(note && { ...note, isFound: true }, ...remarks);

/** What is found and stays as it is, with all in which the item differs. */
export function buildFoundResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	differences: ItemDifference[],
	mode: IfTransactionExists['mode'],
): OperationResult {
	const knownDifferences = listKnownDifferences(differences);
	const remark = describeDifferingFields(knownDifferences);
	const isDifferent = knownDifferences.length > 0;
	const result = buildExistingResult(call, transaction, parsed, knownDifferences, [
		isDifferent && parsed.note === undefined && `${nameItem(call)} ${remark}`,
		isDifferent &&
			mode === 'return' &&
			isDraft(transaction) &&
			`To write to a draft what differs, run it with ${describeUpdateIt(call.params)}`,
	]);
	return isDifferent
		? { ...result, counted: 'different', note: markFound(parsed, remark), isFound: true }
		: { ...result, counted: 'equal', isFound: true };
}

/**
 * What was updated.
 * @param change what became of the change otherwise than it was wanted
 * @param differences in what it differed before; a later try that only looks doesn't know it
 */
export function buildUpdatedResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	change: string | undefined,
	differences: ItemDifference[] = [],
): OperationResult {
	const left = listKnownDifferences(compareTransaction(call, parsed, transaction).differences);
	const isLeft = ({ subject, field }: ItemDifference) =>
		left.some((difference) => difference.subject === subject && difference.field === field);
	const updated = differences.filter((difference) => !isLeft(difference));
	const { json, ...result } = buildExistingResult(call, transaction, parsed, left, [
		describeNextStep(transaction),
		parsed.note === undefined && change,
	]);
	return {
		...result,
		json: { ...json, updated: updated.map(toDifferenceOutput) },
		counted: 'updated',
		note: markFound(
			parsed,
			updated.length === 0 ? undefined : `updated: ${listDifferingFields(updated)}`,
			change,
		),
	};
}

/** @param differences all in which the item still differs */
function buildExistingResult(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	differences: ItemDifference[],
	hints: Parameters<typeof joinHints>[0],
): OperationResult {
	const { json, ...result } = buildCreateResult(call, transaction, parsed, true, hints);
	return {
		...result,
		note: markFound(parsed),
		json: { ...json, differences: differences.map(toDifferenceOutput) },
	};
}
