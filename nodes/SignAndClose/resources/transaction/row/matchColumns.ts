import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { shownValue } from '../../../values/shown';
import { meaningOf, type Meaning } from './headings';
import type { RowField, RowKind } from './rowFields';
import { ROLES } from './words';

/* Finds out which column of a row fills in which field, by the headings. */

/** A field and the value that a row has for it. */
export interface Cell {
	field: RowField;
	/** Undefined when the cell is empty. */
	value: unknown;
	/** How messages name it: the heading of the column, or the name of the field. */
	label: string;
}

/** What a row says, by the IDs of fields. */
export type Cells = ReadonlyMap<string, Cell>;

/** A row whose columns were matched by name. */
export interface MatchedRow {
	cells: Cells;
	/** Headings of columns that fill in nothing. */
	leftOut: string[];
}

/** The columns of a row that fill in a field, and the headings of the others. */
function parseHeadings(headings: string[], kind: RowKind) {
	const read = headings.map((heading) => ({ heading, ...meaningOf(heading, kind) }));
	const clear = new Set(read.flatMap(({ field, vague }) => (field && !vague ? [field.id] : [])));
	const ids = new Set(read.map(({ field }) => field?.id));
	const isUsed = ({ field, vague }: Partial<Meaning>) => {
		if (field === undefined || (vague === true && clear.has(field.id))) return false;
		const [, signer] = /^(signer\d+)_/.exec(field.id) ?? [];
		const role = [...ROLES].find((role) => field.id.startsWith(`${role}_`));
		// The service knows contacts by their email addresses.
		if (role !== undefined) return ids.has(`${role}_email`);
		// A "Phone 2" of nobody else is a second number of the first signer, which the service doesn't take.
		if (signer === undefined || signer === 'signer1') return true;
		return IDENTIFYING.some((name) => ids.has(`${signer}_${name}`));
	};
	return {
		columns: read.flatMap(({ heading, field, vague }) =>
			field && isUsed({ field, vague }) ? [{ heading, field }] : [],
		),
		leftOut: read.filter((column) => !isUsed(column)).map(({ heading }) => heading),
	};
}

/** What makes a signer of columns. */
const IDENTIFYING = ['email', 'first_name', 'last_name', 'name'];

/** Whether a cell has nothing in it. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * Matches the columns of a row by their headings.
 * @throws InputFailure when two columns say different things about the same field
 */
export function matchColumns(row: IDataObject, kind: RowKind): MatchedRow {
	const { columns, leftOut } = parseHeadings(Object.keys(row), kind);
	const cells = new Map<string, Cell>();
	for (const { heading, field } of columns) {
		const value = isEmpty(row[heading]) ? undefined : row[heading];
		const before = cells.get(field.id);
		if (before?.value !== undefined && value !== undefined && !isSame(before.value, value))
			throw new InputFailure(
				heading,
				`and '${before.label}' both give '${field.displayName}', and differ`,
				"Remove or rename one of the two columns, or choose 'Map Each Column Manually' in 'Columns'",
			);
		if (before === undefined || (before.value === undefined && value !== undefined))
			cells.set(field.id, { field, value, label: heading });
	}
	return { cells, leftOut };
}

function isSame(one: unknown, other: unknown): boolean {
	return shownValue(one).trim().toLowerCase() === shownValue(other).trim().toLowerCase();
}
