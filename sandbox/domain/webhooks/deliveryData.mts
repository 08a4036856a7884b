/** The `data` of a delivery (docs/service/webhooks.md#data-of-deliveries). */

import { findOrganization } from '../../data/organizations.mts';
import type { EventDetails, Fields, Signer, Transaction, World } from '../../world/world.mts';

/** Events whose data is how far each signer has come (docs/service/webhooks.md#signing-status-payload). */
const SIGNING_STATUS_EVENTS = new Set(
	'meeting.requested meeting.created meeting.failed signer.kba_passed signer.kba_failed partially_completed'
		.split(' ')
		.map((name) => `transaction.${name}`),
);

/** The payload of these events is an object in event records, that of all others a string. */
export function hasSigningStatus(event: string): boolean {
	return SIGNING_STATUS_EVENTS.has(event);
}

/** The data of an event of a transaction. A documented payload has the transaction's id alone. */
export function deliveryData(
	world: World,
	event: string,
	transaction: Transaction,
	{ signers, ...details }: EventDetails,
): Fields {
	const { id: transaction_id } = transaction;
	if (world.settings.profile === 'documented') return { transaction_id };
	const date_occurred = world.clock.stamp();
	if (hasSigningStatus(event))
		return {
			transaction_id,
			transaction_detailed_status: transaction.detailedStatus,
			date_occurred,
			signers: transaction.signers.map((signer) => ({
				...namesOf(signer),
				signing_status: signer.signing_status ?? 'incomplete',
			})),
		};
	return {
		transaction_id,
		date_occurred,
		organization_name: findOrganization(transaction.organization)?.name,
		...details,
		...(signers !== undefined && {
			signers: signers.map((signer) => ({
				...namesOf(signer),
				...identityOf(transaction, signer),
			})),
		}),
	};
}

function namesOf({ id, external_id, first_name, middle_name, last_name }: Signer): Fields {
	return {
		signer_id: id,
		external_id: external_id ?? null,
		first_name: first_name ?? null,
		middle_name: middle_name ?? null,
		last_name: last_name ?? null,
	};
}

/** What the identity checks of a signer have shown so far. A check that was not made is not passed. */
function identityOf({ identities }: Transaction, { id }: Signer): Fields {
	const { knowledge, selfie, credentials } = identities.get(id) ?? {};
	const kba_passed = knowledge === 'passed';
	const credential_analysis_passed = credentials === 'passed';
	const selfie_passed = selfie === 'passed';
	return {
		kba_passed,
		full_verification_process_passed: kba_passed && credential_analysis_passed && selfie_passed,
		credential_analysis_passed,
		selfie_passed,
	};
}
