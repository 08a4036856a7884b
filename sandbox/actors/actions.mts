import { joinNotary, judgeNotary, type NewNotary } from './notaryAccounts.mts';
import { isHybrid } from '../domain/outcome.mts';
import { take } from './people.mts';
import type { StepOptions } from './steps.mts';
import type { Deliverer } from '../domain/webhooks.mts';
import type { Notary, Transaction, World } from '../state/world.mts';

type Act = (transactionId: string, options?: StepOptions) => Promise<void>;

/**
 * What people do, for tests: signers, notary, closing team. Each throws NotNow with the reason when
 * it can't be done.
 */
export interface Actions {
	opensEmail: Act;
	signerSigns: Act;
	notaryCompletes: Act;
	reject(transactionId: string, reason?: string): Promise<void>;
	/** Two retakes, then the trusted referee (interface.md §3.4). */
	failsSelfie: Act;
	failsKnowledge: Act;
	refereePasses: Act;
	/** Where the signer pays: the documents are released. */
	signerPays: Act;
	/** The closing team prepares a closing and sends it to the signer (interface.md §3.1). */
	closingTeamSends: Act;
	closingTeamSendsToAgency: Act;
	/**
	 * The closing team's work waits for a review, which `reviews` ends (gaps.md §5,
	 * ready_for_review).
	 */
	closingTeamPrepares: Act;
	closingTeamImports: Act;
	importFails: Act;
	underwriterIsMissing: Act;
	/** The signer refuses to sign anything: the end (gaps.md §5, declined). */
	declines: Act;
	mediumRisk: Act;
	/** Holds the transaction until it is reviewed. */
	highRisk: Act;
	/**
	 * A document that asks to confirm the identity, and a signer who can't (gaps.md §5,
	 * identify_complete_idv_failed).
	 */
	failsIdentity: Act;
	/** The meeting comes to nothing; it can be tried again. */
	meetingFails: Act;
	holdsForReview: Act;
	reviews: Act;
	putsOnHold: Act;
	resumes: Act;
	cancels: Act;
	/**
	 * From online to paper, then signed there (gaps.md §5, converted_to_wet_sign, wet_sign_complete).
	 */
	convertsToPaper: Act;
	signsOnPaper: Act;
	/** Notaries of the account (gaps.md §8, notary.). @returns the notary's id */
	notaryJoins(notary?: NewNotary): string;
	notaryNeedsReview(notaryId: string): void;
	notaryIsCompliant(notaryId: string): void;
	notaryIsNotCompliant(notaryId: string): void;
	recalls: Act;
	expires: Act;
	/**
	 * All signers sign, then the notary completes where one is needed; what is signed on paper is
	 * signed there.
	 */
	completeTransaction(transactionId: string): Promise<void>;
	completeClosing(transactionId: string): Promise<void>;
	repeatDelivery(deliveryId: string): Promise<boolean>;
	/** Short names of signerSigns and notaryCompletes. */
	sign: Act;
	notarize: Act;
}

export function createActions(world: World, deliverer: Deliverer): Actions {
	const find = (id: string): Transaction => {
		const transaction = world.transactions.get(id);
		if (transaction === undefined) throw new Error(`The sandbox has no transaction ${id}`);
		return transaction;
	};
	const findNotary = (id: string): Notary => {
		const notary = world.notaries.find((entry) => entry.id === id);
		if (notary === undefined) throw new Error(`The sandbox has no notary ${id}`);
		return notary;
	};
	const step =
		(name: Parameters<typeof take>[2]): Act =>
		async (id, options = {}) =>
			await take(world, find(id), name, options);
	const sign = step('sign');
	const notarize = step('notarize');
	const signOnPaper = step('signOnPaper');
	const complete = async (id: string) => {
		const transaction = find(id);
		if (transaction.onPaper === true) return await signOnPaper(id);
		while (transaction.signers.some(({ signing_status }) => signing_status !== 'complete'))
			await sign(id);
		if (!transaction.status.startsWith('completed'))
			await (isHybrid(transaction) ? signOnPaper(id) : notarize(id));
	};
	return {
		opensEmail: step('open'),
		signerSigns: sign,
		notaryCompletes: notarize,
		reject: async (id, reason) => await take(world, find(id), 'reject', { reason }),
		failsSelfie: step('failSelfie'),
		failsKnowledge: step('failKnowledge'),
		refereePasses: step('refereePasses'),
		signerPays: step('pay'),
		closingTeamSends: step('sendToSigner'),
		closingTeamSendsToAgency: step('sendToAgency'),
		closingTeamPrepares: step('prepare'),
		closingTeamImports: step('importDocument'),
		importFails: step('importFails'),
		underwriterIsMissing: step('underwriterMissing'),
		declines: step('decline'),
		mediumRisk: step('mediumRisk'),
		highRisk: step('highRisk'),
		failsIdentity: step('failIdentity'),
		meetingFails: step('meetingFails'),
		holdsForReview: step('holdForReview'),
		reviews: step('review'),
		putsOnHold: step('putOnHold'),
		resumes: step('resume'),
		cancels: step('cancel'),
		convertsToPaper: step('convertToPaper'),
		signsOnPaper: signOnPaper,
		notaryJoins: (notary) => joinNotary(world, notary).id,
		notaryNeedsReview: (id) => judgeNotary(world, findNotary(id), 'needs_review'),
		notaryIsCompliant: (id) => judgeNotary(world, findNotary(id), 'compliant'),
		notaryIsNotCompliant: (id) => judgeNotary(world, findNotary(id), 'non_compliant'),
		recalls: step('recall'),
		expires: step('expire'),
		completeTransaction: complete,
		completeClosing: complete,
		repeatDelivery: async (id) => await deliverer.repeat(id),
		sign,
		notarize,
	};
}
