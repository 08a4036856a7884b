import type { IDataObject } from 'n8n-workflow';

import type { SignerAnswer, TransactionAnswer } from '../../transport/answers/shapes';
import {
	hasEnded,
	derivePhase,
	hasCompletedSigner,
} from '../../transport/answers/transactionState';
import { ServiceFailure } from '../../transport/failure/failure';
import { isSameId } from '../../values/ids';
import { asObjects, asText } from '../../values/json';
import { asBoolean } from '../../values/plainValues';
import { pickFields, findFirstText, joinTexts, formatPersonName } from '../../form/output';

/*
 * Finds signers of a transaction and tells how far they are
 * (docs/service/signers.md#signer-answer).
 */

/**
 * Returns the signers of a transaction.
 * @throws ServiceFailure when it doesn't show them, which isn't the same as having none
 */
export function requireSigners({ signers }: TransactionAnswer): SignerAnswer[] {
	if (Array.isArray(signers)) return signers;
	throw new ServiceFailure({ code: 'incompletelyRead', missing: ['signers'], toWriteBack: false });
}

/** Finds all signers with this ID, external ID or e-mail address. */
export function findSigners(transaction: IDataObject, identifier: string): IDataObject[] {
	return asObjects(transaction.signers).filter(
		({ signer_id: id, external_id: external, email }) =>
			isSameId(id, identifier) ||
			external === identifier ||
			(typeof email === 'string' && email.toLowerCase() === identifier.toLowerCase()),
	);
}

/**
 * Returns the one signer with this ID, external ID or e-mail address.
 * @throws ServiceFailure `signerNotInTransaction` or `signerAmbiguous`
 */
export function requireSigner(transaction: IDataObject, signer: string): IDataObject {
	const matches = findSigners(transaction, signer);
	if (matches.length === 1) return matches[0];
	const present = asObjects(matches.length === 0 ? transaction.signers : matches).map(
		formatSignerName,
	);
	const code = matches.length === 0 ? 'signerNotInTransaction' : 'signerAmbiguous';
	throw new ServiceFailure({ code, signer, present }, { final: true });
}

/** A text by which a person recognizes the signer: names and e-mail address, or else the ID. */
export const formatSignerName = (signer: IDataObject): string =>
	joinTexts([formatPersonName(signer), signer.email], ' · ') ?? String(signer.signer_id);

/**
 * Whether a signer has completed (docs/service/states.md#signing-status). The signers of the
 * transaction aren't changed after that.
 */
export function hasCompleted({ signing_status: status }: IDataObject): boolean {
	return status === 'complete';
}

/** Whether somebody has signed: then, the service neither recalls nor deletes the transaction. */
export const hasSigned = (transaction: IDataObject): boolean =>
	hasCompletedSigner(transaction) || asObjects(transaction.signers).some(hasCompleted);

/**
 * The links with which signers open the transaction, of those who have one already. Whoever has a
 * link can act as the signer (docs/service/signers.md#signer-answer).
 */
export function listSigningLinks({ signers }: IDataObject): IDataObject[] {
	const fields = ['signer_id', 'external_id', 'email', 'transaction_access_link'];
	return asObjects(signers)
		.filter(({ transaction_access_link: link }) => asText(link) !== undefined)
		.map((signer) => pickFields(signer, fields));
}

/**
 * Whether something is still to do for a signer: the signer hasn't completed, and the transaction
 * can still be signed (docs/service/states.md#signing-status). In a draft that is everybody. Where
 * the service doesn't say how far the signer is, nobody is taken for finished before the transaction
 * is.
 */
export function mayStillSign(transaction: IDataObject, signer: IDataObject): boolean {
	return !hasCompleted(signer) && !isPastSigning(transaction);
}

/** Whether nobody can sign any more. One that waits for its payment only is past it, too. */
const isPastSigning = (transaction: IDataObject) =>
	derivePhase(transaction) === 'finished' || hasEnded(transaction) === true;

const UNSIGNED: ReadonlySet<unknown> = new Set(['incomplete', 'in_progress']);

/** The signers of a transaction who have completed and who haven't; undefined where that isn't shown. */
export function splitByProgress({ signers }: IDataObject) {
	if (!Array.isArray(signers)) return undefined;
	const all = asObjects(signers);
	const signed = all.filter(hasCompleted);
	const unsigned = all.filter(({ signing_status: status }) => UNSIGNED.has(status));
	return signed.length + unsigned.length === all.length ? { signed, unsigned } : undefined;
}

