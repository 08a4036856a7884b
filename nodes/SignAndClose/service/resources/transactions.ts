import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../client';
import type { Platform } from '../endpoints';
import { isNotFound } from '../errors/failure';
import { unexpectedAnswer } from '../errors/refusal';
import { asObject, asObjects, asText } from '../values/json';
import { recordIdOf } from './transactionState';

/* Retrieves, sends, recalls and looks up transactions. */

/**
 * Retrieves a transaction with new links (docs/service/transactions.md#retrieve-a-transaction).
 * @param impatient whether somebody waits for our own answer, see Call
 * @throws ServiceFailure when it isn't found or the answer has no ID
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
 * Sends a draft to its signers (docs/service/transactions.md#send).
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 * @returns the transaction as it is now
 * @throws ServiceFailure with `flags.inDoubt` when it may have been sent
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

/**
 * Makes a sent transaction a draft again (docs/service/transactions.md#recall).
 * @returns the transaction as it is now
 * @throws ServiceFailure with `flags.inDoubt` when it may have been recalled
 */
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

/**
 * Whether something is gone after its deletion or an attempt to delete it.
 * @param retrieve tries to get it
 */
export async function isGone(retrieve: () => Promise<unknown>): Promise<boolean> {
	try {
		await retrieve();
		return false;
	} catch (thrown) {
		return isNotFound(thrown);
	}
}

/** Returns the whole transaction, with its IDs at top level. */
export function withTransactionIds(transaction: IDataObject): IDataObject {
	const recordId = recordIdOf(transaction);
	return {
		transaction_id: transaction.id,
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...transaction,
	};
}

/** Returns the ten fields that a next step needs, without links and personal data. */
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

/** What is known of a write in doubt. */
interface Doubt {
	service: ServiceClient;
	/** This machine's time when it was sent, in milliseconds since 1970. */
	startedAt: number;
	/** IDs that other items of this run have created. None of them is the one that is searched. */
	madeBefore: ReadonlySet<string>;
}

/** Fields by which a look-up recognizes a transaction that was created. */
const DISTINCTIVE = ['external_id', 'loan_number', 'file_number', 'transaction_name'] as const;
/**
 * How far back the list goes, in milliseconds. It only keeps the list short, so it is longer than
 * any clock is likely to be wrong.
 */
const LOOK_BACK_MS = 86_400_000;

/**
 * Whether something was made at the service since a time of this machine. There is no tolerance:
 * missing what was made leaves a doubt that a person can settle, but taking an older entry for it
 * would lose a transaction.
 * @param startedAt milliseconds since 1970
 */
export function isMadeSince(
	service: ServiceClient,
	entry: IDataObject,
	startedAt: number,
): boolean {
	return Date.parse(String(entry.date_created)) >= service.toServiceTime(startedAt);
}

/**
 * Looks up the transaction that a create in doubt may have made. There is no idempotency key that
 * would tell (docs/service/errors.md#nothing-twice).
 * @param body what was sent
 * @returns the only transaction that matches; undefined when none or several do, or when nothing in
 *   the body is distinctive
 * @throws ServiceFailure
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
 * Whether an answer shows all of these fields with these values, i.e. whether what was written is
 * there. Dates are compared as points in time, and fields that the service adds to an object don't
 * matter.
 */
export function shows(answer: unknown, fields: unknown): boolean {
	if (Array.isArray(fields)) {
		const left: unknown[] = Array.isArray(answer) ? [...(answer as unknown[])] : [];
		// Arrays need the same number of entries, so that what was to be removed is gone.
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
