import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	sha256,
	type Kept,
	type KeptDocument,
	type KeptSigner,
	type KeptTransaction,
} from './kept.mts';

/** What the service makes of the bodies of requests. */

/** An answer that refuses a request. */
export class Refusal extends Error {
	status: number;

	constructor(status: number, text: string) {
		super(text);
		this.status = status;
	}
}

const BOTH =
	'transaction_name external_id transaction_type message_to_signer message_subject message_signature ' +
	'activation_time notary_meeting_time notary_id notary_instructions require_new_signer_verification ' +
	'suppress_email redirect cc_recipient_emails organization_id config_id ';
const FIELDS = {
	business: `${BOTH} expiry payer authentication_requirement require_secondary_photo_id`.split(
		/ +/,
	),
	realEstate: (
		`${BOTH} expiration_time street_address recording_jurisdiction_id title_agency_id ` +
		'title_underwriter_id file_number loan_number paper_note_consent contacts skip_closing_ops ' +
		'jurisdiction_eligibility_consent require_secondary_id require_secondary_photo_id'
	).split(/ +/),
};
const MESSAGES = ['message_to_signer', 'message_subject', 'message_signature'];
const TIMES = ['activation_time', 'notary_meeting_time', 'expiry', 'expiration_time'];

function fieldOf({ options }: Kept, name: string, value: unknown): unknown {
	if (MESSAGES.includes(name)) {
		const text = String(value);
		return options.stripsMessages ? text.replace(/<[^>]*>|https?:\/\/\S+/g, '').trim() : text;
	}
	if (TIMES.includes(name)) {
		const time = new Date(String(value)).toISOString();
		return name === 'expiration_time' ? time.replace(/T.*/, 'T23:59:59.000Z') : time;
	}
	if (name.endsWith('title_agency_id') || name === 'title_underwriter_id')
		return String(value).replace(/^or(?!_)/, 'or_');
	if (name === 'street_address') {
		const { zip_code: zip, full_address: _full, ...address } = value as IDataObject;
		return { ...address, ...(zip !== undefined && { postal: address.postal ?? zip }) };
	}
	return value;
}

function phoneOf({ phone, phone_number: digits }: IDataObject): KeptSigner['phone'] {
	if (typeof digits === 'string' && digits !== '') {
		const all = digits.replace(/\D/g, '');
		const code = digits.trim().startsWith('+') ? all.slice(0, -10) : '';
		return { country_code: code || '1', number: all.slice(code.length) };
	}
	const { country_code: code = '1', number } = (phone ?? {}) as IDataObject;
	return number ? { country_code: String(code), number: String(number) } : undefined;
}

/** The signers of a body; undefined where it has none. One whom the service knows keeps the ID. */
function signersOf(kept: Kept, body: IDataObject, known: KeptSigner[]): KeptSigner[] | undefined {
	const { signers, signer, cosigner } = body;
	if (signers !== undefined && (signer !== undefined || cosigner !== undefined))
		throw new Refusal(422, 'Use either the signers array or signer/cosigner input fields');
	const given = (signers ?? (signer && [signer, ...(cosigner ? [cosigner] : [])])) as IDataObject[];
	if (given === undefined) return undefined;
	if (!Array.isArray(given)) throw new Refusal(400, 'Invalid value for signers - expected Array');
	return given.map(({ phone_number: _digits, phone: _phone, ...more }) => {
		if (!/^[^@\s]+@[^@\s]+$/.test(String(more.email)))
			throw new Refusal(400, 'Invalid email format.');
		const same = known.find(
			({ external_id: id, email }) => (id && id === more.external_id) || email === more.email,
		);
		const phone = phoneOf({ phone: _phone, phone_number: _digits });
		return {
			...more,
			...(phone && { phone }),
			signer_id: same?.signer_id ?? kept.newId('oc'),
		} as KeptSigner;
	});
}

