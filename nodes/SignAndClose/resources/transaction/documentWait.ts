import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readOptionalFields } from '../../run/parameters/optionalFields';
import type { Params } from '../../run/parameters/params';
import { poll } from '../../run/write/poll';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { isDraft, derivePhase } from '../../transport/answers/transactionState';
import type { ServiceClient } from '../../transport/client';
import { ServiceFailure } from '../../transport/failure/failure';
import { isSameId } from '../../values/ids';
import { asText } from '../../values/json';
import { isFailed } from '../document/api';
import { parseCollection } from '../../form/input';
import type { TransactionTarget } from './api';

/* Waits until a draft can be sent: the service reads its documents first. */

const DEFAULT_WAIT_SECONDS = 120;
const FIRST_PAUSE_MS = 100;

export const documentWait: INodeProperties = {
	displayName: 'Wait for Documents',
	name: 'wait_for_documents',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_WAIT_SECONDS,
	description:
		'How many seconds to wait until the service has processed the documents. A transaction that is sent earlier may be refused, or lose the signing tags in its PDFs.',
};

/**
 * How long an item waits, in milliseconds.
 * @throws InputFailure when it's no number of seconds
 */
export function parseWait(params: Params): number {
	const additional = readOptionalFields(params);
	const { wait_for_documents: seconds } = parseCollection(params, additional, [documentWait]);
	return Number(seconds ?? DEFAULT_WAIT_SECONDS) * 1000;
}

/** Whether a transaction may be sent. One that doesn't show its state may. */
export const isStillDraft = (transaction: IDataObject) =>
	derivePhase(transaction) === undefined || isDraft(transaction);

/** How a draft is waited for. */
interface Wait {
	limitMs: number;
	/** Documents were just added, so that the first look would be too early. */
	isFresh?: boolean;
	/** The draft as it was retrieved a moment ago. */
	draft?: TransactionAnswer;
	/** Documents that are to be deleted, so that nobody waits for them. */
	excludedIds?: string[];
	/** Looks at the draft each time it's retrieved, because tags become places meanwhile. */
	check?(draft: TransactionAnswer): void;
}

/**
 * Waits until no document is pending, as long as it's a draft. A draft that is sent earlier is refused
 * or loses the text tags of its documents (docs/service/documents.md#processing). Documents whose state
 * isn't shown count as processed.
 * @returns the transaction
 * @throws ServiceFailure `documentFailed` when a document can't be processed, `documentsPending`
 *   when the limit is over
 */
export async function waitForDocuments(
	service: ServiceClient,
	{ transactionId, platform }: TransactionTarget,
	{ limitMs, isFresh, draft, excludedIds = [], check }: Wait,
): Promise<TransactionAnswer> {
	const began = Date.now();
	let firstDraft = draft;
	let pending: string[] = [];
	const look = async (): Promise<TransactionAnswer | undefined> => {
		const transaction = firstDraft ?? (await retrieveTransaction(service, transactionId, platform));
		firstDraft = undefined;
		if (!isStillDraft(transaction)) return transaction;
		check?.(transaction);
		const awaited = (transaction.documents ?? []).filter(
			({ id }) => !excludedIds.some((excludedId) => isSameId(id, excludedId)),
		);
		const failed = awaited.find(isFailed);
		if (failed !== undefined) {
			// Business shows it in Get document only (docs/service/documents.md#two-forms-of-the-answer).
			const reason = asText(failed.processing_error);
			throw new ServiceFailure(
				{ code: 'documentFailed', document: getDocumentName(failed), explanation: reason },
				{ final: true },
			);
		}
		pending = awaited
			.filter(({ processing_state: state }) => state === 'pending')
			.map(getDocumentName);
		return pending.length === 0 ? transaction : undefined;
	};
	const pauseMs = isFresh ? undefined : FIRST_PAUSE_MS;
	const ready = await poll(service, look, { end: began + limitMs, pauseMs, isEarly: isFresh });
	if (ready !== undefined) return ready;
	const seconds = Math.round((Date.now() - began) / 1000);
	throw new ServiceFailure(
		{ code: 'documentsPending', documents: pending, seconds },
		{ final: false },
	);
}

const getDocumentName = ({ document_name: name, id }: IDataObject) => asText(name) ?? String(id);
