import {
	FORM_FIELDS,
	isPerson,
	isSameOwner,
	type Owner,
	type Person,
	type RowKind,
	type ColumnTarget,
} from './rowFields';
import {
	ADDRESS_WORDS,
	COMPANY_WORDS,
	PERSON_ADDRESSES,
	PEOPLE,
	PERSON_WORDS,
	cleanHeading,
	ORDINALS,
	PROPERTY_WORDS,
	CONTACT_ROLES,
} from './words';

/* Says what the headings of a sheet mean: by lookups in maps that are made of the tables of words. */

/** What a heading means. Without a target, its column fills in nothing. */
export interface HeadingMeaning {
	target?: ColumnTarget;
	/** What it tells where it doesn't say whose it is. */
	bare?: string;
	/** It may be a second person, of whom it doesn't say who it is. */
	isUnclear?: boolean;
	/** Who there is, or isn't: it's a check box. */
	asksFor?: Person;
	/** It's of the property in rows that have the same street for both addresses. */
	isBesideStreet?: boolean;
}

/** What says who somebody is. */
export const IDENTIFYING = ['email', 'name', 'first_name', 'last_name'];
const MOST_NUMBERED = 10;

/** Whatever is told of somebody, addresses included: "mailing city" is `mailing_city`. */
const ATTRIBUTES = new Map([...PERSON_WORDS, ...COMPANY_WORDS]);
for (const addressKind of PERSON_ADDRESSES)
	for (const [word, part] of ADDRESS_WORDS)
		ATTRIBUTES.set(
			addressKind === 'address' ? word : `${addressKind} ${word}`,
			`${addressKind}_${part}`,
		);

/** Who a word may be: borrower, second borrower, borrower 3, co borrower 2. */
function* listOrdinals(word: string): Generator<[who: string, number: number]> {
	yield [word, 1];
	for (const [place, number] of ORDINALS) yield [`${place} ${word}`, Number(number)];
	for (let number = 1; number <= MOST_NUMBERED; number++) {
		yield [`${word} ${number}`, number];
		// The first co-borrower is the second borrower.
		yield [`co ${word} ${number}`, number + 1];
	}
}

/** Whose a column is, by the words in its heading. */
const OWNERS = new Map<string, Owner>(PROPERTY_WORDS.map((word) => [word, 'property']));
/** Whole headings: the fields of each kind, and people, who alone are their names. */
const WHOLE_HEADINGS = {
	closing: new Map<string, ColumnTarget>(),
	transaction: new Map<string, ColumnTarget>(),
};

const addName = (heading: string, owner: Owner, name = 'name') => {
	for (const whole of Object.values(WHOLE_HEADINGS)) whole.set(heading, { owner, name });
};
for (const [word, side] of PEOPLE)
	for (const [ownerWords, number] of listOrdinals(word)) {
		const person = { side, number, isSpouse: side === 'spouse' };
		const spouse = { side, number, isSpouse: true };
		OWNERS.set(ownerWords, person).set(`${ownerWords} spouse`, spouse);
		// Clients, applicants and homeowners may be organizations.
		if (word === side && side !== 'client') addName(ownerWords, person);
		addName(`${ownerWords} spouse`, spouse);
	}
for (const [word, role] of CONTACT_ROLES) {
	const owner = role === 'nobody' ? word : role;
	OWNERS.set(word, owner);
	addName(word, owner);
}
addName('title company', 'title_agent', 'organization_name');
for (const kind of ['closing', 'transaction'] as const)
	for (const { headings, target } of FORM_FIELDS[kind])
		for (const heading of headings) WHOLE_HEADINGS[kind].set(heading, target);

