/**
 * Which signer acts, and what several actions have in common: identity checks, opening the email.
 */

import { ActionNotPossible, type ActionOptions } from './actionNames.mts';
import { labelOf } from '../domain/people/signers.mts';
import { needsNotary } from '../domain/signingMethods.mts';
import { STATES } from '../domain/states.mts';
import { addToAuditLog, hasSigned, move } from '../domain/transitions.mts';
import type { Identity, Signer, Transaction, World } from '../world/world.mts';

/**
 * The signer whose turn it is: by `order`, which counts from 1, else as listed
 * (docs/service/signers.md#signing-order).
 */
export function nextSigner(transaction: Transaction): Signer | undefined {
	return [...transaction.signers]
		.sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
		.find((signer) => !hasSigned(signer));
}

/**
 * The signer whom the options name, or whose turn it is.
 * @throws ActionNotPossible when there is none, or when another signer comes first
 */
export function actingSigner(transaction: Transaction, { signer }: ActionOptions): Signer {
	const next = nextSigner(transaction);
	const found = signer === undefined ? next : transaction.signers[signer];
	if (found === undefined) throw new ActionNotPossible('There is no such signer');
	if (found.order !== undefined && next?.order !== undefined && next.order < found.order)
		throw new ActionNotPossible(`It is the turn of ${labelOf(next)}`);
	return found;
}

/**
 * Which checks of the identity-assurance object a signer has to pass
 * (docs/service/signers.md#identity-assurance).
 */
interface IdentityChecks {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
	/**
	 * All three properties together are the highest level
	 * (docs/service/signers.md#highest-assurance-level).
	 */
	level: 'IAL2' | null;
}

/**
 * Checks apply to signers of e-signature documents only. Who takes part in a notarization does not
 * need them.
 */
export function identityChecksOf(
	world: World,
	transaction: Transaction,
	signer: Signer,
): IdentityChecks {
	const assurance = signer[world.settings.assuranceField] as
		| {
				id_verification?: { selfie?: boolean };
				knowledge_based_authentication?: boolean;
				multi_factor_authentication?: object;
		  }
		| undefined;
	const signs = transaction.documents.some(
		({ requirement, isConsentForm }) => /^esign/.test(requirement) && !isConsentForm,
	);
	if (assurance === undefined || (!signs && needsNotary(transaction)))
		return { selfie: false, knowledge: false, sms: false, level: null };
	const selfie = assurance.id_verification?.selfie === true;
	const knowledge = assurance.knowledge_based_authentication === true;
	const sms = assurance.multi_factor_authentication !== undefined;
	return { selfie, knowledge, sms, level: selfie && knowledge && sms ? 'IAL2' : null };
}

/** How far a signer has come with the identity checks (docs/service/signers.md#selfie-retakes). */
export function identityOf(transaction: Transaction, { id }: Signer): Identity {
	const identity = transaction.identities.get(id) ?? { selfieFailures: 0, atReferee: false };
	transaction.identities.set(id, identity);
	return identity;
}

/**
 * The signer opens the email of the transaction: the event transaction.received
 * (docs/service/webhooks.md#events). Does nothing for a signer who has opened it before.
 */
export function openEmail(world: World, transaction: Transaction, signer: Signer): void {
	if (signer.signing_status !== 'incomplete') return;
	signer.signing_status = 'in_progress';
	const text = `${labelOf(signer)} has opened the email`;
	if (transaction.status === 'partially_completed') addToAuditLog(world, transaction, text);
	else move(world, transaction, STATES.viewed, text);
	world.emit('transaction.received', transaction, { signers: [signer] });
}
