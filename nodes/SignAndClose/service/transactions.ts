import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import type { Platform } from './endpoints';
import { explainNoJson } from './errors';
import { asObject, asObjects, asText, recordIdOf } from './wire';

/**
 * Retrieves a transaction with fresh links (interface.md §4, Retrieve Transaction).
 * @throws ServiceFailure when it is not found or the answer has no id
 */
export async function retrieveTransaction(service: ServiceClient, transactionId: string, platform?: Platform): Promise<IDataObject> {
	const transaction = asObject(await service.json('getTransaction', { path: { transactionId }, platform }));
	if (asText(transaction.id) === undefined) throw explainNoJson(200);
	return transaction;
}

/** The raw transaction with its ids at top level. */
export function withTransactionIds(transaction: IDataObject): IDataObject {
	const recordId = recordIdOf(transaction);
	return { transaction_id: transaction.id, ...(recordId !== undefined && { notarization_record_id: recordId }), ...transaction };
}

/** Ten fields that a next step needs, links and personal data left out. */
export function simplifyTransaction(transaction: IDataObject): IDataObject {
	return {
		transaction_id: transaction.id,
		transaction_name: transaction.transaction_name ?? null,
		transaction_type: transaction.transaction_type ?? null,
		status: transaction.status ?? null,
		detailed_status: transaction.detailed_status ?? null,
		organization_id: transaction.organization_id ?? null,
		date_created: transaction.date_created ?? null,
		date_updated: transaction.date_updated ?? null,
		notarization_record_id: recordIdOf(transaction) ?? null,
		documents: asObjects(transaction.documents).map((document) => ({
			document_id: document.id,
			document_name: document.document_name ?? null,
			requirement: document.requirement ?? null,
		})),
	};
}

/** What tells a closing of ours from another one when the answer to its creation was lost. */
const DISTINCTIVE = ['external_id', 'loan_number', 'file_number', 'transaction_name'] as const;
/** Clocks and time stamps differ by this much at most, once the service's own clock is used. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Looks for the transaction that a create, whose answer was lost, may have made (gaps.md §9: there is no idempotency key).
 * @param body what was sent
 * @param startedAt the service's time when it was sent, milliseconds since 1970
 * @returns the one transaction that can be it; undefined when there is none, several, or nothing to recognise it by
 */
export async function findCreated(service: ServiceClient, platform: Platform, body: IDataObject, startedAt: number): Promise<IDataObject | undefined> {
	const marks = DISTINCTIVE.filter((field) => asText(body[field]) !== undefined);
	if (marks.length === 0) return undefined;
	const query: IDataObject = { limit: 100, created_date_start: new Date(startedAt - CLOCK_TOLERANCE_MS).toISOString() };
	const recent = asObjects(asObject(await service.json('listTransactions', { platform, query })).data);
	const matching = recent.filter((entry) => {
		const created = Date.parse(String(entry.date_created));
		const compared = marks.filter((field) => entry[field] !== undefined);
		return created >= startedAt - CLOCK_TOLERANCE_MS && compared.length > 0 && compared.every((field) => entry[field] === body[field]);
	});
	return matching.length === 1 ? matching[0] : undefined;
}
