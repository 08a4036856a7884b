/** Creating transactions (docs/service/transactions.md#creation-fields). */

import { organizationFor } from '../access.mts';
import { checkClosingType, checkJurisdiction } from '../closingRules.mts';
import { placeConsentForms } from '../documents/consentForms.mts';
import { addFirstDocuments, firstDocuments } from '../documents/firstDocuments.mts';
import { checkExpiry, scheduleExpiry } from '../expiry.mts';
import { checkNotary } from '../notaries.mts';
import { refuse, TEXTS } from '../refusal.mts';
import { emitSent, send } from '../send.mts';
import { checkSigners, listSigners, newSigner } from '../people/signers.mts';
import { STATES } from '../states.mts';
import { checkFeatures, storedFields } from './transactionFields.mts';
import { isDraft, move } from '../transitions.mts';
import type { Fields, Key, Platform, Transaction, World } from '../../world/world.mts';

/**
 * POST R/transactions: always a draft, whatever `draft` says. Nothing has to be there yet
 * (docs/service/transactions.md#create-a-closing).
 */
export async function createClosing(
	world: World,
	key: Key,
	body: Fields,
	version: 1 | 2,
): Promise<Transaction> {
	const signers = listSigners(body) ?? [];
	checkSigners(signers, body);
	checkClosingType(world, signers, body.transaction_type, version);
	checkJurisdiction(body);
	checkNotary(world, body);
	const transaction = add(world, key, 'realEstate', signers, body);
	try {
		await placeConsentForms(world, transaction);
		await addFirstDocuments(world, transaction, body);
	} catch (thrown) {
		// A create that is refused leaves nothing behind.
		world.transactions.delete(transaction.id);
		throw thrown;
	}
	world.emit('transaction.created', transaction);
	return transaction;
}

/**
 * POST B/transactions: at least one signer's email and one document, unless it is a draft
 * (docs/service/transactions.md#create-a-business-transaction).
 */
export async function createTransaction(
	world: World,
	key: Key,
	body: Fields,
): Promise<Transaction> {
	const signers = listSigners(body) ?? [];
	if (signers.length === 0) refuse(TEXTS.noSigner);
	checkSigners(signers, body);
	checkNotary(world, body);
	const draft = body.draft === true;
	if (!draft && firstDocuments(body).length === 0) refuse('Need at least 1 document');
	const transaction = add(world, key, 'business', signers, body);
	try {
		await addFirstDocuments(world, transaction, body);
		if (!draft) sendAfterSplit(world, transaction, body);
	} catch (thrown) {
		world.transactions.delete(transaction.id);
		throw thrown;
	}
	world.emit('transaction.created', transaction);
	if (!isDraft(transaction)) emitSent(world, transaction);
	return transaction;
}

/** Sends a new transaction, at once or when its documents are split. */
function sendAfterSplit(world: World, transaction: Transaction, body: Fields): void {
	if (transaction.splitting === 0)
		return send(world, transaction, { emitEvents: false, body, isNew: true });
	const start = () => {
		if (!world.transactions.has(transaction.id) || !isDraft(transaction)) return;
		if (transaction.splitting > 0) return world.clock.later(1000, start);
		send(world, transaction, { body, isNew: true });
	};
	world.clock.later(1000, start);
}

function add(
	world: World,
	key: Key,
	platform: Platform,
	signers: Fields[],
	body: Fields,
): Transaction {
	checkFeatures(world, body);
	const organization = organizationFor(world, key, body.organization_id);
	const fields = storedFields(world, platform, body);
	checkExpiry(world, { platform, fields });
	const now = world.clock.stamp();
	const transaction: Transaction = {
		id: world.newId('ot_'),
		platform,
		organization,
		created: now,
		updated: now,
		...STATES.draft,
		signers: signers.map((signer) => newSigner(world, signer)),
		identities: new Map(),
		documents: [],
		fields,
		recordIds: [],
		splitting: 0,
		released: false,
		history: [],
		auditLog: [],
	};
	world.transactions.set(transaction.id, transaction);
	move(world, transaction, STATES.draft, 'created as a draft');
	scheduleExpiry(world, transaction);
	return transaction;
}
