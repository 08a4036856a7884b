import type { IDataObject } from 'n8n-workflow';

import { findFieldLabel } from '../../form/hints';
import { formatPersonName } from '../../form/output';
import type { OperationCall } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import type { Platform } from '../../transport/service/endpoints';
import { asObjects, asText } from '../../values/json';
import { formatSignerName } from '../signer/api';
import {
	buildExternalId,
	getExternalId,
	isNumberedId,
	listAddresses,
	pairPeople,
} from '../signer/people';
import { describeRole, isSameParty, readRoleId, type SignerRoles } from '../signer/roles';
import { buildDifference, buildFieldDifference, type ItemDifference } from './difference';
import { compareSignerFields, compareTransactionField } from './fieldComparison';
import { toTransactionRequest } from './requestFields';

/* Compares the signers and contacts that an item wants with those that a transaction shows. */

/** What is wanted of a transaction. */
export interface ExpectedTransaction {
	platform: Platform;
	/** The body of a create, without a reference of the node's own. */
	body: IDataObject;
	/** The node has made the name, which says nothing. */
	isNamedByNode?: boolean;
	/** The roles of the signers, which no request has. */
	roles?: SignerRoles;
}

/** A signer of an item. */
export interface PersonComparison {
	expected: IDataObject;
	/** The same person in the transaction. */
	actual?: IDataObject;
	/**
	 * The external ID by which the item calls the person, and that in the transaction, also of those who
	 * are still to be added: places to sign are for persons, whatever the transaction calls them.
	 */
	ownId: string;
	id: string;
}

/** What a comparison needs of a call. */
export type ComparisonContext = Pick<OperationCall, 'service' | 'params'>;

/** The signers in the body of a create. */
export const listExpectedSigners = ({ signers, signer, cosigner }: IDataObject): IDataObject[] =>
	signers === undefined ? asObjects([signer, cosigner]) : asObjects(signers);

/** Whether an item says this external ID itself: the node gives others to signers without one. */
const isGivenByItem = (id: unknown, roles?: SignerRoles) =>
	asText(id) !== undefined && !isNumberedId(id) && roles?.get(String(id))?.hasMadeId !== true;

/** A signer without an external ID that the node has given. */
const withGivenId = ({ external_id: id, ...person }: IDataObject, roles?: SignerRoles) => ({
	...person,
	...(isGivenByItem(id, roles) && { external_id: id }),
});

/** The only signer of both, of whom one side gives no name: the External ID alone says who that is. */
const isAloneWithoutNames = (...sides: IDataObject[][]): boolean =>
	sides.every(({ length }) => length === 1) &&
	sides.some(([{ first_name: first, last_name: last }]) => !asText(first) && !asText(last));

/** A signer who isn't there, or whom the item doesn't name. */
function buildSignerDifference(
	kind: ItemDifference['kind'],
	signer: IDataObject,
	label: string,
): ItemDifference {
	const name = formatSignerName(signer);
	return buildDifference(
		'signer',
		kind,
		[name, label],
		kind === 'extra' ? [null, name] : [name, null],
	);
}

/** Compares the signers of an item with those of a transaction, and says who is who. */
export function compareItemSigners(
	{ service, params }: ComparisonContext,
	{ body, platform, roles }: ExpectedTransaction,
	{ signers, documents }: TransactionAnswer,
): { differences: ItemDifference[]; people: PersonComparison[]; notNamed: IDataObject[] } {
	const { assuranceField } = service.settings;
	const expected = listExpectedSigners(body);
	const signerAnswers: IDataObject[] = signers ?? [];
	const pairs = pairPeople(expected, signerAnswers);
	if (platform === 'business' && isAloneWithoutNames(expected, signerAnswers))
		pairs[0] ??= signerAnswers[0];
	const notNamed = signerAnswers.filter((signer) => !pairs.includes(signer));
	const label = params.label('signers');
	const differences = expected.flatMap((person, index) =>
		pairs[index] === undefined
			? [buildSignerDifference(signers ? 'missing' : 'unknown', person, label)]
			: comparePerson(params, withGivenId(person, roles), pairs[index], assuranceField),
	);
	const ids = chooseExternalIds(expected, roles, pairs, [
		...notNamed.map(({ external_id: id }) => id),
		...asObjects(documents).flatMap(({ signing_designations: places }) =>
			asObjects(places).map(({ signer_identifier: id }) => id),
		),
	]);
	return {
		differences: [
			...differences,
			...notNamed.map((signer) => buildSignerDifference('extra', signer, label)),
		],
		people: expected.map((person, index) => ({
			expected: person,
			actual: pairs[index],
			ownId: getExternalId(person, index),
			id: ids[index],
		})),
		notNamed,
	};
}

