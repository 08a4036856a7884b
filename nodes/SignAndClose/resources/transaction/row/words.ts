/*
 * The words in which sheets and loan systems name what a transaction needs, as parts of a heading
 * such as "Co-Borrower First Name". All of them are in the form that `plainHeading` gives.
 */

/** What is told of a person, by what stands after the person in a heading. */
export const PERSON_WORDS: ReadonlyMap<string, string> = words({
	name: ['', 'name', 'full name'],
	email: ['email', 'mail'],
	first_name: ['first name', 'first', 'given name', 'forename'],
	middle_name: ['middle name', 'middle', 'middle initial', 'mi'],
	last_name: ['last name', 'last', 'surname', 'family name'],
	phone: ['phone'],
	country_code: ['country code', 'phone country code'],
	external_id: ['external id', 'id'],
	identity_checks: ['identity checks', 'id checks'],
	vesting_type: ['vesting', 'vesting type'],
	dob: ['dob', 'date of birth', 'birth date', 'birthdate', 'birthday'],
	capacity: ['capacity'],
	entity: ['entity'],
	order: ['order', 'signing order'],
});

/** What may stand alone, without saying whose it is. */
export const ALONE = new Set(['email', 'first_name', 'middle_name', 'last_name', 'phone', 'dob']);

/** The parts of an address, by what stands after its owner in a heading. */
export const ADDRESS_WORDS: ReadonlyMap<string, string> = words({
	line1: ['address', 'address 1', 'street'],
	line2: ['address 2', 'apartment', 'apt', 'suite', 'unit', 'unit number'],
	city: ['city', 'town', 'address city'],
	state: ['state', 'address state'],
	zip: ['zip', 'address zip'],
	country: ['country', 'address country'],
});

/** What is told of a contact, by what stands after the role in a heading. */
export const CONTACT_WORDS: ReadonlyMap<string, string> = words({
	name: ['', 'name', 'full name'],
	email: ['email', 'mail'],
	first_name: ['first name'],
	last_name: ['last name', 'surname'],
	phone_number: ['phone'],
	organization_name: ['organization', 'organization name', 'company', 'company name', 'firm'],
});

/** Roles of contacts (docs/service/closings.md#contact-roles), by the words for them. */
export const ROLE_WORDS: ReadonlyMap<string, string> = words({
	attorney: ['attorney', 'lawyer'],
	closer: ['closer'],
	escrow_officer: ['escrow officer'],
	loan_officer: ['loan officer', 'lo'],
	loan_processor: ['loan processor', 'processor'],
	mortgage_broker: ['mortgage broker', 'broker'],
	real_estate_agent: ['real estate agent', 'realtor'],
	title_agent: ['title agent', 'settlement agent'],
});

/** Turns lists of words around: from the word to what it means. */
function words(lists: Record<string, string[]>): ReadonlyMap<string, string> {
	return new Map(
		Object.entries(lists).flatMap(([meaning, list]) =>
			list.map((word): [string, string] => [word, meaning]),
		),
	);
}

/** Words of one meaning, and the one that the lists above have. */
const SAME_WORDS: Array<[RegExp, string]> = [
	[/\be mail\b/g, 'email'],
	[/\bemail (?:address|addr)\b/g, 'email'],
	[/\baddr\b/g, 'address'],
	[/\b(?:no|nr|nbr|num)\b/g, 'number'],
	[/\b(?:zip|postal|post) ?code\b|\bpostal\b/g, 'zip'],
	[/\b(first|last|middle)name\b/g, '$1 name'],
	[/\bf ?name\b/g, 'first name'],
	[/\bm ?name\b/g, 'middle name'],
	[/\bl ?name\b/g, 'last name'],
	[/\b(?:mobile|cell|tel|telephone|ph)\b(?: phone\b)?/g, 'phone'],
	[/\bphone number\b/g, 'phone'],
	[/\b(?:street )?(?:address )?line (\d)/g, 'address $1'],
	[/\bstreet (?:address\b ?)?(\d)?/g, 'address $1'],
	[/\b(?:borr|bwr|brw)\b/g, 'borrower'],
	[/\bco(borrower|signer|applicant|buyer)\b/g, 'co $1'],
	[/\bco(?:borr|bwr|brw)\b/g, 'co borrower'],
];

/**
 * Brings a heading into one form: small letters and single spaces, without punctuation, with one
 * word for what has several.
 */
export function plainHeading(heading: string): string {
	let plain = heading
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
		.replace(/#/g, ' number ')
		.toLowerCase()
		.replace(/[^\p{L}\d]+/gu, ' ')
		.replace(/(\p{L})(\d)/gu, '$1 $2')
		.trim();
	for (const [word, same] of SAME_WORDS) plain = plain.replace(word, same);
	return plain.replace(/ +/g, ' ').trim();
}
