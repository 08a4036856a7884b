import type { IDataObject } from 'n8n-workflow';

import { asObjects, asText } from '../values/json';

/** Finding and judging signers of a transaction (interface.md §2, Signer). */

/** The signer whom an id, an e-mail address or an external id names. */
export function findSigner(transaction: IDataObject, wanted: string): IDataObject | undefined {
	const signers = asObjects(transaction.signers);
	const same = (value: unknown) =>
		typeof value === 'string' && value.toLowerCase() === wanted.toLowerCase();
	return (
		signers.find(({ id }) => id === wanted) ??
		signers.find(({ external_id: external }) => external === wanted) ??
		signers.find(({ email }) => same(email))
	);
}

/** A name that a person recognises. */
export function signerName({ first_name: first, last_name: last, email, id }: IDataObject): string {
	const name = [asText(first), asText(last)].filter((part) => part !== undefined).join(' ');
	return (
		[name, asText(email)].filter((part) => part !== undefined && part !== '').join(' · ') ||
		String(id)
	);
}

/** Whether a signer has finished: from then on the service allows no change (gaps.md §9). */
export function hasCompleted({ signing_status: status }: IDataObject): boolean {
	return status === 'complete';
}
