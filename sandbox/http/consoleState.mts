/** What the console shows, as plain data. */

import { fullName, labelOf } from '../domain/people/signers.mts';
import { findOrganization } from '../data/organizations.mts';
import { ACTION_NAMES } from '../actors/actionNames.mts';
import { whyNot } from '../actors/availability.mts';
import { identityChecksOf } from '../actors/signers.mts';
import { streetAddressView } from '../operations/views/closings.mts';
import type { Deliveries } from '../domain/webhooks/deliveries.mts';
import type { Document, Transaction, World } from '../world/world.mts';

const SHOWN_DELIVERIES = 60;

/** Everything the console shows: transactions, webhooks, deliveries, notaries. */
export function sandboxState(world: World, problems: string[], deliveries: Deliveries): object {
	return {
		now: world.clock.stamp(),
		speed: world.clock.speed,
		profile: world.settings.profile,
		problems: problems.slice(-20),
		transactions: [...world.transactions.values()]
			.reverse()
			.map((transaction) => transactionState(world, transaction)),
		notaries: world.notaries.map(({ id, name, state, county, compliance }) => ({
			id,
			name,
			state,
			county,
			compliance,
		})),
		webhooks: [...world.webhooks.values()].map(
			({ id, url, created, subscriptions, enabled, organization }) => ({
				id,
				url: url.split('?')[0],
				created,
				subscriptions,
				enabled,
				organization,
			}),
		),
		deliveries: deliveries.recent
			.slice(0, SHOWN_DELIVERIES)
			.map(({ payload: _payload, ...delivery }) => ({
				...delivery,
				url: delivery.url.split('?')[0],
			})),
	};
}

/** As signers get them, whenever they were added. */
const listInOrder = (documents: readonly Document[]): Document[] =>
	documents.toSorted((left, right) => left.position - right.position);

/** A transaction, and for each action why it isn't possible now, or null when it is. */
export function transactionState(world: World, transaction: Transaction): object {
	const {
		id,
		platform,
		status,
		detailedStatus,
		organization,
		created,
		fields,
		signers,
		documents,
		history,
		auditLog,
		splitting,
		released,
	} = transaction;
	const { links } = world;
	const record =
		transaction.recordId === undefined ? undefined : world.records.get(transaction.recordId);
	return {
		id,
		platform,
		name: fields.transaction_name ?? id,
		type: fields.transaction_type ?? null,
		numbers: [fields.loan_number, fields.file_number].filter(Boolean),
		address: fields.street_address ? streetAddressView(fields.street_address).full_address : null,
		status,
		detailed_status: detailedStatus,
		organization: findOrganization(organization)?.name ?? organization,
		created,
		splitting,
		released,
		history,
		audit_log: auditLog,
		signers: signers.map((signer) => ({
			email: labelOf(signer),
			name: fullName(signer),
			signing_status: signer.signing_status ?? null,
			checks: identityChecksOf(world, transaction, signer),
			selfie_failures: transaction.identities.get(signer.id)?.selfieFailures ?? 0,
			at_referee: transaction.identities.get(signer.id)?.atReferee ?? false,
		})),
		documents: listInOrder(documents).map((document) => ({
			id: document.id,
			name: document.name,
			requirement: document.requirement,
			pages: document.pages,
			designations: document.designations.length,
			is_enote: document.isEnote,
			state: document.state,
			processing_error:
				document.processingError ?? (document.state === 'failed' ? 'not processed' : null),
			rejection_reason: document.rejectionReason ?? null,
			link: document.final ? links.sign(`final/${document.id}`) : null,
		})),
		audit_trail: transaction.auditTrail ? links.sign(`audit/${id}`) : null,
		record: transaction.recordId ?? null,
		pictures:
			record === undefined
				? []
				: Object.keys(record.pictures).map((kind) => ({
						kind,
						link: links.sign(`picture/${record.id}/${kind}`),
					})),
		video: record?.video === undefined ? null : `/sandbox/videos/${record.id}`,
		why_not: Object.fromEntries(
			ACTION_NAMES.map((name) => [name, whyNot(world, transaction, name) ?? null]),
		),
	};
}
