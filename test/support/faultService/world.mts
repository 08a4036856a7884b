import { createHash } from 'node:crypto';

import type { Effect, Json, Platform } from './types.mts';

/** Everything the service knows, and how it shows it (docs/service/transactions.md#answer-fields). */

export interface DocumentRecord {
	id: string;
	name: string;
	requirement: string;
	fields: Json;
	content: Buffer;
	created: number;
	updated: number;
	isEnote: boolean;
}

export interface TransactionRecord {
	id: string;
	platform: Platform;
	/** The creation fields as they were sent, without signers and documents. */
	fields: Json;
	/** As the requests gave them, with a `signer_id`. */
	signers: Json[];
	documents: DocumentRecord[];
	status: string;
	detailedStatus: string;
	created: number;
	updated: number;
	recallReason?: string;
	recordId?: string;
}

export interface WebhookRecord {
	id: string;
	fields: Json;
	events: Json[];
}

interface MeetingRecord {
	id: string;
	transactionId: string;
	platform: Platform;
	start: number;
}

const ORGANIZATION = 'or_od4kenk';
const LINK_LIFETIME_MS = 900_000;

/** Handlers are synchronous, so each write is done at once or not at all. */
export class World {
	readonly transactions = new Map<string, TransactionRecord>();
	readonly webhooks = new Map<string, WebhookRecord>();
	readonly records = new Map<string, MeetingRecord>();
	readonly notaries = new Map<string, Json>();
	readonly templates: Json[] = [];
	readonly effects: Effect[] = [];
	readonly organizationId = ORGANIZATION;
	/** Origins are known when the ports are open. */
	origin = '';
	files = '';
	private lastId = 0;
	private lastTime = 0;

	private readonly key: string;

	constructor(key: string) {
		this.key = key;
		for (const number of [1, 2, 3]) {
			const id = this.newId('od');
			const created_at = iso(this.now());
			const template = { id, name: `Template ${number}`, permalink: `template-${id}` };
			this.templates.push({ ...template, created_at, updated_at: created_at });
		}
		for (const number of [1, 2])
			this.addNotary({
				email: `notary${number}@example.com`,
				first_name: 'Nora',
				last_name: `Notary ${number}`,
				us_state_abbr: 'VA',
			});
	}

	/** A time that is later than any before, so that lists have one order. */
	now(): number {
		this.lastTime = Math.max(Date.now(), this.lastTime + 1);
		return this.lastTime;
	}

	/** The forms of docs/service/README.md#identifiers. */
	newId(prefix: string): string {
		const hash = createHash('sha256').update(`${prefix}${++this.lastId}`).digest('hex');
		if (prefix !== 'do_') return prefix + BigInt(`0x${hash}`).toString(36).slice(1, 8);
		return prefix + hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
	}

	note(kind: string, id: string, requestNumber: number, marker: string): void {
		this.effects.push({ kind, id, requestNumber, marker });
	}

	addNotary(fields: Json): Json {
		const notary = {
			id: this.newId('us_'),
			status: 'compliant',
			status_description: 'Notary is clear to take meetings.',
			...fields,
		};
		this.notaries.set(bare(notary.id), notary);
		return notary;
	}

	/** Lets a transaction be completed, as signers and a notary would (docs/service/states.md). */
	complete(transactionId: string): void {
		const transaction = this.transactions.get(bare(transactionId))!;
		const { id: of, platform, documents } = transaction;
		Object.assign(transaction, { status: 'completed', detailedStatus: 'complete' });
		transaction.updated = this.now();
		if (documents.some(({ requirement }) => requirement === 'notarization')) {
			const id = this.newId('me_');
			this.records.set(bare(id), { id, transactionId: of, platform, start: this.now() });
			transaction.recordId = id;
		}
		this.emit('transaction.completed', transaction);
		this.emit('transaction.released', transaction);
	}

	/** Calls a transaction off. Nobody says which of the two fields shows it (docs/service/states.md#canceled). */
	cancel(transactionId: string, fields: Array<'status' | 'detailedStatus'>): void {
		const transaction = this.transactions.get(bare(transactionId))!;
		for (const field of fields) transaction[field] = 'canceled';
		transaction.updated = this.now();
		this.emit('transaction.canceled', transaction);
	}

	/** Records an event for each webhook that has subscribed to it. */
	emit(event: string, { id: transaction_id }: TransactionRecord): void {
		const data = { transaction_id, date_occurred: iso(this.now()) };
		for (const { fields, events } of this.webhooks.values())
			if (fields.subscriptions.some((name: string) => name === '*' || name === event))
				events.unshift({
					event,
					payload: JSON.stringify({ event, data }),
					delivered: iso(this.now()),
					response: { code: 200, body: '', headers: {} },
				});
	}

	/**
	 * A signed, temporary link to a file, such as `document/do_1` or `image/front`
	 * (docs/service/documents.md#links).
	 */
	newLink(file: string): string {
		const path = `/files/${file}?expires=${Date.now() + LINK_LIFETIME_MS}`;
		return `${this.files}${path}&signature=${this.sign(path)}`;
	}

