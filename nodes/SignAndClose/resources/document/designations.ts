import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults, parseEach } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { asObject, asObjects } from '../../values/json';
import {
	choice,
	collection,
	flag,
	number,
	parseCollection,
	rows,
	text,
	titleOf,
} from '../shared/fields';

/*
 * Designations (docs/service/documents.md#designations): rows, or JSON from another system.
 */

/** Who completes which types of designations (docs/service/documents.md#designation-types). */
const TYPES = {
	'': 'checkmark date_signed day_signed first_name free_text full_name initials last_name middle_name month_signed radio_checkmark signature signature_and_date year_signed',
	'Signer: ':
		'address_city address_line1 address_line2 address_state address_zip5 dob email representative_capacity_type',
	'Notary: ':
		'commission_county commission_expiration_date commission_state county disclosure notary_city notary_id principal_id_type seal',
};

const TITLES: Record<string, string> = {
	dob: 'Date of Birth',
	signature_and_date: 'Signature and Date',
};

const types = Object.entries(TYPES)
	.flatMap(([who, values]) =>
		values
			.split(' ')
			.map((value): [string, string] => [`${who}${TITLES[value] ?? titleOf(value)}`, value]),
	)
	.sort(([one], [other]) => one.localeCompare(other));

/** Said below the field, because nobody guesses the unit. */
const POINTS = { hint: 'Points: 72 are one inch' };

/** The rarely used fields of a row. */
const details: INodeProperties[] = [
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
	flag('Optional', 'optional', 'Whether the signer can leave it out'),
];

const row: INodeProperties[] = [
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
			'The external ID of the signer, "notary", "witness1" and so on. Signers without one aren\'t listed: give them one with "Transaction: Correct Signer". Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	choice(
		'Type',
		'type',
		types,
		"What the signer enters here. Use an expression for a type that isn't in the list.",
		{ default: 'signature' },
	),
	number('Page', 'page', [1, 1], 'Number of the page; the first page is 1'),
	number(
		'From Left',
		'x',
		[0, 72],
		'Distance from the left edge of the page, in points (72 points are one inch)',
		POINTS,
	),
	number(
		'From Bottom',
		'y',
		[0, 72],
		'Distance from the bottom edge of the page, in points (72 points are one inch)',
		POINTS,
	),
	number('Width', 'width', [0, 180], 'In points'),
	number('Height', 'height', [0, 24], 'In points'),
	collection('Details', 'details', details),
];

/** The choice between rows and JSON, with the fields of both. */
export const designationProperties: INodeProperties[] = [
	choice(
		'Specify Designations',
		'specifyDesignations',
		[
			['Using Fields Below', 'fields'],
			['Using JSON', 'json'],
		],
		'How to specify where the document is signed',
	),
	rows(
		'Designations',
		'designations',
		'Designation',
		row,
		{
			displayOptions: { show: { specifyDesignations: ['fields'] } },
			placeholder: 'Add Designation (Where to Sign)',
			description: 'Where the document is signed. Only drafts accept designations.',
		},
		['signer_identifier', 'type', 'page', 'x', 'y'],
	),
	{
		displayName: 'Designations (JSON)',
		name: 'designationsJson',
		type: 'json',
		default: '[]',
		typeOptions: { rows: 6 },
		displayOptions: { show: { specifyDesignations: ['json'] } },
		placeholder:
			'e.g. [{"signer_identifier": "borrower-1", "type": "signature", "page_number": 0, "x": 72, "y": 96, "width": 180, "height": 24}]',
		description:
			'Where the document is signed, as a JSON array. Positions are in points (1/72 inch) from the bottom left of the page, and the first page is 0. Use the external ID for a signer and "notary" for the notary.',
	},
];

/** What messages call a field of the request: by its name in JSON, by its label in rows. */
function shownField(field: string, asJson: boolean): string {
	const name = field === 'page_number' ? 'page' : field;
	return asJson ? `"${field}"` : `'${row.find((property) => property.name === name)!.displayName}'`;
}

/**
 * Parses the designations of an item, from rows or JSON.
 * @param groups the groups of the document, as fields of the request
 * @returns undefined when there are none
 * @throws InputFailure naming the designation by its number, from 1
 */
