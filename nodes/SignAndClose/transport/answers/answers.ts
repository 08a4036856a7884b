import type { IDataObject } from 'n8n-workflow';

import { asBoolean } from '../../values/booleans';

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

const truth: Reader<boolean> = asBoolean;

const number: Reader<number> = (value) => {
	const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : (value as number);
	return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};

const object: Reader<IDataObject> = (value) =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as IDataObject)
		: undefined;

/** Reads an array; entries of another kind are left out. */
const list =
	<T>(entry: Reader<T>): Reader<T[]> =>
	(value) =>
		Array.isArray(value)
			? value.map(entry).filter((read): read is Awaited<T> & T => read !== undefined)
			: undefined;

function shape<F extends Fields>(fields: F): Reader<Shape<F>> {
	return (value) => {
		const given = object(value);
		if (given === undefined) return undefined;
		const answer: Record<string, unknown> = { ...given };
		for (const [name, read] of Object.entries(fields)) {
			if (!Object.hasOwn(given, name) || given[name] === null) continue;
			const coerced = read(given[name]);
			if (coerced === undefined) delete answer[name];
			else answer[name] = coerced;
		}
		return answer as Shape<F>;
	};
}

const address = shape({
	line1: text,
	line2: text,
	city: text,
	state: text,
	postal: text,
	zip_code: text,
	country: text,
});

const signerShape = shape({
	signer_id: text,
	id: text,
	email: text,
	external_id: text,
	first_name: text,
	middle_name: text,
	last_name: text,
	signing_status: text,
	dob: text,
	capacity: text,
	entity: text,
	vesting_type: text,
	signing_requirement: text,
	notary_id: text,
	order: number,
	personally_known_to_notary: truth,
	suppress_communications: truth,
	phone: shape({ country_code: text, number: text }),
	phone_number: text,
	address,
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
	id: text,
	document_name: text,
	requirement: text,
	processing_state: text,
	processing_error: text,
	tracking_id: text,
	completion_state: text,
	final_document_url: text,
	signed_url: text,
	date_created: text,
	date_updated: text,
	bundle_position: number,
	is_enote: truth,
	notarization_required: truth,
	identity_confirmation_required: truth,
	esign_required: truth,
	allowed_actions: list(text),
	permissions: list(text),
	signing_designations: list(object),
});

/** A document in either of its two forms (docs/service/documents.md#two-forms-of-the-answer). */
export type DocumentAnswer = NonNullable<ReturnType<typeof document>>;

const named = shape({ id: text, name: text });

const contact = shape({
	first_name: text,
	last_name: text,
	email: text,
	role: text,
	title: text,
	phone_number: text,
	shown_to_signer: truth,
	access_to_transaction: truth,
	organization_name: text,
	organization_address: address,
});

const transaction = shape({
	id: text,
	status: text,
	detailed_status: text,
	transaction_name: text,
	transaction_type: text,
	external_id: text,
	organization_id: text,
	loan_number: text,
	file_number: text,
	config_id: text,
	notary_id: text,
	payer: text,
	message_to_signer: text,
	message_subject: text,
	message_signature: text,
	date_created: text,
	date_updated: text,
	activation_time: text,
	notary_meeting_time: text,
	expiry: text,
	expiration_time: text,
	audit_trail_url: text,
	require_secondary_photo_id: truth,
	cc_recipient_emails: list(text),
	notary_instructions: list(shape({ notary_note: text })),
	redirect: shape({ redirect_url: text, redirect_msg: text }),
	street_address: address,
	recording_jurisdiction: named,
	title_agency: named,
	title_underwriter: named,
	contacts: list(contact),
	signers: list(signer),
	documents: list(document),
});

/** A transaction. A list that is missing is unknown, which isn't the same as empty. */
export type TransactionAnswer = NonNullable<ReturnType<typeof transaction>> & { id: string };

/** Reads a transaction; undefined when the answer isn't one, i.e. an object with an ID. */
export function readTransaction(answer: unknown): TransactionAnswer | undefined {
	const read = transaction(answer);
	return typeof read?.id === 'string' && read.id !== '' ? (read as TransactionAnswer) : undefined;
}

/** Reads a transaction in a list, where it may lack its ID. */
export const readListedTransaction = transaction;

/** Reads an entry of a list by what all entries may have. */
export const readEntry = shape({ id: text });

/** Reads a document; undefined when the answer isn't one, i.e. an object with an ID. */
export function readDocument(answer: unknown): (DocumentAnswer & { id: string }) | undefined {
	const read = document(answer);
	return typeof read?.id === 'string' && read.id !== ''
		? (read as DocumentAnswer & { id: string })
		: undefined;
}

/** A title agency (docs/service/closings.md#title-agencies). */
export const readAgency = shape({
	id: text,
	name: text,
	alta_id: text,
	eligible_underwriters: list(named),
});

/** A recording jurisdiction (docs/service/closings.md#recording-locations). */
export const readJurisdiction = shape({
	id: text,
	name: text,
	state: text,
	recording_type: text,
	supported: truth,
	eligible: truth,
	eligible_title_agencies: list(readAgency),
	eligible_title_underwriters: list(named),
});

/** A notarization record (docs/service/notarization.md#notarization-record). */
export const readRecord = shape({
	id: text,
	meeting_start: text,
	meeting_end: text,
	notary_name: text,
	video_url: text,
	signer_info: object,
	signers: list(object),
	notarized_documents: list(object),
	verification_credentials: object,
	signer_photo_identification: object,
});

/** A webhook (docs/service/webhooks.md#webhook-answer). */
export const readWebhook = shape({
	id: text,
	url: text,
	subscriptions: list(text),
	enabled: truth,
	header: text,
	request_id_header_name: text,
});

/** A record of a delivery (docs/service/webhooks.md#event-records). */
export const readEventRecord = shape({
	event: text,
	delivered: text,
	response: shape({ code: number, body: text }),
});
