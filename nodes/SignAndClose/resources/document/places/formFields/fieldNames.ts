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

const ORDINALS: Record<string, number | undefined> = { first: 1, second: 2, third: 3, fourth: 4 };

/** Words and parts of names that say nothing. */
const FILLERS = new Set(['of', 'the', 'for', 'by', 'here', 'field', 's', 'public']);
const CONTAINER = /^(?:topmost_?subform|(?:sub)?form|page|root|body)\d*$/i;

const mapWords = (table: Record<string, string>): Map<string, string> =>
	new Map(Object.entries(table).flatMap(([key, all]) => all.split(' ').map((word) => [word, key])));

const PARTY_OF = mapWords(PARTIES);
const TYPE_OF = mapWords(TYPE_WORDS);

/** A party of a transaction, such as the second borrower. */
export interface Party {
	party: string;
	/** Counts from 1; a co-borrower is borrower 2. */
	number: number;
}

/** What a name says: its party, and the words of its type in their order. */
interface Meaning {
	party?: Party;
	types: Set<string>;
}

/** The words of a name: capital letters begin one, and so do digits. */
const splitName = (name: string): string[] =>
	name
		.split('.')
		.map((part) => part.replace(/\[\d+\]$/, ''))
		.filter((part) => !CONTAINER.test(part))
		.join(' ')
		.normalize('NFKC')
		.replace(/ʼ/g, "'")
		.replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\d)|(\d)(?=\p{L})/gu, '$& ')
		.toLowerCase()
		.match(/\p{L}+|\d+/gu) ?? [];

/** @returns undefined when a word isn't known, or the name says two things */
function readMeaning(name: string): Meaning | undefined {
	const types = new Set<string>();
	let [party, number, isCo]: [string | undefined, number | undefined, boolean] = [
		undefined,
		undefined,
		false,
	];
	const words = splitName(name).filter((word) => !FILLERS.has(word));
	for (const [index, full] of words.entries()) {
		const isJoined = full.startsWith('co') && PARTY_OF.has(full.slice(2));
		const word = isJoined ? full.slice(2) : full;
		const wordParty = PARTY_OF.get(word);
		const wordType = TYPE_OF.get(word);
		const wordNumber = ORDINALS[word] ?? (/^\d{1,2}$/.test(word) ? Number(word) : undefined);
		if (full === 'co' || isJoined) isCo = true;
		if (wordParty !== undefined) {
			if (party !== undefined && party !== wordParty) return undefined;
			party = wordParty;
		} else if (wordNumber !== undefined) {
			// A number elsewhere may count the signatures of one signer.
			const before = PARTY_OF.has(words[index - 1]?.replace(/^co(?=.)/, '') ?? '');
			const isOrdinal = ORDINALS[word] !== undefined && PARTY_OF.has(words[index + 1] ?? '');
			if (number !== undefined || !(before || isOrdinal)) return undefined;
			number = wordNumber;
		} else if (wordType !== undefined) types.add(wordType);
		else if (full !== 'co') return undefined;
	}
	if (isCo && (party === undefined || number !== undefined)) return undefined;
	return { ...(party && { party: { party, number: number ?? (isCo ? 2 : 1) } }), types };
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
 * The signer who is a party: whose external ID says it. Where the node has numbered the signers, and
 * all fields are for one party, the number tells.
 * @param ids external IDs of the signers
 * @param isOnly whether no other party has fields in the file
 */
export function findSignerId(
	{ party, number }: Party,
	ids: readonly string[],
	isOnly: boolean,
): string | undefined {
	if (party === 'notary') return number === 1 ? 'notary' : undefined;
	if (party === 'witness') return `witness${number}`;
	const parties = ids.map((id) => parseParty(id));
	const fitting = ids.filter((_id, at) => isSameParty(parties[at], { party, number }));
	if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
	const areNumbered = parties.every((signer) => signer?.party === 'signer');
	return isOnly && areNumbered ? ids.find((_id, at) => parties[at]?.number === number) : undefined;
}

/** A party in words. Officials are called as `signer_identifier` calls them, e.g. "witness1". */
export function describeParty({ party, number }: Party): string {
	if (party === 'witness') return `witness${number}`;
	return party === 'notary' && number === 1 ? party : `${party} ${number}`;
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
	const types = new Set(words.flatMap((word) => TYPE_OF.get(word) ?? []));
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
