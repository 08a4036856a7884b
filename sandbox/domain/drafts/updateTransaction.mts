/**
 * Updating and deleting (docs/service/transactions.md#update-a-draft,
 * docs/service/transactions.md#delete).
 */

import { checkFeatures, storedFields } from './transactionFields.mts';
import { organizationFor } from '../access.mts';
import { checkChangedType, checkClosingType, checkJurisdiction } from '../closingRules.mts';
import { placeConsentForms } from '../documents/consentForms.mts';
import { checkExpiry, scheduleExpiry } from '../expiry.mts';
import { checkNotary } from '../notaries.mts';
import { checkSigners, listSigners, updatedSigner } from '../people/signers.mts';
import { published, refuse, TEXTS } from '../refusal.mts';
import { addToAuditLog, hasSigned, requireDraft } from '../transitions.mts';
import { withUnderscore } from '../../world/idForms.mts';
import type { Fields, Key, Transaction, World } from '../../world/world.mts';

interface Update {
	key: Key;
	body: Fields;
	/** Whether what is not sent is reset. */
	mode: 'merge' | 'replace';
	/** Of the path. */
	version: 1 | 2;
}

/**
 * PUT or PATCH. The documents stay, and `documents` puts them in another order. Signers have no
 * endpoint of their own, so this is how they are changed
 * (docs/service/signers.md#change-signers-of-a-draft).
 */
export async function updateTransaction(
	world: World,
	transaction: Transaction,
	{ key, body, mode, version }: Update,
): Promise<void> {
	requireDraft(transaction);
	checkFeatures(world, body);
	const { platform } = transaction;
	const listed = listSigners(body, mode === 'merge' ? transaction.signers : []);
	const sent = storedFields(world, platform, body, transaction.fields);
	const fields = mode === 'merge' ? { ...transaction.fields, ...sent } : sent;
	if (platform === 'realEstate') checkChangedType(transaction, body, fields, mode);
	if (listed === undefined && mode === 'replace' && fields.transaction_type !== 'wet_sign')
		refuse(TEXTS.noSigner);
	const signers = listed ?? (mode === 'merge' ? transaction.signers : []);
	checkSigners(signers, fields);
	if (platform === 'realEstate') {
		checkClosingType(world, signers, fields.transaction_type, version);
		checkJurisdiction(fields);
	}
	checkNotary(world, fields);
	checkExpiry(world, { platform, fields });
	const organization = organizationFor(
		world,
		key,
		body.organization_id ?? transaction.organization,
	);
	reorder(transaction, body.documents ?? []);
	transaction.organization = organization;
	transaction.fields = fields;
	transaction.signers = signers.map((signer) => updatedSigner(world, transaction.signers, signer));
	if (platform === 'realEstate') await placeConsentForms(world, transaction);
	addToAuditLog(world, transaction, 'draft updated');
	scheduleExpiry(world, transaction);
	world.emit('transaction.updated', transaction);
}

function reorder(
	transaction: Transaction,
	order: Array<{ id: string; bundle_position: number }>,
): void {
	const places = order.map(({ id, bundle_position }) => {
		const wanted = withUnderscore(id);
		const document = transaction.documents.find((entry) => entry.id === wanted);
		return {
			document: document ?? refuse(`Document ${id} is not in this transaction`),
			bundle_position,
		};
	});
	for (const { document, bundle_position } of places) document.position = bundle_position;
}

/** @throws Refusal 422 once a signer has completed */
export function deleteTransaction(world: World, transaction: Transaction): void {
	if (transaction.signers.some(hasSigned)) throw published('signed');
	world.transactions.delete(transaction.id);
	world.emit('transaction.deleted', transaction);
}
