import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { OperationCall } from '../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../transport/answers/answers';
import { plainId } from '../../values/ids';
import { asText } from '../../values/json';
import { choice } from '../shared/fields';
import { documentsOf } from './api';

/*
 * Skips documents that stood in the transaction before the execution, each of them for one item: two
 * files of one name are two documents, in every run.
 */

/** What to do with what exists. */
export const ifExists = choice(
	'If It Exists',
	'ifExists',
	[
		['Add', 'add', 'Add it without looking'],
		['Skip', 'skip', 'Return the existing one instead'],
	],
	'What to do if the transaction had it before this execution. A document is recognized by its Tracking ID, or else by its name.',
);

/** Whether what exists is skipped. */
export const skipsExisting = (params: OperationCall['params'], value: unknown): boolean =>
	params.choice(ifExists.name, value ?? '') === 'skip';

/** What an execution knows of the documents of a transaction; all IDs are plain ones. */
interface Known {
	/** Those that it has added, as long as nothing was looked for. */
	added?: string[];
	/** Those that were there before it, and stand for no item yet. */
	before?: string[];
}

const KEY = 'signAndCloseDocuments';

function knownOf({ execution }: OperationCall, transactionId: string): Known {
	const all = (execution[KEY] ??= {}) as Record<string, Known>;
	return (all[plainId(transactionId)] ??= {});
}

/** Notes a document that this execution has added. */
export function noteAdded(call: OperationCall, transactionId: string, { id }: IDataObject): void {
	const known = knownOf(call, transactionId);
	if (known.before === undefined) (known.added ??= []).push(plainId(String(id)));
}

/**
 * Finds the document that an item doesn't need to add.
 * @param retrieve retrieves the transaction
 * @param fields the document as it would be added
 * @returns undefined when there is none
 * @throws InputFailure when nothing tells the document from others
 * @throws ServiceFailure when the transaction doesn't show its documents
 */
export async function findExisting(
	call: OperationCall,
	retrieve: () => Promise<TransactionAnswer>,
	fields: IDataObject,
): Promise<DocumentAnswer | undefined> {
	const { params, steps } = call;
	const { tracking_id: tracking, filename: name } = fields;
	if (String(fields.pdf_bookmarked) === 'true')
		throw new InputFailure(
			params.label(ifExists.name),
			"can't be Skip together with 'Split at Bookmarks'",
			"The parts get names of their own, so it's unknown whether they're there. Set it to Add",
		);
	if (tracking === undefined && name === undefined)
		throw new InputFailure(
			params.label('documentName'),
			`is empty, so that '${params.label(ifExists.name)}' can't compare it`,
			"Enter the name, or a 'Tracking ID'",
		);
	const documents = documentsOf(await retrieve());
	const idOf = ({ id }: DocumentAnswer) => plainId(String(id));
	const known = knownOf(call, params.requiredLocator('transactionId'));
	known.before ??= documents.map(idOf).filter((id) => known.added?.includes(id) !== true);
	delete known.added;
	// An earlier try of the item may have found it.
	const [own] = steps.all();
	const found = documents.find(
		(document) =>
			(idOf(document) === own || known.before!.includes(idOf(document))) &&
			(tracking === undefined
				? document.document_name === name
				: document.tracking_id === asText(tracking)),
	);
	if (found === undefined) return undefined;
	known.before = known.before.filter((id) => id !== idOf(found));
	if (own === undefined) steps.add(idOf(found));
	return found;
}
