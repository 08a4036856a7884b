import type { Json } from '../types.mts';
import { newLink } from './links.mts';
import {
	iso,
	isDraft,
	type DocumentRecord,
	type SignerRecord,
	type TransactionRecord,
	type World,
} from './world.mts';

/** How records are answered, see docs/service/transactions.md#answer-fields. */

export function isComplete(transaction: TransactionRecord): boolean {
	return transaction.status.startsWith('completed');
}

export function showTransaction(world: World, transaction: TransactionRecord): Json {
	const { fields, platform, documents } = world.settle(transaction);
	const signers = transaction.signers.map((signer) => showSigner(world, transaction, signer));
	const realEstate = platform === 'realEstate';
	const address = fields.street_address && showAddress(fields.street_address);
	return compact({
		id: transaction.id,
		organization_id: fields.organization_id ?? world.organizationId,
		transaction_name:
			fields.transaction_name ??
			(realEstate ? (address?.full_address ?? 'Untitled Transaction') : 'Untitled Transaction'),
		status: transaction.status,
		detailed_status: transaction.detailedStatus,
		date_created: iso(transaction.created),
		date_updated: iso(transaction.updated),
		signers,
		signer_info: signers[0],
		cosigner_info: signers[1],
		...pick(fields, [
			'external_id',
			'transaction_type',
			'notary_id',
			'message_to_signer',
			'message_subject',
			'message_signature',
			'notary_instructions',
			'notary_meeting_time',
			'cc_recipient_emails',
		]),
		config_id: fields.config_id ?? (realEstate ? undefined : 'notarization'),
		require_secondary_photo_id: isTrue(
			fields.require_secondary_photo_id ?? fields.require_secondary_id ?? false,
		),
		redirect: fields.redirect
			? { redirect_url: fields.redirect.url, redirect_msg: fields.redirect.message }
			: {},
		recall_reason: transaction.recallReason,
		audit_trail_url: isComplete(transaction)
			? newLink(world, `trail/${transaction.id}`)
			: undefined,
		documents: documents.map((document) =>
			showDocument(world, transaction, document, realEstate ? 'nulls' : 'flags'),
		),
		notarization_record: transaction.recordIds[0],
		activation_time: day(fields.activation_time, realEstate, '00:00:00.000Z'),
		...(realEstate ? closingFields(world, transaction, address) : {}),
		...(realEstate ? {} : { expiry: fields.expiry, payer: fields.payer ?? 'sender' }),
	});
}

function closingFields(world: World, transaction: TransactionRecord, address?: Json): Json {
	const { fields } = transaction;
	return {
		...pick(fields, ['loan_number', 'file_number']),
		expiration_time: day(fields.expiration_time, true, '23:59:59Z'),
		status_description: '',
		contacts: (fields.contacts ?? []).map((contact: Json) => ({
			...contact,
			date_created: iso(transaction.created),
			date_updated: iso(transaction.updated),
		})),
		lender: { id: world.organizationId, name: 'Fault Organization' },
		street_address: address,
		recording_jurisdiction: fields.recording_jurisdiction_id && {
			id: fields.recording_jurisdiction_id,
			name: 'Fairfax County',
			state: 'VA',
			recording_type: 'electronic',
		},
		title_agency: fields.title_agency_id && {
			id: fields.title_agency_id,
			name: 'First Title',
			company_notaries: false,
		},
		title_underwriter: fields.title_underwriter_id && {
			id: fields.title_underwriter_id,
			name: 'First Underwriter',
		},
		order_progress: transaction.status === 'sent_to_closing_ops' ? 'received' : undefined,
	};
}

