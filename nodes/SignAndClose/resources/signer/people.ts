import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach } from '../../messages/inputFaults';
import { isSameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';
import type { ParameterPath, Params } from '../../run/parameters/params';
import { readRoleId } from './roles';

/*
 * Tells people apart, and finds the same person on two lists. People are never compared by their
 * place on a list: whoever is added before others would get what belongs to them.
 */

/**
 * The signers of a transaction under all names that answers have for them
 * (docs/service/transactions.md#answer-fields).
 * @returns undefined when the transaction doesn't show its signers
 */
export function listPeople(transaction: IDataObject): IDataObject[] | undefined {
	const { signers, signer_info: first, cosigner_info: second } = transaction;
	const infoSigners = [first, second]
		.map(asObject)
		.filter((person) => Object.keys(person).length > 0);
	if (!Array.isArray(signers)) return infoSigners.length > 0 ? infoSigners : undefined;
	const all = asObjects(signers);
	// Some answers have a signer under two names.
	return [
		...all,
		...infoSigners.filter((person) => !all.some((signer) => haveSameAddress(person, signer))),
	];
}

/**
 * The addresses of a signer: its own, or the inbox of the group that signs
 * (docs/service/signers.md#groups-as-signers).
 */
export function listAddresses({ email, recipient_group: group }: IDataObject): string[] {
	return [email, asObject(group).shared_inbox_email].flatMap((value) => asText(value) ?? []);
}

/** A text whose capital letters, accents' spelling and white space don't count. */
const foldText = (value: unknown): string | undefined =>
	asText(value)?.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether two addresses are the same. Capital letters don't count. */
export const isSameAddress = (left: unknown, right: unknown): boolean =>
	foldText(left) !== undefined && foldText(left) === foldText(right);

const haveSameAddress = (left: IDataObject, right: IDataObject): boolean =>
	isSameAddress(listAddresses(left)[0], listAddresses(right)[0]);

/** First and last name; undefined without both. */
function buildNameKey({ first_name: first, last_name: last }: IDataObject): string | undefined {
	return asText(first) && asText(last) ? `${foldText(first)} ${foldText(last)}` : undefined;
}

const haveSameName = (left: IDataObject, right: IDataObject): boolean =>
	buildNameKey(left) !== undefined && buildNameKey(left) === buildNameKey(right);

/** Whether both names are given, and neither the first nor the last one is the same. */
const haveOtherNames = (left: IDataObject, right: IDataObject): boolean =>
	['first_name', 'last_name'].every((name) => {
		const [leftName, rightName] = [foldText(left[name]), foldText(right[name])];
		return leftName !== undefined && rightName !== undefined && leftName !== rightName;
	});

/** External IDs that stand for a place in a form, and so for anybody: signer-1, borrower, co-buyer2. */
const PLACE_IDS =
	/^(?:co[-_ ]?)?(?:signer|signatory|borrower|applicant|buyer|purchaser|seller|spouse|client|customer|homeowner|owner|party|person)[-_ ]?\d*$/i;

/** Whether an external ID stands for one person. */
export const isPersonalId = (id: unknown): boolean =>
	asText(id) !== undefined && !PLACE_IDS.test(String(id).trim()) && readRoleId(id) === undefined;

/** The external ID that the node gives to the signer at a place, which counts from 1. */
export const buildExternalId = (place: number): string => `signer-${place}`;

/** Whether an external ID is one that the node gives to signers without a role. */
export const isNumberedId = (id: unknown): boolean => /^signer-\d+$/.test(String(id));

/** The external ID by which an item calls one of its signers, whose index counts from 0. */
export const getExternalId = ({ external_id: id }: IDataObject, index: number): string =>
	asText(id) ?? buildExternalId(index + 1);

/**
 * Gives each new signer without an external ID one of its own: signer-1 for the first signer,
 * signer-2 for the second, and so on. A number that somebody else has is passed over. Designations
 * refer to signers by it (docs/service/documents.md#signer-identifier), so a signer without one has
 * nowhere to sign.
 */
export function withExternalIds(signers: IDataObject[]): IDataObject[] {
	const usedIds = new Set<unknown>(signers.map(({ external_id: id }) => id));
	return signers.map((signer, index) => {
		if (asText(signer.external_id) !== undefined) return signer;
		let number = index + 1;
		while (usedIds.has(buildExternalId(number))) number++;
		const id = buildExternalId(number);
		usedIds.add(id);
		return { ...signer, external_id: id };
	});
}

/**
 * Checks what signers have together: external IDs of their own, because designations refer to
 * signers by it (docs/service/documents.md#signer-identifier), and one notary for all who sign at
 * the same time (docs/service/transactions.md#rules-between-fields).
 * @throws InputFailure
 */
export function checkSigners(signers: IDataObject[], label: string): void {
	const ids = new Set<unknown>();
	const notaries = new Map<unknown, unknown>();
	parseEach(signers, ({ external_id: id, order, notary_id: notary }) => {
		if (id !== undefined && ids.has(id))
			throw new InputFailure(
				label,
				`has the external ID '${String(id)}' twice`,
				'Give each signer an external ID of its own',
			);
		ids.add(id);
		if (order === undefined) return;
		if (notaries.has(order) && notaries.get(order) !== notary)
			throw new InputFailure(
				label,
				`has signers of order ${String(order)} with different notaries`,
				"Give signers who sign at the same time the same 'Notary', or another 'Order'",
			);
		notaries.set(order, notary);
	});
}

/** What makes two signers the same person: the surest first. */
const MATCHES: Array<(left: IDataObject, right: IDataObject) => boolean> = [
	(left, right) => isSameId(left.signer_id, right.signer_id),
	(left, right) => isPersonalId(left.external_id) && left.external_id === right.external_id,
	(left, right) => haveSameAddress(left, right) && haveSameName(left, right),
	// Two people may share an address.
	(left, right) => haveSameAddress(left, right) && !haveOtherNames(left, right),
	haveSameName,
];

/**
 * Finds each of these people among others, each of whom is one of them at most.
 * @returns by index, undefined for whoever isn't there
 */
export function pairPeople<T extends IDataObject>(
	people: readonly IDataObject[],
	candidates: readonly T[],
): Array<T | undefined> {
	const rest = new Set(candidates);
	const pairs = people.map((): T | undefined => undefined);
	for (const matches of MATCHES)
		for (const [index, person] of people.entries()) {
			if (pairs[index] !== undefined) continue;
			const match = [...rest].find((candidate) => matches(person, candidate));
			if (match === undefined) continue;
			pairs[index] = match;
			rest.delete(match);
		}
	return pairs;
}

/** Whether somebody is on both lists. */
export const sharePerson = (
	people: readonly IDataObject[],
	otherPeople: readonly IDataObject[],
): boolean =>
	pairPeople(people, otherPeople).some((match) => match !== undefined) ||
	people.some((left) => otherPeople.some((right) => haveSameAddress(left, right)));

/**
 * Checks that there's either an address or a shared inbox.
 * @param path where the address stands in the parameters
 * @throws InputFailure when there's neither, or both
 */
export function checkRecipient(
	params: Params,
	{ email, details }: IDataObject,
	getLabel: (field: string) => string,
	path: ParameterPath,
): void {
	const hasInbox = (asObject(details).shared_inbox_email ?? '') !== '';
	if (email === undefined && !hasInbox)
		throw params.createEmptyFailure(path, "Enter the signer's email address", getLabel('Email'));
	if (email !== undefined && hasInbox)
		throw new InputFailure(
			getLabel('Shared Inbox'),
			"is filled in together with 'Email'",
			'Remove one of the two: either a person signs, or one of a group',
		);
}
