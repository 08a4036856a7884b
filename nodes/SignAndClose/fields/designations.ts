import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../core/params';
import { InputFailure } from '../service/failures';
import { asObject } from '../service/wire';
import { collection, flag, readCollection, rows, text, titleOf } from './collection';

/** Where to sign (interface.md §2, Signing designation; gaps.md §4): rows, or JSON as another system gives it. */

/** gaps.md §4: who may complete which. */
const TYPES: Array<[string, string[]]> = [
	['', ['checkmark', 'date_signed', 'day_signed', 'first_name', 'free_text', 'full_name', 'initials', 'last_name', 'middle_name', 'month_signed', 'radio_checkmark', 'signature', 'signature_and_date', 'year_signed']],
	['Signer', ['address_city', 'address_line1', 'address_line2', 'address_state', 'address_zip5', 'dob', 'email', 'representative_capacity_type']],
	['Notary', ['commission_county', 'commission_expiration_date', 'commission_state', 'county', 'disclosure', 'notary_city', 'notary_id', 'principal_id_type', 'seal']],
];

const typeOptions = TYPES.flatMap(([who, types]) => types.map((value) => ({ name: `${who === '' ? '' : `${who}: `}${toTitle(value)}`, value }))).sort((a, b) => a.name.localeCompare(b.name));

function toTitle(type: string): string {
	const special: Record<string, string> = { dob: 'Date of Birth', notary_id: 'Notary ID', principal_id_type: 'Principal ID Type', signature_and_date: 'Signature and Date' };
	return special[type] ?? titleOf(type);
}

const whole = (displayName: string, name: string, initial: number, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: 0 },
	default: initial,
	description,
});

const details: INodeProperties[] = [
	text('Conditional On', 'conditional_on_primary', 'owns-other-property', 'The identifier of the optional designation that makes this one necessary'),
	text('Group', 'signing_designation_group', 'either-or', "A group of 'Designation Groups'. Not together with 'Optional'."),
	text('Hint', 'hint', 'Your initials', 'Text that is shown at this place'),
	text('Identifier', 'primary_designation_identifier', 'owns-other-property', 'A name of your own that conditional designations refer to'),
	text('Instruction', 'instruction', 'Enter the amount', 'What the signer is asked to do'),
	flag('Optional', 'optional', 'Whether the signer may leave it out'),
];

