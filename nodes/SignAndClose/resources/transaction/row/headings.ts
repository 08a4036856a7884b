import { SERVICE_LIMITS } from '../../../transport/service/limits';
import {
	contactField,
	ROW_FIELDS,
	SIGNER_FIELDS,
	signerField,
	type RowField,
	type RowKind,
} from './rowFields';
import {
	ADDRESS_WORDS,
	ALONE,
	CONTACT_WORDS,
	PERSON_WORDS,
	plainHeading,
	ROLE_WORDS,
} from './words';

/* Recognizes what a column of a row is about by its heading. */

/** What a heading means. */
export interface Meaning {
	field: RowField;
	/** The heading doesn't say whose it is, e.g. "Email": a heading that does counts first. */
	vague?: true;
}

const PEOPLE = '(?:borrower|signer|buyer|seller|applicant|customer|client|recipient|homeowner)';
const FIRST_SIGNER = new RegExp(
	`^(?:(?:primary|main|first) )?${PEOPLE}(?: (?<number>\\d{1,2}))?(?: (?<what>.+))?$`,
);
/** The first of them is the second signer. */
const CO_SIGNER = new RegExp(
	`^(?:co|second|secondary|2nd) ${PEOPLE}(?: (?<number>\\d))?(?: (?<what>.+))?$`,
);
const SPOUSE = /^spouse(?: (?<what>.+))?$/;
const PROPERTY = /^(?:(?:subject )?property|subject|collateral) (?<what>.+)$/;
const CONTACT = new RegExp(`^(?<role>${[...ROLE_WORDS.keys()].join('|')})(?: (?<what>.+))?$`);
const NUMBERED = /^(?<what>.+) (?<number>\d{1,2})$/;

/**
 * Recognizes a heading.
 * @returns undefined when it's about nothing that a new transaction has
 */
export function meaningOf(heading: string, kind: RowKind): Meaning | undefined {
	const plain = plainHeading(heading);
	const field =
		known[kind].get(plain) ??
		(kind === 'closing' ? (contactIn(plain) ?? propertyIn(plain)) : undefined) ??
		signerIn(plain);
	return field === undefined ? vagueIn(plain, kind) : { field };
}

/** Fields by their IDs, names and what sheets call them. */
const namesOf = (kind: RowKind): ReadonlyMap<string, RowField> =>
	new Map(
		ROW_FIELDS[kind].flatMap((field) =>
			[plainHeading(field.id), plainHeading(field.displayName), ...(field.headings ?? [])].map(
				(name): [string, RowField] => [name, field],
			),
		),
	);

const known: Record<RowKind, ReadonlyMap<string, RowField>> = {
	closing: namesOf('closing'),
	transaction: namesOf('transaction'),
};

function signerIn(plain: string): RowField | undefined {
	const co = CO_SIGNER.exec(plain)?.groups;
	if (co !== undefined) return ofSigner(Number(co.number ?? 1) + 1, co.what ?? '');
	const spouse = SPOUSE.exec(plain)?.groups;
	if (spouse !== undefined) return ofSigner(2, spouse.what ?? '');
	const first = FIRST_SIGNER.exec(plain)?.groups;
	return first && ofSigner(Number(first.number ?? 1), first.what ?? '');
}

/** What a word tells of a signer, an address included. */
function ofSigner(number: number, what: string): RowField | undefined {
	const part = ADDRESS_WORDS.get(what.replace(/^(?:mailing|current|home) /, ''));
	const name = PERSON_WORDS.get(what) ?? (part && `address_${part}`);
	const found = SIGNER_FIELDS.find(([known]) => known === name);
	if (found === undefined || number < 1 || number > SERVICE_LIMITS.signers) return undefined;
	return signerField(number, ...found);
}

function contactIn(plain: string): RowField | undefined {
	const { role, what = '' } = CONTACT.exec(plain)?.groups ?? {};
	const [known, name] = [ROLE_WORDS.get(role), CONTACT_WORDS.get(what)];
	return known === undefined || name === undefined ? undefined : contactField(known, name);
}

function propertyIn(plain: string): RowField | undefined {
	const what = PROPERTY.exec(plain)?.groups?.what;
	return what === undefined ? undefined : ofProperty(what);
}

function ofProperty(what: string): RowField | undefined {
	const part = ADDRESS_WORDS.get(what);
	if (part === undefined) return undefined;
	const id = { line1: 'property_address', line2: 'property_address_line2' }[part];
	return ROW_FIELDS.closing.find((field) => field.id === (id ?? `property_${part}`));
}

/** Headings that stand alone: of the first signer, or of the property. */
function vagueIn(plain: string, kind: RowKind): Meaning | undefined {
	const place = kind === 'closing' ? ofProperty(plain) : undefined;
	if (place !== undefined) return { field: place, vague: true };
	const { what = plain, number = '1' } = PERSON_WORDS.has(plain)
		? {}
		: (NUMBERED.exec(plain)?.groups ?? {});
	const name = PERSON_WORDS.get(what);
	const isPlace = kind === 'transaction' && ADDRESS_WORDS.has(plain);
	if (!isPlace && (name === undefined || !ALONE.has(name) || what === '')) return undefined;
	const field = isPlace ? ofSigner(1, plain) : ofSigner(Number(number), what);
	return field && { field, vague: true };
}
