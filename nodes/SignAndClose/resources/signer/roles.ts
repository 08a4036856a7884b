import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach } from '../../messages/inputFaults';
import { toTitle } from '../../form/titles';
import { isMisspelled } from '../../values/editDistance';
import { asText } from '../../values/json';

/*
 * Roles of signers: the parties of a transaction, such as the second borrower. Only a text of which
 * every word is known is a role.
 */

/** What people call each party. An external ID of a signer may be such a word, too. */
const PARTIES: Record<string, string> = {
	borrower: 'borrower borr debtor applicant mortgagor obligor maker',
	buyer: 'buyer purchaser',
	seller: 'seller vendor',
	grantor: 'grantor',
	grantee: 'grantee',
	spouse: 'spouse',
	trustee: 'trustee',
	lender: 'lender',
	agent: 'agent',
	attorney: 'attorney',
	broker: 'broker',
	landlord: 'landlord',
	tenant: 'tenant',
	signer: 'signer signatory',
	notary: 'notary',
	witness: 'witness',
};

/** Words before a party that number it. */
const ORDINALS = new Map([
	['first', 1],
	['second', 2],
	['co', 2],
	['third', 3],
	['fourth', 4],
]);

/** Words and parts of names that say nothing. */
const FILLERS = new Set(['of', 'the', 'for', 'by', 'here', 'field', 's', 'public']);
const CONTAINER = /^#?(?:topmost_?subform|(?:sub)?form|page|root|body)\d*(?:\[\d+\])?$/i;

/** From each word of a table to what it means. */
export const mapWords = (table: Record<string, string>): Map<string, string> =>
	new Map(Object.entries(table).flatMap(([key, all]) => all.split(' ').map((word) => [word, key])));

const PARTY_OF = mapWords(PARTIES);

/** A party of a transaction, such as the second borrower. */
export interface Party {
	party: string;
	/** Counts from 1, or in some forms from 0; a co-borrower is borrower 2. */
	number: number;
}

/** A party as a text says it, maybe without a number. */
export type Role = Pick<Party, 'party'> & Partial<Party>;

/** The first one of its party, unless it says another number. */
export const toParty = ({ party, number = 1 }: Role): Party => ({ party, number });

export const isSameParty = (left: Party | undefined, right: Party): boolean =>
	left?.party === right.party && left.number === right.number;

/**
 * The words of a name: capital letters begin one, and so do digits. "[1]" is one, too, since the second
 * field of a name may be the second signer's; "coborrower" is two.
 */
export const splitIntoWords = (name: string): string[] =>
	name
		.split('.')
		.filter((part) => !CONTAINER.test(part))
		.map((part) => part.replace(/\[0\]$/, ''))
		.join(' ')
		.normalize('NFKC')
		.replace(/ʼ/g, "'")
		.replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\d)|(\d)(?=\p{L})/gu, '$& ')
		.toLowerCase()
		.match(/\[\d+\]|\p{L}+|\d+/gu)
		?.flatMap((word) =>
			word.startsWith('co') && PARTY_OF.has(word.slice(2)) ? ['co', word.slice(2)] : word,
		) ?? [];

/** The words of a name that say something. */
const listWords = (name: string): string[] =>
	splitIntoWords(name).filter((word) => !FILLERS.has(word));

/**
 * Reads the role at a place among words, and where its number stands: a number elsewhere may count the
 * signatures of one signer, "First" may be of a name, and "Co" a company.
 */
function readRoleAt(words: readonly string[], at: number): { role?: Role; numberAt?: number } {
	const party = PARTY_OF.get(words[at]);
	if (party === undefined) return {};
	const isBehind = /^\d{1,2}$/.test(words[at + 1] ?? '');
	const numberAt = ORDINALS.has(words[at - 1]) ? at - 1 : at + 1;
	const number = ORDINALS.get(words[at - 1]) ?? (isBehind ? Number(words[at + 1]) : undefined);
	return { role: { party, number }, ...(number !== undefined && { numberAt }) };
}

/** Reads whom a text is about first, and what else it says. */
export function readRole(text: string): { role?: Role; otherWords: string[] } {
	const words = listWords(text);
	const partyAt = words.findIndex((word) => PARTY_OF.has(word));
	const { role, numberAt } = readRoleAt(words, partyAt);
	const otherWords = words.filter((_word, at) => at !== partyAt && at !== numberAt);
	return { role, otherWords };
}

/** The parties that a text speaks of, whatever else it says. */
export function listParties(text: string): Party[] {
	const words = listWords(text);
	return words.flatMap((_word, at) => {
		const { role } = readRoleAt(words, at);
		return role === undefined ? [] : toParty(role);
	});
}

