/**
 * What the service and its staff do: detect risks, hold and review, cancel, recall, expire
 * (docs/service/states.md#detailed-status, docs/service/webhooks.md#events-of-transactions).
 */

import { ActionNotPossible, type ActionHandlers, type ActionOptions } from './actionNames.mts';
import { actingSigner, openEmail } from './signers.mts';
import { endProcessing } from '../domain/documents/processing.mts';
import { expire } from '../domain/expiry.mts';
import { labelOf } from '../domain/people/signers.mts';
import { recall } from '../domain/send.mts';
import { STATES } from '../domain/states.mts';
import { addToAuditLog, endHold, hold, move } from '../domain/transitions.mts';
import type { Transaction, World } from '../world/world.mts';

export const SERVICE_ACTIONS: ActionHandlers<'service'> = {
	failProcessing,
	detectMediumRisk: (world, transaction, options) =>
		detectRisk(world, transaction, options, 'medium'),
	// Only the risk level is published. That a high risk holds the signer until somebody has reviewed
	// it is our default.
	detectHighRisk: (world, transaction, options) => {
		detectRisk(world, transaction, options, 'high');
		holdForReview(world, transaction, { reason: 'high risk' });
	},
	holdForReview,
	review: (world, transaction) => {
		if (transaction.heldFrom !== undefined)
			endHold(world, transaction, 'reviewed and released from the hold');
		else
			move(world, transaction, STATES.reviewed, 'what the closing team prepared has been reviewed');
		world.emit('transaction.reviewed', transaction);
	},
	putOnHold: (world, transaction, options) =>
		hold(world, transaction, STATES.onHold, `put on hold${because(options)}`),
	resume: (world, transaction) => endHold(world, transaction, 'resumed'),
	cancel: (world, transaction, options) => {
		transaction.ended = 'The transaction has been canceled';
		const { canceledIn } = world.settings;
		const { status, detailedStatus } = transaction;
		const state = {
			...STATES.canceled,
			...(canceledIn === 'status' && { detailedStatus }),
			...(canceledIn === 'detailedStatus' && { status }),
		};
		move(world, transaction, state, `canceled${because(options)}`);
		world.emit('transaction.canceled', transaction);
	},
	recall: (world, transaction, { reason }) => recall(world, transaction, reason),
	expire: (world, transaction) => expire(world, transaction),
};

/**
 * A document that is pending turns out to be one that the service can't process. With a reason of
 * empty text, its processing_error stays unset.
 */
function failProcessing(
	world: World,
	transaction: Transaction,
	{ document: id, reason = 'The document could not be processed' }: ActionOptions,
): void {
	const document = transaction.documents.find(
		(entry) => entry.state === 'pending' && (id === undefined || entry.id === id),
	);
	if (document === undefined) throw new ActionNotPossible('This document is not being processed');
	endProcessing(world, transaction, document, reason);
}

const because = ({ reason }: ActionOptions) => (reason ? `: ${reason}` : '');

function detectRisk(
	world: World,
	transaction: Transaction,
	options: ActionOptions,
	level: 'medium' | 'high',
): void {
	const signer = actingSigner(transaction, options);
	openEmail(world, transaction, signer);
	addToAuditLog(world, transaction, `${level} risk detected for ${labelOf(signer)}`);
	world.emit(`transaction.signer.${level}_risk_detected`, transaction, { signers: [signer] });
}

function holdForReview(world: World, transaction: Transaction, options: ActionOptions): void {
	hold(world, transaction, STATES.heldForReview, `held for review${because(options)}`);
	world.emit('transaction.held_for_review', transaction);
}
