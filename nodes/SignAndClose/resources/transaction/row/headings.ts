import { headingsOf, ROW_FIELDS, type RowKind } from './rowFields';
import {
	ADDRESS_WORDS,
	CONTACT_WORDS,
	OWN_ADDRESSES,
	PEOPLE,
	PERSON_WORDS,
	plainHeading,
	PLACES,
	PROPERTY,
	ROLES,
} from './words';

/* Says what the headings of a sheet mean: exactly, by the tables of words, and whose they are. */

/** What a column is about. */
export interface Target {
	/** `other` says something that the transaction doesn't have, but whose another column isn't. */
	of: 'field' | 'person' | 'contact' | 'other';
	/** A side and a number, e.g. `buyer 2`, the role of a contact, or `property`. */
	owner: string;
	/** A meaning of the tables, or the ID of a field. */
	name: string;
}

/** A column of a sheet. Without a target, it fills in nothing. */
export interface Column {
	heading: string;
	target?: Target;
	/** It may be about a second person, of whom it doesn't say who it is. */
	isUnclear?: boolean;
	/** What it tells where it doesn't say whose it is, and that can't be told from the other columns. */
	vague?: string;
}

/** What says who somebody is. */
export const IDENTIFYING = ['email', 'name', 'first_name', 'last_name'];
/** Spouses are numbered from here on, by the person whose spouse they are. */
export const SPOUSE = 100;

const ALONE = /^(?:(?:first_|middle_|last_)?name|email|(?:cell_|mobile_|home_)?phone|dob)$/;
const WHO = new RegExp(
	`^(?:(?<place>${[...PLACES.keys()].join('|')}) )?(?<word>${[...PEOPLE.keys()].join('|')})(?: (?<number>\\d{1,2}))?(?<spouse> spouse)?$`,
);

/** Whatever is told of people, addresses included: "mailing city" is `mailing_city`. */
const personal: ReadonlyMap<string, string> = new Map([
	...PERSON_WORDS,
	...OWN_ADDRESSES.flatMap((own) =>
		[...ADDRESS_WORDS].map(([word, part]): [string, string] => [
			own === 'address' ? word : `${own} ${word}`,
			`${own}_${part}`,
		]),
	),
]);

const namesOf = (kind: RowKind): ReadonlyMap<string, Target> =>
	new Map(
		ROW_FIELDS[kind].flatMap((field) =>
			field.parameter === undefined
				? []
				: headingsOf(field).map((word): [string, Target] => [
						word,
						{
							of: 'field',
							owner: field.id.startsWith('property_') ? 'property' : '',
							name: field.id,
						},
					]),
		),
	);
const fields = { closing: namesOf('closing'), transaction: namesOf('transaction') };

/** Says what each heading of a sheet means. */
export function columnsOf(headings: string[], kind: RowKind): Column[] {
	const plain = headings.map(plainHeading);
	const read = plain.map((heading) => lookUp(heading, kind));
	const targets = read.flatMap(({ target }) => target ?? []);
	const sheet = { targets, primary: primaryOf(targets), hasForeign: plain.some(isForeignAddress) };
	return headings.map((heading, index) => ({
		heading,
		...(Object.keys(read[index]).length > 0 ? read[index] : bare(plain[index], kind, sheet)),
	}));
}

type Meaning = Omit<Column, 'heading'>;

/** What a heading means wherever it stands. */
function lookUp(plain: string, kind: RowKind): Meaning {
	const field = fields[kind].get(plain);
	if (field !== undefined) return { target: field };
	const own = kind === 'closing';
	for (const [owner, what] of splits(plain)) {
		const part = PROPERTY.has(owner) ? ADDRESS_WORDS.get(what) : undefined;
		if (part !== undefined)
			return {
				target: { of: own ? 'field' : 'other', owner: 'property', name: `property_${part}` },
			};
		const role = ROLES.get(owner);
		const told = CONTACT_WORDS.get(what || 'name');
		if (role !== undefined && told !== undefined) {
			const of = own && role !== 'nobody' ? 'contact' : 'other';
			return { target: { of, owner: role === 'nobody' ? owner : role, name: told } };
		}
		const person = personIn(owner);
		if (person === undefined) continue;
		const name = personal.get(what || (person.canBeName ? 'name' : ''));
		if (name !== undefined) return { target: { of: 'person', owner: person.key, name } };
		if (isNumbered(what)) return { isUnclear: true };
	}
	return isNumbered(plain) ? { isUnclear: true } : {};
}