/** docs/service/signers.md#signer-answer. */
function showSigner(world: World, transaction: TransactionRecord, signer: SignerRecord): Json {
	const { fields } = signer;
	const draft = isDraft(transaction);
	const closed = draft && transaction.platform === 'realEstate';
	const link = closed ? '' : `${world.origin}/open/${signer.signer_id}`;
	const digits = String(fields.phone_number ?? '').replace(/[^\d+]/g, '');
	const number = digits.startsWith('+') ? digits.slice(-10) : digits;
	const country = digits.startsWith('+') ? digits.slice(1, -10) : '1';
	return compact({
		signer_id: signer.signer_id,
		email: fields.email ?? '',
		first_name: fields.first_name ?? '',
		last_name: fields.last_name ?? '',
		address: {
			line1: '',
			line2: '',
			city: '',
			state: '',
			postal: '',
			country: '',
			...fields.address,
		},
		link_expired: closed,
		personally_known_to_notary: isTrue(fields.personally_known_to_notary ?? false),
		signatory_capacities: fields.signatory_capacities ?? [],
		transaction_access_link: link,
		vesting_type: fields.vesting_type ?? 'non_borrower',
		external_id: fields.external_id,
		phone: fields.phone ?? (number ? { country_code: country, number } : undefined),
		sdk_token: link || undefined,
		signing_status: draft ? undefined : isComplete(transaction) ? 'complete' : 'incomplete',
	});
}

/** docs/service/documents.md#two-forms-of-the-answer. */
export function showDocument(
	world: World,
	transaction: TransactionRecord,
	document: DocumentRecord,
	form: 'flags' | 'nulls',
	justAdded = false,
): Json {
	const { fields } = document;
	const complete = isComplete(transaction);
	const done = !justAdded && document.processedAt <= Date.now();
	const words = Object.entries({
		WITNESS_REQUIRED: fields.witness_required,
		NOTARIZATION_REQUIRED: fields.notarization_required,
		CUSTOMER_CAN_ANNOTATE: fields.customer_can_annotate,
	});
	const allowed_actions = words.filter(([, flag]) => isTrue(flag)).map(([word]) => word);
	const shared = {
		id: document.id,
		document_name: document.name,
		date_created: iso(document.created),
		date_updated: iso(document.updated),
		requirement: document.requirement,
		allowed_actions,
		bundle_position: document.position,
		completion_state: complete ? 'complete' : 'incomplete',
		processing_state: done ? 'done' : 'pending',
		signing_designations: document.designations.map((id) => ({ id })),
		signing_designation_groups: fields.signing_designation_groups ?? [],
	};
	const link = complete ? newLink(world, `document/${document.id}`) : null;
	if (form === 'flags')
		return compact({
			...shared,
			tracking_id: fields.tracking_id,
			esign_required: isTrue(fields.esign_required ?? document.requirement === 'esign'),
			identity_confirmation_required: isTrue(fields.identity_confirmation_required ?? false),
			notarization_required: isTrue(
				fields.notarization_required ?? document.requirement === 'notarization',
			),
			vaulted: isTrue(fields.vaulted ?? false),
			final_document_url: link ?? undefined,
		});
	return {
		...shared,
		tracking_id: fields.tracking_id ?? null,
		permissions: allowed_actions,
		is_enote: document.isEnote,
		processing_error: null,
		rejection_reason: null,
		rejection_anecdote: null,
		signing_type: document.requirement === 'notarization' ? 'NOTARIZATION' : 'ESIGN',
		final_document_url: link,
	};
}

export function isTrue(value: unknown): boolean {
	return value === true || value === 'true';
}

/** docs/service/transactions.md#unset-fields: they are left out. */
export function compact(value: Json): Json {
	return Object.fromEntries(
		Object.entries(value).filter(([, field]) => field !== undefined && field !== null),
	);
}

function showAddress(address: Json): Json {
	const { line1 = '', line2 = null, city = '', state = '', country = 'US' } = address;
	const postal = address.postal ?? address.zip_code ?? '';
	const full_address = [line1, line2, city, `${state} ${postal}`.trim()].filter(Boolean).join(', ');
	return { line1, line2, city, state, postal, country, full_address };
}

function pick(from: Json, names: string[]): Json {
	return Object.fromEntries(names.map((name) => [name, from[name] ?? undefined]));
}

/** On real estate times move to an end of their day (docs/service/transactions.md#times). */
function day(time: unknown, moves: boolean, to: string): string | undefined {
	if (typeof time !== 'string' || !time) return undefined;
	const date = new Date(time);
	if (Number.isNaN(date.getTime())) return time;
	return moves ? `${date.toISOString().slice(0, 10)}T${to}` : date.toISOString();
}