/** What a heading means wherever it stands. */
function findMeaning(plain: string, kind: RowKind): HeadingMeaning {
	const target = WHOLE_HEADINGS[kind].get(plain);
	if (target !== undefined) return { target };
	const words = plain.split(' ');
	for (let place = 1; place < words.length; place++) {
		const [before, after] = [words.slice(0, place).join(' '), words.slice(place).join(' ')];
		for (const [ownerWords, attributeWords] of [
			[before, after],
			[after, before.replace(/ of$/, '')],
		]) {
			const [owner, name] = [OWNERS.get(ownerWords), ATTRIBUTES.get(attributeWords)];
			if (owner !== undefined && name !== undefined) return { target: { owner, name } };
		}
	}
	const attributeName = ATTRIBUTES.get(plain);
	if (attributeName !== undefined && !NEVER_BARE.includes(plain)) return { bare: attributeName };
	const [, asking, people = ''] = ABOUT_PEOPLE.exec(plain) ?? [];
	const person = OWNERS.get(people);
	if (isPerson(person)) return ADDING.test(asking) ? { isUnclear: true } : { asksFor: person };
	const [, first, number] = /^(.+) (\d+)$/.exec(plain) ?? [];
	if (first === undefined) return {};
	const meaning = findMeaning(first, kind);
	if (number === '1') return meaning;
	// A second name is somebody else's. A second email address or phone usually isn't.
	return isName(meaning.target?.name ?? meaning.bare ?? '') ? { isUnclear: true } : {};
}

/** Has Co-Borrower, Is There a Spouse, Other Co-Borrowers, Additional Signer Names. */
const ABOUT_PEOPLE =
	/^(has|is there|any|other|additional|further|more) (?:an? )?(.+?)s?(?: names?)?$/;
const ADDING = /^(?:other|additional|further|more)$/;
/** Alone, they are the mortgage insurance, something else, and the number of the loan. */
const NEVER_BARE = ['mi', 'fn', 'ln'];
const isName = (name: string) => /^(?:(?:first|middle|last)_)?name$/.test(name);
const isAddress = (name: string) =>
	PERSON_ADDRESSES.some((addressKind) => name.startsWith(`${addressKind}_`)) &&
	name !== 'home_phone';
/** A street in the heading, e.g. Lender Address, unless it's no place. */
const STREET = /(?<!^(?:ip|web|website|mac)) (?:address|street)(?: \d| line \d)?$/;
/** What all headings of a sheet say together. */
interface SheetHeadings {
	kind: RowKind;
	targets: ColumnTarget[];
	/** What is told without saying whose it is. */
	bareNames: string[];
	/** Whether an address is of somebody who isn't known. */
	hasForeign: boolean;
	/** What is told of a person in more words than are known: the email of Borrower Work Email. */
	unknownNames: string[];
}

/** Says what each heading of a sheet means. */
export function findMeanings(headings: string[], kind: RowKind): Map<string, HeadingMeaning> {
	const plain = headings.map(cleanHeading);
	const meanings = plain.map((heading) => findMeaning(heading, kind));
	const unknown = plain.filter((_heading, index) => Object.keys(meanings[index]).length === 0);
	const sheet: SheetHeadings = {
		kind,
		targets: meanings.flatMap(({ target }) => target ?? []),
		bareNames: meanings.flatMap(({ bare: name }) => name ?? []),
		hasForeign: plain.some(
			(heading, index) =>
				STREET.test(heading) &&
				meanings[index].target === undefined &&
				!isPlace(meanings[index].bare ?? ''),
		),
		unknownNames: unknown.flatMap((heading) => UNKNOWN_NAME.exec(heading)?.[1] ?? []),
	};
	return new Map(
		headings.map((heading, index) => {
			const { bare: name } = meanings[index];
			return [heading, name === undefined ? meanings[index] : findBareMeaning(name, sheet)];
		}),
	);
}

/** Who somebody is, behind the word for a person. Names of companies aren't a person's. */
const UNKNOWN_NAME = new RegExp(
	`^(?!.*\\b(?:bank|business|company|employer|entity|firm|organization|trust)\\b).*\\b(?:${[...PEOPLE.keys()].join('|')})\\b.* (email|name)$`,
);

