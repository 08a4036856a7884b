import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults, readEach } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { asObject, asObjects } from '../../values/json';
import { readCollection } from '../shared/builders';
import { joined } from '../shared/outputHints';
import { GIVE_EXTERNAL_ID, hasNoExternalId } from '../signer/withoutExternalId';
import { designationDetails } from './designations';

/* Reads and checks the fields for designations (docs/service/documents.md#designations). */

/** Says that positions were rounded. */
const ROUNDED =
	"Positions of designations were rounded to whole points, because the service doesn't accept fractions";

const NUMBERS = ['page_number', 'x', 'y', 'width', 'height'] as const;

interface ReadDesignations {
	designations: IDataObject[];
	/**
	 * Says that positions with fractions were rounded, because live services take only integers
	 * (docs/service/documents.md#coordinates), or that some lie beyond the usual page.
	 */
	hint?: string;
}

/**
 * Reads the designations of an item, from rows or JSON.
 * @param groups the groups of the document, as fields of the request
 * @returns undefined when there are none
 * @throws InputFailure naming the designation by its number, from 1
 */
export function readDesignations(
	params: Params,
	groups: unknown = [],
): ReadDesignations | undefined {
	const asJson = params.choice('specifyDesignations') === 'json';
	const label = params.label(asJson ? 'designationsJson' : 'designations');
	const value = asJson
		? params.json('designationsJson')
		: readEach(params.rows('designations'), (values) => fromRow(params, values));
	if (value === undefined) return undefined;
	if (!Array.isArray(value))
		throw new InputFailure(
			label,
			'must be a JSON array',
			'Put the designations in square brackets: [{ ... }, { ... }]',
		);
	if (value.length === 0) return undefined;
	const names = asJson ? IN_JSON : IN_ROWS;
	const read = readEach(value as unknown[], (entry, index) =>
		readOne(
			entry,
			names,
			(what, remedy) => new InputFailure(label, `, designation ${index + 1}: ${what}`, remedy),
		),
	);
	const designations = read.map(({ designation }) => withGroup(designation, asObjects(groups)));
	checkConditions(designations, label);
	return {
		designations,
		hint: joined([
			read.some(({ rounded }) => rounded) ? ROUNDED : undefined,
			offPageHint(designations, names),
		]),
	};
}

/** Reads a row. Its pages count from 1, as people count; the service counts from 0. */
function fromRow(params: Params, { page, details: more, ...values }: IDataObject): IDataObject {
	return {
		...values,
		page_number: Number(page) - 1,
		...readCollection(params, asObject(more), designationDetails),
	};
}

/** The names of the fields in messages about JSON. */
const IN_JSON: Record<string, string> = {
	signer_identifier: '"signer_identifier"',
	type: '"type"',
	page_number: '"page_number"',
	x: '"x"',
	y: '"y"',
	width: '"width"',
	height: '"height"',
};
const IN_ROWS: Record<string, string> = {
	signer_identifier: "'Signer Name or ID'",
	type: "'Type'",
	page_number: "'Page'",
	x: "'From Left'",
	y: "'From Bottom'",
	width: "'Width'",
	height: "'Height'",
};

function readOne(
	entry: unknown,
	names: Record<string, string>,
	complain: (what: string, remedy: string) => InputFailure,
): { designation: IDataObject; rounded: boolean } {
	if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
		throw complain(
			'must be an object',
			'Write each designation in braces: {"type": "signature", ...}',
		);
	const designation: IDataObject = { ...(entry as IDataObject) };
	const faults = new Faults();
	for (const field of ['signer_identifier', 'type'] as const) {
		// An external ID from another system may be a number. The signer's own is trimmed, too.
		const given = designation[field];
		const value =
			typeof given === 'number' || typeof given === 'string' ? String(given).trim() : '';
		designation[field] = value;
		if (value === '')
			faults.note(
				complain(
					`${names[field]} is missing`,
					field === 'type'
						? 'Choose what the signer enters there, e.g. "signature"'
						: 'Enter the external ID of the signer, or "notary"',
				),
			);
	}
	if (hasNoExternalId(designation.signer_identifier))
		faults.note(
			complain(`${names.signer_identifier} is a signer without an external ID`, GIVE_EXTERNAL_ID),
		);
	if (designation.optional === true && designation.signing_designation_group !== undefined)
		faults.note(
			complain(
				'is optional and in a group',
				'Choose one of the two: the group already says how many of its designations are needed',
			),
		);
	if (designation.optional === true && designation.signer_identifier === 'notary')
		faults.note(
			complain(
				"is optional and the notary's",
				'Remove one of the two: only designations of signers can be optional',
			),
		);
	let rounded = false;
	for (const field of NUMBERS) {
		const given = designation[field];
		const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
		if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
			const first = names === IN_ROWS && field === 'page_number' ? 1 : 0;
			const what =
				field === 'page_number'
					? `Enter the number of the page; the first page is ${first}`
					: `Enter ${names[field]} as a number of points`;
			faults.note(
				complain(
					`${names[field]} is ${given === undefined ? 'missing' : `not a number from ${first} on`}`,
					what,
				),
			);
			continue;
		}
		designation[field] = Math.round(number);
		rounded ||= designation[field] !== number;
	}
	faults.tell();
	return { designation, rounded };
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
	readEach(designations, ({ conditional_on_primary: on }, index) => {
		if (on !== undefined && !triggers.has(on))
			throw new InputFailure(
				label,
				`, designation ${index + 1}: no optional designation has the primary_designation_identifier '${String(on)}'`,
				'Give the triggering designation "optional": true and this "primary_designation_identifier"',
			);
	});
}

/** The sizes of a page in points: letter is 612 by 792, legal 612 by 1008. */
const [WIDEST, HIGHEST] = [612, 1008];

/**
 * Says which designations end beyond a page of the usual sizes. The page may be another one, so
 * they're sent all the same.
 */
function offPageHint(
	designations: IDataObject[],
	names: Record<string, string>,
): string | undefined {
	const beyond = designations.flatMap(({ x, y, width, height }, index) => {
		const fields = [
			...(Number(x) + Number(width) > WIDEST ? [names.x] : []),
			...(Number(y) + Number(height) > HIGHEST ? [names.y] : []),
		];
		return fields.length === 0 ? [] : [`${index + 1} (${fields.join(', ')})`];
	});
	return beyond.length === 0
		? undefined
		: `On a page of letter or legal size, these designations end beyond its edge: ${beyond.join('; ')}. Check whether the signer sees them`;
}
