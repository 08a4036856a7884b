import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	sha256,
	without,
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

/** What a body has besides the fields that are kept as they are. */
const OTHERS = (
	'signer signers cosigner document documents draft pdf_bookmarked document_url_version ' +
	'require_secondary_photo_id'
).split(' ');
const OF_REAL_ESTATE =
	/^(street_address|contacts|(file|loan)_number|paper_note_consent|(recording|title)_.*_id)$/;
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
		const { zip_code: zip, postal = zip } = value as IDataObject;
		const address = without(value as object, ['zip_code', 'full_address']);
		return { ...address, ...(postal !== undefined && { postal }) };
	}
	return value;
}

function phoneOf({ phone, phone_number: digits }: IDataObject): Pick<KeptSigner, 'phone'> {
	const [, country, area, rest] =
		/^(?:\+?(\d*))?(\d{3})(\d{7})$/.exec(String(digits ?? '').replace(/[^+\d]/g, '')) ?? [];
	if (rest) return { phone: { country_code: country || '1', number: `${area}${rest}` } };
	const { country_code: code = '1', number } = (phone ?? {}) as IDataObject;
	return number ? { phone: { country_code: String(code), number: String(number) } } : {};
}

/** The signers of a body; undefined where it has none. One whom the service knows keeps the ID. */
function signersOf(kept: Kept, body: IDataObject, known: KeptSigner[]): KeptSigner[] | undefined {
	const { signers, signer, cosigner } = body;
	if (signers !== undefined && (signer !== undefined || cosigner !== undefined))
		throw new Refusal(422, 'Use either the signers array or signer/cosigner input fields');
	const given = (signers ?? (signer && [signer, ...(cosigner ? [cosigner] : [])])) as IDataObject[];
	if (given === undefined) return undefined;
	if (!Array.isArray(given)) throw new Refusal(400, 'Invalid value for signers - expected Array');
	return given.map(({ phone_number: digits, phone, ...more }) => {
		if (!/^[^@\s]+@[^@\s]+$/.test(String(more.email)))
			throw new Refusal(400, 'Invalid email format.');
		const isSame = ({ external_id: id, email }: KeptSigner) =>
			(id && id === more.external_id) || email === more.email;
		const id = known.find(isSame)?.signer_id ?? kept.newId('oc');
		return { ...more, ...phoneOf({ phone, phone_number: digits }), signer_id: id } as KeptSigner;
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
	const said = Object.entries(body)
		.filter(([name]) => !OTHERS.includes(name))
		.filter(([name]) => transaction.platform === 'realEstate' || !OF_REAL_ESTATE.test(name))
		.map(([name, value]) => [name, value === null ? null : fieldOf(kept, name, value)]);
	const fields = { ...(replaces ? {} : transaction.fields), ...Object.fromEntries(said) };
	const photo = body.require_secondary_photo_id;
	if (photo !== undefined) fields.require_secondary_id = String(photo) === 'true';
	fields.transaction_name ||= nameOf(fields);
	transaction.fields = fields;
	if (signers !== undefined || replaces) transaction.signers = signers ?? [];
	const { documents } = transaction;
	const order = Array.isArray(body.documents) ? (body.documents as IDataObject[]) : [];
	const places = new Map(documents.map(({ id }, index) => [id, index]));
	for (const { id, bundle_position: place } of order) places.set(String(id), Number(place));
	documents.sort((one, other) => places.get(one.id)! - places.get(other.id)!);
}

function nameOf({ street_address: address }: IDataObject): string {
	if (!address) return 'Untitled Transaction';
	const { line1, city, state } = address as IDataObject;
	return [line1, city, state].filter(Boolean).join(', ');
}

const FLAGS = (
	'notarization_required witness_required identity_confirmation_required esign_required ' +
	'signing_requires_meeting customer_can_annotate vaulted'
).split(' ');
/** The flags that are on. */
const flagsOf = (body: IDataObject, requirement: string, had: string[] = []): string[] =>
	FLAGS.filter((flag) =>
		body[flag] === undefined ? had.includes(flag) : String(body[flag]) === 'true',
	).filter((flag) => requirement !== 'non_essential' || !/witness|annotate/.test(flag));

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