/**
 * The signers that a transaction waits for: of a sent one, all who haven't signed. A draft waits for
 * nobody, because nobody was invited.
 * @returns undefined when the transaction doesn't show its state, its signers or how far they are
 */
export function listAwaitedSigners(transaction: IDataObject): IDataObject[] | undefined {
	if (derivePhase(transaction) === 'draft' || isPastSigning(transaction)) return [];
	const unsigned = splitByProgress(transaction)?.unsigned;
	return derivePhase(transaction) === 'sent' || unsigned?.length === 0 ? unsigned : undefined;
}

/** The states of what signers were invited to and nobody has opened (docs/service/states.md#transitions). */
const INVITED: ReadonlySet<unknown> = new Set(['sent', 'sent_to_signer']);
/** The states of what somebody has opened at least. */
const OPENED: ReadonlySet<unknown> = new Set(
	(
		'received viewed started partially_completed partially_complete attempted ' +
		'meeting_in_progress esign_complete'
	).split(' '),
);
/** The states of what the closing team or the title agency prepares. Nobody is invited yet. */
const PREPARED: ReadonlySet<unknown> = new Set(
	'sent_to_closing_ops order_placed sent_to_title_agency sent_to_title_agent'.split(' '),
);

/** Whether a closing is with the closing team or the title agency, and its signers get it after that. */
export const isPrepared = ({ status, detailed_status: detailed }: IDataObject): boolean =>
	PREPARED.has(status) || PREPARED.has(detailed);

/**
 * The signers who were invited and have never opened it, the only sign of a wrong address: the service
 * tells nothing of emails that don't arrive.
 * @returns undefined when the transaction doesn't show it. Once one of several signers has opened it,
 *   nothing shows whether the others have
 */
export function listUnopened(transaction: IDataObject): IDataObject[] | undefined {
	const { signers, status, detailed_status: detailed } = transaction;
	const states = [status, detailed].filter((state) => asText(state) !== undefined);
	const isIn = (group: ReadonlySet<unknown>) => states.some((state) => group.has(state));
	if (derivePhase(transaction) === 'draft' || isPastSigning(transaction) || isPrepared(transaction))
		return [];
	if (!Array.isArray(signers)) return undefined;
	const all = asObjects(signers);
	const rest = all.filter(
		(signer) => !hasCompleted(signer) && signer.signing_status !== 'in_progress',
	);
	if (rest.length === 0) return [];
	const isUntouched = rest.length === all.length && states.every((state) => INVITED.has(state));
	if (isUntouched && states.length > 0) return rest;
	return all.length === 1 && isIn(OPENED) ? [] : undefined;
}

/** The states of a check that didn't succeed, the most urgent first. */
const UNFINISHED = ['failure', 'action_required', 'pending', 'unknown', 'skipped'];

/**
 * Returns how the checks of a signer's identity ended
 * (docs/service/signers.md#e-signature-authentication-records). A check can be repeated, so one that
 * succeeded counts. Otherwise the most urgent state does: nobody says in which order records come.
 * @returns the status is null where the answer has no record; the reasons are what the service says of
 *   checks that weren't passed in the end
 */
export function summarizeIdentity(signer: IDataObject): {
	status: string | null;
	reasons: string[];
} {
	const records = asObjects(signer.esign_authentication_records).filter(
		({ status }) => status !== 'deleted',
	);
	if (records.some(({ status, verified }) => status === 'success' || asBoolean(verified) === true))
		return { status: 'success', reasons: [] };
	const states = records.flatMap(({ status }) => asText(status) ?? []);
	const status = UNFINISHED.find((state) => states.includes(state)) ?? states[0] ?? null;
	return { status, reasons: [...new Set(records.flatMap(listFailureReasons))] };
}

/** What failed, in the service's words: `kba_mismatch: Two answers are wrong`. */
function listFailureReasons(record: IDataObject): string[] {
	return asObjects(record.failure_reasons).map(({ category, check, reasons }) => {
		const failed = findFirstText(category, check) ?? 'unknown';
		return joinTexts([failed, joinTexts(Array.isArray(reasons) ? reasons : [], '; ')], ': ')!;
	});
}
