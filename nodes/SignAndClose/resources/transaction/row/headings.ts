import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { contactField, ROW_FIELDS, signerField, type RowField, type RowKind } from './rowFields';
import {
	ADDRESS_WORDS,
	ALONE,
	CONTACT_WORDS,
	plainHeading,
	ROLE_WORDS,
	SIGNER_WORDS,
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
		(kind === 'closing'
			? (contactIn(plain) ?? ofProperty(PROPERTY.exec(plain)?.groups?.what))
			: undefined) ??
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
	const name =
		SIGNER_WORDS.get(what) ?? ADDRESS_WORDS.get(what.replace(/^(?:mailing|current|home) /, ''));
	if (name === undefined || number < 1 || number > SERVICE_LIMITS.signers) return undefined;
	return signerField(number, name);
}

function contactIn(plain: string): RowField | undefined {
	const { role, what = '' } = CONTACT.exec(plain)?.groups ?? {};
	const [known, name] = [ROLE_WORDS.get(role), CONTACT_WORDS.get(what)];
	return known === undefined || name === undefined ? undefined : contactField(known, name);
}

function ofProperty(what = ''): RowField | undefined {
	const part = ADDRESS_WORDS.get(what);
	const place = part?.startsWith('address_line')
		? part.replace('_line1', '')
		: part?.replace('address_', '');
	return ROW_FIELDS.closing.find(({ id }) => id === `property_${place}`);
}

/** Headings that stand alone: of the first signer, or of the property. */
function vagueIn(plain: string, kind: RowKind): Meaning | undefined {
	const place = kind === 'closing' ? ofProperty(plain) : undefined;
	const { what = plain, number = 1 } = SIGNER_WORDS.has(plain)
		? {}
		: (NUMBERED.exec(plain)?.groups ?? {});
	const isKnown = ALONE.has(SIGNER_WORDS.get(what) ?? '') || ADDRESS_WORDS.has(plain);
	const field = place ?? (isKnown ? ofSigner(Number(number), what) : undefined);
	return field && { field, vague: true };
}
