/*
 * The words of headings, in the form that toPlainHeading gives, and what they mean. Nothing else is
 * recognized. docs/rows.md shows these tables; `npm run generate` writes it.
 */

/** From each word of a table to its meaning. A line of the table is a meaning and its words. */
const parseTable = (text: string): ReadonlyMap<string, string> =>
	new Map(
		text
			.trim()
			.split('\n')
			.map((line) => line.trim().split(': '))
			.flatMap(([meaning, words]) => words.split(', ').map((word) => [word, meaning] as const)),
	);

/** People who sign, by the side that they're on. A client may be an organization. */
export const PEOPLE = parseTable(`
	borrower: borrower, applicant
	buyer: buyer, purchaser
	seller: seller
	signer: signer
	client: client, customer, homeowner
	spouse: spouse, non borrowing spouse
`);

/** Which person of a side it is, by the word before: co-borrower, second buyer. */
export const ORDINALS = parseTable(`
	1: primary, main, first, 1st
	2: co, joint, second, secondary, 2nd
	3: third, 3rd
	4: fourth, 4th
`);

/** What a sheet tells of a person. */
export const PERSON_WORDS = parseTable(`
	name: name, full name, legal name, full legal name
	email: email
	first_name: first name, first, given name, legal first name, fn
	middle_name: middle name, middle, middle initial, mi
	last_name: last name, last, surname, family name, legal last name, ln
	cell_phone: cell phone, phone cell, cell, cell number, cell phone number
	mobile_phone: mobile phone, phone mobile, mobile, mobile number, mobile phone number
	phone: phone, phone number, telephone, telephone number, tel
	home_phone: home phone, phone home, home phone number, home telephone
	country_code: phone country code, country code
	external_id: external id, id
	role: role
	identity_checks: identity checks, id checks
	vesting_type: vesting type, vesting
	dob: date of birth, dob, birth date, birthdate, birthday
	capacity: capacity
	entity: entity
	order: order, signing order
`);

/** The parts of an address. */
export const ADDRESS_WORDS = parseTable(`
	line1: address, address 1, address line 1, street, street 1, street address, street address 1, street address line 1
	line2: address line 2, address 2, street 2, street address 2, street address line 2, apartment, apt, apt number, suite, suite number, unit, unit number, unit apt
	city: city, town, address city
	state: state, st, address state, state province
	zip: zip, address zip
	country: country, address country
	city_state_zip: city state zip, city st zip, city state and zip, city state, city st, csz
	full: full address, complete address, whole address
`);

/** The addresses that a person may have, the one that counts first. The first one has no word of its own. */
export const PERSON_ADDRESSES = ['address', 'current', 'present', 'home', 'mailing'];

/** What the property is called before a part of its address. */
export const PROPERTY_WORDS = [
	'property',
	'prop',
	'subject property',
	'subject prop',
	'subject',
	'subj property',
	'subj prop',
	'collateral',
];

/** What a sheet tells of a contact's organization. */
export const COMPANY_WORDS = parseTable(`
	organization_name: organization, organization name, company, company name, firm
`);

/** Roles of contacts (docs/service/closings.md#contact-roles), and people who are none. */
export const CONTACT_ROLES = parseTable(`
	attorney: attorney, lawyer
	closer: closer
	escrow_officer: escrow officer
	loan_officer: loan officer, lo
	loan_processor: loan processor, processor
	mortgage_broker: mortgage broker, broker
	real_estate_agent: real estate agent, realtor
	buyer_agent: buyer agent
	listing_agent: listing agent, seller agent
	title_agent: title agent, settlement agent
	nobody: agent, assistant, contact, notary, selling agent, witness
`);

/** Words of one meaning, and the one that the tables have. */
const SYNONYMS: Array<[RegExp, string]> = [
	// Dates that are written day first would be read wrong, so their heading isn't known.
	[/ (?:mm dd yyyy|yyyy mm dd)$/g, ''],
	[/\be ?mail(?: (?:address|addr))?\b/g, 'email'],
	[/\baddr\b/g, 'address'],
	[/\b(?:no|nr|nbr|num)\b/g, 'number'],
	[/\b(?:zip (?:or )?)?(?:zip|postal|post) ?code\b|\bpostal\b/g, 'zip'],
	[/\b(first|last|middle)name\b/g, '$1 name'],
	[/\bf ?name\b/g, 'first name'],
	[/\bm ?name\b/g, 'middle name'],
	[/\bl ?name\b/g, 'last name'],
	[/\bph\b/g, 'phone'],
	[/\bco(borrower|borr|bwr|brw|signer|applicant|buyer|purchaser|seller)\b/g, 'co $1'],
	[/\b(?:borr|bwr|brw|borrowers)\b|^b(?= \d)/g, 'borrower'],
];

/**
 * Brings a heading into one form: small letters and single spaces, without punctuation, with one
 * word for what has several.
 */
export function toPlainHeading(heading: string): string {
	let plain = heading
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/['’]s?(?!\p{L})|\(s\)/giu, '')
		.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
		.replace(/#/g, ' number ')
		// The four digits behind a zip code.
		.replace(/\+(?=\s*\d)/g, ' plus ')
		.toLowerCase()
		.replace(/[^\p{L}\d]+/gu, ' ')
		.replace(/(\p{L})(\d)/gu, '$1 $2')
		.trim();
	for (const [word, replacement] of SYNONYMS) plain = plain.replace(word, replacement);
	return plain;
}

/** Longer headings are texts. */
const MOST_CHARACTERS = 100;

/** A field of Salesforce: a package and what marks own fields stand around its name. */
const SALESFORCE_FIELD = /^(?:[a-z\d]+(?:_[a-z\d]+)*__)?([a-z\d]+(?:_[a-z\d]+)*)__p?c$/i;

/** A heading without what systems put around it, and without what n8n adds to headings that clash. */
export function cleanHeading(heading: string): string {
	const cleaned = heading
		.trim()
		.replace(/^Loan\./, '')
		.replace(SALESFORCE_FIELD, '$1');
	if (cleaned.length > MOST_CHARACTERS) return '';
	// Where words are divided by underscores, a number may be a part of the heading.
	return toPlainHeading(/\s/.test(cleaned) ? cleaned.replace(/_\d+$/, '') : cleaned);
}
