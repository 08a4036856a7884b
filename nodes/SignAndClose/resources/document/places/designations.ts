import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { Faults } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import { asObject, isObject } from '../../../values/json';
import { parseNumber, formatForDisplay } from '../../../values/plainValues';
import { parseCollection } from '../../../form/input';
import { designationDetails, designationFields } from './designationFields';
import { parsePageRanges, type PageRange } from './pageRanges';
import { textFields } from './textFields';

/*
 * Designations (docs/service/documents.md#designations) as they are entered: rows, JSON from another
 * system, or rows of texts. checks.ts compares them with each other, the file and the transaction.
 */

/** Which way from a text the next one stands. */
export type NextSide = 'either' | 'right' | 'below';

/** How messages name an entry and its fields. */
interface DesignationFaults {
	/** Its number, from 1, or what else messages call it. */
	row: number | string;
	/** Notes what can't be used of it. */
	noteFault(problem: string, remedy: string): undefined;
	/** A field of the row or, in JSON, of the request. */
	nameField(field: string): string;
}

/** What is to be placed. */
export interface UnplacedDesignation extends DesignationFaults {
	/** The fields of the request that don't say where it is. */
	designation: IDataObject;
	/** The role by which a person has named its signer. */
	signerRole?: string;
	/** Its place as entered. What isn't a number is left out. */
	box: { x?: number; y?: number; width?: number; height?: number };
}

/** A designation on its way into the request. */
export interface EnteredDesignation extends UnplacedDesignation {
	/** The page, from 1. */
	page?: number | 'last';
}

/** A designation at a text. Its place is next to an occurrence of that. */
export interface TextDesignation extends UnplacedDesignation {
	text: string;
	side: 'right' | 'above' | 'below' | 'on';
	/** How far the place is moved, in the unit of the form. */
	right: number;
	up: number;
	occurrence: 'every' | 'first' | 'last' | 'nth' | 'only';
	nth: number;
	/** The pages to look at; undefined for what was told before. */
	pages: PageRange[] | undefined;
	/** Pages of which a person knows that no picture has the text. */
	ignorePicturesOn: PageRange[];
	notInside: string | undefined;
	/** Another text that belongs to this one; the place is next to it. */
	nextText: string | undefined;
	nextSide: NextSide;
}

/** How an entry of a list is told. @param fields of a row; without them, fields are those of the request */
export const describeFaults = (
	faults: Faults,
	label: string,
	row: number,
	fields: INodeProperties[] = [],
): DesignationFaults => ({
	row,
	noteFault: (problem, remedy) =>
		faults.note(new InputFailure(label, `, entry ${row}: ${problem}`, remedy)),
	nameField(field) {
		const name = field === 'page_number' ? 'page' : field;
		const property = fields.find((candidate) => candidate.name === name);
		return property === undefined ? `"${field}"` : `'${property.displayName}'`;
	},
});

/**
 * Parses the designations of an item, from rows or JSON.
 * @param faults gets what can't be used, each with its number
 */
export function parseDesignations(
	params: Params,
	isJson: boolean,
	faults: Faults,
): EnteredDesignation[] {
	const label = params.label(isJson ? 'designationsJson' : 'designations');
	const values =
		faults.collect(() =>
			isJson ? params.getJson('designationsJson') : params.getRows('designations'),
		) ?? [];
	if (!Array.isArray(values)) {
		const remedy = 'Put the designations in square brackets: [{ ... }, { ... }]';
		faults.note(new InputFailure(label, 'must be a JSON array', remedy));
		return [];
	}
	return (values as unknown[]).flatMap((value, index): EnteredDesignation[] => {
		const entry = describeFaults(faults, label, index + 1, isJson ? [] : designationFields);
		if (!isObject(value)) {
			const remedy = 'Write each designation in braces: {"type": "signature", ...}';
			entry.noteFault('must be an object', remedy);
			return [];
		}
		if (isJson) return [parseEntry({ ...value }, 0, entry)];
		const { page, details, ...fields } = value;
		const detailed = faults.collect(() =>
			parseCollection(params, asObject(details), designationDetails),
		);
		return [parseEntry({ ...fields, page_number: page, ...detailed }, 1, entry)];
	});
}

/** Whether a page that was entered is the last one, whichever number it has. */
export const isLastPage = (page: unknown): boolean =>
	typeof page === 'string' && /^\s*last\s*$/i.test(page);