const row: INodeProperties[] = [
	{
		displayName: 'Signer Name or ID',
		name: 'signer_identifier',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getSigners', loadOptionsDependsOn: ['platform', 'transactionId.value'] },
		default: '',
		description: 'Who signs here: the external ID of a signer, "notary", "witness1" ... Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{ displayName: 'Type', name: 'type', type: 'options', options: typeOptions, default: 'signature', description: 'What belongs here. Use an expression for a type that is not in the list.' },
	{ displayName: 'Page', name: 'page', type: 'number', typeOptions: { minValue: 1 }, default: 1, description: 'Number of the page; the first page is 1' },
	whole('From Left', 'x', 72, 'Distance from the left edge of the page, in points (72 points are one inch)'),
	whole('From Bottom', 'y', 72, 'Distance from the bottom edge of the page, in points (72 points are one inch)'),
	whole('Width', 'width', 180, 'In points'),
	whole('Height', 'height', 24, 'In points'),
	collection('Details', 'details', details),
];

export const designationProperties: INodeProperties[] = [
	{
		displayName: 'Specify Designations',
		name: 'specifyDesignations',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'How to say where the document is signed',
	},
	rows('Designations', 'designations', 'Designation', row, {
		displayOptions: { show: { specifyDesignations: ['fields'] } },
		description: 'Where the document is signed. Designations can be given for a draft only, and each signer needs an external ID.',
	}),
	{
		displayName: 'Designations (JSON)',
		name: 'designationsJson',
		type: 'json',
		default: '[]',
		typeOptions: { rows: 6 },
		displayOptions: { show: { specifyDesignations: ['json'] } },
		placeholder: 'e.g. [{"signer_identifier": "borrower-1", "type": "signature", "page_number": 0, "x": 72, "y": 96, "width": 180, "height": 24}]',
		description:
			'Where to sign, as a JSON array. Positions are in points (1/72 inch) from the bottom left of the page, pages count from 0. The signer is named by the external ID, a notary by "notary"',
	},
];

const NUMBERS = ['page_number', 'x', 'y', 'width', 'height'] as const;

export interface ReadDesignations {
	designations: IDataObject[];
	/** Positions with fractions were rounded: live services take whole points only (gaps.md §4). */
	rounded: boolean;
}

/**
 * Reads the designations of an item, from rows or JSON.
 * @returns undefined when there are none
 * @throws InputFailure naming the designation by its number, from 1
 */
export function readDesignations(params: Params): ReadDesignations | undefined {
	const asJson = params.text('specifyDesignations') === 'json';
	const label = params.label(asJson ? 'designationsJson' : 'designations');
	const value = asJson ? params.json('designationsJson') : params.rows('designations').map((values) => fromRow(params, values));
	if (value === undefined) return undefined;
	if (!Array.isArray(value)) throw new InputFailure(label, 'is not a JSON array', 'Put the designations in square brackets: [{ ... }, { ... }]');
	if (value.length === 0) return undefined;
	const read = value.map((entry: unknown, index) => readOne(entry, asJson ? IN_JSON : IN_ROWS, (what, remedy) => new InputFailure(label, `, designation ${index + 1}: ${what}`, remedy)));
	const designations = read.map(({ designation }) => designation);
	checkConditions(designations, label);
	return { designations, rounded: read.some(({ rounded }) => rounded) };
}

/** A row counts pages from 1, as people do. */
function fromRow(params: Params, { page, details: more, ...values }: IDataObject): IDataObject {
	return { ...values, page_number: Number(page) - 1, ...readCollection(params, asObject(more), details) };
}

/** What the fields are called where they were filled in. */
const IN_JSON: Record<string, string> = { signer_identifier: '"signer_identifier"', type: '"type"', page_number: '"page_number"', x: '"x"', y: '"y"', width: '"width"', height: '"height"' };
const IN_ROWS: Record<string, string> = { signer_identifier: "'Signer Name or ID'", type: "'Type'", page_number: "'Page'", x: "'From Left'", y: "'From Bottom'", width: "'Width'", height: "'Height'" };

function readOne(entry: unknown, names: Record<string, string>, complain: (what: string, remedy: string) => InputFailure): { designation: IDataObject; rounded: boolean } {
	if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw complain('it is no object', 'Write each designation in braces: {"type": "signature", ...}');
	const designation: IDataObject = { ...(entry as IDataObject) };
	for (const field of ['signer_identifier', 'type'] as const) {
		// An external ID may be a number to the person who made it.
		const value = typeof designation[field] === 'number' ? String(designation[field]) : designation[field];
		designation[field] = value;
		if (typeof value !== 'string' || value.trim() === '') {
			throw complain(`${names[field]} is missing`, field === 'type' ? 'Choose what belongs there, e.g. "signature"' : 'Name the signer by the external ID, or "notary"');
		}
	}
	if (designation.optional === true && designation.signing_designation_group !== undefined) {
		throw complain('it is optional and in a group', 'Choose one of them: the group says how many of its designations are needed');
	}
	let rounded = false;
	for (const field of NUMBERS) {
		const given = designation[field];
		const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
		if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
			const first = names === IN_ROWS && field === 'page_number' ? 1 : 0;
			const what = field === 'page_number' ? `Enter the number of the page; the first page is ${first}` : `Enter ${names[field]} as a number of points`;
			throw complain(`${names[field]} is ${given === undefined ? 'missing' : `not a number from ${first} on`}`, what);
		}
		designation[field] = Math.round(number);
		rounded ||= designation[field] !== number;
	}
	return { designation, rounded };
}

/** A conditional designation needs its trigger in the same document (interface.md §4, designation rule 2). */
function checkConditions(designations: IDataObject[], label: string): void {
	const triggers = new Set(designations.filter((entry) => entry.optional === true).map((entry) => entry.primary_designation_identifier));
	for (const [index, { conditional_on_primary: on }] of designations.entries()) {
		if (on !== undefined && !triggers.has(on)) {
			throw new InputFailure(
				label,
				`, designation ${index + 1}: no optional designation has the primary_designation_identifier '${String(on)}'`,
				'Give the triggering designation "optional": true and this "primary_designation_identifier"',
			);
		}
	}
}
