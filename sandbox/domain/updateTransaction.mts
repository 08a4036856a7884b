/**
 * Updating and deleting (docs/service/transactions.md#update-a-draft,
 * docs/service/transactions.md#delete).
 */

import { organizationFor } from './access.mts';
import { checkClosingType, checkJurisdiction } from './closingRules.mts';
import { checkExpiry, scheduleExpiry } from './expiry.mts';
import { checkNotary } from './notaries.mts';
import { refuse, TEXTS } from './refusal.mts';
import { checkSigners, listSigners, updatedSigner } from './signers.mts';
import { addToAuditLog, hasSigned, requireDraft } from './transitions.mts';
import type { Fields, Key, Transaction, World } from '../world/world.mts';

/**
 * PUT replaces: what is not sent is reset. PATCH changes what is sent. The documents stay, and
 * `documents` puts them in another order. Signers have no endpoint of their own, so this is how
 * they are changed (docs/service/signers.md#change-signers-of-a-draft).
 */
export function updateTransaction(
	world: World,
	key: Key,
	transaction: Transaction,
	body: Fields,
	mode: 'replace' | 'change',
	version: 1 | 2,
): void {
	requireDraft(transaction);
	const { signers, signer, documents, ...sent } = body;
	delete sent.draft;
	const listed =
		signers === undefined && signer === undefined ? undefined : listSigners({ signer, signers });
	if (listed === undefined && mode === 'replace') refuse(TEXTS.noSigner);
	if (listed !== undefined) checkSigners(listed);
	const fields: Fields = mode === 'replace' ? sent : { ...transaction.fields, ...sent };
	if (transaction.platform === 'realEstate') {
		checkClosingType(
			world,
			{
				...fields,
				signer: listed?.[0] ?? transaction.signers[0],
				signers: listed ?? transaction.signers,
			},
			version,
		);
		checkJurisdiction(fields);
	}
	checkExpiry(world, fields);
	checkNotary(world, fields);
	const organization =
		fields.organization_id === undefined
			? transaction.organization
			: organizationFor(world, key, fields.organization_id);
	if (documents !== undefined) reorder(transaction, documents);
	transaction.organization = organization;
	transaction.fields = fields;
	if (listed !== undefined)
		transaction.signers = listed.map((fields) => updatedSigner(world, transaction.signers, fields));
	addToAuditLog(world, transaction, 'draft updated');
	scheduleExpiry(world, transaction);
	world.emit('transaction.updated', transaction);
}

function reorder(
	transaction: Transaction,
	order: Array<{ id: string; bundle_position: number }>,
): void {
	for (const { id, bundle_position } of order) {
		const document = transaction.documents.find((entry) => entry.id === id);
		if (document === undefined) return refuse(`Document ${id} is not in this transaction`);
		document.position = bundle_position;
	}
}

/** @throws Refusal 422 once a signer has completed */
export function deleteTransaction(world: World, transaction: Transaction): void {
	if (transaction.signers.some(hasSigned)) refuse(TEXTS.signed);
	world.transactions.delete(transaction.id);
	world.emit('transaction.deleted', transaction);
}
