import { chosen, named, openEmail } from './signers.mts';
import type { Action, Step, StepOptions } from './steps.mts';
import { move, note, type Transaction, type World } from '../state/world.mts';

/**
 * Risk, holds, reviews, and ends without a signature (gaps.md §5, held_for_review, on_hold,
 * declined; §8).
 */

export type ReviewStep = Extract<
	Step,
	| 'decline'
	| 'mediumRisk'
	| 'highRisk'
	| 'holdForReview'
	| 'review'
	| 'putOnHold'
	| 'resume'
	| 'cancel'
>;

export const REVIEW_ACTIONS: Record<ReviewStep, Action> = {
	decline: (world, transaction, options) => {
		const signer = chosen(transaction, options);
		openEmail(world, transaction, signer);
		transaction.ended = 'The signer has declined';
		move(
			world,
			transaction,
			transaction.status,
			'declined',
			`${signer.email} has declined${because(options)}`,
		);
		world.emit('transaction.declined', transaction, named(signer));
	},
	mediumRisk: (world, transaction, options) => risk(world, transaction, options, 'medium'),
	// High risk stops the signer until a person has looked at it; the level alone is published, the
	// hold is our default.
	highRisk: (world, transaction, options) => {
		risk(world, transaction, options, 'high');
		holdForReview(world, transaction, { reason: 'high risk' });
	},
	holdForReview,
	review: (world, transaction) => {
		if (transaction.before !== undefined)
			goOn(world, transaction, 'reviewed, nothing stands against it');
		else
			move(
				world,
				transaction,
				transaction.status,
				'order_placed',
				'what the closing team prepared has been reviewed',
			);
		world.emit('transaction.reviewed', transaction);
	},
	putOnHold: (world, transaction, options) =>
		hold(world, transaction, 'on_hold', `put on hold${because(options)}`),
	resume: (world, transaction) => goOn(world, transaction, 'goes on'),
	cancel: (world, transaction, options) => {
		transaction.ended = 'The transaction has been canceled';
		// gaps.md §5 has no state of its own for it: what can no longer be signed shows as expired (our
		// default).
		move(world, transaction, 'expired', 'expired', `canceled${because(options)}`);
		world.emit('transaction.canceled', transaction);
	},
};

const because = ({ reason }: StepOptions) => (reason ? `: ${reason}` : '');

function risk(
	world: World,
	transaction: Transaction,
	options: StepOptions,
	level: 'medium' | 'high',
): void {
	const signer = chosen(transaction, options);
	openEmail(world, transaction, signer);
	note(world, transaction, `${level} risk detected at ${signer.email}`);
	world.emit(`transaction.signer.${level}_risk_detected`, transaction, named(signer));
}

function holdForReview(world: World, transaction: Transaction, options: StepOptions): void {
	hold(world, transaction, 'held_for_review', `held for review${because(options)}`);
	world.emit('transaction.held_for_review', transaction);
}

/** Nobody can go on until it is reviewed or resumed (gaps.md §5, held_for_review, on_hold). */
export function hold(
	world: World,
	transaction: Transaction,
	detailedStatus: 'held_for_review' | 'on_hold',
	what: string,
): void {
	const { status } = transaction;
	transaction.before = { status, detailedStatus: transaction.detailedStatus };
	move(world, transaction, status, detailedStatus, what);
}

function goOn(world: World, transaction: Transaction, what: string): void {
	const { status, detailedStatus } = transaction.before!;
	delete transaction.before;
	move(world, transaction, status, detailedStatus, what);
}
