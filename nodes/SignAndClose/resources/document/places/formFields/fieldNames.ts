import type { FieldKind } from '../../../../pdf/form/fields';
import {
	isSameParty,
	listParties,
	mapWords,
	readRole,
	splitIntoWords,
	toParty,
	type Party,
	type SignerRoles,
} from '../../../signer/roles';

/*
 * What the name of a form's field says: who signs there, and what. Only a name of which every word is
 * known says it, so that "Date of Birth" is no date of signing.
 */

/** What the words for a type mean together, by the kind of the field. */
const TYPES: Record<string, Partial<Record<FieldKind, string>>> = {
	'': { signature: 'signature' },
	signature: { signature: 'signature', text: 'signature' },
	initials: { signature: 'initials', text: 'initials' },
	date: { text: 'date_signed' },
	'date signature': { text: 'date_signed' },
	name: { text: 'full_name' },
	seal: { signature: 'seal', text: 'seal' },
};

const TYPE_WORDS: Record<string, string> = {
	signature: 'signature signatures signed sign sig esignature',
	initials: 'initials initial',
	date: 'date dated',
	name: 'name printed print',
	seal: 'seal stamp',
};

/** Who are no signers of a transaction. */
const OFFICIALS = new Set(['notary', 'witness']);

const TYPE_OF = mapWords(TYPE_WORDS);

/** What a name says: its party, and the words of its type in their order. */
interface Meaning {
	party?: Party;
	types: Set<string>;
}

/** @returns undefined when a word isn't known, or the name says two things */
function readMeaning(name: string): Meaning | undefined {
	const { role, otherWords } = readRole(name);
	if (!otherWords.every((word) => TYPE_OF.has(word))) return undefined;
	return { ...(role && { party: toParty(role) }), types: listTypes(otherWords) };
}

const listTypes = (words: readonly string[]): Set<string> =>
	new Set(words.flatMap((word) => TYPE_OF.get(word) ?? []));

/** Whether somebody signs at a text field, as its name says it, whoever that is. */
export function isForSignature(name: string): boolean {
	const key = [...listTypes(splitIntoWords(name))].sort().join(' ');
	return ['signature', 'initials'].includes(TYPES[key]?.text ?? '');
}

/** The party that an external ID is a word for, e.g. "co-borrower". */
export function parseParty(id: string): Party | undefined {
	const meaning = readMeaning(id);
	return meaning?.types.size === 0 ? meaning.party : undefined;
}

/**
 * Reads who signs at a field, and what.
 * @returns undefined when its name doesn't say both
 */
export function parseFieldName(
	name: string,
	kind: FieldKind,
): (Party & { type: string }) | undefined {
	const meaning = readMeaning(name);
	if (meaning?.party === undefined) return undefined;
	const type = TYPES[[...meaning.types].sort().join(' ')]?.[kind];
	const isSeal = type === 'seal' && meaning.party.party !== 'notary';
	return type === undefined || isSeal ? undefined : { ...meaning.party, type };
}

/** The signers of a transaction by their external IDs, with the roles that an item says. */
export interface NamedSigners {
	ids: readonly string[];
	roles?: SignerRoles;
}

/**
 * The signer who is a party: whose role or external ID says it. Where the node has numbered the
 * signers, the number tells, if the fields of the file are for one party, and for each of the signers.
 * @param parties for whom the file has fields
 */
export function findSignerId(
	{ party, number }: Party,
	{ ids, roles }: NamedSigners,
	parties: readonly Party[],
): string | undefined {
	const hasFields = (counted: number) =>
		parties.some((partyOfFile) => isSameParty(partyOfFile, { party, number: counted }));
	// A form that counts from 0 means the first one by it.
	if (hasFields(0)) return undefined;
	if (party === 'notary') return number === 1 ? 'notary' : undefined;
	if (party === 'witness') return `witness${number}`;
	const signers = ids.map((id) => parseParty(id));
	const fitting = ids.filter((id, at) =>
		[...(roles?.get(id)?.parties ?? []), signers[at]].some((partyOfId) =>
			isSameParty(partyOfId, { party, number }),
		),
	);
	if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
	const isOnly = parties.every(
		(partyOfFile) => partyOfFile.party === party || OFFICIALS.has(partyOfFile.party),
	);
	const areNumbered = signers.every(
		(signer) => signer?.party === 'signer' && hasFields(signer.number),
	);
	return isOnly && areNumbered ? ids.find((_id, at) => signers[at]?.number === number) : undefined;
}

/**
 * Whether an external ID alone says that its signer is a party, which describeParty() names.
 * @param counts whether a number of the node's own says it, too
 */
export function saysParty(id: string, name: string, counts: boolean): boolean {
	const [party, signer] = [name, id].map(parseParty);
	const isNumbered = signer?.party === 'signer' && signer.number === party?.number;
	return (counts && isNumbered) || (party !== undefined && isSameParty(signer, party));
}

/** A party in words. Officials are called as `signer_identifier` calls them, e.g. "witness1". */
export function describeParty({ party, number }: Party): string {
	if (party === 'witness') return `witness${number}`;
	return party === 'notary' && number === 1 ? party : `${party} ${number}`;
}

/**
 * Whether a text names another party than a label. A label without one may be of any signer, such as a
 * name, and so of no official.
 */
export function namesOtherParty(label: string, text: string): boolean {
	const labelParties = listParties(label);
	return listParties(text).some((party) =>
		labelParties.length === 0
			? OFFICIALS.has(party.party)
			: !labelParties.some((labelParty) => isSameParty(labelParty, party)),
	);
}

/** The rest of a sentence that ends on a line of its own, or an enumeration. */
const PROSE = /^\p{Ll}|[.,;]$/u;

/** How many words a label has at most. */
export const MOST_LABEL_WORDS = 6;

/**
 * Reads a label such as "Borrower's Signature": its type, and the party as people call it.
 * @returns undefined for a text that is no label of a place
 */
export function readLabel(text: string): { type: string; party?: string } | undefined {
	if (PROSE.test(text)) return undefined;
	const words = splitIntoWords(text);
	const types = listTypes(words);
	if (types.size === 0 || words.length > MOST_LABEL_WORDS) return undefined;
	const meaning = readMeaning(text);
	const key = [...types].sort().join(' ');
	const type = meaning && (TYPES[key]?.signature ?? TYPES[key]?.text);
	if (type === undefined && !types.has('signature') && !types.has('initials')) return undefined;
	const { party } = meaning ?? {};
	return {
		type: type ?? (types.has('signature') ? 'signature' : 'initials'),
		...(party && { party: describeParty(party) }),
	};
}
