import type { IDataObject } from 'n8n-workflow';

import type { SignerAnswer, TransactionAnswer } from '../../transport/answers/answers';
import { phaseOf } from '../../transport/answers/transactionState';
import { ServiceFailure } from '../../transport/failure/failure';
import { sameId } from '../../values/ids';
import { asObjects, asText } from '../../values/json';

/*
 * Finds signers of a transaction and tells how far they are
 * (docs/service/signers.md#signer-answer).
 */

/**
 * Returns the signers of a transaction.
 * @throws ServiceFailure when it doesn't show them, which isn't the same as having none
 */
export function signersOf({ signers }: TransactionAnswer): SignerAnswer[] {
	if (Array.isArray(signers)) return signers;
	throw new ServiceFailure({ code: 'incompletelyRead', missing: ['signers'], toWriteBack: false });
}

/** Finds all signers with this ID, external ID or e-mail address. */
export function findSigners(transaction: IDataObject, wanted: string): IDataObject[] {
	return asObjects(transaction.signers).filter(
		({ signer_id: id, external_id: external, email }) =>
			sameId(id, wanted) ||
			external === wanted ||
			(typeof email === 'string' && email.toLowerCase() === wanted.toLowerCase()),
	);
}

/**
 * Returns the one signer with this ID, external ID or e-mail address.
 * @throws ServiceFailure `signerNotInTransaction` or `signerAmbiguous`
 */
export function chosenSigner(transaction: IDataObject, signer: string): IDataObject {
	const found = findSigners(transaction, signer);
	if (found.length === 1) return found[0];
	const present = asObjects(found.length === 0 ? transaction.signers : found).map(signerName);
	const code = found.length === 0 ? 'signerNotInTransaction' : 'signerAmbiguous';
	throw new ServiceFailure({ code, signer, present }, { final: true });
}

/** A text by which a person recognizes the signer: names and e-mail address, or else the ID. */
export function signerName({
	first_name: first,
	last_name: last,
	email,
	signer_id: id,
}: IDataObject): string {
	const name = [asText(first), asText(last)].filter((part) => part !== undefined).join(' ');
	return (
		[name, asText(email)].filter((part) => part !== undefined && part !== '').join(' · ') ||
		String(id)
	);
}

/**
 * Whether a signer has completed (docs/service/states.md#signing-status). The signers of the
 * transaction aren't changed after that.
 */
export function hasCompleted({ signing_status: status }: IDataObject): boolean {
	return status === 'complete';
}

/**
 * The links with which signers open the transaction, of those who have one already. Whoever has a
 * link can act as the signer (docs/service/signers.md#signer-answer).
 */
export function accessLinksOf({ signers }: IDataObject): IDataObject[] {
	return asObjects(signers)
		.filter(({ transaction_access_link: link }) => asText(link) !== undefined)
		.map((signer) => ({
			signer_id: signer.signer_id ?? null,
			external_id: signer.external_id ?? null,
			email: signer.email ?? null,
			transaction_access_link: signer.transaction_access_link,
		}));
}

/**
 * Whether something is still to do for a signer: the signer hasn't completed, and the transaction
 * can still be signed (docs/service/states.md#signing-status). In a draft that is everybody. Where
 * the service doesn't say how far the signer is, nobody is taken for finished before the transaction
 * is.
 */
export function mayStillSign(transaction: IDataObject, signer: IDataObject): boolean {
	return !hasCompleted(signer) && phaseOf(transaction) !== 'finished';
}
