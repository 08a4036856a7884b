import type { Borrower } from './findings';

/*
 * The people whom the XML of an eNote names. SMARTDoc 1.02 has them as the mortgage industry's XML of
 * that time does: an element BORROWER with _FirstName, _MiddleName, _LastName and _NameSuffix. Other
 * forms aren't read, because a name that is guessed says nothing.
 */

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What isn't an element, by its first and last characters. */
const SKIPPED: Array<[begin: string, end: string]> = [
	['<!--', '-->'],
	['<![CDATA[', ']]>'],
	['<?', '?>'],
];

/**
 * Reads the borrowers of an eNote.
 * @returns undefined when the text isn't XML, or names nobody in this form
 */
export function parseBorrowers(xml: string): Borrower[] | undefined {
	const borrowers: Borrower[] = [];
	for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
		const skipped = SKIPPED.find(([begin]) => xml.startsWith(begin, at));
		const end = skipped === undefined ? findTagEnd(xml, at) : xml.indexOf(skipped[1], at);
		if (end < 0) return undefined;
		if (
			skipped === undefined &&
			/^<(?:[\w.-]{1,50}:)?BORROWER[\s/>]/.test(xml.slice(at, at + 62))
		) {
			const borrower = parseBorrower(xml.slice(at, end));
			if (borrower === undefined) return undefined;
			borrowers.push(borrower);
		}
		at = end;
	}
	return borrowers.length > 0 ? borrowers : undefined;
}

/** Where a tag ends: at the first > that no quotes enclose. */
function findTagEnd(xml: string, begin: number): number {
	let quote = '';
	for (let at = begin; at < xml.length; at++) {
		const letter = xml[at];
		if (quote !== '') quote = letter === quote ? '' : quote;
		else if (letter === '"' || letter === "'") quote = letter;
		else if (letter === '>') return at;
	}
	return -1;
}

/** @returns undefined when first or last name are missing, or can't be read */
function parseBorrower(tag: string): Borrower | undefined {
	const attributes = new Map(
		[...tag.matchAll(/\s([\w.:-]{1,50})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
			([, name, double, single]) => [name, decodeValue(double ?? single)],
		),
	);
	const [first, middle, last, suffix] = [
		'_FirstName',
		'_MiddleName',
		'_LastName',
		'_NameSuffix',
	].map((name) => (attributes.has(name) ? attributes.get(name) : ''));
	if (middle === undefined || suffix === undefined) return undefined;
	return first && last ? { first, middle, last, suffix } : undefined;
}

/** A value without the names of characters; undefined when it has one that the file itself defines. */
function decodeValue(value: string): string | undefined {
	let isKnown = true;
	const text = value.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,50});/gi, (_all, name: string) => {
		const code = name.startsWith('#')
			? Number(name.replace(/^#x/i, '0x').replace('#', ''))
			: ENTITIES[name]?.charCodeAt(0);
		if (code !== undefined && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
		isKnown = false;
		return '';
	});
	return isKnown ? text.trim() : undefined;
}
