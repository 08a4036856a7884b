import type { IDataObject } from 'n8n-workflow';

import { joinHints } from '../../../form/hints';
import type { OperationCall, OperationResult, WriteParts } from '../../../run/operation';
import { isDraft } from '../../../transport/answers/transactionState';
import { asObjects, withoutEmpty } from '../../../values/json';
import { joinSentences } from '../../../values/words';
import { compareTransaction } from '../../draft/draftComparison';
import { listDocuments } from '../../document/api';
import {
	buildDifference,
	describeDifference,
	toDifferenceOutput,
	type ItemDifference,
} from '../../draft/difference';
import { findTwins } from '../createAndSend/documentPairing';
import { buildStepParts, readTransactionId } from '../createAndSend/steps/plannedSteps';
import type { CopyChoices } from './form';
import { describeNotCopied, isLostPlaces, toNotCopiedOutput, type NotCopied } from './notCopied';
import { planCopy, type CopyState } from './plan';

/* The parts of an item that copies a transaction, and their one output. */

/** The parts of a copy. */
export function buildCopyParts(
	call: OperationCall,
	choices: CopyChoices,
	state: CopyState,
	notCopied: NotCopied[],
): WriteParts {
	return {
		parts: buildStepParts(call, { steps: planCopy(choices, state) }),
		resumeAdvice: (results, { isUnknown, isOver }) => {
			const id = readTransactionId(results);
			return joinSentences(
				id !== undefined && `The copy ${id} is kept`,
				isUnknown
					? 'Look at the service before you run the workflow again'
					: !isOver && 'Run the workflow again: it goes on where it stopped',
			);
		},
		details: (results) => withoutEmpty({ transaction_id: readTransactionId(results) }),
		join: (results) => join(call, choices, state, notCopied, results),
	};
}

/** What a person has changed in a copy that was there, and what a killed run has added to it late. */
function listDifferences(call: OperationCall, { transaction, copy }: CopyState): ItemDifference[] {
	if (transaction === undefined || copy === undefined) return [];
	const { differences } = compareTransaction(call, transaction, copy);
	const twins = findTwins(listDocuments(copy)).map(({ document_name: name }) =>
		buildDifference('document', 'extra', [String(name), 'Document'], [null, name]),
	);
	return [...differences.filter(({ kind }) => kind !== 'unknown'), ...twins];
}

function join(
	call: OperationCall,
	{ transactionId }: CopyChoices,
	state: CopyState,
	notCopied: NotCopied[],
	results: OperationResult[],
): OperationResult {
	const { transaction_id, existing } = results[0].json;
	const collectField = (field: string) => results.flatMap(({ json }) => asObjects(json[field]));
	const output = results.flatMap(({ json }) => asObjects([json.shown])).at(-1);
	const differences = listDifferences(call, state);
	const texts = differences.map((difference) =>
		describeDifference(difference, String(transaction_id)),
	);
	return {
		json: {
			transaction_id,
			existing,
			old_transaction_id: transactionId,
			...output,
			steps: collectField('steps'),
			documents_added: collectField('documents'),
			not_copied: notCopied.map(toNotCopiedOutput),
			differences: differences.map(toDifferenceOutput),
		} as IDataObject,
		hint: joinHints([
			describeNotCopied(notCopied),
			texts.length > 0 && `The copy was changed since: ${texts.join('; ')}`,
			...new Set(results.map(({ hint }) => hint)),
			output !== undefined &&
				isDraft(output) &&
				(notCopied.some(isLostPlaces)
					? "The copy is a draft. Once its places to sign are set, use 'Transaction: Send'"
					: "The copy is a draft. Look at it, and use 'Transaction: Send'"),
		]),
		counted: results.flatMap(({ counted }) => counted ?? []).at(0),
		isFoundAgain: true,
	};
}
