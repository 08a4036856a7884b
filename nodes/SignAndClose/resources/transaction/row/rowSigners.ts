import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import type { Params } from '../../../run/parameters/params';
import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { withoutEmpty } from '../../../values/json';
import { shownValue } from '../../../values/shown';
import { rowDetailFields } from '../../signer/form';
import { checkSigners, parseSigner, type ParsedSigner } from '../../signer/input';
import type { Cell, Cells } from './matchColumns';
import { NEEDED, signerField, type RowKind } from './rowFields';
import { SIGNER_FIELDS } from './words';

/* Reads the signers of a row. */

/** What makes a signer of a row, besides what only describes one. */
const WHO = ['email', 'first_name', 'last_name', 'name', 'phone', 'dob'];

/** What the form calls differently. */
const FORM_NAMES: Readonly<Record<string, string>> = {
	phone: 'phone_number',
	identity_checks: 'identityChecks',
	address_zip: 'address_postal',
	vesting_type: 'vestingType',
};
/** What sheets write in another form. */
const WRITTEN: Readonly<Record<string, (value: unknown) => unknown>> = {
	address_zip: zipText,
	vesting_type: snakeCase,
};

/** A signer of a row, as the form would have it. */
export interface RowSigner {
	number: number;
	/** By names of SIGNER_FIELDS. */
	cells: ReadonlyMap<string, Cell>;
}

/** The signers that a row names, in order. */
export function signersOf(cells: Cells): RowSigner[] {
	return Array.from({ length: SERVICE_LIMITS.signers }, (_, index) => {
		const number = index + 1;
		const own = Object.keys(SIGNER_FIELDS).flatMap((name): Array<[string, Cell]> => {
			const cell = cells.get(`signer${number}_${name}`);
			return cell === undefined ? [] : [[name, cell]];
		});
		return { number, cells: new Map(own) };
	}).filter(
		({ number, cells: own }) =>
			number === 1 || WHO.some((name) => own.get(name)?.value !== undefined),
	);
}

/** The fields that a signer lacks. First and last name may come from one column with both. */
export function missingOf({ number, cells }: RowSigner, kind: RowKind) {
	const hasName = cells.get('name')?.value !== undefined;
	return NEEDED[kind]
		.filter((name) => cells.get(name)?.value === undefined && !(hasName && name !== 'email'))
		.map((name) => ({
			field: signerField(number, name),
			cell: cells.get(name) ?? (name === 'email' ? undefined : cells.get('name')),
		}));
}

/**
 * Reads the signers as fields of the request, the primary one first. One without an external ID gets
 * one, because designations refer to signers by it (docs/service/documents.md#signer-identifier).
 * @param assuranceField the service's name for the identity-assurance object
 * @throws InputFailure naming the column
 */
export function parseRowSigners(
	params: Params,
	signers: readonly RowSigner[],
	assuranceField: string,
): ParsedSigner[] {
	const read = signers.map((signer) => {
		const { signer: fields, ...rest } = parseSigner(
			params,
			toForm(signer),
			assuranceField,
			(label) => labelOf(signer, label),
		);
		return { ...rest, signer: { external_id: `signer-${signer.number}`, ...fields } };
	});
	checkSigners(read, params.label('columns'));
	return read;
}

function toForm(signer: RowSigner): IDataObject {
	const form: IDataObject = {};
	const details: IDataObject = {};
	for (const [name, { value }] of signer.cells) {
		if (value === undefined || name === 'name') continue;
		const field = FORM_NAMES[name] ?? name;
		const isDetail = rowDetailFields.some((detail) => detail.name === field);
		(isDetail ? details : form)[field] = (WRITTEN[name]?.(value) ?? value) as string;
	}
	return { ...namesOf(signer), ...form, details };
}

/** Borrower becomes borrower, Non-Borrower becomes non_borrower. */
function snakeCase(value: unknown): string {
	return shownValue(value)
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
}

/**
 * Gives a zip code of a sheet its leading zeros back: a sheet that takes it for a number makes 2110
 * of 02110. Anything else stays as it is.
 */
export function zipText(value: unknown): unknown {
	return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 99_999
		? String(value).padStart(5, '0')
		: value;
}

/** The names of a signer from a column with all of them. */
function namesOf({ cells }: RowSigner): IDataObject {
	const cell = cells.get('name');
	const isGiven = ['first_name', 'last_name'].every((name) => cells.get(name)?.value !== undefined);
	if (cell?.value === undefined || isGiven) return {};
	const names = splitName(String(cell.value));
	if (names === undefined)
		throw new InputFailure(
			cell.label,
			`is '${String(cell.value)}': it isn't certain which part is the last name`,
			'Use one column for the first and one for the last name, or write it as: Last name, first name',
		);
	return names;
}

/** What stands behind a name and isn't one. */
const SUFFIX = /^(?:jr|sr|[iv]+|esq|md|phd)\.?$/i;

/**
 * Splits a name where it's certain how: two words, or the last name before a comma.
 * @returns undefined when it isn't certain, because documents are signed under this name
 */
function splitName(text: string): IDataObject | undefined {
	const [before, after, ...more] = text.split(',').map((part) => part.trim());
	const words = (after ?? before).split(/\s+/).filter((word) => word !== '');
	if (more.length > 0 || words.length === 0 || words.some((word) => SUFFIX.test(word)))
		return undefined;
	if (after === undefined)
		return words.length === 2 ? { first_name: words[0], last_name: words[1] } : undefined;
	if (before === '' || words.length > 2) return undefined;
	return withoutEmpty({ first_name: words[0], middle_name: words[1], last_name: before });
}

/** How messages name a field of a signer: by the heading of its column. */
function labelOf({ number, cells }: RowSigner, label: string): string {
	const [name = ''] = Object.entries(SIGNER_FIELDS).find(([, [title]]) => title === label) ?? [];
	const isName = name === 'first_name' || name === 'last_name';
	const cell = cells.get(name) ?? (isName ? cells.get('name') : undefined);
	return cell?.label ?? `Signer ${number}: ${label}`;
}