/** The ways to part a heading: borrower email, email borrower, email of borrower. */
function splits(plain: string): Array<[owner: string, what: string]> {
	const words = plain.split(' ');
	return words.flatMap((_, index): Array<[string, string]> => {
		const [before, after] = [words.slice(0, index + 1), words.slice(index + 1)].map((part) =>
			part.join(' '),
		);
		return [
			[before, after.replace(/(?<=[a-z]) 1$/, (one) => (personal.has(after) ? one : ''))],
			[after, before.replace(/ of$/, '')],
		];
	});
}

/** Whether it's a second or third email address or name. */
const isNumbered = (what: string) =>
	IDENTIFYING.includes(personal.get(/^(.+) (?!1$)\d+$/.exec(what)?.[1] ?? '') ?? '');

function personIn(owner: string): { key: string; canBeName: boolean } | undefined {
	const { place, word, number, spouse } = WHO.exec(owner)?.groups ?? {};
	const side = PEOPLE.get(word);
	if (side === undefined) return undefined;
	const first = Number(PLACES.get(place) ?? 1);
	// The first co-borrower is the second borrower.
	if (number !== undefined && first !== (place === 'co' ? 2 : 1)) return undefined;
	const nth = number === undefined ? first : Number(number) + first - 1;
	const isSpouse = side === 'spouse' || spouse !== undefined;
	return {
		key: `${side} ${isSpouse ? SPOUSE + nth : nth}`,
		canBeName: word === side && side !== 'client',
	};
}

/** The street of somebody who isn't known, e.g. Lender Address. */
function isForeignAddress(plain: string): boolean {
	if (ADDRESS_WORDS.has(plain)) return false;
	const owners = [...ADDRESS_WORDS].flatMap(([word, part]) =>
		part === 'line1' && plain.endsWith(` ${word}`) ? [plain.slice(0, -word.length - 1)] : [],
	);
	return owners.length > 0 && !owners.some((owner) => PROPERTY.has(owner) || NO_OWNER.has(owner));
}

/** What has an address that is no place. */
const NO_OWNER = new Set(['ip', 'web', 'website', 'mac']);

/**
 * The one who is meant where a heading doesn't say whose it is: the only person of the sheet, or the
 * first one where only further ones are named.
 */
function primaryOf(targets: Target[]): string | undefined {
	const people = [
		...new Set(targets.flatMap(({ of, owner }) => (of === 'person' ? [owner] : []))),
	].map((owner) => owner.split(' '));
	const sides = new Set(people.map(([side]) => side).filter((side) => side !== 'spouse'));
	const hasFirst = people.some(([, number]) => number === '1');
	if (sides.size > 1 || (hasFirst && people.length > 1)) return undefined;
	return `${[...sides][0] ?? 'unnamed'} 1`;
}

interface Sheet {
	targets: Target[];
	primary: string | undefined;
	hasForeign: boolean;
}

/** What a heading means that doesn't say whose it is. It counts only where it can mean one thing. */
function bare(plain: string, kind: RowKind, { targets, primary, hasForeign }: Sheet): Meaning {
	const part = ADDRESS_WORDS.get(plain);
	const name = personal.get(plain) ?? personal.get(plain.replace(/ 1$/, '')) ?? '';
	// In a sheet of loans, MI alone is the mortgage insurance.
	if (plain === 'mi' || (!ALONE.test(name) && !isOfAddress(name))) return {};
	const of = (owner: string) => targets.filter((target) => target.owner === owner);
	const people = targets.filter((target) => target.of === 'person');
	if (kind === 'closing' && part !== undefined) {
		const field = `property_${part}`;
		const isTaken = hasForeign || people.some((other) => isOfAddress(other.name));
		if (isTaken || of('property').some((other) => other.name === field)) return { vague: name };
		return { target: { of: 'field', owner: 'property', name: field } };
	}
	const others = targets.filter(
		(other) => other.of !== 'field' && other.owner !== primary && other.owner !== 'property',
	);
	const isFree = isOfAddress(name)
		? others.length === 0 && (part === undefined || !(hasForeign || of('property').length > 0))
		: others
				.filter((other) => name !== 'dob' || other.of === 'person')
				.every(({ owner }) => of(owner).some((other) => isAlike(other.name, name)));
	if (primary === undefined || !isFree || of(primary).some((other) => other.name === name))
		return { vague: name };
	return { target: { of: 'person', owner: primary, name } };
}

const isOfAddress = (name: string) =>
	OWN_ADDRESSES.some((own) => name.startsWith(`${own}_`)) && name !== 'home_phone';

/** Whether both are names, or phones, or the same. */
const isAlike = (one: string, other: string) =>
	[other, 'name', 'phone'].some(
		(end) => other.endsWith(end) && one.replace(/_number$/, '').endsWith(end),
	);
