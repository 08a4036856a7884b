import type { Fields, Key, Signer, Transaction, World } from './model.mts';

/** Everything the sandbox knows: its shapes, and what is asked of them everywhere. */

export type * from './model.mts';

/**
 * A key of the parent sees the parent's and all children's, a child's key its own (interface.md
 * §5.3).
 */
export function maySee(
	world: World,
	{ organization }: Pick<Key, 'organization'>,
	other: string,
): boolean {
	return organization === other || organization === world.parent;
}

/** Moves a transaction and keeps the story. */
export function move(
	world: World,
	transaction: Transaction,
	status: string,
	detailedStatus: string,
	what: string,
): void {
	transaction.status = status;
	transaction.detailedStatus = detailedStatus;
	note(world, transaction, `${detailedStatus}: ${what}`);
	transaction.history.push({
		at: transaction.updated,
		status,
		detailed_status: detailedStatus,
		what,
	});
}

/** Keeps the story where the state stays. */
export function note(world: World, transaction: Transaction, what: string): void {
	transaction.updated = world.clock.stamp();
	transaction.story.push(`${transaction.updated}  ${what}`);
}

/**
 * Stops a transaction until it is reviewed or resumed (gaps.md §5, held_for_review, on_hold). Its
 * status stays.
 */
export function hold(
	world: World,
	transaction: Transaction,
	detailedStatus: 'held_for_review' | 'on_hold',
	what: string,
): void {
	const { status } = transaction;
	transaction.heldFrom = { status, detailedStatus: transaction.detailedStatus };
	move(world, transaction, status, detailedStatus, what);
}

/** Continues a held transaction from the state that it was held in. */
export function endHold(world: World, transaction: Transaction, what: string): void {
	const { status, detailedStatus } = transaction.heldFrom!;
	delete transaction.heldFrom;
	move(world, transaction, status, detailedStatus, what);
}

/** A draft has not been sent, or has been recalled (gaps.md §5). */
export function isDraft({ detailedStatus }: Transaction): boolean {
	return detailedStatus === 'draft' || detailedStatus === 'recalled';
}

/** Nobody can do anything any more. */
export function isFinished({ status, ended }: Transaction): boolean {
	return (
		ended !== undefined ||
		status === 'completed' ||
		status === 'completed_with_rejections' ||
		status === 'expired'
	);
}

/** Identity checks apply to e-signature documents only, not to a notarization (interface.md §1). */
export function needsNotary({ documents }: Transaction): boolean {
	return documents.some(
		({ requirement, flags }) =>
			requirement === 'notarization' || flags.notarization_required === true,
	);
}

export function hasSigned({ signing_status }: Signer): boolean {
	return signing_status === 'complete';
}

/** Signers as a group: everyone has finished. */
export function allSigned({ signers }: Transaction): boolean {
	return signers.every(hasSigned);
}

/** Fields without some of them. */
export function without(fields: Fields, ...names: string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
