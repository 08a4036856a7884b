import type { Links } from './links.mts';
import type { Document, NotarizationRecord, Transaction, Webhook, World } from './world.mts';

/** What the service shows of its things (interface.md §2; gaps.md §4, §7). */

export function transactionView(world: World, links: Links, transaction: Transaction): object {
	const [first] = transaction.signers;
	const { fields } = transaction;
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
		audit_trail_url: transaction.auditTrail ? links.sign(`audit/${transaction.id}`) : null,
		notarization_record: transaction.recordId ?? null,
		signer_info: { email: first.email, first_name: first.first_name, last_name: first.last_name, signing_status: first.signing_status },
		signers: transaction.signers,
		documents: [...transaction.documents].sort((a, b) => a.position - b.position).map((document) => documentView(world, links, document)),
	};
}

export function documentView(world: World, links: Links, document: Document): object {
	return {
		id: document.id,
		date_created: document.created,
		date_updated: document.updated,
		document_name: document.name,
		requirement: document.requirement,
		final_document_url: document.final ? links.sign(`final/${document.id}`) : null,
		...(world.profile === 'full' && {
			processing_state: document.state,
			processing_error: null,
			completion_state: document.final ? 'complete' : null,
			is_enote: document.isEnote,
			bundle_position: document.position,
			notarization_required: document.flags.notarization_required ?? document.requirement === 'notarization',
			witness_required: document.flags.witness_required ?? false,
			signing_designations: document.designations,
			rejection_reason: document.rejectionReason ?? null,
		}),
	};
}

export function recordView(world: World, links: Links, origin: string, record: NotarizationRecord): object {
	const transaction = world.transactions.get(record.transactionId)!;
	const pictures = Object.fromEntries(Object.keys(record.pictures).map((kind) => [kind, links.sign(`picture/${record.id}/${kind}`)]));
	const people = transaction.signers.map((signer) => ({
		email: signer.email,
		first_name: signer.first_name,
		middle_name: signer.middle_name ?? null,
		last_name: signer.last_name,
		dob: '1980-05-17',
		address: { line1: '100 Harbor Street', line2: '', city: 'Boston', state: 'MA', postal: '02110', country: 'US' },
	}));
	return {
		id: record.id,
		meeting_start: record.start,
		meeting_end: record.end,
		notary_name: record.notary,
		notary_county_city: 'Suffolk County',
		notary_registration: '7712093',
		signer_info: people[0],
		signers: people.map((person) => ({ ...person, ...pictures })),
		notarized_documents: transaction.documents
			.filter(({ requirement }) => requirement === 'notarization')
			.map((document, index) => ({ tracking_id: index + 1, notarial_acts: ['acknowledgement'], document_url: links.sign(`final/${document.id}`) })),
		verification_credentials: { retrieval_id: '4410-22-8', retrieval_pin: '903311', last_name: people[0].last_name, date_completed: '1/2/2026' },
		signer_photo_identification: pictures,
		video_url: `${origin}/v1/transactions/${record.transactionId}/notarization_records/${record.id}/download_asset/generic_video_session`,
	};
}

export function webhookView({ id, url, subscriptions, enabled, headers }: Webhook): object {
	return { id, url, subscriptions, enabled, header: headers[0] ?? null, headers };
}
