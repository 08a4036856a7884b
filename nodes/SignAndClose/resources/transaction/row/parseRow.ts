import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { asObject } from '../../../values/json';
import { closingName, typeOfClosing } from './closingOfRow';
import { isEmpty, matchColumns, type Cell, type Cells, type MatchedRow } from './matchColumns';
import { parseRowContacts } from './rowContacts';
import { ROW_FIELDS, type RowField, type RowKind } from './rowFields';
import { missingOf, signersOf, zipText, type RowSigner } from './rowSigners';

/* Reads a row of a sheet or a loan system as a new transaction. */

/** A row, read as the form would have it. */
export interface Row {
	/** The parameters of the form, with the values of the row in their places. */
	params: Params;
	signers: RowSigner[];
	/** Headings of columns that fill in nothing. */
	leftOut: string[];
}

/** Whether columns are matched by their names. Otherwise a person has mapped them. */
export const isAutomatic = (params: Params): boolean =>
	params.choice('fieldsFrom') === 'row' && params.object('columns').mappingMode !== 'defineBelow';

/**
 * Reads the row of an item.
 * @returns undefined when the form is filled in instead
 * @throws InputFailure naming the columns that are missing or empty
 */
export function parseRow(call: OperationCall, kind: RowKind): Row | undefined {
	const { params } = call;
	if (params.choice('fieldsFrom') !== 'row') return undefined;
	const automatic = isAutomatic(params);
	const row = call.context.getInputData()[call.itemIndex].json;
	const { cells, leftOut } = automatic ? matchColumns(row, kind) : mappedByHand(params, kind);
	const signers = signersOf(cells);
	requireCells(params, kind, cells, signers, automatic ? Object.keys(row) : undefined);
	return { params: withCells(params, kind, cells, signers), signers, leftOut };
}

function mappedByHand(params: Params, kind: RowKind): MatchedRow {
	const values = asObject(params.object('columns').value);
	const cells = ROW_FIELDS[kind]
		.filter(({ id }) => Object.hasOwn(values, id))
		.map((field): [string, Cell] => {
			const value = isEmpty(values[field.id]) ? undefined : values[field.id];
			return [field.id, { field, value, label: field.displayName }];
		});
	return { cells: new Map(cells), leftOut: [] };
}

/**
 * Refuses a row without what a transaction needs.
 * @param headings those of the row; undefined when a person has mapped the columns
 * @throws InputFailure naming all that is missing at once
 */
function requireCells(
	params: Params,
	kind: RowKind,
	cells: Cells,
	signers: readonly RowSigner[],
	headings: string[] | undefined,
): void {
	const missing = [
		...signers.flatMap((signer) => missingOf(signer, kind)),
		...ROW_FIELDS[kind]
			.filter(({ id, required }) => required && !id.startsWith('signer'))
			.filter(({ id }) => cells.get(id)?.value === undefined)
			.map((field) => ({ field, cell: cells.get(field.id) })),
	];
	const without = missing.filter(({ cell }) => cell === undefined).map(({ field }) => field);
	if (headings !== undefined && without.length > 0)
		throw new InputFailure(
			params.label('columns'),
			`has no column for ${quoted(without.map(({ displayName }) => displayName))}`,
			`Name a column ${without.map(lookedFor).join(', and one ')}, or choose 'Map Each Column Manually'. The row has: ${headings.join(', ') || 'nothing'}`,
		);
	const [first, ...others] = missing.map(({ field, cell }) => cell?.label ?? field.displayName);
	if (first === undefined) return;
	throw new InputFailure(
		first,
		others.length === 0 ? 'is empty' : `is empty, and so is ${quoted(others)}`,
		headings === undefined
			? 'Map a column that has a value in every row'
			: 'Fill in the cell, or leave the row out',
	);
}

/** The headings that would have been recognized, the commonest of them. */
function lookedFor({ id }: RowField): string {
	const [, number, what] = /^signer(\d+)_(.+)$/.exec(id) ?? [];
	if (number === '1') return `borrower_${what}, signer1_${what} or ${what}`;
	if (number === '2') return `co_borrower_${what} or ${id}`;
	return number === undefined ? `${id} or ${id.replace('property_', '')}` : id;
}

const quoted = (names: string[]) =>
	new Intl.ListFormat('en-GB').format(names.map((name) => `'${name}'`));

/** Puts the values of a row into the places of the form. */
function withCells(
	params: Params,
	kind: RowKind,
	cells: Cells,
	signers: readonly RowSigner[],
): Params {
	const values: IDataObject = {};
	const additional: IDataObject = { ...params.object('additionalFields') };
	const labels = new Map<string, string>();
	for (const cell of cells.values()) {
		const { parameter, collection } = cell.field;
		if (parameter === undefined || cell.value === undefined) continue;
		labels.set(parameter, cell.label);
		(collection === undefined ? values : additional)[parameter] = formValue(cell);
	}
	const contacts = kind === 'closing' ? parseRowContacts(cells) : [];
	if (contacts.length > 0)
		additional.contacts = {
			row: [...params.rows('contacts', additional.contacts ?? {}), ...contacts],
		};
	const filled = { ...values, additionalFields: additional };
	if (kind === 'transaction') return params.replacing(filled, labels);
	const type = values.transactionType ?? params.raw('transactionType');
	const transactionName = values.transactionName ?? closingName(type, signers, cells);
	return params.replacing({ ...filled, transactionName }, labels);
}

function formValue({ field, value, label }: Cell): IDataObject[string] {
	if (field.parameter === 'transactionType') return typeOfClosing(value, label);
	const written = field.parameter === 'addressZipCode' ? zipText(value) : value;
	return written as IDataObject[string];
}
