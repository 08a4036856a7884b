import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../../transport/answers/answers';
import { asObjects, asText } from '../../../values/json';
import { isOwnReference } from '../../../values/reference';
import { sameProperty } from '../../address/property';
import { wantedPeople } from '../../drafts/comparison';
import { isNumbered, peopleOf, sharePerson } from '../../signer/people';
import type { NewTransaction } from '../created';
import type { Key } from './form';

/*
 * Says whether a transaction with the number of an item is the item's. A number alone isn't enough:
 * two people can share it by a typing error, a placeholder or a rounded number of a spreadsheet.
 */

/**
 * What ties a transaction to an item beside its number: somebody who signs; the same property; or, on
 * business, that it has as many signers, of whom one side gives no names.
 */
export type Tie = 'people' | 'property' | 'number';

/** @returns undefined when nothing ties them */
export function tieOf(
	{ body, platform }: NewTransaction,
	type: string | undefined,
	shown: TransactionAnswer,
	{ field }: Key,
): Tie | undefined {
	const wanted = wantedPeople(body);
	const people = peopleOf(shown);
	if (people !== undefined && sharePerson(wanted, people)) return 'people';
	const isOfType = type !== undefined && asText(shown.transaction_type) === type;
	if (isOfType && sameProperty(body.street_address, shown.street_address) === true)
		return 'property';
	const isNameless = (all: IDataObject[]) =>
		all.every(({ first_name: first, last_name: last }) => !asText(first) && !asText(last));
	return platform === 'business' &&
		field === 'external_id' &&
		people?.length === wanted.length &&
		(isNameless(wanted) || isNameless(people))
		? 'number'
		: undefined;
}

/** Whether a draft shows that this node has made it, or somebody with the same External ID. */
export const isMarked = (
	{ external_id: own, signers, documents }: TransactionAnswer,
	{ body }: NewTransaction,
): boolean =>
	isOwnReference(own) ||
	(asText(own) !== undefined && own === body.external_id) ||
	asObjects(signers).some(({ external_id: id }) => isNumbered(id)) ||
	asObjects(documents).some(({ tracking_id: id }) => isOwnReference(id));