/** The fields that one and the same person has in two ways. */
function comparePerson(
	params: Params,
	expected: IDataObject,
	actual: IDataObject,
	assuranceField: string,
): ItemDifference[] {
	const name = formatPersonName(expected) ?? listAddresses(expected)[0];
	return compareSignerFields(expected, actual, assuranceField)
		.filter(({ isShown }) => !isShown)
		.map((part) => {
			const isAssurance = part.field === assuranceField;
			const field = isAssurance ? 'Identity Checks' : findFieldLabel(params, part.field);
			return buildFieldDifference('person', [name, field], part);
		});
}

/**
 * The external ID that each signer of an item has in the transaction, or is to get.
 * @param matches the same persons there
 * @param reservedIds the external IDs that others have
 */
function chooseExternalIds(
	expected: IDataObject[],
	roles: SignerRoles | undefined,
	matches: Array<IDataObject | undefined>,
	reservedIds: unknown[],
): string[] {
	const usedIds = new Set([...reservedIds, ...matches.map((same) => same?.external_id)]);
	return expected.map((person, index) => {
		const itemId = getExternalId(person, index);
		const same = matches[index];
		// A person who is there has got the one that the item gives.
		if (isGivenByItem(itemId, roles)) return itemId;
		if (same !== undefined) return asText(same.external_id) ?? itemId;
		// The ID of a role that somebody else has had would name two people by it.
		if (!isNumberedId(itemId) && !usedIds.has(itemId)) return itemId;
		let number = index + 1;
		while (usedIds.has(buildExternalId(number))) number++;
		usedIds.add(buildExternalId(number));
		return buildExternalId(number);
	});
}

/**
 * Says whose external ID in the transaction was made of another role than they have now: later steps,
 * which see no more than the ID, would take them for somebody else.
 * @returns sentences without a final period
 */
export const describeOtherRoles = (
	people: readonly PersonComparison[],
	roles: SignerRoles | undefined,
): string[] =>
	people.flatMap(({ expected, ownId, id }) => {
		const { parties = [] } = roles?.get(ownId) ?? {};
		const formerRole = readRoleId(id);
		return parties.length === 0 ||
			formerRole === undefined ||
			parties.some((party) => isSameParty(party, formerRole))
			? []
			: `${formatSignerName(expected)} is ${describeRole(parties[0])} now and keeps the External ID '${id}': choose them by it in other operations, not by a role`;
	});

/** Contacts of the item take the place of those with the same role; contacts of other roles stay. */
export function compareContacts(
	{ params }: ComparisonContext,
	{ body, platform }: ExpectedTransaction,
	transaction: TransactionAnswer,
): { differences: ItemDifference[]; fields: IDataObject } {
	const expected = asObjects(body.contacts);
	const actual = asObjects(toTransactionRequest(transaction, platform).contacts);
	const isSameContact = (left: IDataObject, right: IDataObject) =>
		left.role === right.role && pairPeople([left], [right])[0] !== undefined;
	const isShown = (contacts: IDataObject[], among: IDataObject[]) =>
		compareTransactionField('contacts', contacts, { id: '', contacts: among }, 'realEstate')
			.isShown;
	const merged = actual.flatMap((contact) => {
		const match = expected.find((left) => isSameContact(left, contact));
		if (match !== undefined) return [{ ...contact, ...match }];
		return expected.some(({ role }) => role === contact.role) ? [] : [contact];
	});
	merged.push(...expected.filter((left) => !actual.some((right) => isSameContact(left, right))));
	if (expected.length === 0 || isShown(merged, actual)) return { differences: [], fields: {} };
	const listNames = (all: IDataObject[]) =>
		all.map(({ role, ...person }) => `${String(role)} ${formatSignerName(person)}`).join(', ') ||
		null;
	const changedContacts = expected.filter(
		(left) => !actual.some((right) => isShown([left], [right])),
	);
	const before = actual.filter(({ role }) => changedContacts.some((left) => left.role === role));
	const names: [string, string] = ['', findFieldLabel(params, 'contacts')];
	const difference = buildDifference('field', 'different', names, [
		listNames(changedContacts),
		listNames(before),
	]);
	return { differences: [difference], fields: { contacts: merged } };
}