/** Takes over what a body says, and resets the rest if `replaces`. */
export function applyBody(
	kept: Kept,
	transaction: KeptTransaction,
	body: IDataObject,
	replaces = false,
): void {
	const signers = signersOf(kept, body, transaction.signers);
	const said = FIELDS[transaction.platform]
		.filter((name) => body[name] !== undefined)
		.map((name) => [name, body[name] === null ? null : fieldOf(kept, name, body[name])]);
	const { require_secondary_photo_id: id, ...fields } = Object.fromEntries(said) as IDataObject;
	transaction.fields = { ...(replaces ? {} : transaction.fields), ...fields };
	if (id !== undefined) transaction.fields.require_secondary_id = String(id) === 'true';
	transaction.fields.transaction_name ||= nameOf(transaction);
	if (signers !== undefined || replaces) transaction.signers = signers ?? [];
	const order = Array.isArray(body.documents) ? (body.documents as IDataObject[]) : [];
	const positions = new Map(order.map(({ id: key, bundle_position: place }) => [key, place]));
	const placeOf = (document: KeptDocument, index: number) =>
		Number(positions.get(document.id) ?? index);
	transaction.documents = transaction.documents
		.map((document, index) => ({ document, place: placeOf(document, index) }))
		.sort((one, other) => one.place - other.place)
		.map(({ document }) => document);
}

function nameOf({ platform, fields }: KeptTransaction): string {
	const address = fields.street_address as IDataObject | undefined;
	if (platform === 'business' || address === undefined) return 'Untitled Transaction';
	return [address.line1, address.city, address.state].filter(Boolean).join(', ');
}

const FLAGS = (
	'notarization_required witness_required identity_confirmation_required esign_required ' +
	'signing_requires_meeting customer_can_annotate vaulted'
).split(' ');
const OF_REQUIREMENT: Record<string, string> = {
	notarization: 'notarization_required',
	esign: 'esign_required',
	identity_confirmation: 'identity_confirmation_required',
};

/** The flags of a document: those that it had, less what follows from its requirement, and the body's. */
function flagsOf(body: IDataObject, requirement: string, had: string[] = []): string[] {
	const own =
		body.requirement === undefined
			? had
			: had.filter((flag) => !Object.values(OF_REQUIREMENT).includes(flag));
	const implied = body.requirement === undefined ? undefined : OF_REQUIREMENT[requirement];
	return FLAGS.filter((flag) => {
		if (requirement === 'non_essential' && /witness|annotate/.test(flag)) return false;
		return body[flag] === undefined
			? own.includes(flag) || flag === implied
			: String(body[flag]) === 'true';
	});
}

export function newDocument(body: IDataObject): KeptDocument {
	const content = body.resource ?? body.document;
	if (typeof content !== 'string' || content === '')
		throw new Refusal(400, 'Invalid value for resource - expected String');
	const { signing_designations: places = [], signing_designation_groups: groups = [] } = body;
	if (!Array.isArray(places))
		throw new Refusal(400, 'Invalid value for signing_designations - expected Array');
	const isUrl = /^https?:\/\//.test(content);
	const bytes = Buffer.from(content, isUrl ? 'utf8' : 'base64');
	if (!isUrl && bytes.subarray(0, 5).toString() !== '%PDF-')
		throw new Refusal(400, 'Only PDF files are supported');
	const requirement = String(body.requirement ?? 'notarization');
	return {
		id: `do_${randomUUID()}`,
		name: String(body.filename ?? body.name ?? `document-${sha256(bytes).slice(0, 6)}`),
		bytes,
		requirement,
		flags: flagsOf(body, requirement),
		designations: places.map((place) => ({ ...(place as object), id: `ad${randomUUID()}` })),
		groups: groups as IDataObject[],
		...(body.tracking_id !== undefined && { trackingId: String(body.tracking_id) }),
		isEnote: false,
		isConsentForm: false,
		added: Date.now(),
	};
}

/** Designations aren't among what an update takes. */
export function updateDocument(document: KeptDocument, body: IDataObject): void {
	if (body.name !== undefined && typeof body.name !== 'string')
		throw new Refusal(400, 'Invalid value for name - expected String');
	document.name = (body.name as string | undefined) ?? document.name;
	document.requirement = (body.requirement as string | undefined) ?? document.requirement;
	document.flags = flagsOf(body, document.requirement, document.flags);
	if (body.tracking_id !== undefined) document.trackingId = String(body.tracking_id);
}
