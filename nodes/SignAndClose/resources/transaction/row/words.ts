/*
 * The words in which sheets and loan systems name what a transaction needs, as parts of a heading
 * such as "Co-Borrower First Name".
 */

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

/**
 * What a row tells of each signer: what the form calls it, and what else sheets write after the
 * person in a heading.
 */
export const SIGNER_FIELDS: Readonly<Record<string, readonly string[]>> = {
	email: ['Email', 'mail'],
	first_name: ['First Name', 'first', 'given name', 'forename'],
	middle_name: ['Middle Name', 'middle', 'middle initial', 'mi'],
	last_name: ['Last Name', 'last', 'surname', 'family name'],
	name: ['Full Name', '', 'name'],
	phone: ['Phone'],
	country_code: ['Phone Country Code', 'country code'],
	external_id: ['External ID', 'id'],
	identity_checks: ['Identity Checks', 'id checks'],
	vesting_type: ['Vesting Type', 'vesting'],
	dob: ['Date of Birth', 'dob', 'birth date', 'birthdate', 'birthday'],
	capacity: ['Capacity'],
	entity: ['Entity'],
	order: ['Order', 'signing order'],
	address_line1: ['Address Line 1', 'address', 'street'],
	address_line2: ['Address Line 2', 'apt', 'apartment', 'suite', 'unit', 'unit number'],
	address_city: ['City', 'town', 'address city'],
	address_state: ['State', 'address state'],
	address_zip: ['Zip Code', 'address zip'],
	address_country: ['Country', 'address country'],
};

/** What is told of a signer, by what stands after the person in a heading. */
export const SIGNER_WORDS = words(SIGNER_FIELDS);

/** What may stand alone, without saying whose it is. */
export const ALONE = new Set(['email', 'first_name', 'middle_name', 'last_name', 'phone', 'dob']);

/** The parts of an address, by what stands after its owner in a heading. */
export const ADDRESS_WORDS: ReadonlyMap<string, string> = new Map(
	[...SIGNER_WORDS].filter(([, name]) => name.startsWith('address_')),
);

/** What is told of a contact, by what stands after the role in a heading. */
export const CONTACT_WORDS = words({
	email: ['email', 'mail'],
	first_name: ['first name'],
	last_name: ['last name', 'surname'],
	phone_number: ['phone'],
	organization_name: ['organization', 'organization name', 'company', 'company name', 'firm'],
	name: ['', 'name', 'full name'],
});
export const CONTACT_FIELDS: ReadonlySet<string> = new Set(CONTACT_WORDS.values());

/** Roles of contacts (docs/service/closings.md#contact-roles), by the words for them. */
export const ROLE_WORDS = words({
	attorney: ['attorney', 'lawyer'],
	closer: ['closer'],
	escrow_officer: ['escrow officer'],
	loan_officer: ['loan officer', 'lo'],
	loan_processor: ['loan processor', 'processor'],
	mortgage_broker: ['mortgage broker', 'broker'],
	real_estate_agent: ['real estate agent', 'realtor'],
	title_agent: ['title agent', 'settlement agent'],
});
export const ROLES: ReadonlySet<string> = new Set(ROLE_WORDS.values());

/** Turns lists of words around: from the word, as `plainHeading` gives it, to what it means. */
function words(lists: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
	return new Map(
		Object.entries(lists).flatMap(([meaning, list]) =>
			list.map((word): [string, string] => [plainHeading(word), meaning]),
		),
	);
}
