import type { FieldKind } from '../../../../pdf/form/fields';

/*
 * What the name of a form's field says: who signs there, and what. Only a name of which every word is
 * known says it, so that "Date of Birth" is no date of signing.
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

/** Who are no signers of a transaction. */
const OFFICIALS = new Set(['notary', 'witness']);

const mapWords = (table: Record<string, string>): Map<string, string> =>
	new Map(Object.entries(table).flatMap(([key, all]) => all.split(' ').map((word) => [word, key])));

const PARTY_OF = mapWords(PARTIES);
const TYPE_OF = mapWords(TYPE_WORDS);

/** A party of a transaction, such as the second borrower. */
export interface Party {
	party: string;
	/** Counts from 1, or in some forms from 0; a co-borrower is borrower 2. */
	number: number;
}

/** What a name says: its party, and the words of its type in their order. */
interface Meaning {
	party?: Party;
	types: Set<string>;
}

/**
 * The words of a name: capital letters begin one, and so do digits. "[1]" is one, too, since the second
 * field of a name may be the second signer's; "coborrower" is two.
 */
const splitName = (name: string): string[] =>
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
const listWords = (name: string): string[] => splitName(name).filter((word) => !FILLERS.has(word));

/**
 * Reads the party at a place among words, and where its number stands: a number elsewhere may count the
 * signatures of one signer, "First" may be of a name, and "Co" a company.
 */
function readParty(words: readonly string[], at: number): { party?: Party; numberAt?: number } {
	const party = PARTY_OF.get(words[at]);
	if (party === undefined) return {};
	const isBehind = /^\d{1,2}$/.test(words[at + 1] ?? '');
	const numberAt = ORDINALS.has(words[at - 1]) ? at - 1 : at + 1;
	const number = ORDINALS.get(words[at - 1]) ?? (isBehind ? Number(words[at + 1]) : undefined);
	return { party: { party, number: number ?? 1 }, ...(number !== undefined && { numberAt }) };
}

/** The parties that a text speaks of, whatever else it says. */
export function listParties(text: string): Party[] {
	const words = listWords(text);
	return words.flatMap((_word, at) => readParty(words, at).party ?? []);
}

/** @returns undefined when a word isn't known, or the name says two things */
function readMeaning(name: string): Meaning | undefined {
	const words = listWords(name);
	const partyAt = words.findIndex((word) => PARTY_OF.has(word));
	const { party, numberAt } = readParty(words, partyAt);
	const typeWords = words.filter((_word, at) => at !== partyAt && at !== numberAt);
	if (!typeWords.every((word) => TYPE_OF.has(word))) return undefined;
	return { ...(party && { party }), types: listTypes(typeWords) };
}

const listTypes = (words: readonly string[]): Set<string> =>
	new Set(words.flatMap((word) => TYPE_OF.get(word) ?? []));

/** Whether somebody signs at a text field, as its name says it, whoever that is. */
export function isForSignature(name: string): boolean {
	const key = [...listTypes(splitName(name))].sort().join(' ');
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

/**
 * The signer who is a party: whose external ID says it. Where the node has numbered the signers, the
 * number tells, if the fields of the file are for one party, and for each of the signers.
 * @param ids external IDs of the signers
 * @param parties for whom the file has fields
 */
export function findSignerId(
	{ party, number }: Party,
	ids: readonly string[],
	parties: readonly Party[],
): string | undefined {
	const hasFields = (counted: number) =>
		parties.some((partyOfFile) => isSameParty(partyOfFile, { party, number: counted }));
	// A form that counts from 0 means the first one by it.
	if (hasFields(0)) return undefined;
	if (party === 'notary') return number === 1 ? 'notary' : undefined;
	if (party === 'witness') return `witness${number}`;
	const signers = ids.map((id) => parseParty(id));
	const fitting = ids.filter((_id, at) => isSameParty(signers[at], { party, number }));
	if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
	const isOnly = parties.every(
		(partyOfFile) => partyOfFile.party === party || OFFICIALS.has(partyOfFile.party),
	);
	const areNumbered = signers.every(
		(signer) => signer?.party === 'signer' && hasFields(signer.number),
	);
	return isOnly && areNumbered ? ids.find((_id, at) => signers[at]?.number === number) : undefined;
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

const isSameParty = (left: Party | undefined, right: Party): boolean =>
	left?.party === right.party && left.number === right.number;

/** The rest of a sentence that ends on a line of its own, or an enumeration. */
const PROSE = /^\p{Ll}|[.,;]$/u;

/** How many words a label has at most. */
const MOST_WORDS = 6;

/**
 * Reads a label such as "Borrower's Signature": its type, and the party as people call it.
 * @returns undefined for a text that is no label of a place
 */
export function readLabel(text: string): { type: string; party?: string } | undefined {
	if (PROSE.test(text)) return undefined;
	const words = splitName(text);
	const types = listTypes(words);
	if (types.size === 0 || words.length > MOST_WORDS) return undefined;
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
