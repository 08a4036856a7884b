import { nextSigner, NotNow, type StepOptions } from './steps.mts';
import {
	move,
	note,
	type Identity,
	type Signer,
	type Transaction,
	type World,
} from '../state/world.mts';

/** The signer whom a step is about, and what every signer does first. */

/** The signer a step names, or whose turn it is (gaps.md §3, order). @throws NotNow */
export function chosen(transaction: Transaction, { signer }: StepOptions): Signer {
	const found = signer === undefined ? nextSigner(transaction) : transaction.signers[signer];
	if (found === undefined) throw new NotNow('There is no such signer');
	const turn = nextSigner(transaction);
	if (found.order !== undefined && turn?.order !== undefined && turn.order < found.order)
		throw new NotNow(`It is the turn of ${turn.email}`);
	return found;
}

/** What the service knows of a signer's checks (interface.md §3.4). */
export function identityOf(transaction: Transaction, { id }: Signer): Identity {
	const identity = transaction.identities.get(id) ?? { selfieFailures: 0, atReferee: false };
	transaction.identities.set(id, identity);
	return identity;
}

/**
 * The signer receives and opens the transaction's e-mail (interface.md §6; gaps.md §8:
 * transaction.received).
 */
export function openEmail(world: World, transaction: Transaction, signer: Signer): void {
	if (signer.signing_status !== 'incomplete') return;
	signer.signing_status = 'in_progress';
	const others = transaction.status === 'partially_completed';
	if (others) note(world, transaction, `${signer.email} has opened the e-mail`);
	else move(world, transaction, 'received', 'viewed', `${signer.email} has opened the e-mail`);
	world.emit('transaction.received', transaction);
}

/** The signer as events name one (gaps.md §8, data.signers). */
export function named({ email, first_name, last_name }: Signer): { signers: object[] } {
	return { signers: [{ email, first_name, last_name }] };
}
