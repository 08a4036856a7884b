import type { OperationCall } from '../../../run/operation';
import { asObject } from '../../../values/json';
import { isSameStreet } from '../../address/property';
import { isEmptyCell, type Column } from './cells';
import { findRunMeanings, IDENTIFYING, type HeadingMeaning } from './headings';
import { isPerson, isSameOwner, ROW_FIELDS, type RowKind } from './rowFields';

/* The columns of a row, and what they mean in it. */

/** Lists the columns of the item's row: those that a person has mapped, or all. */
export function listColumns(call: OperationCall, kind: RowKind, isMapped: boolean): Column[] {
	const values = isMapped
		? asObject(call.params.getObject('columns').value)
		: call.context.getInputData()[call.itemIndex].json;
	const buildColumn = (label: string, name: string, meaning: HeadingMeaning): Column => {
		const { target, bare, isUnclear, isBesideStreet } = meaning;
		const value = Object.hasOwn(values, name) ? withoutTextMarks(values[name]) : undefined;
		const cell = { label, value: isEmptyCell(value) ? undefined : value };
		return { ...cell, target, bare, isUnclear, isBesideStreet };
	};
	if (!isMapped)
		return chooseMeanings(
			[...findRunMeanings(call, kind)].map(([name, meaning]) => buildColumn(name, name, meaning)),
		);
	return ROW_FIELDS[kind]
		.filter(({ id }) => Object.hasOwn(values, id))
		.map((field) => buildColumn(field.displayName, field.id, field));
}

/** A cell without what says to a spreadsheet that digits are a text: ="0012345", '0012345. */
const withoutTextMarks = (value: unknown): unknown =>
	typeof value === 'string'
		? value
				.trim()
				.replace(/^="((?:[^"]|"")*)"$/, (_all, text: string) => text.replaceAll('""', '"'))
				.replace(/^'(?=[\d+(])(.*?)'?$/, '$1')
		: value;

/** What columns mean in one row, which its cells may say. */
function chooseMeanings(columns: Column[]): Column[] {
	const isBesideStreet = hasOneStreet(columns);
	return columns.map((column): Column => {
		if (isBesideStreet && column.isBesideStreet && column.bare !== STREET)
			return { ...column, target: { owner: 'property', name: column.bare! } };
		return isCheckBox(column, columns) ? { ...column, target: undefined } : column;
	});
}

const STREET = 'address_line1';

/** Whether the address that doesn't say whose it is, has the street of the property. */
function hasOneStreet(columns: Column[]): boolean {
	const findText = (matches: (column: Column) => boolean) =>
		String(columns.find((column) => matches(column) && column.value !== undefined)?.value ?? '');
	return isSameStreet(
		findText(({ bare: name }) => name === STREET),
		findText(({ target }) => target?.owner === 'property' && target.name === STREET),
	);
}

const COUNT = /^\d+(?:\.0+)?$/;
const CHECKED = /^(?:yes|y|true|x|[✓✔☑☒])$/i;
const CLEARED = /^(?:no|n|false|☐)$/i;

/**
 * Whether a column that is called like a person has no name, but how many there are, or whether there
 * is one. If the others say something else, it isn't taken for a check box, and so refused.
 */
function isCheckBox({ target, value }: Column, columns: Column[]): boolean {
	const owner = target?.owner;
	if (!isPerson(owner) || target?.name !== 'name' || value === undefined) return false;
	const text = String(value).trim();
	const hasPerson = columns.some(
		(column) =>
			column.value !== undefined &&
			column.target !== target &&
			column.target !== undefined &&
			isSameOwner(column.target.owner, owner) &&
			IDENTIFYING.includes(column.target.name),
	);
	return COUNT.test(text) || (hasPerson ? CHECKED : CLEARED).test(text);
}
