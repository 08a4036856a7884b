import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { unexpectedAnswer } from '../errors/refusal';
import { isNotFound } from '../errors/failure';
import { asObject, asObjects, asText } from '../values/json';
import { recordIdOf } from './transactionState';

/**
 * Retrieves a transaction with fresh links (interface.md §4, Retrieve Transaction).
 * @throws ServiceFailure when it is not found or the answer has no id
 */
export async function retrieveTransaction(
	service: ServiceClient,
	transactionId: string,
	platform?: Platform,
	impatient = false,
): Promise<IDataObject> {
	const transaction = asObject(
		await service.json('getTransaction', { path: { transactionId }, platform, impatient }),
	);
	if (asText(transaction.id) === undefined) throw unexpectedAnswer(200);
	return transaction;
}

/**
 * Sends a draft to its signers (gaps.md §1, Send).
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 * @returns the transaction as it is now
 */
export async function sendDraft(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	options: IDataObject = {},
): Promise<IDataObject> {
	return await service.written(
		'sendTransaction',
		{ path: { transactionId }, platform, body: options },
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

/** Takes a sent transaction back to a draft (gaps.md §1, Recall to draft). */
export async function recall(
	service: ServiceClient,
	transactionId: string,
	platform: Platform,
	reason?: string,
): Promise<IDataObject> {
	const query = reason === undefined ? undefined : { recall_reason: reason };
	return await service.written(
		'recallTransaction',
		{ path: { transactionId }, platform, query },
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

/** Whether something that was deleted, or whose deletion is in doubt, is gone. */
export async function isGone(retrieve: () => Promise<unknown>): Promise<boolean> {
	try {
		await retrieve();
		return false;
	} catch (thrown) {
		return isNotFound(thrown);
	}
}

/** The raw transaction with its ids at top level. */
export function withTransactionIds(transaction: IDataObject): IDataObject {
	const recordId = recordIdOf(transaction);
	return {
		transaction_id: transaction.id,
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...transaction,
	};
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

/** What is known of a write whose answer was lost. */
interface Doubt {
	service: ServiceClient;
	/** This machine's time when it was sent, in milliseconds since 1970. */
	startedAt: number;
	/** Ids that other items of this run have made: none of them is the one that is looked for. */
	madeBefore: ReadonlySet<string>;
}

/** What tells a closing of ours from another one when the answer to its creation was lost. */
const DISTINCTIVE = ['external_id', 'loan_number', 'file_number', 'transaction_name'] as const;
/** No clock is wrong by more; it only keeps the list short. */
const LOOK_BACK_MS = 86_400_000;

/**
 * Whether something was made at the service after a moment of this machine's time. Without
 * tolerance: to miss what was made leaves a doubt that a person settles, to take an older one for
 * it loses a closing.
 */
export function isMadeSince(
	service: ServiceClient,
	entry: IDataObject,
	startedAt: number,
): boolean {
	return Date.parse(String(entry.date_created)) >= service.toServiceTime(startedAt);
}

/**
 * Looks for the transaction that a create, whose answer was lost, may have made (gaps.md §9: there
 * is no idempotency key).
 * @param body what was sent
 * @returns the one transaction that can be it; undefined when there is none, several, or nothing to
 *   recognise it by
 */
export async function findCreated(
	{ service, startedAt, madeBefore }: Doubt,
	platform: Platform,
	body: IDataObject,
): Promise<IDataObject | undefined> {
	const marks = DISTINCTIVE.filter((field) => asText(body[field]) !== undefined);
	if (marks.length === 0) return undefined;
	const query: IDataObject = {
		limit: 100,
		created_date_start: new Date(startedAt - LOOK_BACK_MS).toISOString(),
	};
	const recent = asObjects(
		asObject(await service.json('listTransactions', { platform, query })).data,
	);
	const matching = recent.filter((entry) => {
		const compared = marks.filter((field) => entry[field] !== undefined);
		return (
			isMadeSince(service, entry, startedAt) &&
			!madeBefore.has(String(entry.id)) &&
			compared.length > 0 &&
			compared.every((field) => entry[field] === body[field])
		);
	});
	return matching.length === 1 ? matching[0] : undefined;
}

/**
 * Whether an answer shows all of these fields with these values: what was written is there. Moments
 * are compared as moments, and what the service adds to an object does not matter.
 */
export function shows(answer: unknown, fields: unknown): boolean {
	if (Array.isArray(fields)) {
		const left: unknown[] = Array.isArray(answer) ? [...(answer as unknown[])] : [];
		// Each wanted entry has one of its own, and there is none besides: what was to be taken out is
		// gone.
		return (
			left.length === fields.length &&
			fields.every((field) => {
				const at = left.findIndex((entry) => shows(entry, field));
				return at >= 0 && left.splice(at, 1).length === 1;
			})
		);
	}
	if (typeof fields === 'object' && fields !== null) {
		return (
			typeof answer === 'object' &&
			answer !== null &&
			Object.entries(fields).every(([key, value]) => shows((answer as IDataObject)[key], value))
		);
	}
	if (answer === fields || String(answer) === String(fields)) return true;
	return (
		/^\d{4}-\d\d-\d\dT/.test(String(fields)) &&
		Date.parse(String(answer)) === Date.parse(String(fields))
	);
}
