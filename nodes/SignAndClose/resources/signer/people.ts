import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { parseEach } from '../../messages/faults';
import { sameId } from '../../values/ids';
import { asObject, asObjects, asText } from '../../values/json';

/*
 * Tells people apart, and finds the same person on two lists. People are never compared by their
 * place on a list: whoever is added before others would get what belongs to them.
 */

/**
 * The signers of a transaction under all names that answers have for them
 * (docs/service/transactions.md#answer-fields).
 * @returns undefined when the transaction doesn't show its signers
 */
export function peopleOf(transaction: IDataObject): IDataObject[] | undefined {
	const { signers, signer_info: first, cosigner_info: second } = transaction;
	const named = [first, second].map(asObject).filter((one) => Object.keys(one).length > 0);
	if (!Array.isArray(signers)) return named.length > 0 ? named : undefined;
	const all = asObjects(signers);
	// Some answers have a signer under two names.
	return [...all, ...named.filter((one) => !all.some((other) => haveSameAddress(one, other)))];
}

/**
 * The addresses of a signer: its own, or the inbox of the group that signs
 * (docs/service/signers.md#groups-as-signers).
 */
export function addressesOf({ email, recipient_group: group }: IDataObject): string[] {
	return [email, asObject(group).shared_inbox_email].flatMap((value) => asText(value) ?? []);
}

/** A text whose capital letters, accents' spelling and white space don't count. */
const folded = (value: unknown): string | undefined =>
	asText(value)?.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether two addresses are the same. Capital letters don't count. */
export const sameAddress = (one: unknown, other: unknown): boolean =>
	folded(one) !== undefined && folded(one) === folded(other);

const haveSameAddress = (one: IDataObject, other: IDataObject): boolean =>
	sameAddress(addressesOf(one)[0], addressesOf(other)[0]);

/** First and last name; undefined without both. */
function fullName({ first_name: first, last_name: last }: IDataObject): string | undefined {
	return asText(first) && asText(last) ? `${folded(first)} ${folded(last)}` : undefined;
}

const haveSameName = (one: IDataObject, other: IDataObject): boolean =>
	fullName(one) !== undefined && fullName(one) === fullName(other);

/** Whether both names are given, and neither the first nor the last one is the same. */
const haveOtherNames = (one: IDataObject, other: IDataObject): boolean =>
	['first_name', 'last_name'].every((name) => {
		const [own, others] = [folded(one[name]), folded(other[name])];
		return own !== undefined && others !== undefined && own !== others;
	});

/** External IDs that stand for a place in a form, and so for anybody: signer-1, borrower, co-buyer2. */
const OF_PLACE =
	/^(?:co[-_ ]?)?(?:signer|signatory|borrower|applicant|buyer|purchaser|seller|spouse|client|customer|homeowner|owner|party|person)[-_ ]?\d*$/i;

/** Whether an external ID stands for one person. */
const isPersonal = (id: unknown): boolean =>
	asText(id) !== undefined && !OF_PLACE.test(String(id).trim());

/** The external ID that the node gives to the signer at a place, which counts from 1. */
export const externalIdAt = (place: number): string => `signer-${place}`;

/** Whether an external ID is one that the node gives. */
export const isNumbered = (id: unknown): boolean => /^signer-\d+$/.test(String(id));

/** The external ID by which an item calls one of its signers, whose index counts from 0. */
export const ownIdOf = ({ external_id: id }: IDataObject, index: number): string =>
	asText(id) ?? externalIdAt(index + 1);

/**
 * Gives each new signer without an external ID one of its own: signer-1 for the first signer,
 * signer-2 for the second, and so on. A number that somebody else has is passed over. Designations
 * refer to signers by it (docs/service/documents.md#signer-identifier), so a signer without one has
 * nowhere to sign.
 */
export function withExternalIds(signers: IDataObject[]): IDataObject[] {
	const taken = new Set<unknown>(signers.map(({ external_id: id }) => id));
	return signers.map((signer, index) => {
		if (asText(signer.external_id) !== undefined) return signer;
		let number = index + 1;
		while (taken.has(externalIdAt(number))) number++;
		const id = externalIdAt(number);
		taken.add(id);
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
const MATCHES: Array<(one: IDataObject, other: IDataObject) => boolean> = [
	(one, other) => sameId(one.signer_id, other.signer_id),
	(one, other) => isPersonal(one.external_id) && one.external_id === other.external_id,
	(one, other) => haveSameAddress(one, other) && haveSameName(one, other),
	// Two people may share an address.
	(one, other) => haveSameAddress(one, other) && !haveOtherNames(one, other),
	haveSameName,
];

/**
 * Finds each of these people among others, each of whom is one of them at most.
 * @returns by index, undefined for whoever isn't there
 */
export function pairPeople<T extends IDataObject>(
	people: readonly IDataObject[],
	among: readonly T[],
): Array<T | undefined> {
	const rest = new Set(among);
	const pairs = people.map((): T | undefined => undefined);
	for (const matches of MATCHES)
		for (const [index, person] of people.entries()) {
			if (pairs[index] !== undefined) continue;
			const found = [...rest].find((other) => matches(person, other));
			if (found === undefined) continue;
			pairs[index] = found;
			rest.delete(found);
		}
	return pairs;
}

/** Whether somebody is on both lists. */
export const sharePerson = (
	people: readonly IDataObject[],
	others: readonly IDataObject[],
): boolean =>
	pairPeople(people, others).some((found) => found !== undefined) ||
	people.some((one) => others.some((other) => haveSameAddress(one, other)));