export function parseDesignations(params: Params, groups: unknown = []): IDataObject[] | undefined {
	const asJson = params.choice('specifyDesignations') === 'json';
	const label = params.label(asJson ? 'designationsJson' : 'designations');
	const value = asJson
		? params.json('designationsJson')
		: parseEach(params.rows('designations'), (values) => fromRow(params, values));
	if (value === undefined) return undefined;
	if (!Array.isArray(value))
		throw new InputFailure(
			label,
			'must be a JSON array',
			'Put the designations in square brackets: [{ ... }, { ... }]',
		);
	if (value.length === 0) return undefined;
	const designations = parseEach(value as unknown[], (entry, index) =>
		withGroup(
			parseOne(
				entry,
				asJson,
				(what, remedy) => new InputFailure(label, `, designation ${index + 1}: ${what}`, remedy),
			),
			asObjects(groups),
		),
	);
	checkConditions(designations, label);
	return designations;
}

/** Parses a row. Its pages count from 1, as people count; the service counts from 0. */
const fromRow = (params: Params, { page, details: more, ...values }: IDataObject): IDataObject => ({
	...values,
	page_number: Number(page) - 1,
	...parseCollection(params, asObject(more), details),
});

function parseOne(
	entry: unknown,
	asJson: boolean,
	complain: (what: string, remedy: string) => InputFailure,
): IDataObject {
	if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
		throw complain(
			'must be an object',
			'Write each designation in braces: {"type": "signature", ...}',
		);
	const designation: IDataObject = { ...(entry as IDataObject) };
	const faults = new Faults();
	const note = (what: string, remedy: string) => faults.note(complain(what, remedy));
	const named = (field: string) => shownField(field, asJson);
	for (const field of ['signer_identifier', 'type']) {
		// An external ID from another system may be a number. The signer's own is trimmed, too.
		const given = designation[field];
		designation[field] = ['number', 'string'].includes(typeof given) ? String(given).trim() : '';
		if (designation[field] === '')
			note(
				`${named(field)} is missing`,
				field === 'type'
					? 'Choose what the signer enters there, e.g. "signature"'
					: 'Enter the external ID of the signer, or "notary"',
			);
	}
	const { signer_identifier: signer, optional } = designation;
	if (optional === true && designation.signing_designation_group !== undefined)
		note(
			'is optional and in a group',
			'Choose one of the two: the group already says how many of its designations are needed',
		);
	if (optional === true && signer === 'notary')
		note(
			"is optional and the notary's",
			'Remove one of the two: only designations of signers can be optional',
		);
	for (const field of ['page_number', 'x', 'y', 'width', 'height']) {
		const given = designation[field];
		const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
		// Live services take only integers (docs/service/documents.md#coordinates).
		if (typeof number === 'number' && Number.isFinite(number) && number >= 0)
			designation[field] = Math.round(number);
		else {
			const first = !asJson && field === 'page_number' ? 1 : 0;
			note(
				`${named(field)} is ${given === undefined ? 'missing' : `not a number from ${first} on`}`,
				field === 'page_number'
					? `Enter the number of the page; the first page is ${first}`
					: `Enter ${named(field)} as a number of points`,
			);
		}
	}
	faults.throwIfAny();
	return designation;
}

/**
 * Puts the group of a designation into it, as the object that the service takes
 * (docs/service/documents.md#designation-groups). A form names it only.
 */
function withGroup(designation: IDataObject, groups: IDataObject[]): IDataObject {
	const { signing_designation_group: given, ...rest } = designation;
	if (typeof given !== 'string') return designation;
	const name = given.trim();
	if (name === '') return rest;
	const group = groups.find((entry) => entry.name === name);
	return { ...rest, signing_designation_group: group ?? { name } };
}

/**
 * Checks that each conditional designation has its trigger in the same document
 * (docs/service/documents.md#conditional-designations).
 */
function checkConditions(designations: IDataObject[], label: string): void {
	const triggers = new Set(
		designations
			.filter((entry) => entry.optional === true)
			.map((entry) => entry.primary_designation_identifier),
	);
	parseEach(designations, ({ conditional_on_primary: on }, index) => {
		if (on !== undefined && !triggers.has(on))
			throw new InputFailure(
				label,
				`, designation ${index + 1}: no optional designation has the primary_designation_identifier '${String(on)}'`,
				'Give the triggering designation "optional": true and this "primary_designation_identifier"',
			);
	});
}
