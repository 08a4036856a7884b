import { isDraft, isFinished, allSigned, hasSigned, needsNotary, type Signer, type Transaction, type World } from './world.mts';

/** Steps that people take, and why one can't be taken now. The console's buttons and the tests ask here. */

export const STEPS = ['open', 'sign', 'notarize', 'reject', 'failSelfie', 'failKnowledge', 'refereePasses', 'pay', 'sendToSigner', 'sendToAgency', 'recall', 'expire'] as const;
export type Step = (typeof STEPS)[number];

/** A step that can't be done now, with the reason for the person who tries. */
export class NotNow extends Error {}

/** The signer whose turn it is: `order` counts from 1 (gaps.md §3), else as listed. */
export function nextSigner(transaction: Transaction): Signer | undefined {
	return [...transaction.signers].sort((a, b) => (a.order ?? 0) - (b.order ?? 0)).find((signer) => !hasSigned(signer));
}

/** Which checks of the identity-assurance object a signer has to pass (interface.md §2). */
export interface Checks {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
	/** All three properties present: the highest level (interface.md §2). */
	level: 'IAL2' | null;
}

/** Checks apply to signers of e-signature documents only; who performs a notarization does not need them (interface.md §1). */
export function checksOf(world: World, transaction: Transaction, signer: Signer): Checks {
	const wanted = signer[world.settings.assuranceField] as { id_verification?: { selfie?: boolean }; knowledge_based_authentication?: boolean; multi_factor_authentication?: object } | undefined;
	const signs = transaction.documents.some(({ requirement }) => requirement === 'esign' || requirement === 'esign_supervised');
	if (wanted === undefined || (!signs && needsNotary(transaction))) return { selfie: false, knowledge: false, sms: false, level: null };
	const selfie = wanted.id_verification?.selfie === true;
	const knowledge = wanted.knowledge_based_authentication === true;
	const sms = wanted.multi_factor_authentication !== undefined;
	return { selfie, knowledge, sms, level: selfie && knowledge && sms ? 'IAL2' : null };
}

/** Why a step can't be done now; undefined when it can. */
export function whyNot(world: World, transaction: Transaction, step: Step): string | undefined {
	if (step === 'pay') return transaction.status.startsWith('completed') && !transaction.released ? undefined : 'Nothing has to be paid';
	if (transaction.status === 'expired') return 'The transaction has expired';
	if (isFinished(transaction)) return 'The transaction is completed';
	if (step === 'expire') return undefined;
	const withTeam = transaction.status === 'sent_to_closing_ops' || transaction.status === 'sent_to_title_agency';
	if (step === 'sendToSigner' || step === 'sendToAgency') {
		if (transaction.platform !== 'realEstate') return 'Only a closing has a closing team';
		return isDraft(transaction) || withTeam ? undefined : 'The closing is with the signer';
	}
	if (isDraft(transaction)) return 'The transaction is a draft: it has to be sent first';
	if (step === 'recall') return transaction.signers.some(hasSigned) ? 'A signer has completed' : undefined;
	if (withTeam) return 'The closing is with the closing team';
	return whyNotForPeople(world, transaction, step);
}

function whyNotForPeople(world: World, transaction: Transaction, step: Step): string | undefined {
	const done = allSigned(transaction);
	if (step === 'notarize') {
		if (!needsNotary(transaction)) return 'No document needs a notary';
		return done ? undefined : 'The signer has to sign first';
	}
	if (step === 'reject') return undefined;
	const signer = nextSigner(transaction);
	if (done || signer === undefined) return 'All signers have finished';
	if (step === 'open') return signer.signing_status === 'in_progress' ? 'The signer has opened the e-mail' : undefined;
	const identity = transaction.identities.get(signer.id);
	const checks = checksOf(world, transaction, signer);
	if (step === 'refereePasses') return identity?.atReferee ? undefined : 'No signer is with the trusted referee';
	if (identity?.atReferee) return 'The signer is with the trusted referee';
	if (step === 'failSelfie') return checks.selfie ? undefined : 'No selfie is asked of this signer';
	if (step === 'failKnowledge') return checks.knowledge ? undefined : 'No knowledge-based questions are asked of this signer';
	return undefined;
}

/** @throws NotNow */
export function need(world: World, transaction: Transaction, step: Step): void {
	const reason = whyNot(world, transaction, step);
	if (reason !== undefined) throw new NotNow(reason);
}
