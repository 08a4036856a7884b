import type { IDataObject } from 'n8n-workflow';

import { without, type Kept, type KeptDocument, type KeptSigner } from './kept.mts';
import type { KeptTransaction, State } from './kept.mts';

/** What answers show (docs/service), which isn't what requests said. */

const STATES: Record<State, [status: string, detailed: string, signing?: string]> = {
	draft: ['started', 'draft'],
	recalled: ['started', 'recalled'],
	sent: ['sent', 'sent_to_signer', 'incomplete'],
	completed: ['completed', 'complete', 'complete'],
	expired: ['expired', 'expired', 'incomplete'],
	// Nobody says which status stands beside these two.
	declined: ['sent', 'declined', 'incomplete'],
	canceled: ['sent', 'canceled', 'incomplete'],
};

/** Fields that no answer has. */
const NEVER = (
	'draft suppress_email skip_closing_ops paper_note_consent authentication_requirement ' +
	'jurisdiction_eligibility_consent require_new_signer_verification pdf_bookmarked document_url_version ' +
	'recording_jurisdiction_id title_agency_id title_underwriter_id require_secondary_id organization_id ' +
	'street_address redirect'
).split(' ');
const SIGNER_FIELDS = (
	'signer_id email first_name last_name address vesting_type external_id phone ' +
	'personally_known_to_notary signatory_capacities'
).split(' ');

const pick = (from: IDataObject, names: string[]) =>
	Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
/** IDs of organizations lack their underscore wherever they aren't at top level. */
const nested = (id: unknown) => String(id).replace(/^(or|us)_/, '$1');
const microseconds = (time: string) => time.replace(/Z$/, '000Z');

export const statusOf = ({ state }: KeptTransaction): string => STATES[state][0];

export function shownDocument(
	{ options, url }: Kept,
	owner: KeptTransaction,
	document: KeptDocument,
	isRetrieved = false,
): IDataObject {
	const { requirement, flags } = document;
	const needs = (flag: string) => requirement === flag || flags.includes(`${flag}_required`);
	const actions = [
		...(needs('notarization') ? ['NOTARIZATION_REQUIRED'] : []),
		...['witness_required', 'customer_can_annotate']
			.filter((flag) => flags.includes(flag))
			.map((flag) => flag.toUpperCase()),
	];
	const isBusiness = owner.platform === 'business';
	const isFull = options.designations === (isBusiness ? 'byPlatform' : 'full');
	const isDone = Date.now() >= document.added + options.processingMs;
	const isCompleted = owner.state === 'completed';
	const time = microseconds(new Date(document.added).toISOString());
	const tracking = options.showsReferences ? document.trackingId : undefined;
	const both = {
		id: document.id,
		allowed_actions: actions,
		bundle_position: owner.documents.indexOf(document),
		completion_state: isCompleted ? 'complete' : 'incomplete',
		date_created: time,
		date_updated: time,
		document_name: document.name,
		processing_state: isDone ? 'done' : 'pending',
		requirement,
		signing_designations: document.designations.map((place) =>
			isFull || options.designations === 'full' ? place : pick(place, ['id']),
		),
		signing_designation_groups: document.groups,
	};
	if (isBusiness && !isRetrieved)
		return {
			...both,
			esign_required: needs('esign'),
			identity_confirmation_required: needs('identity_confirmation'),
			notarization_required: needs('notarization'),
			vaulted: flags.includes('vaulted'),
			...(tracking !== undefined && { tracking_id: tracking }),
		};
	return {
		...both,
		permissions: actions,
		is_enote: document.isEnote,
		processing_error: null,
		rejection_reason: null,
		signing_type: needs('notarization') ? 'NOTARIZATION' : 'ESIGN',
		tracking_id: tracking ?? null,
		final_document_url: isCompleted ? `${url}/files/${document.id}?signature=1` : null,
	};
}

function shownSigner({ options }: Kept, { state }: KeptTransaction, signer: KeptSigner) {
	const [, , signing] = STATES[state];
	const link = signing === 'incomplete' ? `https://sign.example.com/${signer.signer_id}` : '';
	return {
		first_name: '',
		last_name: '',
		address: { line1: '', line2: '', city: '', state: '', postal: '', country: '' },
		personally_known_to_notary: false,
		signatory_capacities: [],
		vesting_type: 'borrower',
		...(options.showsSettings ? signer : pick(signer, SIGNER_FIELDS)),
		link_expired: link === '',
		transaction_access_link: link,
		...(link !== '' && { sdk_token: link }),
		...(signing !== undefined && { signing_status: signing }),
	};
}

function shownProperty(address: IDataObject): IDataObject {
	const { line1, line2, city, state, postal } = address;
	const street = [line1, line2, city].filter(Boolean).join(', ');
	return { ...address, full_address: `${street}, ${String(state)} ${String(postal ?? '')}`.trim() };
}

const RECORDING = { name: 'Suffolk', state: 'MA', recording_type: 'electronic' };
/** What every transaction has. */
const BUSINESS = { config_id: 'notarization', payer: 'sender', sender_name: 'Harbor Legal' };
const CLOSING = {
	config_id: 'other',
	contacts: [],
	status_description: '',
	underwriter_override: false,
	lender: { id: 'orod4kenk', name: 'Harbor Bank' },
};

/** A transaction in an answer. What it doesn't have is left out. */
export function shownTransaction(
	kept: Kept,
	transaction: KeptTransaction,
	inList = false,
): IDataObject {
	const { options } = kept;
	const { fields, platform, state, documents } = transaction;
	const isBusiness = platform === 'business';
	const [status, detailed] = STATES[state];
	const hidden = [
		...NEVER,
		...(options.showsReferences ? [] : ['external_id']),
		...(inList && options.listHidesNumbers ? ['external_id', 'loan_number'] : []),
	];
	const signers = transaction.signers.map((signer) => shownSigner(kept, transaction, signer));
	const [first, second] = signers;
	const { redirect, street_address: address } = fields;
	const { url, message } = (redirect ?? {}) as IDataObject;
	const isHidden = state === 'recalled' && isBusiness && !options.businessShowsRecalled;
	const party = (name: string, title: string, more: object = {}) =>
		fields[`${name}_id`] && {
			[name]: { id: nested(fields[`${name}_id`]), name: title, ...more },
		};
	return {
		attachments: [],
		cc_recipient_emails: [],
		cost: 2250,
		require_secondary_photo_id: fields.require_secondary_id === true,
		redirect: redirect ? { redirect_url: url, redirect_msg: message, forced_redirect: false } : {},
		...(isBusiness ? BUSINESS : CLOSING),
		...without(fields, hidden),
		id: transaction.id,
		organization_id: fields.organization_id ?? 'or_od4kenk',
		date_created: microseconds(transaction.created),
		date_updated: microseconds(transaction.updated),
		status,
		detailed_status: isHidden ? 'draft' : detailed,
		...(transaction.recallReason && { recall_reason: transaction.recallReason }),
		documents: documents.map((document) => shownDocument(kept, transaction, document)),
		signers,
		...(first && { signer_info: first }),
		...(second && { cosigner_info: second }),
		...party('recording_jurisdiction', 'Suffolk', RECORDING),
		...party('title_agency', 'Harbor Title', { company_notaries: false }),
		...party('title_underwriter', 'Atlantic Title'),
		...(address && { street_address: shownProperty(address as IDataObject) }),
	};
}
