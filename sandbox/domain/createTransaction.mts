/** Creating transactions (docs/service/transactions.md#creation-fields). */

import { organizationFor } from './access.mts';
import { checkClosingType, checkJurisdiction } from './closingRules.mts';
import { addDocument } from './documents/addDocument.mts';
import { checkExpiry, scheduleExpiry } from './expiry.mts';
import { checkNotary } from './notaries.mts';
import { Refusal } from './refusal.mts';
import { emitSent, send } from './send.mts';
import { checkSigners, listSigners, newSigner } from './signers.mts';
import { STATES } from './states.mts';
import { isDraft, move } from './transitions.mts';
import type { Fields, Key, Platform, Transaction, World } from '../world/world.mts';

/** POST R/transactions: always a draft (docs/service/transactions.md#create-a-closing). */
export function createClosing(world: World, key: Key, body: Fields, version: 1 | 2): Transaction {
	checkClosingType(world, body, version);
	const { signer, signers, ...fields } = body;
	// A closing is a draft whatever `draft` says.
	delete fields.draft;
	const listed = listSigners({ signer, signers });
	checkSigners(listed);
	checkJurisdiction(fields);
	checkExpiry(world, fields);
	const transaction = add(world, key, 'realEstate', listed, fields);
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
	const { signers, signer, documents = [], draft = false, ...fields } = body;
	if (signers !== undefined && signer !== undefined)
		throw new Refusal(422, 'signers and signer exclude each other');
	const listed: Fields[] = signers ?? (signer ? [signer] : []);
	checkSigners(listed);
	if (!draft && documents.length === 0) throw new Refusal(422, 'Need at least 1 document');
	checkExpiry(world, fields);
	checkNotary(world, fields);
	const transaction = add(world, key, 'business', listed, fields);
	try {
		for (const document of documents)
			await addDocument(world, transaction, { pdf_bookmarked: fields.pdf_bookmarked, ...document });
		if (!draft) sendWhenReady(world, transaction);
	} catch (thrown) {
		// A create that is refused leaves nothing behind.
		world.transactions.delete(transaction.id);
		throw thrown;
	}
	world.emit('transaction.created', transaction);
	if (!isDraft(transaction)) emitSent(world, transaction);
	return transaction;
}

/** Sends a new transaction, at once or when its activation_time and the split have passed. */
function sendWhenReady(world: World, transaction: Transaction): void {
	const wait = Math.max(
		0,
		Date.parse(transaction.fields.activation_time ?? '') - world.clock.now() || 0,
	);
	if (wait === 0 && transaction.splitting === 0)
		return send(world, transaction, { emitEvents: false });
	const start = () => {
		if (!world.transactions.has(transaction.id) || !isDraft(transaction)) return;
		if (transaction.splitting > 0) return world.clock.later(1000, start);
		send(world, transaction);
	};
	world.clock.later(Math.max(wait, transaction.splitting > 0 ? 1000 : 0), start);
}

function add(
	world: World,
	key: Key,
	platform: Platform,
	signers: Fields[],
	fields: Fields,
): Transaction {
	const now = world.clock.stamp();
	const transaction: Transaction = {
		id: world.newId('ot_'),
		platform,
		organization: organizationFor(world, key, fields.organization_id),
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
