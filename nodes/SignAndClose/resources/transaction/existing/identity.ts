import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { isDraft } from '../../../transport/answers/transactionState';
import { sameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { isOwnReference } from '../../../values/reference';
import { retrieveOrganization } from '../../account/api';
import { sameProperty } from '../../address/property';
import { wantedPeople } from '../../drafts/comparison';
import { signerName } from '../../signer/api';
import { isNumbered, peopleOf, sharePerson } from '../../signer/people';
import type { NewTransaction } from '../created';
import type { ExistingOptions, Key } from './form';

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
const isMarked = (
	{ external_id: own, signers, documents }: TransactionAnswer,
	{ body }: NewTransaction,
): boolean =>
	isOwnReference(own) ||
	(asText(own) !== undefined && own === body.external_id) ||
	asObjects(signers).some(({ external_id: id }) => isNumbered(id)) ||
	asObjects(documents).some(({ tracking_id: id }) => isOwnReference(id));

/**
 * Makes what refuses an item because of what is there.
 * @param done what was certainly not done
 */
export const refusing =
	({ params }: OperationCall, { field, value }: Key, done = 'created') =>
	/**
	 * @param what continues the number, e.g. "as in ot_1"
	 * @throws InputFailure
	 */
	(what: string, remedy: string): never => {
		const advice = `Nothing was ${done}. ${remedy}`;
		throw new InputFailure(params.label(field), `is ${value}, ${what}`, advice);
	};

/** @throws InputFailure when it's another organization's, or somebody has made it by hand */
export async function requireOwn(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	key: Key,
	{ looksInBranches, usesHandMade }: ExistingOptions,
): Promise<void> {
	const refuse = refusing(call, key);
	const organization = asText(transaction.organization_id);
	const own = looksInBranches ? undefined : await organizationOf(call, parsed, organization);
	if (own !== undefined && !sameId(own, organization))
		refuse(
			`as in ${transaction.id} of the organization ${organization}, but the item is for ${own}`,
			"Enter that organization, or turn on 'Look in Branches'",
		);
	const isByHand = isDraft(transaction) && !isMarked(transaction, parsed);
	if (isByHand && !usesHandMade && key.field !== 'external_id')
		refuse(
			`as in the draft ${describeTransaction(transaction)}, which somebody has made by hand`,
			"To use it, turn on 'Use Drafts Made by Hand'. Otherwise delete it, or give the item another number",
		);
}

export const peopleIn = (transaction: IDataObject): string =>
	[...(peopleOf(transaction) ?? wantedPeople(transaction))].map(signerName).join(' and ') ||
	'nobody';

export const describeTransaction = (transaction: TransactionAnswer): string =>
	`${transaction.id} for ${peopleOf(transaction) === undefined ? "signers it doesn't show" : peopleIn(transaction)}`;

/** By execution and account: items that look at the same time share one answer. */
const asking = new WeakMap<IDataObject, Map<string, Promise<string | undefined>>>();

/**
 * The organization that an item is for: its own, the credential's, or else the key's, where the service
 * tells it. It's asked once an execution.
 * @param shown that of the transaction that was found
 */
async function organizationOf(
	{ service, execution }: OperationCall,
	{ body }: NewTransaction,
	shown: string | undefined,
): Promise<string | undefined> {
	if (shown === undefined) return undefined;
	const given = asText(body.organization_id) ?? service.settings.organizationId;
	if (given !== undefined) return given;
	const { account } = service.settings;
	const asked = asking.get(execution) ?? new Map<string, Promise<string | undefined>>();
	asking.set(execution, asked);
	const id =
		asked.get(account) ??
		// A key for real estate only isn't told.
		retrieveOrganization(service, true).then(
			// Anything else is no ID of an organization (docs/service/README.md#identifiers).
			(answer) => (/^or/.test(String(answer.id)) ? asText(answer.id) : undefined),
			() => undefined,
		);
	asked.set(account, id);
	return await id;
}
