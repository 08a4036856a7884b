import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Faults } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { asObject, asObjects, isObject } from '../../values/json';
import { numberIn, shownValue } from '../../values/shown';
import { choice, collection, flag, number, parseCollection, rows, text } from '../shared/fields';
import { titleOf } from '../shared/titles';

/*
 * Designations (docs/service/documents.md#designations): rows, or JSON from another system, as they
 * are entered. checks.ts compares them with each other, the file and the transaction.
 */

const words = (text: string): string[] => text.split(' ');

/** Who completes which types of designations (docs/service/documents.md#designation-types). */
export const TYPES = {
	anyone: words(
		'checkmark date_signed day_signed first_name free_text full_name initials last_name middle_name month_signed radio_checkmark signature signature_and_date year_signed',
	),
	signer: words(
		'address_city address_line1 address_line2 address_state address_zip5 dob email representative_capacity_type',
	),
	notary: words(
		'commission_county commission_expiration_date commission_state county disclosure notary_city notary_id principal_id_type seal',
	),
};

const types = Object.entries(TYPES)
	.flatMap(([who, values]) =>
		values.map((value): [string, string] => [
			`${who === 'anyone' ? '' : `${titleOf(who)}: `}${titleOf(value.replace(`${who}_`, ''))}`,
			value,
		]),
	)
	.sort(([one], [other]) => one.localeCompare(other));

/** Said below the field, because nobody guesses the unit. */
export const POINTS = { hint: "72 points = 1 inch. To use another unit, add 'Unit'." };

/** The rarely used fields of a row. */
export const details: INodeProperties[] = [
	text(
		'Conditional On',
		'conditional_on_primary',
		'owns-other-property',
		'The identifier of the optional designation that makes this one necessary',
	),
	text(
		'Group',
		'signing_designation_group',
		'either-or',
		"A group of 'Designation Groups'. Can't be combined with 'Optional'.",
	),
	text('Hint', 'hint', 'Your initials', 'Text displayed for the designation'),
	text(
		'Identifier',
		'primary_designation_identifier',
		'owns-other-property',
		'Your own name for this designation, which conditional designations refer to',
	),
	text('Instruction', 'instruction', 'Enter the amount', 'What to ask the signer to do'),
	flag('Optional', 'optional', 'Whether completing it is optional'),
];

/** Who completes the designation, and what. */
export const whoAndWhat: INodeProperties[] = [
	{
		displayName: 'Signer Name or ID',
		name: 'signer_identifier',
		type: 'options',
		typeOptions: {
			loadOptionsMethod: 'getSigners',
			loadOptionsDependsOn: ['platform', 'transactionId.value'],
		},
		default: '',
		description:
			'By external ID; signers without one aren\'t listed. Also "notary", "witness1" and so on. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	choice(
		'Type',
		'type',
		types,
		"What is filled in here. Use an expression for a type that isn't in the list.",
		{ default: 'signature' },
	),
];

/** How large the designation is. */
export const size: INodeProperties[] = [
	number('Width', 'width', [0, 180], 'Width of the place', POINTS),
	number('Height', 'height', [0, 24], 'Height of the place', POINTS),
];

const row: INodeProperties[] = [
	...whoAndWhat,
	{
		...text('Page', 'page', '2', 'Number of the page, of which the first is 1, or "last"'),
		default: '1',
	},
	number('From Left', 'x', [0, 72], 'Distance from the left edge of the page', POINTS),
	number(
		'From Bottom or Top',
		'y',
		[0, 72],
		"Distance from the bottom edge of the page, or from the top, as 'Measured From' says",
		POINTS,
	),
	...size,
	collection('Details', 'details', details),
];

export const designationRows = rows(
	'Designations',
	'designations',
	'Designation',
	row,
	{
		displayOptions: { show: { whereToSign: ['rows'] } },
		placeholder: 'Add Designation (Where to Sign)',
		description:
			'Where the document is signed. Checked before anything is sent: against the transaction, and against the pages of the file, except for templates. Only for drafts.',
	},
	['signer_identifier', 'type', 'page', 'x', 'y'],
);

export const designationsJson: INodeProperties = {
	displayName: 'Designations (JSON)',
	name: 'designationsJson',
	type: 'json',
	default: '[]',
	typeOptions: { rows: 6 },
	displayOptions: { show: { whereToSign: ['json'] } },
	placeholder:
		'e.g. [{"signer_identifier": "borrower-1", "type": "signature", "page_number": 0, "x": 72, "y": 96, "width": 180, "height": 24}]',
	description:
		'Where the document is signed, as a JSON array in the form of the service. The first page is 0; "last" works, too. A signer is named by the external ID, the notary by "notary".',
};

/** A designation on its way into the request. */
export interface Entry {
	/** Where it was entered: its number, from 1. */
	row: number;
	/** The fields of the request that don't say where it is. */
	designation: IDataObject;
	/** The page, from 1. */
	page?: number | 'last';
	/** Its place as entered. What isn't a number is left out. */
	box: { x?: number; y?: number; width?: number; height?: number };
}

