import { SELFIE_RETAKES } from '../state/config.mts';
import { finish } from '../domain/completion.mts';
import { failMeeting, meet } from './notary.mts';
import { isHybrid, outcomeOf } from '../domain/outcome.mts';
import { Refusal } from '../domain/refusal.mts';
import { REVIEW_ACTIONS } from './review.mts';
import { expire, recall } from '../domain/send.mts';
import { chosen, identityOf, openEmail } from './signers.mts';
import { checksOf, need, NotNow, type Action, type Step, type StepOptions } from './steps.mts';
import { TEAM_ACTIONS } from './closingTeam.mts';
import {
	allSigned,
	hasSigned,
	move,
	needsNotary,
	note,
	type Transaction,
	type World,
} from '../state/world.mts';

/**
 * What people do: signers, notaries, the closing team. The console's buttons, and the tests, call
 * these.
 */

/** Takes a step as the person it needs. @throws NotNow with the reason */
export async function take(
	world: World,
	transaction: Transaction,
	step: Step,
	options: StepOptions = {},
): Promise<void> {
	need(world, transaction, step);
	try {
		await ACTIONS[step](world, transaction, options);
	} catch (thrown) {
		// The closing team meets the same rules as a client.
		throw thrown instanceof Refusal ? new NotNow(thrown.message) : thrown;
	}
}

const ACTIONS: Record<Step, Action> = {
	...TEAM_ACTIONS,
	...REVIEW_ACTIONS,
	open: (world, transaction, options) =>
		openEmail(world, transaction, chosen(transaction, options)),
	sign: signs,
	notarize: async (world, transaction) => await meet(world, transaction),
	meetingFails: (world, transaction, { reason }) => failMeeting(world, transaction, reason),
	reject: async (world, transaction, { reason = 'The name on the document is not correct' }) => {
		const document =
			transaction.documents.find(({ isEnote }) => !isEnote) ?? transaction.documents[0];
		document.rejectionReason = reason;
		note(world, transaction, `document rejected: ${document.name}: ${reason}`);
		await finish(world, transaction, 'completed_with_rejections', 'complete_with_rejections');
	},
	failSelfie,
	failKnowledge: (world, transaction, options) => {
		note(
			world,
			transaction,
			`${chosen(transaction, options).email} has failed the knowledge-based questions`,
		);
		world.emit('transaction.signer.kba_failed', transaction);
	},
	failIdentity: async (world, transaction, options) => {
		const signer = chosen(transaction, options);
		openEmail(world, transaction, signer);
		for (const document of transaction.documents) {
			if (document.requirement === 'identity_confirmation')
				document.rejectionReason = 'The identity could not be confirmed';
		}
		note(world, transaction, `the identity of ${signer.email} could not be confirmed`);
		await finish(world, transaction, 'completed_with_rejections', 'identify_complete_idv_failed');
	},
	refereePasses: (world, transaction, options) => {
		identityOf(transaction, chosen(transaction, options)).atReferee = false;
		move(
			world,
			transaction,
			'received',
			'viewed',
			'the trusted referee has confirmed the identity of the signer',
		);
	},
	pay: (world, transaction) => {
		transaction.released = true;
		move(
			world,
			transaction,
			transaction.status,
			transaction.outcome ?? 'complete',
			'paid by the signer, documents released',
		);
		world.emit('transaction.released', transaction);
	},
	recall: (world, transaction, { reason }) => recall(world, transaction, reason),
	expire: (world, transaction) => expire(world, transaction),
};

/**
 * A signer signs everything; the last one completes a transaction that needs neither notary nor
 * paper.
 */
async function signs(world: World, transaction: Transaction, options: StepOptions): Promise<void> {
	const signer = chosen(transaction, options);
	if (hasSigned(signer)) throw new NotNow(`${signer.email} has signed`);
	openEmail(world, transaction, signer);
	const checks = checksOf(world, transaction, signer);
	const passed = [
		checks.selfie && 'selfie',
		checks.knowledge && 'knowledge-based questions',
		checks.sms && 'code by text message',
	].filter(Boolean);
	if (passed.length > 0)
		note(
			world,
			transaction,
			`${signer.email} has passed: ${passed.join(', ')}${checks.level ? ` (${checks.level})` : ''}`,
		);
	if (checks.knowledge) world.emit('transaction.signer.kba_passed', transaction);
	identityOf(transaction, signer).selected = options.select;
	signer.signing_status = 'complete';
	note(world, transaction, `${signer.email} has signed`);
	const all = allSigned(transaction);
	const onPaperNext = all && isHybrid(transaction);
	if (all && !onPaperNext && !needsNotary(transaction))
		return await finish(world, transaction, 'completed', outcomeOf(transaction));
	const count = `${transaction.signers.filter(hasSigned).length} of ${transaction.signers.length} signers have finished`;
	if (onPaperNext)
		move(
			world,
			transaction,
			'partially_completed',
			'esign_complete',
			'everything is e-signed, the rest is signed on paper',
		);
	else move(world, transaction, 'partially_completed', 'partially_complete', count);
	world.emit('transaction.partially_completed', transaction);
}

/** Two retakes; the third failure goes to a trusted referee (interface.md §3.4). */
function failSelfie(world: World, transaction: Transaction, options: StepOptions): void {
	const signer = chosen(transaction, options);
	openEmail(world, transaction, signer);
	const identity = identityOf(transaction, signer);
	identity.selfieFailures += 1;
	const left = SELFIE_RETAKES + 1 - identity.selfieFailures;
	if (left > 0)
		return note(
			world,
			transaction,
			`${signer.email} has failed the selfie comparison: ${left} ${left === 1 ? 'retake' : 'retakes'} left`,
		);
	identity.atReferee = true;
	move(
		world,
		transaction,
		'received',
		'held_for_review',
		`${signer.email} is redirected to a trusted referee after failure ${identity.selfieFailures}`,
	);
	world.emit('transaction.held_for_review', transaction);
}
