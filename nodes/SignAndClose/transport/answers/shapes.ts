import type { IDataObject } from 'n8n-workflow';

import { isObject, getOwnValue } from '../../values/json';
import { asBoolean, parseNumber } from '../../values/plainValues';

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

const readText: Reader<string> = (value) =>
	typeof value === 'string'
		? value
		: typeof value === 'number' || typeof value === 'boolean'
			? String(value)
			: undefined;

const readNumber: Reader<number> = (value) => {
	const number = parseNumber(value);
	return Number.isFinite(number) ? number : undefined;
};

const readObject: Reader<IDataObject> = (value) => (isObject(value) ? value : undefined);

/** Reads an array; entries of another kind are left out. */
const readList =
	<T>(entry: Reader<T>): Reader<T[]> =>
	(value) =>
		Array.isArray(value)
			? value.map(entry).filter((parsed): parsed is Awaited<T> & T => parsed !== undefined)
			: undefined;

function shape<F extends Fields>(fields: F): Reader<Shape<F>> {
	return (value) => {
		if (!isObject(value)) return undefined;
		const answer: Record<string, unknown> = { ...value };
		for (const [name, readField] of Object.entries(fields)) {
			if ((getOwnValue(answer, name) ?? null) === null) continue;
			answer[name] = readField(answer[name]);
			if (answer[name] === undefined) delete answer[name];
		}
		return answer as Shape<F>;
	};
}

/** The names in a text, which blanks separate. */
type Names<S extends string> = S extends `${infer Name} ${infer Rest}` ? Name | Names<Rest> : S;

/** Several fields of one type. */
const readAll = <T, S extends string>(reader: Reader<T>, names: S) =>
	Object.fromEntries(names.split(' ').map((name) => [name, reader])) as Record<Names<S>, Reader<T>>;

const readAddress = shape(readAll(readText, 'line1 line2 city state postal zip_code country'));

const signerShape = shape({
	...readAll(readText, 'signer_id id email external_id first_name middle_name last_name'),
	...readAll(readText, 'signing_status dob capacity entity vesting_type signing_requirement'),
	...readAll(readText, 'notary_id phone_number'),
	...readAll(readNumber, 'order'),
	...readAll(asBoolean, 'personally_known_to_notary suppress_communications'),
	phone: shape({ country_code: readText, number: readText }),
	address: readAddress,
	recipient_group: shape({ shared_inbox_email: readText }),
	signatory_capacities: readList(
		shape({ capacity: readText, type: readText, representative_of: readText }),
	),
});

/** A signer. The documented answer has no identifier, a live one has `signer_id`. */
export type SignerAnswer = NonNullable<ReturnType<typeof signerShape>>;

const readSigner: Reader<SignerAnswer> = (value) => {
	const parsed = signerShape(value);
	return parsed?.id === undefined || parsed.id === null || parsed.signer_id !== undefined
		? parsed
		: { ...parsed, signer_id: parsed.id };
};

const readDocumentFields = shape({
	...readAll(readText, 'id document_name requirement processing_state processing_error'),
	...readAll(readText, 'tracking_id completion_state final_document_url signed_url'),
	...readAll(readText, 'date_created date_updated'),
	...readAll(readNumber, 'bundle_position'),
	...readAll(asBoolean, 'is_enote notarization_required identity_confirmation_required'),
	...readAll(asBoolean, 'esign_required'),
	allowed_actions: readList(readText),
	permissions: readList(readText),
	signing_designations: readList(readObject),
});

/** A document in either of its two forms (docs/service/documents.md#two-forms-of-the-answer). */
export type DocumentAnswer = NonNullable<ReturnType<typeof readDocumentFields>>;

const readNamed = shape({ id: readText, name: readText });

const readContact = shape({
	...readAll(readText, 'first_name last_name email role title phone_number organization_name'),
	...readAll(asBoolean, 'shown_to_signer access_to_transaction'),
	organization_address: readAddress,
});

const readTransactionFields = shape({
	...readAll(readText, 'id status detailed_status transaction_name transaction_type'),
	...readAll(readText, 'external_id organization_id loan_number file_number config_id'),
	...readAll(readText, 'notary_id payer message_to_signer message_subject message_signature'),
	...readAll(readText, 'date_created date_updated activation_time notary_meeting_time expiry'),
	...readAll(readText, 'expiration_time audit_trail_url'),
	...readAll(asBoolean, 'require_secondary_photo_id'),
	cc_recipient_emails: readList(readText),
	notary_instructions: readList(shape({ notary_note: readText })),
	redirect: shape({ redirect_url: readText, redirect_msg: readText }),
	street_address: readAddress,
	recording_jurisdiction: readNamed,
	title_agency: readNamed,
	title_underwriter: readNamed,
	contacts: readList(readContact),
	signers: readList(readSigner),
	documents: readList(readDocumentFields),
});

/** A transaction. A list that is missing is unknown, which isn't the same as empty. */
export type TransactionAnswer = NonNullable<ReturnType<typeof readTransactionFields>> & {
	id: string;
};

/** Reads what has an ID; undefined when the answer isn't such an object. */
const requireId =
	<T extends { id?: string | null }>(reader: Reader<T>): Reader<T & { id: string }> =>
	(answer) => {
		const parsed = reader(answer);
		return parsed?.id ? (parsed as T & { id: string }) : undefined;
	};

/** Reads a transaction; undefined when the answer isn't one, i.e. an object with an ID. */
export const toTransaction: Reader<TransactionAnswer> = requireId(readTransactionFields);

/** Reads a transaction in a list, where it may lack its ID. */
export const toListedTransaction = readTransactionFields;

/** Reads an entry of a list by what all entries may have. */
export const toEntry = shape({ id: readText });

/** Reads a document; undefined when the answer isn't one, i.e. an object with an ID. */
export const toDocument = requireId(readDocumentFields);

/** A title agency (docs/service/closings.md#title-agencies). */
export const toAgency = shape({
	...readAll(readText, 'id name alta_id'),
	eligible_underwriters: readList(readNamed),
});

/** A recording jurisdiction (docs/service/closings.md#recording-locations). */
export const toJurisdiction = shape({
	...readAll(readText, 'id name state recording_type'),
	...readAll(asBoolean, 'supported eligible'),
	eligible_title_agencies: readList(toAgency),
	eligible_title_underwriters: readList(readNamed),
});

/** A notarization record (docs/service/notarization.md#notarization-record). */
export const toRecord = shape({
	...readAll(readText, 'id meeting_start meeting_end notary_name video_url'),
	signer_info: readObject,
	signers: readList(readObject),
	notarized_documents: readList(readObject),
	verification_credentials: readObject,
	signer_photo_identification: readObject,
});

/** A webhook (docs/service/webhooks.md#webhook-answer). */
export const toWebhook = shape({
	...readAll(readText, 'id url header request_id_header_name'),
	...readAll(asBoolean, 'enabled'),
	subscriptions: readList(readText),
});

/** A record of a delivery (docs/service/webhooks.md#event-records). */
export const toEventRecord = shape({
	...readAll(readText, 'event delivered'),
	response: shape({ code: readNumber, body: readText }),
});
