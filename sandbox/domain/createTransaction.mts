import { addDocument } from './documents.mts';
import { Refusal } from './refusal.mts';
import {
	checkClosingType,
	checkPlace,
	checkSigners,
	checkTimes,
	organizationFor,
} from './rules.mts';
import { scheduleExpiry, send } from './send.mts';
import {
	isDraft,
	move,
	without,
	type Fields,
	type Key,
	type Platform,
	type Signer,
	type Transaction,
	type World,
} from '../state/world.mts';

/** Creating transactions (interface.md §3, §4; gaps.md §3). */

/** POST R/transactions: always a draft (interface.md §3.1). */
export function createClosing(world: World, key: Key, body: Fields, version: 1 | 2): Transaction {
	checkClosingType(world, body, version);
	const people = closingPeople(body);
	// A closing is a draft whatever `draft` says.
	const fields = without(body, 'signer', 'signers', 'draft');
	checkSigners(people);
	checkPlace(fields);
	checkTimes(world, fields);
	return add(world, key, 'realEstate', people, fields);
}

/**
 * A closing has one signer (interface.md §2); with co-signers `signers` lists all of them, the
 * primary one first (def).
 */
export function closingPeople({ signer, signers }: Fields): Fields[] {
	if (signers === undefined) return signer === undefined ? [] : [signer];
	if (signer !== undefined && signer.email !== signers[0]?.email)
		throw new Refusal(422, 'signers must begin with signer');
	return signers;
}

/**
 * POST B/transactions: at least one signer's email and one document, unless it is a draft
 * (interface.md §4).
 */
export async function createTransaction(
	world: World,
	key: Key,
	body: Fields,
): Promise<Transaction> {
	const { signers, signer, documents = [], draft = false, ...fields } = body;
	if (signers !== undefined && signer !== undefined)
		throw new Refusal(422, 'signers and signer exclude each other');
	const people: Fields[] = signers ?? (signer ? [signer] : []);
	checkSigners(people);
	if (!draft && documents.length === 0) throw new Refusal(422, 'Need at least 1 document');
	checkTimes(world, fields);
	checkNotary(world, fields);
	const transaction = add(world, key, 'business', people, fields);
	try {
		for (const document of documents)
			await addDocument(world, transaction, { pdf_bookmarked: fields.pdf_bookmarked, ...document });
		if (!draft) startBusiness(world, transaction);
	} catch (thrown) {
		// Nothing is left behind by a create that is refused.
		world.transactions.delete(transaction.id);
		throw thrown;
	}
	world.emit('transaction.created', transaction);
	if (!isDraft(transaction)) announceSent(world, transaction);
	return transaction;
}

/** gaps.md §3: notary_id is one of the account's notaries. */
export function checkNotary(world: World, { notary_id: id }: Fields): void {
	if (id !== undefined && id !== null && !world.notaries.some((notary) => notary.id === id))
		throw new Refusal(422, `notary_id ${id} does not exist`);
}

/** A split or an activation_time holds a transaction back: it starts once both have passed. */
function startBusiness(world: World, transaction: Transaction): void {
	const wait = Math.max(
		0,
		Date.parse(transaction.fields.activation_time ?? '') - world.clock.now() || 0,
	);
	if (wait === 0 && transaction.splitting === 0) return send(world, transaction, { silent: true });
	const start = () => {
		if (!world.transactions.has(transaction.id) || !isDraft(transaction)) return;
		if (transaction.splitting > 0) return world.clock.later(1000, start);
		send(world, transaction);
	};
	world.clock.later(Math.max(wait, transaction.splitting > 0 ? 1000 : 0), start);
}

function announceSent(world: World, transaction: Transaction): void {
	world.emit('transaction.sent', transaction);
	world.emit('transaction.sent_to_signer', transaction);
}

function add(
	world: World,
	key: Key,
	platform: Platform,
	people: Fields[],
	fields: Fields,
): Transaction {
	const now = world.clock.stamp();
	const transaction: Transaction = {
		id: world.newId('ot_'),
		platform,
		organization: organizationFor(world, key, fields.organization_id),
		created: now,
		updated: now,
		status: '',
		detailedStatus: '',
		signers: people.map((person) => newSigner(world, person)),
		identities: new Map(),
		documents: [],
		fields,
		recordIds: [],
		splitting: 0,
		released: false,
		history: [],
		story: [],
	};
	world.transactions.set(transaction.id, transaction);
	move(world, transaction, 'started', 'draft', 'created as a draft');
	scheduleExpiry(world, transaction);
	if (platform === 'realEstate') world.emit('transaction.created', transaction);
	return transaction;
}

export function newSigner(world: World, person: Fields): Signer {
	return { ...person, email: String(person.email), id: world.newId('oc_') };
}
