import { checkNotary, closingPeople, newSigner } from './createTransaction.mts';
import { refuse, TEXTS } from './refusal.mts';
import {
	checkClosingType,
	checkPlace,
	checkSigners,
	checkTimes,
	needDraft,
	organizationFor,
} from './rules.mts';
import { scheduleExpiry } from './send.mts';
import {
	hasSigned,
	note,
	without,
	type Fields,
	type Key,
	type Signer,
	type Transaction,
	type World,
} from '../state/world.mts';

/** Updating and deleting (gaps.md §1, Update draft, Delete). */

/**
 * PUT replaces: what is not sent is reset. PATCH changes what is sent. Documents stay; `documents`
 * puts them in another order. Signers change this way only (gaps.md §3: they have no endpoint of
 * their own).
 */
export function updateTransaction(
	world: World,
	key: Key,
	transaction: Transaction,
	body: Fields,
	mode: 'replace' | 'change',
	version: 1 | 2,
): void {
	needDraft(transaction);
	const { signers, signer, documents } = body;
	const sent = without(body, 'signers', 'signer', 'documents', 'draft');
	const people =
		signers === undefined && signer === undefined ? undefined : closingPeople({ signer, signers });
	if (people === undefined && mode === 'replace') refuse(TEXTS.noSigner);
	if (people !== undefined) checkSigners(people);
	const fields: Fields = mode === 'replace' ? sent : { ...transaction.fields, ...sent };
	if (transaction.platform === 'realEstate') {
		checkClosingType(
			world,
			{
				...fields,
				signer: people?.[0] ?? transaction.signers[0],
				signers: people ?? transaction.signers,
			},
			version,
		);
		checkPlace(fields);
	}
	checkTimes(world, fields);
	checkNotary(world, fields);
	const organization =
		fields.organization_id === undefined
			? transaction.organization
			: organizationFor(world, key, fields.organization_id);
	if (documents !== undefined) reorder(transaction, documents);
	transaction.organization = organization;
	transaction.fields = fields;
	if (people !== undefined)
		transaction.signers = people.map((person) => keepId(world, transaction.signers, person));
	note(world, transaction, 'draft updated');
	scheduleExpiry(world, transaction);
	world.emit('transaction.updated', transaction);
}

/** A signer who is still there keeps the id. */
function keepId(world: World, old: Signer[], person: Fields): Signer {
	const same =
		old.find(
			({ email, external_id }) => email === person.email && external_id === person.external_id,
		) ?? old.find(({ email }) => email === person.email);
	return same === undefined
		? newSigner(world, person)
		: { ...person, email: String(person.email), id: same.id };
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

/** DELETE: 422 once a signer has completed. */
export function deleteTransaction(world: World, transaction: Transaction): void {
	if (transaction.signers.some(hasSigned)) refuse(TEXTS.signed);
	world.transactions.delete(transaction.id);
	world.emit('transaction.deleted', transaction);
}
