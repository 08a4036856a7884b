import type { IDataObject } from 'n8n-workflow';

import { asObject, asObjects, asText } from '../values/json';

/* Reads what a transaction says about itself: whether it is a draft, its eNote, its record. */

/**
 * Finds the ID of the notarization record, which a service gives as text, as an object with `id`,
 * or as the last entry of an array
 * (docs/service/transactions.md#notarization-record-of-a-transaction).
 */
export function recordIdOf(transaction: IDataObject): string | undefined {
	const single = transaction.notarization_record;
	const last = Array.isArray(transaction.notarization_records)
		? (transaction.notarization_records.at(-1) as unknown)
		: undefined;
	return asText(single) ?? asText(asObject(single).id) ?? asText(last) ?? asText(asObject(last).id);
}

/** Detailed statuses of a transaction that isn't sent (docs/service/states.md#transitions). */
const UNSENT = new Set(['draft', 'recalled']);

/**
 * Whether a transaction is a draft. Its detailed status may be missing, so the status counts too
 * (docs/service/states.md#detailed-status).
 */
export function isDraft(transaction: IDataObject): boolean {
	return UNSENT.has(String(transaction.detailed_status)) || transaction.status === 'started';
}

/** Finds the eNote among a closing's documents (docs/service/documents.md#document-answer). */
export function findEnote(transaction: IDataObject): IDataObject | undefined {
	return asObjects(transaction.documents).find((document) => document.is_enote === true);
}
