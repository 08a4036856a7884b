import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { OperationCall } from '../../../run/operation';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { isDraft } from '../../../transport/answers/transactionState';
import { isSameId } from '../../../values/ids';
import { asObjects, asText } from '../../../values/json';
import { isOwnReference } from '../../../values/reference';
import { retrieveOrganization } from '../../account/api';
import { isSameProperty } from '../../address/property';
import { listExpectedSigners } from '../../draft/signerComparison';
import { formatSignerName } from '../../signer/api';
import { isNumberedId, listPeople, sharePerson } from '../../signer/people';
import type { NewTransaction } from './creation';
import type { ExistingOptions, NumberKey } from './options';

/*
 * Says whether a transaction with the number of an item is the item's. A number alone isn't enough:
 * two people can share it by a typing error, a placeholder or a rounded number of a spreadsheet.
 */

/**
 * What ties a transaction to an item beside its number: somebody who signs; the same property; or, on
 * business, that it has as many signers, of whom one side gives no names.
 */
export type IdentityTie = 'people' | 'property' | 'number';

/** @returns undefined when nothing ties them */
export function findTie(
	{ body, platform }: NewTransaction,
	type: string | undefined,
	transaction: TransactionAnswer,
	{ field }: NumberKey,
): IdentityTie | undefined {
	const expected = listExpectedSigners(body);
	const people = listPeople(transaction);
	if (people !== undefined && sharePerson(expected, people)) return 'people';
	const isOfType = type !== undefined && asText(transaction.transaction_type) === type;
	if (isOfType && isSameProperty(body.street_address, transaction.street_address) === true)
		return 'property';
	const areNameless = (all: IDataObject[]) =>
		all.every(({ first_name: first, last_name: last }) => !asText(first) && !asText(last));
	return platform === 'business' &&
		field === 'external_id' &&
		people?.length === expected.length &&
		(areNameless(expected) || areNameless(people))
		? 'number'
		: undefined;
}

/** Whether a transaction shows that this node has made it. Anybody may call a signer borrower-1. */
export const isMadeByNode = (
	{ external_id: externalId, signers, documents }: TransactionAnswer,
	{ roles }: Pick<NewTransaction, 'roles'>,
): boolean =>
	isOwnReference(externalId) ||
	asObjects(signers).some(
		({ external_id: id }) => isNumberedId(id) || roles?.get(String(id))?.hasMadeId === true,
	) ||
	asObjects(documents).some(({ tracking_id: id }) => isOwnReference(id));

/** Whether a draft shows that this node has made it, or somebody with the same External ID. */
const isMarked = (transaction: TransactionAnswer, parsed: NewTransaction): boolean =>
	isMadeByNode(transaction, parsed) ||
	(asText(transaction.external_id) !== undefined &&
		transaction.external_id === parsed.body.external_id);

/**
 * Makes what refuses an item because of what is there.
 * @param action what was certainly not done
 */
export const buildRefusal =
	({ params }: OperationCall, { field, value }: NumberKey, action = 'created') =>
	/**
	 * @param reason continues the number, e.g. "as in ot_1"
	 * @throws InputFailure
	 */
	(reason: string, remedy: string): never => {
		const advice = `Nothing was ${action}. ${remedy}`;
		throw new InputFailure(params.label(field), `is ${value}, ${reason}`, advice);
	};

/** @throws InputFailure when it's another organization's, or somebody has made it by hand */
export async function requireUsable(
	call: OperationCall,
	transaction: TransactionAnswer,
	parsed: NewTransaction,
	key: NumberKey,
	{ looksInBranches, usesHandMade }: ExistingOptions,
): Promise<void> {
	const refuse = buildRefusal(call, key);
	const organization = asText(transaction.organization_id);
	const expectedOrganization = looksInBranches
		? undefined
		: await findOrganization(call, parsed, organization);
	if (expectedOrganization !== undefined && !isSameId(expectedOrganization, organization))
		refuse(
			`as in ${transaction.id} of the organization ${organization}, but the item is for ${expectedOrganization}`,
			"Enter that organization, or turn on 'Look in Branches'",
		);
	const isByHand = isDraft(transaction) && !isMarked(transaction, parsed);
	if (isByHand && !usesHandMade && key.field !== 'external_id')
		refuse(
			`as in the draft ${describeTransaction(transaction)}, which somebody has made by hand`,
			"To use it, turn on 'Use Drafts Made by Hand'. Otherwise delete it, or give the item another number",
		);
}

export const describePeople = (transaction: IDataObject): string =>
	[...(listPeople(transaction) ?? listExpectedSigners(transaction))]
		.map(formatSignerName)
		.join(' and ') || 'nobody';

export const describeTransaction = (transaction: TransactionAnswer): string =>
	`${transaction.id} for ${listPeople(transaction) === undefined ? "signers it doesn't show" : describePeople(transaction)}`;

/** By execution and account: items that look at the same time share one answer. */
const organizationRequests = new WeakMap<IDataObject, Map<string, Promise<string | undefined>>>();

/**
 * The organization that an item is for: its own, the credential's, or else the key's, where the service
 * tells it.
 * @param actualId that of the transaction that was found
 */
async function findOrganization(
	call: OperationCall,
	{ body }: NewTransaction,
	actualId: string | undefined,
): Promise<string | undefined> {
	if (actualId === undefined) return undefined;
	const configuredId = asText(body.organization_id) ?? call.service.settings.organizationId;
	return configuredId ?? (await findOwnOrganization(call));
}

/** The organization that the key belongs to, where the service tells it. It's asked once an execution. */
export async function findOwnOrganization({
	service,
	execution,
}: Pick<OperationCall, 'service' | 'execution'>): Promise<string | undefined> {
	const { account } = service.settings;
	const requests =
		organizationRequests.get(execution) ?? new Map<string, Promise<string | undefined>>();
	organizationRequests.set(execution, requests);
	const id =
		requests.get(account) ??
		// A key for real estate only isn't told.
		retrieveOrganization(service, true).then(
			// Anything else is no ID of an organization (docs/service/README.md#identifiers).
			(answer) => (/^or/.test(String(answer.id)) ? asText(answer.id) : undefined),
			() => undefined,
		);
	requests.set(account, id);
	return await id;
}