	/** Whether a path with its query is a link that was given out and hasn't expired. */
	isValidLink(path: string): boolean {
		const [signed, signature] = path.split('&signature=');
		const expires = Number(new URLSearchParams(signed.split('?')[1]).get('expires'));
		return signature === this.sign(signed) && expires > Date.now();
	}

	private sign(path: string): string {
		return createHash('sha256').update(`${this.key} ${path}`).digest('hex').slice(0, 24);
	}

	showTransaction(transaction: TransactionRecord): Json {
		const { fields, platform, documents } = transaction;
		const signers = transaction.signers.map((signer) => showSigner(transaction, signer));
		const realEstate = platform === 'realEstate';
		const address = fields.street_address && showAddress(fields.street_address);
		const { recording_jurisdiction_id, title_agency_id, title_underwriter_id } = fields;
		return compact({
			id: transaction.id,
			organization_id: fields.organization_id ?? ORGANIZATION,
			transaction_name:
				fields.transaction_name ?? (address?.full_address || 'Untitled Transaction'),
			status: transaction.status,
			detailed_status: transaction.detailedStatus,
			date_created: iso(transaction.created),
			date_updated: iso(transaction.updated),
			signers,
			signer_info: signers[0],
			cosigner_info: signers[1],
			...pick(fields, SHOWN),
			require_secondary_photo_id: isTrue(fields.require_secondary_photo_id),
			redirect: fields.redirect
				? { redirect_url: fields.redirect.url, redirect_msg: fields.redirect.message }
				: {},
			recall_reason: transaction.recallReason,
			audit_trail_url: isComplete(transaction)
				? this.newLink(`trail/${transaction.id}`)
				: undefined,
			charge_statement_url: isComplete(transaction)
				? this.newLink(`trail/${transaction.id}`)
				: undefined,
			documents: documents.map((document) => this.showDocument(transaction, document)),
			notarization_record: transaction.recordId,
			...(realEstate
				? {
						...pick(fields, ['loan_number', 'file_number', 'expiration_time']),
						status_description: '',
						contacts: fields.contacts ?? [],
						lender: { id: ORGANIZATION, name: 'Fault Organization' },
						street_address: address,
						recording_jurisdiction: withId(recording_jurisdiction_id, {
							name: 'Fairfax County',
							state: 'VA',
							recording_type: 'electronic',
						}),
						title_agency: withId(title_agency_id, { name: 'First Title', company_notaries: false }),
						title_underwriter: withId(title_underwriter_id, { name: 'First Underwriter' }),
					}
				: {
						config_id: fields.config_id ?? 'notarization',
						expiry: fields.expiry,
						payer: fields.payer ?? 'sender',
					}),
		});
	}

	/** docs/service/documents.md#two-forms-of-the-answer. */
	showDocument(
		transaction: TransactionRecord,
		document: DocumentRecord,
		{ form = transaction.platform, isNew = false } = {},
	): Json {
		const { fields, requirement, id } = document;
		const allowed_actions = [
			'witness_required',
			'notarization_required',
			'customer_can_annotate',
		].flatMap((name) => (isTrue(fields[name]) ? [name.toUpperCase()] : []));
		const shared = {
			id,
			document_name: document.name,
			date_created: iso(document.created),
			date_updated: iso(document.updated),
			requirement,
			allowed_actions,
			bundle_position: transaction.documents.indexOf(document),
			completion_state: isComplete(transaction) ? 'complete' : 'incomplete',
			processing_state: isNew ? 'pending' : 'done',
			signing_designations: (fields.signing_designations ?? []).map(
				(_one: Json, index: number) => ({ id: `ad${id.slice(3)}${index}` }),
			),
			signing_designation_groups: fields.signing_designation_groups ?? [],
		};
		const link = isComplete(transaction) ? this.newLink(`document/${id}`) : null;
		if (form === 'business')
			return compact({
				...shared,
				tracking_id: fields.tracking_id,
				esign_required: isTrue(fields.esign_required ?? requirement === 'esign'),
				identity_confirmation_required: isTrue(fields.identity_confirmation_required),
				notarization_required: isTrue(
					fields.notarization_required ?? requirement === 'notarization',
				),
				vaulted: isTrue(fields.vaulted),
				final_document_url: link,
			});
		return {
			...shared,
			tracking_id: fields.tracking_id ?? null,
			permissions: allowed_actions,
			is_enote: document.isEnote,
			processing_error: null,
			rejection_reason: null,
			rejection_anecdote: null,
			signing_type: requirement === 'notarization' ? 'NOTARIZATION' : 'ESIGN',
			final_document_url: link,
		};
	}

