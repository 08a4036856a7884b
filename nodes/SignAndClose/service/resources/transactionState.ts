import type { IDataObject } from 'n8n-workflow';

import { asObject, asObjects, asText } from '../values/json';

/** What a transaction says about itself: whether it is a draft, its eNote, its record. */

/**
 * The id of the notarization record, which is a text, an object with an id, or the last of an array
 * (gaps.md §7).
 */
export function recordIdOf(transaction: IDataObject): string | undefined {
	const single = transaction.notarization_record;
	const last = Array.isArray(transaction.notarization_records)
		? (transaction.notarization_records.at(-1) as unknown)
		: undefined;
	return asText(single) ?? asText(asObject(single).id) ?? asText(last) ?? asText(asObject(last).id);
}

/** States in which a transaction has not been sent yet (gaps.md §5). */
const UNSENT = new Set(['draft', 'recalled']);

/** Whether a transaction is still a draft. */
export function isDraft(transaction: IDataObject): boolean {
	return UNSENT.has(String(transaction.detailed_status)) || transaction.status === 'started';
}

/** The eNote among a closing's documents (gaps.md §4, is_enote). */
export function findEnote(transaction: IDataObject): IDataObject | undefined {
	return asObjects(transaction.documents).find((document) => document.is_enote === true);
}