/** How messages name designations and their fields. */
export interface Telling {
	/** Notes a fault of a row. */
	complain(row: number, what: string, remedy: string): void;
	/** A field of the request, or of a row. */
	named(field: string): string;
}

/**
 * Makes what names the rows of a parameter.
 * @param fields of a row; without them, fields are those of the request
 */
export function tellingOf(faults: Faults, label: string, fields?: INodeProperties[]): Telling {
	return {
		complain(number, what, remedy) {
			faults.note(new InputFailure(label, `, entry ${number}: ${what}`, remedy));
		},
		named(field) {
			const name = field === 'page_number' ? 'page' : field;
			const own = fields?.find((property) => property.name === name);
			return own === undefined ? `"${field}"` : `'${own.displayName}'`;
		},
	};
}

/**
 * Parses the designations of an item, from rows or JSON.
 * @param asJson whether they are JSON
 * @param faults gets what can't be used, each with its number
 */
export function parseDesignations(
	params: Params,
	asJson: boolean,
	faults: Faults,
): { entries: Entry[]; telling: Telling } {
	const label = params.label(asJson ? 'designationsJson' : 'designations');
	const telling = tellingOf(faults, label, asJson ? undefined : row);
	const given =
		faults.collect(() =>
			asJson ? params.json('designationsJson') : params.rows('designations'),
		) ?? [];
	if (!Array.isArray(given)) {
		const remedy = 'Put the designations in square brackets: [{ ... }, { ... }]';
		faults.note(new InputFailure(label, 'must be a JSON array', remedy));
		return { entries: [], telling };
	}
	const entries = (given as unknown[]).flatMap((each, index): Entry[] => {
		if (!isObject(each)) {
			const remedy = 'Write each designation in braces: {"type": "signature", ...}';
			telling.complain(index + 1, 'must be an object', remedy);
			return [];
		}
		if (asJson) return [parseOne({ ...each }, index + 1, 0, telling)];
		const { page, details: more, ...values } = each;
		const detailed = faults.collect(() => parseCollection(params, asObject(more), details));
		return [parseOne({ ...values, page_number: page, ...detailed }, index + 1, 1, telling)];
	});
	return { entries, telling };
}

/** @param first the number of the first page */
function parseOne(given: IDataObject, row: number, first: 0 | 1, telling: Telling): Entry {
	const { page_number: pageNumber, x, y, width, height, ...rest } = given;
	const { complain, named } = telling;
	const isLast = typeof pageNumber === 'string' && /^\s*last\s*$/i.test(pageNumber);
	const page = numberIn(pageNumber);
	const isPage = isLast || (Number.isInteger(page) && page >= first);
	if (!isPage)
		complain(
			row,
			`${named('page_number')} is ${pageNumber === undefined ? 'missing' : `not a number from ${first} on`}`,
			`Enter the number of the page, of which the first is ${first}, or "last"`,
		);
	return {
		row,
		designation: parseWho(rest, row, telling),
		...(isPage && { page: isLast ? 'last' : page + 1 - first }),
		box: parseBox({ x, y, width, height }, row, telling),
	};
}

/** Reads the numbers of a place, each from 0 on; a size is above 0. */
export function parseBox(given: IDataObject, row: number, telling: Telling): Entry['box'] {
	const box: IDataObject = {};
	for (const [field, value] of Object.entries(given)) {
		const isSize = field === 'width' || field === 'height';
		const number = numberIn(value);
		if (Number.isFinite(number) && (isSize ? number > 0 : number >= 0)) box[field] = number;
		else
			telling.complain(
				row,
				`${telling.named(field)} is ${value === undefined ? 'missing' : `not a number ${isSize ? 'above 0' : 'from 0 on'}`}`,
				`Enter ${telling.named(field)} as a number`,
			);
	}
	return box;
}

/** Reads who completes the designation, with what, and on which conditions. */
export function parseWho(
	designation: IDataObject,
	row: number,
	{ complain, named }: Telling,
): IDataObject {
	for (const field of ['signer_identifier', 'type']) {
		// An external ID from another system may be a number. The signer's own is trimmed, too.
		const given = designation[field];
		designation[field] = ['number', 'string'].includes(typeof given)
			? shownValue(given).trim()
			: '';
		if (designation[field] === '')
			complain(
				row,
				`${named(field)} is missing`,
				field === 'type'
					? 'Choose what is filled in there, e.g. "signature"'
					: 'Enter the external ID of the signer, or "notary"',
			);
	}
	return designation;
}

/**
 * Puts the group of a designation into it, as the object that the service takes
 * (docs/service/documents.md#designation-groups). A form names it only.
 */
export function withGroup(designation: IDataObject, groups: unknown): IDataObject {
	const { signing_designation_group: given, ...rest } = designation;
	if (typeof given !== 'string') return designation;
	const name = given.trim();
	if (name === '') return rest;
	const group = asObjects(groups).find((entry) => entry.name === name);
	return { ...rest, signing_designation_group: group ?? { name } };
}
