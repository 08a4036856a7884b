/**
 * Which actions are possible in which state, and why the others are not. The console disables its
 * buttons by these rules, and performAction enforces them.
 */

import { ACTIONS_BY_ACTOR, type ActionName } from './actionNames.mts';
import { identityChecksOf, nextSigner } from './signers.mts';
import { activationOf } from '../domain/expiry.mts';
import { notaryOf } from '../domain/notaries.mts';
import { Refusal } from '../domain/refusal.mts';
import { checkReady } from '../domain/send.mts';
import { isHybrid, needsNotary } from '../domain/signingMethods.mts';
import {
	allSigned,
	hasSigned,
	isDraft,
	isFinished,
	isWithClosingTeam,
} from '../domain/transitions.mts';
import type { Transaction, World } from '../world/world.mts';

/** What has to wait for the activation time (docs/service/transactions.md#creation-fields). */
const SIGNING = new Set<ActionName>([
	'sign',
	'reject',
	'signOnPaper',
	'failSelfie',
	'failKnowledge',
	'failIdentity',
	'notarize',
	'failMeeting',
]);
const CLOSING_TEAM = new Set<ActionName>(ACTIONS_BY_ACTOR.closingTeam);

/** Why an action isn't possible now, or undefined when it is. */
export function whyNot(
	world: World,
	transaction: Transaction,
	name: ActionName,
): string | undefined {
	if (name === 'pay')
		return transaction.status.startsWith('completed') && !transaction.released
			? undefined
			: 'Nothing has to be paid';
	if (transaction.ended !== undefined) return transaction.ended;
	if (transaction.status === 'expired') return 'The transaction has expired';
	if (isFinished(transaction)) return 'The transaction is completed';
	if (name === 'expire') return undefined;
	if (name === 'failProcessing')
		return transaction.documents.some(({ state }) => state === 'pending')
			? undefined
			: 'No document is being processed';
	if (CLOSING_TEAM.has(name)) return whyNotForClosingTeam(world, transaction, name);
	if (isDraft(transaction)) return 'The transaction is a draft: it has to be sent first';
	if (name === 'cancel') return undefined;
	if (name === 'recall')
		return transaction.signers.some(hasSigned) ? 'A signer has completed' : undefined;
	if (name === 'review')
		return isHeldAs(transaction, 'held_for_review') ||
			transaction.detailedStatus === 'ready_for_review'
			? undefined
			: 'Nothing waits for a review';
	if (name === 'resume')
		return isHeldAs(transaction, 'on_hold') ? undefined : 'The transaction is not on hold';
	const held = whyHeld(transaction);
	if (held !== undefined) return held;
	if (name === 'holdForReview' || name === 'putOnHold') return undefined;
	if (isWithClosingTeam(transaction)) return 'The closing is with the closing team';
	return whyNotForSignersAndNotary(world, transaction, name);
}

const isHeldAs = (
	{ heldFrom, detailedStatus }: Transaction,
	state: 'held_for_review' | 'on_hold',
) => heldFrom !== undefined && detailedStatus === state;

function whyHeld(transaction: Transaction): string | undefined {
	if (transaction.heldFrom === undefined) return undefined;
	return transaction.detailedStatus === 'on_hold'
		? 'The transaction is on hold'
		: 'The transaction is held for review';
}

function whyNotForClosingTeam(
	world: World,
	transaction: Transaction,
	name: ActionName,
): string | undefined {
	if (transaction.platform !== 'realEstate') return 'Only a closing has a closing team';
	const held = whyHeld(transaction);
	if (held !== undefined) return held;
	if (name === 'prepareForReview' && transaction.detailedStatus === 'ready_for_review')
		return 'The closing waits for a review';
	if (name === 'prepareForReview')
		return isWithClosingTeam(transaction) ? undefined : 'The closing is not with the closing team';
	if (name === 'sendToSigner' && isDraft(transaction)) return whyNotReady(world, transaction);
	if (name !== 'convertToPaper')
		return isDraft(transaction) || isWithClosingTeam(transaction)
			? undefined
			: 'The closing is with the signer';
	if (isDraft(transaction)) return 'The transaction is a draft: it has to be sent first';
	if (transaction.onPaper === true) return 'The closing is signed on paper already';
	return transaction.signers.some(hasSigned) ? 'A signer has completed' : undefined;
}

/** The service's own rules, which a request to send meets as well. */
function whyNotReady(world: World, transaction: Transaction): string | undefined {
	try {
		checkReady(world, transaction, { closingTeam: true });
		return undefined;
	} catch (thrown) {
		if (thrown instanceof Refusal) return thrown.message;
		throw thrown;
	}
}

function whyNotForSignersAndNotary(
	world: World,
	transaction: Transaction,
	name: ActionName,
): string | undefined {
	const done = allSigned(transaction);
	const activation = activationOf(transaction) ?? 0;
	if (SIGNING.has(name) && activation > world.clock.now())
		return `Until ${world.clock.stamp(activation)}, signers can only read`;
	if (name === 'signOnPaper') {
		const paper =
			transaction.onPaper === true ||
			transaction.fields.transaction_type === 'wet_sign' ||
			(isHybrid(transaction) && done);
		return paper ? undefined : 'Nothing is signed on paper';
	}
	if (transaction.onPaper === true && name !== 'decline') return 'The closing is signed on paper';
	if (name === 'notarize' || name === 'failMeeting') return whyNoMeeting(world, transaction, done);
	if (name === 'reject') return undefined;
	if (
		name === 'failIdentity' &&
		!transaction.documents.some(({ requirement }) => requirement === 'identity_confirmation')
	)
		return 'No document asks to confirm an identity';
	const signer = nextSigner(transaction);
	if (done || signer === undefined) return 'All signers have finished';
	if (name === 'openEmail')
		return signer.signing_status === 'in_progress' ? 'The signer has opened the email' : undefined;
	const identity = transaction.identities.get(signer.id);
	const checks = identityChecksOf(world, transaction, signer);
	if (name === 'passReferee')
		return identity?.atReferee ? undefined : 'No signer is with the trusted referee';
	if (identity?.atReferee) return 'The signer is with the trusted referee';
	const { lockedUntil = 0 } = identity ?? {};
	if (SIGNING.has(name) && lockedUntil > world.clock.now())
		return `The signer is locked until ${world.clock.stamp(lockedUntil)}`;
	if (name === 'failSelfie') return checks.selfie ? undefined : 'No selfie is asked of this signer';
	if (name === 'failKnowledge')
		return checks.knowledge ? undefined : 'No knowledge-based questions are asked of this signer';
	return undefined;
}

function whyNoMeeting(world: World, transaction: Transaction, signed: boolean): string | undefined {
	if (!needsNotary(transaction)) return 'No document needs a notary';
	if (!signed) return 'The signer has to sign first';
	const { name, compliance } = notaryOf(world, transaction);
	return compliance === 'compliant'
		? undefined
		: `${name} is not compliant and can take no meeting`;
}