/** Signers of any side, officials and those who act for others, who are no roles of signers. */
const NO_ROLES = new Set(['signer', 'notary', 'witness', 'lender', 'agent', 'attorney', 'broker']);

/** The role that a text is a word for, e.g. "Co-Borrower"; undefined for other texts. */
export function parseRole(text: string): Role | undefined {
	const { role, otherWords } = readRole(text);
	const isOne = role !== undefined && otherWords.length === 0 && role.number !== 0;
	return isOne && !NO_ROLES.has(role.party) ? role : undefined;
}

/** The roles that forms offer. A number makes further ones. */
export const ROLE_NAMES = [
	...['Borrower', 'Co-Borrower', 'Borrower 3', 'Borrower 4', 'Buyer', 'Co-Buyer', 'Seller'],
	...['Co-Seller', 'Spouse', 'Trustee', 'Co-Trustee', 'Grantor', 'Grantee'],
];

/** The role that a text may be a misspelled word for, e.g. "Co-Borrower" for "Co-Borower". */
export const findMisspelledRole = (text: string): string | undefined =>
	parseRole(text) === undefined
		? ROLE_NAMES.find((name) => isMisspelled(text.toLowerCase(), name.toLowerCase()))
		: undefined;

/** A role as people call it. */
export const describeRole = ({ party, number }: Party): string =>
	number === 1 ? toTitle(party) : `${toTitle(party)} ${number}`;

/** @throws InputFailure naming the roles when a text is none of them */
export function requireRole(text: string, label: string): Role {
	const role = parseRole(text);
	if (role !== undefined) return role;
	throw new InputFailure(
		label,
		`is '${text}', which isn't a role`,
		'Enter Borrower, Buyer, Seller, Spouse, Trustee, Grantor or Grantee, with "Co-" or a number for a second one, e.g. Co-Borrower or Borrower 3',
	);
}

/** The external ID that the node makes of a role, e.g. `borrower-2`. */
export const buildRoleId = ({ party, number }: Party): string => `${party}-${number}`;

const ROLE_ID = /^([a-z]+)-([1-9]\d?)$/;

/** The role of which the node has made an external ID; undefined if it's another one. */
export function readRoleId(id: unknown): Party | undefined {
	const [, party, number] = ROLE_ID.exec(String(id)) ?? [];
	return party !== undefined && Object.hasOwn(PARTIES, party) && !NO_ROLES.has(party)
		? { party, number: Number(number) }
		: undefined;
}

/** Which roles a signer has, and whether the node has made their external ID of it. */
interface SignerRole {
	parties: Party[];
	hasMadeId: boolean;
}

/** The roles of the signers of an item, by their external IDs. */
export type SignerRoles = ReadonlyMap<string, SignerRole>;

/** A signer as the request has it, with the role that was entered. */
export type SignerWithRole = IDataObject & { role?: Role };

/**
 * Takes the roles out of signers, and gives an external ID of it to each of them who has none. Signers
 * of one role are numbered in their order, and a number that somebody has is passed over.
 * @throws InputFailure when two signers have the same role and number
 */
export function takeRoles(
	all: readonly SignerWithRole[],
	label: string,
): { signers: IDataObject[]; roles: Map<string, SignerRole> } {
	const parties = countRoles(all, label);
	const roles = new Map<string, SignerRole>();
	const signers = all.map((entry, index) => {
		const { role, ...signer } = entry;
		const party = role && parties[index];
		if (party === undefined) return signer;
		const ownId = asText(signer.external_id);
		const id = ownId ?? buildRoleId(party);
		roles.set(id, { parties: [party], hasMadeId: ownId === undefined });
		return { ...signer, external_id: id };
	});
	return { signers, roles };
}

function countRoles(all: readonly SignerWithRole[], label: string): Array<Party | undefined> {
	const entered = all.flatMap(({ role }) => (role?.number === undefined ? [] : [toParty(role)]));
	const usedIds = new Set(entered.map(buildRoleId));
	parseEach(entered, (party, index) => {
		if (entered.slice(0, index).some((former) => isSameParty(former, party)))
			throw new InputFailure(
				label,
				`has the role ${describeRole(party)} twice`,
				`Give each signer a role of their own, e.g. ${describeRole({ ...party, number: party.number + 1 })}`,
			);
	});
	return all.map(({ role }) => {
		if (role === undefined || role.number !== undefined) return role && toParty(role);
		const party = toParty(role);
		while (usedIds.has(buildRoleId(party))) party.number++;
		usedIds.add(buildRoleId(party));
		return party;
	});
}
