/**
 * What signers do: open the email, pass or fail the checks, sign, reject, decline, pay. The states
 * that this leads to are in docs/service/states.md#detailed-status.
 */

import { ActionNotPossible, type ActionHandlers, type ActionOptions } from './actionNames.mts';
import { actingSigner, identityChecksOf, identityOf, openEmail } from './signers.mts';
import { complete, completeWithRejections } from '../domain/completion.mts';
import { labelOf } from '../domain/people/signers.mts';
import { isHybrid, needsNotary } from '../domain/signingMethods.mts';
import { STATES } from '../domain/states.mts';
import { addToAuditLog, allSigned, hasSigned, move } from '../domain/transitions.mts';
import { KNOWLEDGE_LOCK_MS, KNOWLEDGE_TRIES, SELFIE_RETAKES } from '../world/config.mts';
import type { Signer, Transaction, World } from '../world/world.mts';

export const SIGNER_ACTIONS: ActionHandlers<'signer'> = {
	openEmail: (world, transaction, options) =>
		openEmail(world, transaction, actingSigner(transaction, options)),
	sign,
	reject: async (world, transaction, { reason = 'The name on the document is not correct' }) => {
		const document =
			transaction.documents.find(({ isEnote, isConsentForm }) => !isEnote && !isConsentForm) ??
			transaction.documents[0];
		document.rejectionReason = reason;
		addToAuditLog(world, transaction, `document rejected: ${document.name}: ${reason}`);
		await completeWithRejections(world, transaction, STATES.rejected);
	},
	// The signer refuses to sign anything, which is final (declined).
	decline: (world, transaction, options) => {
		const signer = actingSigner(transaction, options);
		openEmail(world, transaction, signer);
		transaction.ended = 'The signer has declined';
		move(
			world,
			transaction,
			STATES.declined,
			`${labelOf(signer)} has declined${options.reason ? `: ${options.reason}` : ''}`,
		);
		world.emit('transaction.declined', transaction, { signers: [signer] });
	},
	// Where the signer pays, the payment releases the documents.
	pay: (world, transaction) => {
		transaction.released = true;
		move(
			world,
			transaction,
			transaction.outcome ?? STATES.completed,
			'paid by the signer, documents released',
		);
		world.emit('transaction.released', transaction);
	},
	signOnPaper: async (world, transaction) => {
		transaction.onPaper = true;
		addToAuditLog(world, transaction, 'signed on paper and scanned');
		await complete(world, transaction);
	},
	failSelfie,
	passReferee: (world, transaction, options) => {
		identityOf(transaction, actingSigner(transaction, options)).atReferee = false;
		move(
			world,
			transaction,
			STATES.viewed,
			'the trusted referee has confirmed the identity of the signer',
		);
	},
	// The second failure locks the signer for a day, and is the one that is told
	// (docs/service/signers.md#knowledge-questions).
	failKnowledge: (world, transaction, options) => {
		const signer = actingSigner(transaction, options);
		const identity = identityOf(transaction, signer);
		identity.knowledge = 'failed';
		identity.knowledgeFailures = (identity.knowledgeFailures ?? 0) + 1;
		addToAuditLog(
			world,
			transaction,
			`${labelOf(signer)} has failed the knowledge-based questions`,
		);
		if (identity.knowledgeFailures < KNOWLEDGE_TRIES) return;
		identity.knowledgeFailures = 0;
		identity.lockedUntil = world.clock.now() + KNOWLEDGE_LOCK_MS;
		world.emit('transaction.signer.kba_failed', transaction);
	},
	// A document asks to confirm the identity, and the signer can't (identify_complete_idv_failed).
	failIdentity: async (world, transaction, options) => {
		const signer = actingSigner(transaction, options);
		openEmail(world, transaction, signer);
		identityOf(transaction, signer).credentials = 'failed';
		for (const document of transaction.documents) {
			if (document.requirement === 'identity_confirmation')
				document.rejectionReason = 'The identity could not be confirmed';
		}
		addToAuditLog(world, transaction, `the identity of ${labelOf(signer)} could not be confirmed`);
		await completeWithRejections(world, transaction, STATES.identityNotConfirmed);
	},
};

/**
 * A signer signs everything. The last one completes a transaction that needs neither a notary nor
 * a signature on paper.
 */
async function sign(world: World, transaction: Transaction, options: ActionOptions): Promise<void> {
	const signer = actingSigner(transaction, options);
	if (hasSigned(signer)) throw new ActionNotPossible(`${labelOf(signer)} has signed`);
	openEmail(world, transaction, signer);
	passIdentityChecks(world, transaction, signer);
	identityOf(transaction, signer).selected = options.select;
	signer.signing_status = 'complete';
	addToAuditLog(world, transaction, `${labelOf(signer)} has signed`);
	const signed = transaction.signers.filter(hasSigned).length;
	const paperIsNext = allSigned(transaction) && isHybrid(transaction);
	if (allSigned(transaction) && !paperIsNext && !needsNotary(transaction))
		return await complete(world, transaction);
	if (paperIsNext)
		move(world, transaction, STATES.eSigned, 'everything is e-signed, the rest is signed on paper');
	else
		move(
			world,
			transaction,
			STATES.partiallySigned,
			`${signed} of ${transaction.signers.length} signers have finished`,
		);
	// The signing of an only signer, which a notary completes, is not announced.
	if (transaction.signers.length > 1 || paperIsNext)
		world.emit('transaction.partially_completed', transaction);
}

function passIdentityChecks(world: World, transaction: Transaction, signer: Signer): void {
	const checks = identityChecksOf(world, transaction, signer);
	const passed = [
		checks.selfie && 'selfie',
		checks.knowledge && 'knowledge-based questions',
		checks.sms && 'code by text message',
	].filter(Boolean);
	Object.assign(identityOf(transaction, signer), {
		...(checks.selfie && { selfie: 'passed' }),
		...(checks.knowledge && { knowledge: 'passed' }),
		credentials: 'passed',
	});
	const level = checks.level ? ` (${checks.level})` : '';
	if (passed.length > 0)
		addToAuditLog(
			world,
			transaction,
			`${labelOf(signer)} has passed: ${passed.join(', ')}${level}`,
		);
	if (checks.knowledge) world.emit('transaction.signer.kba_passed', transaction);
}

/**
 * Two retakes are allowed. The third failure goes to a trusted referee
 * (docs/service/signers.md#selfie-retakes).
 */
function failSelfie(world: World, transaction: Transaction, options: ActionOptions): void {
	const signer = actingSigner(transaction, options);
	openEmail(world, transaction, signer);
	const identity = identityOf(transaction, signer);
	identity.selfieFailures += 1;
	identity.selfie = 'failed';
	const left = SELFIE_RETAKES + 1 - identity.selfieFailures;
	if (left > 0)
		return addToAuditLog(
			world,
			transaction,
			`${labelOf(signer)} has failed the selfie comparison: ${left} ${left === 1 ? 'retake' : 'retakes'} left`,
		);
	identity.atReferee = true;
	move(
		world,
		transaction,
		STATES.withReferee,
		`${labelOf(signer)} is redirected to a trusted referee after failure ${identity.selfieFailures}`,
	);
	world.emit('transaction.held_for_review', transaction);
}