/** Whether it's a part of an address that doesn't say which one. */
const isPlace = (name: string) => name.startsWith('address_');
/** The parts of an address that one column may have. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
	address_city_state_zip: ['address_city', 'address_state', 'address_zip'],
	address_full: ['address_line1', 'address_city', 'address_state', 'address_zip'],
};
const listParts = (name: string) => PARTS[name] ?? [name];

/** What a column means that doesn't say whose it is. It counts only where it can mean one thing. */
function findBareMeaning(name: string, sheet: SheetHeadings): HeadingMeaning {
	if (sheet.kind === 'closing' && isPlace(name)) return findPlaceMeaning(name, sheet);
	const owner = findPerson(name, sheet);
	return owner === undefined ? { bare: name } : { target: { owner, name } };
}

const hasTarget = (
	{ targets }: SheetHeadings,
	owner: Owner,
	matches: (name: string) => boolean,
): boolean => targets.some((target) => isSameOwner(target.owner, owner) && matches(target.name));

/**
 * Of a closing, an address is the property's, unless it may be somebody's. Beside the street of the
 * property, another street is somebody's, and so is what the property has already.
 */
function findPlaceMeaning(name: string, sheet: SheetHeadings): HeadingMeaning {
	const { targets, bareNames, hasForeign } = sheet;
	const isElsewhere = targets.some(
		({ owner, name: targetName }) => owner !== 'property' && isAddress(targetName),
	);
	if (hasForeign || isElsewhere) return { bare: name };
	const ofProperty = targets.filter(({ owner }) => owner === 'property');
	const parts = ofProperty.flatMap((target) => listParts(target.name));
	const isOther = bareNames
		.flatMap((bareName) => (isPlace(bareName) ? listParts(bareName) : []))
		.some((part) => part === 'address_line1' || parts.includes(part));
	return ofProperty.length > 0 && isOther
		? { bare: name, isBesideStreet: true }
		: { target: { owner: 'property', name } };
}

/** Who it is of whom a column tells that doesn't say it; undefined where it isn't certain. */
function findPerson(name: string, sheet: SheetHeadings): Owner | undefined {
	const owners = sheet.targets.map(({ owner }) => owner).filter((owner) => owner !== 'transaction');
	const people = owners.filter(isPerson);
	const sides = [...new Set(people.map(({ side }) => side))].filter((side) => side !== 'spouse');
	const primary = { side: sides[0] ?? 'signer', number: 1, isSpouse: false };
	const isPrimary = (owner: Owner) => isSameOwner(owner, primary);
	const otherOwners = owners.filter((owner) => owner !== 'property' && !isPrimary(owner));
	const isClear = sides.length < 2 && (!people.some(isPrimary) || people.every(isPrimary));
	const isAlike = (otherName: string) => getAttributeKind(otherName) === getAttributeKind(name);
	const isFree = isAddress(name)
		? otherOwners.length === 0 &&
			!(isPlace(name) && (sheet.hasForeign || owners.includes('property')))
		: UNOWNED_ATTRIBUTES.test(name) &&
			otherOwners
				.filter((owner) => name !== 'dob' || isPerson(owner))
				.every((owner) => hasTarget(sheet, owner, isAlike));
	// A second email address or name without a word for the person is somebody else's.
	const isTaken = [
		name,
		...sheet.bareNames.filter((bareName) => IDENTIFYING.includes(bareName)),
	].some((takenName) => hasTarget(sheet, primary, (targetName) => targetName === takenName));
	return isClear && isFree && !isTaken && !sheet.unknownNames.some(isAlike) ? primary : undefined;
}

/** What may be told of a person whom the heading doesn't name. */
const UNOWNED_ATTRIBUTES =
	/^(?:(?:first_|middle_|last_)?name|email|(?:cell_|mobile_|home_)?phone|dob)$/;
/** Names are alike, and so are phones. */
const getAttributeKind = (name: string) =>
	isName(name) ? 'name' : name.replace(/^(?:cell|mobile|home)_phone$/, 'phone');
