/**
 * How transactions, documents, records, ... look in answers
 * (docs/service/transactions.md#answer-fields, docs/service/documents.md#document-answer).
 */

import { witnessesOf, type Witness } from '../data/witnesses.mts';
import { isNotarized } from '../domain/signingMethods.mts';
import { isDraft } from '../domain/transitions.mts';
import type { Layout } from '../http/pathLayouts.mts';
import type {
	Document,
	Notary,
	NotarizationRecord,
	Signer,
	Transaction,
	Webhook,
	World,
} from '../world/world.mts';

export function transactionView(world: World, transaction: Transaction, layout: Layout): object {
	const { fields, recordIds, recordId } = transaction;
	return {
		id: transaction.id,
		...fields,
		transaction_name: fields.transaction_name ?? null,
		external_id: fields.external_id ?? null,
		organization_id: transaction.organization,
		date_created: transaction.created,
		date_updated: transaction.updated,
		status: transaction.status,
		detailed_status: transaction.detailedStatus,
		audit_trail_url:
			transaction.auditTrail && transaction.released
				? world.links.sign(`audit/${transaction.id}`)
				: null,
		// The documented answer has a string, live services have an object and a list
		// (docs/service/transactions.md#notarization-record-of-a-transaction). A client has to
		// understand both.
		...(layout === 'documented'
			? { notarization_record: recordId ?? null }
			: {
					notarization_record: recordId === undefined ? null : { id: recordId },
					notarization_records: recordIds.map((id) => ({ id })),
				}),
		signer_info: signerInfo(transaction),
		signers: transaction.signers.map((signer) => signerView(transaction, signer)),
		documents: [...transaction.documents]
			.sort((a, b) => a.position - b.position)
			.map((document) => documentView(world, transaction, document)),
	};
}

function signerInfo(transaction: Transaction): object {
	const { email, first_name, last_name, signing_status } = transaction.signers[0];
	return {
		email,
		first_name: first_name ?? null,
		last_name: last_name ?? null,
		...(!isDraft(transaction) && { signing_status }),
	};
}

/**
 * signing_status is absent while the transaction is a draft
 * (docs/service/states.md#signing-status).
 */
function signerView(transaction: Transaction, { signing_status, ...signer }: Signer): object {
	return isDraft(transaction) ? signer : { ...signer, signing_status };
}

export function documentView(world: World, transaction: Transaction, document: Document): object {
	const { flags } = document;
	return {
		id: document.id,
		date_created: document.created,
		date_updated: document.updated,
		document_name: document.name,
		requirement: document.requirement,
		final_document_url:
			document.final && transaction.released ? world.links.sign(`final/${document.id}`) : null,
		notarization_required: flags.notarization_required ?? document.requirement === 'notarization',
		witness_required: flags.witness_required ?? false,
		...(world.settings.profile === 'full' && {
			...flags,
			processing_state: document.state,
			processing_error: null,
			completion_state:
				document.final === undefined
					? null
					: document.rejectionReason === undefined
						? 'complete'
						: 'rejected',
			is_enote: document.isEnote,
			bundle_position: document.position,
			signing_designations: document.designations,
			...(document.groups.length > 0 && { signing_designation_groups: document.groups }),
			rejection_reason: document.rejectionReason ?? null,
		}),
	};
}

/** The notarization record of an answer (docs/service/notarization.md#notarization-record). */
export function recordView(world: World, record: NotarizationRecord, layout: Layout): object {
	const { links } = world;
	const transaction = world.transactions.get(record.transactionId)!;
	const pictures = () =>
		Object.fromEntries(
			Object.keys(record.pictures).map((kind) => [
				kind,
				links.sign(`picture/${record.id}/${kind}`),
			]),
		);
	const people = transaction.signers.map((signer) => ({
		email: signer.email,
		first_name: signer.first_name ?? null,
		middle_name: signer.middle_name ?? null,
		last_name: signer.last_name ?? null,
		dob: '1980-05-17',
		address: {
			line1: '100 Harbor Street',
			line2: '',
			city: 'Boston',
			state: 'MA',
			postal: '02110',
			country: 'US',
		},
	}));
	const notarized = transaction.documents.filter(isNotarized);
	const [year, month, day] = record.end.slice(0, 10).split('-').map(Number);
	const asset =
		layout === 'documented' ? '/generic_video_session' : '?asset_key=generic_video_session';
	return {
		id: record.id,
		meeting_start: record.start,
		meeting_end: record.end,
		notary_name: record.notary.name,
		notary_county_city: record.notary.county,
		notary_registration: record.notary.registration,
		signer_info: people[0],
		signers: people.map((person) => ({
			...person,
			...pictures(),
			...(world.settings.profile === 'full' && {
				primary_type: 'driver_license',
				primary_issuer: 'MA',
				primary_expiry_date: '2029-05-17',
			}),
		})),
		notarized_documents: notarized.map((document, index) => ({
			tracking_id: Number(document.flags.tracking_id ?? index + 1),
			// Live services misspell it with an o (docs/service/notarization.md#notarized-documents).
			[layout === 'documented' ? 'notarial_acts' : 'notorial_acts']: ['acknowledgement'],
			document_url: links.sign(`final/${document.id}`),
		})),
		verification_credentials: {
			retrieval_id: '4410-22-8',
			retrieval_pin: '903311',
			last_name: people[0].last_name,
			date_completed: `${month}/${day}/${year}`,
		},
		signer_photo_identification: pictures(),
		video_url: `${world.origin()}/v1/transactions/${record.transactionId}/notarization_records/${record.id}/download_asset${asset}`,
		...(world.settings.profile === 'full' && {
			cosigner_info: people[1] ?? null,
			witnesses: witnessesOf(transaction.documents).map(witnessView),
			chat_url: null,
		}),
	};
}

/**
 * A witness in a record: the names of docs/service/notarization.md#witnesses, and an email address,
 * which is our own.
 */
function witnessView({ name, email }: Witness): object {
	const [first_name, last_name] = name.split(' ');
	return { email, first_name, last_name };
}

export function webhookView({ id, url, subscriptions, enabled, header, headers }: Webhook): object {
	return { id, url, subscriptions, enabled, header: header ?? null, headers };
}

export function notaryView(
	{ id, name, email, state, county }: Notary,
	organization: string,
): object {
	const [first_name, last_name] = name.split(' ');
	return {
		id,
		first_name,
		last_name,
		name,
		email,
		us_state_abbr: state,
		county,
		organization_id: organization,
	};
}