	/** docs/service/notarization.md. */
	showRecord({ id, transactionId, start }: MeetingRecord): Json {
		const transaction = this.transactions.get(bare(transactionId))!;
		/** Each signer has images of their own. */
		const imagesOf = (signer: number) => ({
			primary_front: this.newLink(`image/primary_front_${signer}`),
			primary_back: this.newLink(`image/primary_back_${signer}`),
			secondary_front: this.newLink(`image/secondary_front_${signer}`),
			primary_type: 'passport',
		});
		const signers = transaction.signers.map(({ email, first_name, last_name }) => ({
			...{ email, first_name, last_name },
			dob: '1980-01-01',
			address: {},
		}));
		const video = `${this.origin}/v1/transactions/${transactionId}/notarization_records/${id}`;
		return compact({
			id,
			meeting_start: iso(start),
			meeting_end: iso(start + 600_000),
			notary_name: 'Nora Notary',
			notary_county_city: 'Fairfax, VA',
			notary_registration: '1234567',
			signer_info: signers[0],
			cosigner_info: signers[1],
			signers: signers.map((signer, index) => ({ ...signer, ...imagesOf(index + 1) })),
			signer_photo_identification: imagesOf(1),
			witnesses: [],
			verification_credentials: {
				retrieval_id: 'A1B2C3D4',
				retrieval_pin: 'E5F6G7',
				date_completed: iso(start + 600_000),
			},
			video_url: `${video}/download_asset/generic_video_session`,
			notarized_documents: transaction.documents
				.filter(({ requirement }) => requirement === 'notarization')
				.map((document) =>
					transaction.platform === 'realEstate'
						? this.showDocument(transaction, document)
						: {
								document_url: this.newLink(`document/${document.id}`),
								notorial_acts: ['acknowledgement'],
								tracking_id: document.fields.tracking_id ?? null,
							},
				),
		});
	}
}

const SHOWN = [
	'external_id',
	'transaction_type',
	'notary_id',
	'message_to_signer',
	'message_subject',
	'message_signature',
	'activation_time',
	'cc_recipient_emails',
];

/** docs/service/signers.md#signer-answer. */
function showSigner(transaction: TransactionRecord, signer: Json): Json {
	const isBusiness = transaction.platform === 'business';
	const draft = isDraft(transaction);
	const closed = draft && !isBusiness;
	const link = closed ? '' : `https://sign.example.com/access/${signer.signer_id}`;
	const number = String(signer.phone_number ?? '').replace(/\D/g, '');
	return compact({
		signer_id: signer.signer_id,
		email: signer.email ?? '',
		first_name: signer.first_name ?? '',
		last_name: signer.last_name ?? '',
		address: {
			...{ line1: '', line2: '', city: '', state: '', postal: '', country: '' },
			...signer.address,
		},
		link_expired: closed,
		personally_known_to_notary: isTrue(signer.personally_known_to_notary),
		signatory_capacities: signer.signatory_capacities ?? [],
		transaction_access_link: link,
		vesting_type: signer.vesting_type ?? 'non_borrower',
		external_id: signer.external_id,
		phone: signer.phone ?? (number ? { country_code: '1', number } : undefined),
		sdk_token: link || undefined,
		signing_status: draft ? undefined : isComplete(transaction) ? 'complete' : 'incomplete',
	});
}

function showAddress({ line1 = '', line2 = null, city = '', state = '', postal = '' }: Json): Json {
	const full_address = [line1, line2, city, `${state} ${postal}`.trim()].filter(Boolean).join(', ');
	return { line1, line2, city, state, postal, country: 'US', full_address };
}

export const isComplete = ({ status }: TransactionRecord) => status.startsWith('completed');
const isCanceled = ({ detailedStatus }: TransactionRecord) => detailedStatus === 'canceled';
export const isDraft = (transaction: TransactionRecord) =>
	transaction.status === 'started' && !isCanceled(transaction);
export const isSent = (transaction: TransactionRecord) =>
	transaction.status.startsWith('sent') && !isCanceled(transaction);
export const isTrue = (value: unknown) => value === true || value === 'true';
/** Identifiers are compared without the underscore (docs/service/README.md#identifiers). */
export const bare = (id: string) => id.replace('_', '');
/** ISO 8601 in UTC with microseconds (docs/service/transactions.md#times). */
const iso = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z');

/** docs/service/transactions.md#unset-fields: they are left out. */
export const compact = (value: Json): Json =>
	Object.fromEntries(Object.entries(value).filter(([, field]) => (field ?? null) !== null));
const pick = (from: Json, names: string[]): Json =>
	Object.fromEntries(names.map((name) => [name, from[name]]));
const withId = (id: unknown, more: Json) => (id ? { id, ...more } : undefined);

/** A reference that a person gave. One of the node's own tells a test nothing. */
export const referenceOf = (value: unknown) => (/^n8n-/.test(String(value)) ? undefined : value);

/** What identifies a transaction to a test. */
export function markerOf({ fields, signers, id }: TransactionRecord): string {
	const { external_id, transaction_name, loan_number, file_number } = fields;
	const named = referenceOf(external_id) ?? transaction_name ?? loan_number ?? file_number;
	return String(named ?? signers[0]?.email ?? id);
}

/** A small file of what the service makes itself. */
export const samplePdf = (text: string) =>
	Buffer.from(
		`%PDF-1.4\n% ${text}\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n` +
			'2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n' +
			'3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>> endobj\n' +
			'trailer <</Root 1 0 R>>\n%%EOF\n',
	);