/** @param first the number of the first page */
function parseEntry(
	fields: IDataObject,
	first: 0 | 1,
	faults: DesignationFaults,
): EnteredDesignation {
	const { page_number: pageNumber, x, y, width, height, ...designation } = fields;
	const isLast = isLastPage(pageNumber);
	const page = parseNumber(pageNumber);
	const isPage = isLast || (Number.isInteger(page) && page >= first);
	if (!isPage)
		faults.noteFault(
			`${faults.nameField('page_number')} is ${pageNumber === undefined ? 'missing' : `not a number from ${first} on`}`,
			`Enter the number of the page, of which the first is ${first}, or "last"`,
		);
	return {
		...faults,
		designation: parseAssignment(designation, faults),
		...(isPage && { page: isLast ? 'last' : page + 1 - first }),
		box: parseBox({ x, y, width, height }, faults),
	};
}

/**
 * Parses the designations at texts.
 * @param faults gets what can't be used, each with its row
 */
export function parseTextDesignations(params: Params, faults: Faults): TextDesignation[] {
	const label = params.label('texts');
	const rows = faults.collect(() => params.getRows('texts')) ?? [];
	return rows.flatMap((row, index) => {
		const entry = describeFaults(faults, label, index + 1, textFields);
		return faults.collect(() => parseText(params, row, entry)) ?? [];
	});
}

function parseText(params: Params, row: IDataObject, faults: DesignationFaults): TextDesignation {
	const { noteFault, nameField } = faults;
	const text = params.getTextIn(row, 'text') ?? '';
	if (text === '') noteFault(`${nameField('text')} is missing`, 'Enter a text of the document');
	const parseMove = (field: string) => {
		const value = parseNumber(row[field] ?? 0);
		if (!Number.isFinite(value))
			noteFault(`${nameField(field)} isn't a number`, `Enter ${nameField(field)} as a number`);
		return value;
	};
	const nth = parseNumber(row.nth ?? 2);
	const occurrence = params.getChoice('occurrence', row.occurrence ?? '') ?? 'only';
	if (occurrence === 'nth' && !(Number.isInteger(nth) && nth >= 1))
		noteFault(`${nameField('nth')} isn't a whole number from 1 on`, 'Enter e.g. 2');
	const parsePages = (field: string, otherwise: string | undefined) => {
		const value = params.getTextIn(row, field) ?? otherwise;
		const ranges = value === undefined ? [] : parsePageRanges(value);
		if (ranges === undefined)
			noteFault(`${nameField(field)} is '${value}'`, 'Enter all, last, or pages as in 2 or 2-5, 7');
		return ranges;
	};
	const { width = 180, height = 24, signer_identifier: signer, type } = row;
	const details = parseCollection(params, asObject(row.details), designationDetails);
	return {
		...faults,
		designation: parseAssignment({ signer_identifier: signer, type, ...details }, faults),
		box: parseBox({ width, height }, faults),
		text,
		pages: parsePages('pages', 'all'),
		ignorePicturesOn: parsePages('ignorePicturesOn', undefined) ?? [],
		side: (params.getChoice('where', row.where ?? '') ?? 'above') as TextDesignation['side'],
		right: parseMove('moveRight'),
		up: parseMove('moveUp'),
		occurrence: occurrence as TextDesignation['occurrence'],
		nth,
		notInside: params.getTextIn(row, 'notInside'),
		nextText: params.getTextIn(row, 'nextText'),
		nextSide: (params.getChoice('nextSide', row.nextSide ?? '') ?? 'either') as NextSide,
	};
}

/** Reads the numbers of a place, each from 0 on; a size is above 0. */
function parseBox(
	fields: IDataObject,
	{ noteFault, nameField }: DesignationFaults,
): EnteredDesignation['box'] {
	const box: IDataObject = {};
	for (const [field, value] of Object.entries(fields)) {
		const isSize = field === 'width' || field === 'height';
		const number = parseNumber(value);
		if (Number.isFinite(number) && (isSize ? number > 0 : number >= 0)) box[field] = number;
		else
			noteFault(
				`${nameField(field)} is ${value === undefined ? 'missing' : `not a number ${isSize ? 'above 0' : 'from 0 on'}`}`,
				`Enter ${nameField(field)} as a number`,
			);
	}
	return box;
}

/** Reads who completes the designation, with what, and on which conditions. */
export function parseAssignment(
	designation: IDataObject,
	{ noteFault, nameField }: DesignationFaults,
): IDataObject {
	for (const field of ['signer_identifier', 'type']) {
		// An external ID from another system may be a number. The signer's own is trimmed, too.
		const value = designation[field];
		designation[field] = ['number', 'string'].includes(typeof value)
			? formatForDisplay(value).trim()
			: '';
		if (designation[field] === '')
			noteFault(
				`${nameField(field)} is missing`,
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
export function withGroup(designation: IDataObject, groups: IDataObject[]): IDataObject {
	const { signing_designation_group: name, ...rest } = designation;
	if (typeof name !== 'string') return designation;
	if (name.trim() === '') return rest;
	const group = groups.find((entry) => entry.name === name.trim());
	return { ...rest, signing_designation_group: group ?? { name: name.trim() } };
}
