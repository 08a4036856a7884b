import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../../transport/answers/answers';
import { asObjects } from '../../../values/json';
import { isEmpty } from '../../../values/same';
import { externalIdAt, withExternalIds } from '../../signer/input';
import type { NewTransaction } from '../created';
import { addressesOf } from '../list/conditions';
import { compareSigner, judgeChanges } from '../../drafts/changes';
import { correctedSigner } from '../../drafts/draftUpdate';
import { signerToRequest, transactionToRequest } from '../../drafts/requestFields';

/* What changes of a draft when the item that it was created from is run again. */

/** Fields of a create that no change has, or that hold for the create alone. */
const CREATE_ONLY = new Set([
	'cosigner',
	'document',
	'documents',
	'draft',
	'jurisdiction_eligibility_consent',
	'organization_id',
	'pdf_bookmarked',
	'signer',
	'signers',
	'skip_closing_ops',
	'suppress_email',
]);

/** What an item changes. */
export interface ItemChanges {
	/** Fields of the request, without those that the service shows as they are to be. */
	fields: IDataObject;
	/** Signers as they are, with what changes of each of them. */
	writtenBack: ReadonlyMap<IDataObject, IDataObject>;
}

/**
 * Builds the changes of an item. What it doesn't say stays: a signer with the same address keeps
 * everything else, and contacts of other roles stay.
 */
export function changesOf(
	{ body, platform, isNamedByNode }: NewTransaction,
	before: TransactionAnswer,
	assuranceField: string,
): ItemChanges {
	const { contacts, ...others } = body;
	const shown = asObjects(transactionToRequest(before, platform).contacts);
	const given = { ...others, contacts: mergeContacts(shown, asObjects(contacts)) };
	const context = { platform, assuranceField, answered: false };
	const fields = Object.fromEntries(
		Object.entries(given).filter(
			([name, value]) =>
				!isEmpty(value) &&
				!CREATE_ONLY.has(name) &&
				!(name === 'transaction_name' && isNamedByNode === true) &&
				judgeChanges({ [name]: value }, before, context).state !== 'done',
		),
	);
	const wanted = body.signers === undefined ? asObjects([body.signer]) : asObjects(body.signers);
	const { signers, writtenBack } = mergeSigners(before, wanted, assuranceField);
	const isShown =
		signers.length === before.signers?.length &&
		signers.every(
			(one, index) => compareSigner(before.signers![index], one, assuranceField).isShown,
		);
	return isShown
		? { fields, writtenBack: new Map() }
		: { fields: { ...fields, signers }, writtenBack };
}

/** Whether an item says this external ID itself: the node gives others to signers without one. */
const isOwn = (id: unknown) => !/^signer-\d+$/.test(String(id ?? externalIdAt(1)));

/** Builds the signers of an item, of whom those with the same address stay the same persons. */
function mergeSigners(
	before: TransactionAnswer,
	wanted: IDataObject[],
	assuranceField: string,
): { signers: IDataObject[]; writtenBack: ReadonlyMap<IDataObject, IDataObject> } {
	const addressOf = (signer: IDataObject) => addressesOf(signer).join(' ');
	const writtenBack = new Map<IDataObject, IDataObject>();
	const merged = wanted.map(({ external_id: id, ...signer }) => {
		const own = isOwn(id) ? { external_id: id } : {};
		const same = (before.signers ?? []).filter((one) => addressOf(one) === addressOf(signer));
		if (same.length !== 1) return { ...signer, ...own };
		writtenBack.set(same[0], signer);
		return { ...correctedSigner(signerToRequest(same[0], assuranceField), signer), ...own };
	});
	const signers = withExternalIds(merged.map((signer) => ({ signer })));
	return { signers: signers.map(({ signer }) => signer), writtenBack };
}

/** Those of the item take the place of those with the same roles; what it doesn't say of one stays. */
function mergeContacts(shown: IDataObject[], wanted: IDataObject[]): IDataObject[] {
	const isAlike = (one: IDataObject, other: IDataObject) =>
		one.role === other.role && one.email === other.email;
	const rest = wanted.filter((one) => !shown.some((other) => isAlike(one, other)));
	const kept = shown.flatMap((contact) => {
		const own = wanted.find((one) => isAlike(one, contact));
		if (own !== undefined) return [{ ...contact, ...own }];
		return wanted.some(({ role }) => role === contact.role) ? [] : [contact];
	});
	return [...kept, ...rest];
}
