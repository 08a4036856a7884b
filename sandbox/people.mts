import { SELFIE_RETAKES } from './config.mts';
import { finish } from './finish.mts';
import { checkReady, deliver, expire, recall } from './send.mts';
import { checksOf, need, nextSigner, NotNow, type Step } from './steps.mts';
import { meet } from './notary.mts';
import { Refusal } from './refusal.mts';
import { allSigned, isDraft, move, needsNotary, note, type Identity, type Signer, type Transaction, type World } from './world.mts';

/** What people do: signers, notaries, the closing team. The console's buttons, and the tests, call these. */

export interface StepOptions {
	/** Which signer, counted from 0; the next one unless told. */
	signer?: number;
	/** primary_designation_identifier of the optional designations that the signer selects; all unless told. */
	select?: string[];
	reason?: string;
}

/** Takes a step as the person it needs. @throws NotNow with the reason */
export async function take(world: World, transaction: Transaction, step: Step, options: StepOptions = {}): Promise<void> {
	need(world, transaction, step);
	try {
		await ACTIONS[step](world, transaction, options);
	} catch (thrown) {
		// The closing team meets the same rules as a client.
		throw thrown instanceof Refusal ? new NotNow(thrown.message) : thrown;
	}
}

type Action = (world: World, transaction: Transaction, options: StepOptions) => void | Promise<void>;

const ACTIONS: Record<Step, Action> = {
	open: (world, transaction, options) => openEmail(world, transaction, chosen(transaction, options)),
	sign: signs,
	notarize: async (world, transaction) => await meet(world, transaction),
	reject: async (world, transaction, { reason = 'The name on the document is not correct' }) => {
		const document = transaction.documents.find(({ isEnote }) => !isEnote) ?? transaction.documents[0];
		document.rejectionReason = reason;
		note(world, transaction, `document rejected: ${document.name}: ${reason}`);
		await finish(world, transaction, 'completed_with_rejections', 'complete_with_rejections');
	},
	failSelfie,
	failKnowledge: (world, transaction, options) => {
		note(world, transaction, `${chosen(transaction, options).email} has failed the knowledge-based questions`);
		world.emit('transaction.signer.kba_failed', transaction);
	},
	refereePasses: (world, transaction, options) => {
		identityOf(transaction, chosen(transaction, options)).atReferee = false;
		move(world, transaction, 'received', 'viewed', 'the trusted referee has confirmed the identity of the signer');
	},
	pay: (world, transaction) => {
		transaction.released = true;
		move(world, transaction, transaction.status, transaction.status === 'completed' ? 'complete' : 'complete_with_rejections', 'paid by the signer, documents released');
		world.emit('transaction.released', transaction);
	},
	sendToSigner: (world, transaction) => {
		// On a documented-only service this is how a closing is sent: by the closing team (interface.md §3.1).
		if (isDraft(transaction)) checkReady(transaction, false);
		note(world, transaction, 'closing team has added designations and arranged the signing time');
		deliver(world, transaction);
	},
	sendToAgency: (world, transaction) => {
		move(world, transaction, 'sent_to_title_agency', 'sent_to_title_agent', 'sent to the title agency');
		world.emit('transaction.sent_to_title_agency', transaction);
	},
	recall: (world, transaction, { reason }) => recall(world, transaction, reason),
	expire: (world, transaction) => expire(world, transaction),
};

function chosen(transaction: Transaction, { signer }: StepOptions): Signer {
	const found = signer === undefined ? nextSigner(transaction) : transaction.signers[signer];
	if (found === undefined) throw new NotNow('There is no such signer');
	const turn = nextSigner(transaction);
	if (found.order !== undefined && turn?.order !== undefined && turn.order < found.order) throw new NotNow(`It is the turn of ${turn.email}`);
	return found;
}

function identityOf(transaction: Transaction, { id }: Signer): Identity {
	const identity = transaction.identities.get(id) ?? { selfieFailures: 0, atReferee: false };
	transaction.identities.set(id, identity);
	return identity;
}

/** The signer receives and opens the transaction's e-mail (interface.md §6; gaps.md §8: transaction.received). */
function openEmail(world: World, transaction: Transaction, signer: Signer): void {
	if (signer.signing_status !== 'incomplete') return;
	signer.signing_status = 'in_progress';
	const others = transaction.status === 'partially_completed';
	if (others) note(world, transaction, `${signer.email} has opened the e-mail`);
	else move(world, transaction, 'received', 'viewed', `${signer.email} has opened the e-mail`);
	world.emit('transaction.received', transaction);
}

/** A signer signs everything; the last one completes a transaction that needs no notary. */
async function signs(world: World, transaction: Transaction, options: StepOptions): Promise<void> {
	const signer = chosen(transaction, options);
	if (signer.signing_status === 'complete') throw new NotNow(`${signer.email} has signed`);
	openEmail(world, transaction, signer);
	const checks = checksOf(world, transaction, signer);
	const passed = [checks.selfie && 'selfie', checks.knowledge && 'knowledge-based questions', checks.sms && 'code by text message'].filter(Boolean);
	if (passed.length > 0) note(world, transaction, `${signer.email} has passed: ${passed.join(', ')}${checks.level ? ` (${checks.level})` : ''}`);
	if (checks.knowledge) world.emit('transaction.signer.kba_passed', transaction);
	identityOf(transaction, signer).selected = options.select;
	signer.signing_status = 'complete';
	note(world, transaction, `${signer.email} has signed`);
	if (allSigned(transaction) && !needsNotary(transaction)) return await finish(world, transaction, 'completed', 'complete');
	move(world, transaction, 'partially_completed', 'partially_complete', `${transaction.signers.filter(({ signing_status }) => signing_status === 'complete').length} of ${transaction.signers.length} signers have finished`);
	world.emit('transaction.partially_completed', transaction);
}

/** Two retakes; the third failure goes to a trusted referee (interface.md §3.4). */
function failSelfie(world: World, transaction: Transaction, options: StepOptions): void {
	const signer = chosen(transaction, options);
	openEmail(world, transaction, signer);
	const identity = identityOf(transaction, signer);
	identity.selfieFailures += 1;
	const left = SELFIE_RETAKES + 1 - identity.selfieFailures;
	if (left > 0) return note(world, transaction, `${signer.email} has failed the selfie comparison: ${left} ${left === 1 ? 'retake' : 'retakes'} left`);
	identity.atReferee = true;
	move(world, transaction, 'received', 'held_for_review', `${signer.email} is redirected to a trusted referee after failure ${identity.selfieFailures}`);
	world.emit('transaction.held_for_review', transaction);
}
