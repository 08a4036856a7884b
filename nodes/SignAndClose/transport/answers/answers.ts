import type { IDataObject } from 'n8n-workflow';

import { isObject, ownValue } from '../../values/json';
import { asBoolean, numberIn } from '../../values/shown';

/*
 * The shapes of answers that the package relies on (docs/service/transactions.md#answer-fields,
 * docs/service/documents.md#document-answer, docs/service/signers.md#signer-answer). A service may
 * write a number as text or leave out what is unset, so each known field is brought into its type
 * here, once. A known field of another kind is left out, because it tells nothing. Fields that
 * aren't listed pass through.
 */

type Reader<T> = (value: unknown) => T | undefined;
type Fields = Record<string, Reader<unknown>>;
type Shape<F extends Fields> = IDataObject & {
	[K in keyof F]?: Exclude<ReturnType<F[K]>, undefined> | null;
};

const text: Reader<string> = (value) =>
	typeof value === 'string'
		? value
		: typeof value === 'number' || typeof value === 'boolean'
			? String(value)
			: undefined;

const readNumber: Reader<number> = (value) => {
	const read = numberIn(value);
	return Number.isFinite(read) ? read : undefined;
};

const object: Reader<IDataObject> = (value) => (isObject(value) ? value : undefined);

/** Reads an array; entries of another kind are left out. */
const list =
	<T>(entry: Reader<T>): Reader<T[]> =>
	(value) =>
		Array.isArray(value)
			? value.map(entry).filter((read): read is Awaited<T> & T => read !== undefined)
			: undefined;

function shape<F extends Fields>(fields: F): Reader<Shape<F>> {
	return (value) => {
		if (!isObject(value)) return undefined;
		const answer: Record<string, unknown> = { ...value };
		for (const [name, read] of Object.entries(fields)) {
			if ((ownValue(answer, name) ?? null) === null) continue;
			answer[name] = read(answer[name]);
			if (answer[name] === undefined) delete answer[name];
		}
		return answer as Shape<F>;
	};
}

/** The names in a text, which blanks separate. */
type Names<S extends string> = S extends `${infer Name} ${infer Rest}` ? Name | Names<Rest> : S;

/** Several fields of one type. */
const all = <T, S extends string>(read: Reader<T>, names: S) =>
	Object.fromEntries(names.split(' ').map((name) => [name, read])) as Record<Names<S>, Reader<T>>;

const readAddress = shape(all(text, 'line1 line2 city state postal zip_code country'));

const signerShape = shape({
	...all(text, 'signer_id id email external_id first_name middle_name last_name'),
	...all(text, 'signing_status dob capacity entity vesting_type signing_requirement'),
	...all(text, 'notary_id phone_number'),
	...all(readNumber, 'order'),
	...all(asBoolean, 'personally_known_to_notary suppress_communications'),
	phone: shape({ country_code: text, number: text }),
	address: readAddress,
	recipient_group: shape({ shared_inbox_email: text }),
	signatory_capacities: list(shape({ capacity: text, type: text, representative_of: text })),
});

/** A signer. The documented answer has no identifier, a live one has `signer_id`. */
export type SignerAnswer = NonNullable<ReturnType<typeof signerShape>>;

const signer: Reader<SignerAnswer> = (value) => {
	const read = signerShape(value);
	return read?.id === undefined || read.id === null || read.signer_id !== undefined
		? read
		: { ...read, signer_id: read.id };
};

const document = shape({
	...all(text, 'id document_name requirement processing_state processing_error'),
	...all(text, 'tracking_id completion_state final_document_url signed_url'),
	...all(text, 'date_created date_updated'),
	...all(readNumber, 'bundle_position'),
	...all(asBoolean, 'is_enote notarization_required identity_confirmation_required'),
	...all(asBoolean, 'esign_required'),
	allowed_actions: list(text),
	permissions: list(text),
	signing_designations: list(object),
});

/** A document in either of its two forms (docs/service/documents.md#two-forms-of-the-answer). */
export type DocumentAnswer = NonNullable<ReturnType<typeof document>>;

const named = shape({ id: text, name: text });

const contact = shape({
	...all(text, 'first_name last_name email role title phone_number organization_name'),
	...all(asBoolean, 'shown_to_signer access_to_transaction'),
	organization_address: readAddress,
});

const transaction = shape({
	...all(text, 'id status detailed_status transaction_name transaction_type'),
	...all(text, 'external_id organization_id loan_number file_number config_id'),
	...all(text, 'notary_id payer message_to_signer message_subject message_signature'),
	...all(text, 'date_created date_updated activation_time notary_meeting_time expiry'),
	...all(text, 'expiration_time audit_trail_url'),
	...all(asBoolean, 'require_secondary_photo_id'),
	cc_recipient_emails: list(text),
	notary_instructions: list(shape({ notary_note: text })),
	redirect: shape({ redirect_url: text, redirect_msg: text }),
	street_address: readAddress,
	recording_jurisdiction: named,
	title_agency: named,
	title_underwriter: named,
	contacts: list(contact),
	signers: list(signer),
	documents: list(document),
});

/** A transaction. A list that is missing is unknown, which isn't the same as empty. */
export type TransactionAnswer = NonNullable<ReturnType<typeof transaction>> & { id: string };

/** Reads what has an ID; undefined when the answer isn't such an object. */
const identified =
	<T extends { id?: string | null }>(reader: Reader<T>): Reader<T & { id: string }> =>
	(answer) => {
		const read = reader(answer);
		return read?.id ? (read as T & { id: string }) : undefined;
	};

/** Reads a transaction; undefined when the answer isn't one, i.e. an object with an ID. */
export const toTransaction: Reader<TransactionAnswer> = identified(transaction);

/** Reads a transaction in a list, where it may lack its ID. */
export const toListedTransaction = transaction;

/** Reads an entry of a list by what all entries may have. */
export const toEntry = shape({ id: text });

/** Reads a document; undefined when the answer isn't one, i.e. an object with an ID. */
export const toDocument = identified(document);

/** A title agency (docs/service/closings.md#title-agencies). */
export const toAgency = shape({
	...all(text, 'id name alta_id'),
	eligible_underwriters: list(named),
});

/** A recording jurisdiction (docs/service/closings.md#recording-locations). */
export const toJurisdiction = shape({
	...all(text, 'id name state recording_type'),
	...all(asBoolean, 'supported eligible'),
	eligible_title_agencies: list(toAgency),
	eligible_title_underwriters: list(named),
});

/** A notarization record (docs/service/notarization.md#notarization-record). */
export const toRecord = shape({
	...all(text, 'id meeting_start meeting_end notary_name video_url'),
	signer_info: object,
	signers: list(object),
	notarized_documents: list(object),
	verification_credentials: object,
	signer_photo_identification: object,
});

/** A webhook (docs/service/webhooks.md#webhook-answer). */
export const toWebhook = shape({
	...all(text, 'id url header request_id_header_name'),
	...all(asBoolean, 'enabled'),
	subscriptions: list(text),
});

/** A record of a delivery (docs/service/webhooks.md#event-records). */
export const toEventRecord = shape({
	...all(text, 'event delivered'),
	response: shape({ code: readNumber, body: text }),
});
