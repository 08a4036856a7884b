import type { IDataObject } from 'n8n-workflow';

/**
 * User's words <-> wire names. The service's own field names are kept in outputs; what differs
 * between the platforms or between the documented and the live service is bridged here (gaps.md §3,
 * §7).
 */

/** An object, or an empty one when the service sent something else. */
export function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: {};
}

/** An array of objects; whatever else is in it is left out. */
export function asObjects(value: unknown): IDataObject[] {
	return Array.isArray(value)
		? value.filter(
				(entry): entry is IDataObject =>
					typeof entry === 'object' && entry !== null && !Array.isArray(entry),
			)
		: [];
}

/** A text that is not empty, else undefined. */
export function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Leaves out what was not filled in: the service must not take an empty text for a value. */
export function withoutEmpty(fields: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(
			([, value]) => value !== undefined && value !== '' && value !== null,
		),
	);
}

/**
 * Postal address of a closing: the documented zip_code and its live name postal, both (gaps.md §3).
 */
export function toStreetAddress(address: {
	line1?: string;
	line2?: string;
	city?: string;
	state?: string;
	zipCode?: string;
}): IDataObject {
	const { line1, line2, city, state, zipCode } = address;
	return withoutEmpty({
		line1,
		line2,
		city,
		state: state?.toUpperCase(),
		zip_code: zipCode,
		postal: zipCode,
	});
}

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

/** Parameters of the identity-assurance object (interface.md §2). */
export interface Assurance {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
}

/**
 * The identity-assurance object; any of the three can be left out to use only the others
 * (interface.md §2).
 * @returns undefined when no check is chosen
 */
export function toAssurance({ selfie, knowledge, sms }: Assurance): IDataObject | undefined {
	if (!selfie && !knowledge && !sms) return undefined;
	return {
		...(selfie && { id_verification: { selfie: true } }),
		...(knowledge && { knowledge_based_authentication: true }),
		...(sms && { multi_factor_authentication: { type: 'sms' } }),
	};
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
