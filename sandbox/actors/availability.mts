import { notaryOf } from '../data/notaries.mts';
import { isHybrid } from '../domain/outcome.mts';
import {
	isDraft,
	isFinished,
	allSigned,
	hasSigned,
	needsNotary,
	type Signer,
	type Transaction,
	type World,
} from '../state/world.mts';

/**
 * Steps that people take, and why one can't be taken now. The console's buttons and the tests ask
 * here.
 */

export const STEPS = [
	...([
		'open',
		'sign',
		'notarize',
		'reject',
		'failSelfie',
		'failKnowledge',
		'refereePasses',
		'pay',
		'sendToSigner',
		'sendToAgency',
		'recall',
		'expire',
	] as const),
	...([
		'decline',
		'mediumRisk',
		'highRisk',
		'failIdentity',
		'meetingFails',
		'holdForReview',
		'review',
		'putOnHold',
		'resume',
		'cancel',
	] as const),
	...([
		'prepare',
		'underwriterMissing',
		'importDocument',
		'importFails',
		'convertToPaper',
		'signOnPaper',
	] as const),
] as const;
export type Step = (typeof STEPS)[number];

export interface StepOptions {
	/** Which signer, counted from 0; the next one unless told. */
	signer?: number;
	/**
	 * primary_designation_identifier of the optional designations that the signer selects; all unless
	 * told.
	 */
	select?: string[];
	reason?: string;
}

export type Action = (
	world: World,
	transaction: Transaction,
	options: StepOptions,
) => void | Promise<void>;

/** A step that can't be done now, with the reason for the person who tries. */
export class NotNow extends Error {}

/** The signer whose turn it is: `order` counts from 1 (gaps.md §3), else as listed. */
export function nextSigner(transaction: Transaction): Signer | undefined {
	return [...transaction.signers]
		.sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
		.find((signer) => !hasSigned(signer));
}

/** Which checks of the identity-assurance object a signer has to pass (interface.md §2). */
export interface Checks {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
	/** All three properties present: the highest level (interface.md §2). */
	level: 'IAL2' | null;
}

/**
 * Checks apply to signers of e-signature documents only; who performs a notarization does not need
 * them (interface.md §1).
 */
export function checksOf(world: World, transaction: Transaction, signer: Signer): Checks {
	const wanted = signer[world.settings.assuranceField] as
		| {
				id_verification?: { selfie?: boolean };
				knowledge_based_authentication?: boolean;
				multi_factor_authentication?: object;
		  }
		| undefined;
	const signs = transaction.documents.some(
		({ requirement }) => requirement === 'esign' || requirement === 'esign_supervised',
	);
	if (wanted === undefined || (!signs && needsNotary(transaction)))
		return { selfie: false, knowledge: false, sms: false, level: null };
	const selfie = wanted.id_verification?.selfie === true;
	const knowledge = wanted.knowledge_based_authentication === true;
	const sms = wanted.multi_factor_authentication !== undefined;
	return { selfie, knowledge, sms, level: selfie && knowledge && sms ? 'IAL2' : null };
}

const TEAM_STEPS = new Set<Step>([
	'prepare',
	'sendToSigner',
	'sendToAgency',
	'underwriterMissing',
	'importDocument',
	'importFails',
	'convertToPaper',
]);

const isWithTeam = ({ status }: Transaction) =>
	status === 'sent_to_closing_ops' || status === 'sent_to_title_agency';

/** Why a step can't be done now; undefined when it can. */
export function whyNot(world: World, transaction: Transaction, step: Step): string | undefined {
	if (step === 'pay')
		return transaction.status.startsWith('completed') && !transaction.released
			? undefined
			: 'Nothing has to be paid';
	if (transaction.ended !== undefined) return transaction.ended;
	if (transaction.status === 'expired') return 'The transaction has expired';
	if (isFinished(transaction)) return 'The transaction is completed';
	if (step === 'expire') return undefined;
	if (TEAM_STEPS.has(step)) return whyNotForTeam(transaction, step);
	if (isDraft(transaction)) return 'The transaction is a draft: it has to be sent first';
	if (step === 'cancel') return undefined;
	if (step === 'recall')
		return transaction.signers.some(hasSigned) ? 'A signer has completed' : undefined;
	if (step === 'review')
		return heldAs(transaction, 'held_for_review') ||
			transaction.detailedStatus === 'ready_for_review'
			? undefined
			: 'Nothing waits for a review';
	if (step === 'resume')
		return heldAs(transaction, 'on_hold') ? undefined : 'The transaction is not on hold';
	const held = whyHeld(transaction);
	if (held !== undefined) return held;
	if (step === 'holdForReview' || step === 'putOnHold') return undefined;
	if (isWithTeam(transaction)) return 'The closing is with the closing team';
	return whyNotForPeople(world, transaction, step);
}

const heldAs = ({ before, detailedStatus }: Transaction, state: string) =>
	before !== undefined && detailedStatus === state;

function whyHeld(transaction: Transaction): string | undefined {
	if (transaction.before === undefined) return undefined;
	return transaction.detailedStatus === 'on_hold'
		? 'The transaction is on hold'
		: 'The transaction is held for review';
}

function whyNotForTeam(transaction: Transaction, step: Step): string | undefined {
	if (transaction.platform !== 'realEstate') return 'Only a closing has a closing team';
	const held = whyHeld(transaction);
	if (held !== undefined) return held;
	if (step === 'prepare' && transaction.detailedStatus === 'ready_for_review')
		return 'The closing waits for a review';
	if (step === 'prepare')
		return isWithTeam(transaction) ? undefined : 'The closing is not with the closing team';
	if (step !== 'convertToPaper')
		return isDraft(transaction) || isWithTeam(transaction)
			? undefined
			: 'The closing is with the signer';
	if (isDraft(transaction)) return 'The transaction is a draft: it has to be sent first';
	if (transaction.onPaper === true) return 'The closing is signed on paper already';
	return transaction.signers.some(hasSigned) ? 'A signer has completed' : undefined;
}

function whyNotForPeople(world: World, transaction: Transaction, step: Step): string | undefined {
	const done = allSigned(transaction);
	if (step === 'signOnPaper') {
		const paper =
			transaction.onPaper === true ||
			transaction.fields.transaction_type === 'wet_sign' ||
			(isHybrid(transaction) && done);
		return paper ? undefined : 'Nothing is signed on paper';
	}
	if (transaction.onPaper === true && step !== 'decline') return 'The closing is signed on paper';
	if (step === 'notarize' || step === 'meetingFails') return whyNoMeeting(world, transaction, done);
	if (step === 'reject') return undefined;
	if (
		step === 'failIdentity' &&
		!transaction.documents.some(({ requirement }) => requirement === 'identity_confirmation')
	)
		return 'No document asks to confirm an identity';
	const signer = nextSigner(transaction);
	if (done || signer === undefined) return 'All signers have finished';
	if (step === 'open')
		return signer.signing_status === 'in_progress' ? 'The signer has opened the e-mail' : undefined;
	const identity = transaction.identities.get(signer.id);
	const checks = checksOf(world, transaction, signer);
	if (step === 'refereePasses')
		return identity?.atReferee ? undefined : 'No signer is with the trusted referee';
	if (identity?.atReferee) return 'The signer is with the trusted referee';
	if (step === 'failSelfie') return checks.selfie ? undefined : 'No selfie is asked of this signer';
	if (step === 'failKnowledge')
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

/** @throws NotNow */
export function need(world: World, transaction: Transaction, step: Step): void {
	const reason = whyNot(world, transaction, step);
	if (reason !== undefined) throw new NotNow(reason);
}
