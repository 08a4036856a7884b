import type { IDataObject } from 'n8n-workflow';

import { InputFailure, RowFailure } from '../../../messages/explainedFailure';
import { parseEach, parseTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { asError } from '../../../transport/failure/failure';
import { asObject } from '../../../values/json';
import { shownValue } from '../../../values/shown';
import { transactionTypes } from '../../shared/commonFields';
import { checkSigners } from '../../signer/people';
import {
	closingType,
	isEmpty,
	Reading,
	textOfCell,
	type Cell,
	type Cells,
	type Column,
} from './cells';
import { meaningsOf, type Meaning } from './headings';
import { FORM_FIELDS, isPerson, ROW_FIELDS, type RowKind } from './rowFields';
import { describeRow, noteOf, type RowNote } from './rowHint';
import { readContacts, readSigner } from './rowSigner';
import { cellsOf, sidesOf, signingOf, type Sheet } from './whoSigns';

/* Reads a row of a sheet or a loan system as a new transaction. */

/** A row, read as the form would have it, or the form itself. */
export interface FormValues {
	/** The parameters of the form, with the values of a row in their places. */
	params: Params;
	/** Those of a row, and what it tells. */
	signers?: IDataObject[];
	note?: RowNote;
}

/** What a kind of transaction does with a row. */
export interface RowForm<T> {
	kind: RowKind;
	/** Checks values of 'Additional Fields'. @throws InputFailure */
	check(params: Params, fields: IDataObject): void;
	/** Builds the transaction. @throws InputFailure */
	build(values: FormValues): T;
}

/** Whether columns are found by their headings. */
export const isByHeading = (params: Params): boolean => params.choice('fieldsFrom') === 'row';

/** The meanings of the headings of each run. State of this process; docs/architecture.md lists all of it. */
const meanings = new WeakMap<object, Map<string, Meaning>>();

/**
 * What the headings of a run mean. They're those of all items: where an item lacks the fields of its
 * empty cells, the others still are rows of the same sheet.
 */
function meaningsIn({ context }: OperationCall, kind: RowKind): Map<string, Meaning> {
	const known = meanings.get(context);
	if (known !== undefined) return known;
	const headings = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const found = meaningsOf([...headings], kind);
	meanings.set(context, found);
	return found;
}

/** How messages name an item: as the row that the person sees, where n8n has read it of a sheet. */
export function rowName({ context }: OperationCall, itemIndex: number): string {
	const { row_number: number } = context.getInputData()[itemIndex].json;
	return isEmpty(number) ? `item ${itemIndex + 1}` : `row ${shownValue(number)}`;
}

/**
 * Builds a new transaction of the row of an item, or of the form.
 * @throws RowFailure naming the row and all that can't be used or is missing
 */
export function inRow<T>(call: OperationCall, form: RowForm<T>): T {
	const { params, itemIndex } = call;
	const isMapped = params.choice('fieldsFrom') === 'mapped';
	if (!isMapped && !isByHeading(params)) return form.build({ params });
	const columns = columnsOf(call, form.kind, isMapped);
	const name = rowName(call, itemIndex).replace(/^./, (letter) => letter.toUpperCase());
	const reading = new Reading(name + describeRow(columns), columns, isMapped);
	try {
		return form.build(readRow(call, form, columns, reading));
	} catch (thrown) {
		throw thrown instanceof InputFailure ? new RowFailure(reading.row, thrown) : asError(thrown);
	}
}

/** The columns of the item's row: those that a person has mapped, or all. */
function columnsOf(call: OperationCall, kind: RowKind, isMapped: boolean): Column[] {
	const values = isMapped
		? asObject(call.params.object('columns').value)
		: call.context.getInputData()[call.itemIndex].json;
	const column = (label: string, name: string, { target, bare, isUnclear }: Meaning): Column => {
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		return { label, value: isEmpty(value) ? undefined : value, target, bare, isUnclear };
	};
	if (!isMapped)
		return [...meaningsIn(call, kind)].map(([name, meaning]) => column(name, name, meaning));
	return ROW_FIELDS[kind]
		.filter(({ id }) => Object.hasOwn(values, id))
		.map((field) => column(field.displayName, field.id, field));
}

/** @throws InputFailure when two columns say different things about the same */
function sheetOf(columns: Column[], sides: string[] | undefined, reading: Reading): Sheet {
	const sheet: Sheet = [];
	parseEach(columns, ({ label, value, target, isUnclear }) => {
		if (isUnclear === true && value !== undefined)
			throw new InputFailure(
				label,
				'may be about another signer',
				"Say whose it is, e.g. 'Co-Borrower Name' or 'Signer 2 Name', or remove the column",
			);
		if (target === undefined) return;
		const { owner, name } = target;
		// Buyer and borrower of a purchase are the same person.
		const isOfSides = isPerson(owner) && sides?.includes(owner.side);
		const cells = cellsOf(sheet, isOfSides ? { ...owner, side: sides![0] } : owner);
		const before = cells.get(name);
		if (before?.value === undefined) cells.set(name, { value, label });
		else if (value !== undefined && textIn(before) !== textIn({ value, label }))
			throw new InputFailure(
				label,
				`and '${before.label}' are about the same, and differ`,
				'Remove or rename one of the two columns',
			);
		else if (value !== undefined) reading.use([{ value, label }]);
	});
	return sheet;
}

const textIn = (cell: Cell) => textOfCell(cell).toLowerCase();

const typeNameOf = (type: string | undefined) =>
	transactionTypes.find(({ value }) => value === type)?.name ?? 'Closing';

/** The name of a closing that has none: its type, and who signs for which property. */
export const closingName = (type: string | undefined, ...parts: unknown[]): string => {
	const [first, last, street] = parts.map((part) => shownValue(part ?? '').trim());
	return [typeNameOf(type), `${first} ${last}`.trim(), street].filter(Boolean).join(', ');
};

function readRow(
	call: OperationCall,
	form: RowForm<unknown>,
	columns: Column[],
	reading: Reading,
): FormValues {
	const { params } = call;
	const { kind } = form;
	const isClosing = kind === 'closing';
	const typeCell = columns.find(
		({ target, value }) => target?.name === 'transaction_type' && value !== undefined,
	);
	const type =
		isClosing && typeCell ? closingType(typeCell) : shownValue(params.raw('transactionType') ?? '');
	const sides = isClosing ? sidesOf(type) : undefined;
	const sheet = sheetOf(columns, sides, reading);
	const { fields, signers } = parseTogether({
		signers() {
			const signing = signingOf(sheet, sides, isClosing ? typeNameOf(type) : undefined);
			const read = parseEach(signing, (signer) => readSigner(call, kind, reading, signer));
			checkSigners(read, 'Signers');
			return read;
		},
		fields() {
			const cells = new Map([...cellsOf(sheet, 'transaction'), ...cellsOf(sheet, 'property')]);
			// It's read before, because it says who signs.
			if (isClosing && typeCell) cells.set('transaction_type', { ...typeCell, value: type });
			return fieldsOf(params, form, cells, reading);
		},
	});
	const { values, labels } = fields;
	// What a row has and can't be read isn't replaced by what the form has.
	const inForm = Object.entries(params.object('additionalFields'));
	const kept = Object.fromEntries(inForm.filter(([name]) => !labels.has(name)));
	const additional = { ...kept, ...values };
	if (isClosing) {
		addContacts(params, additional, readContacts(sheet, reading));
		const { first_name: first, last_name: last } = signers[0];
		values.transactionName ??= closingName(type, first, last, values.addressLine1);
		if (values.addressZipCode === undefined) reading.remarks.push('no zip code of the property');
	}
	return {
		// Each parameter is looked up in its own place, and there's one of each name only.
		params: params.replacing({ ...values, additionalFields: additional }, labels),
		signers,
		note: noteOf(columns, reading, kind, isByHeading(params)),
	};
}

/** Adds the contacts of a row to those of the form. */
function addContacts(params: Params, additional: IDataObject, contacts: IDataObject[]): void {
	if (contacts.length === 0) return;
	const inForm = params.rows('contacts', additional.contacts ?? {});
	additional.contacts = { row: [...inForm, ...contacts] };
}

/**
 * What isn't left out when it can't be read. Who asks for a second ID relies on it, and without its
 * number a transaction isn't found again.
 */
const NEVER_LEFT_OUT = [
	'transaction_type',
	'require_secondary_photo_id',
	'external_id',
	'loan_number',
	'file_number',
];

/** Reads the cells of fields as parameters of the form, and gives how messages name these. */
function fieldsOf(
	params: Params,
	{ kind, check }: RowForm<unknown>,
	cells: Cells,
	reading: Reading,
): { values: IDataObject; labels: Map<string, string> } {
	const fields = FORM_FIELDS[kind].map((field) => ({ ...field, name: field.target.name }));
	const required = fields.filter((field) => field.required);
	parseEach(required, ({ name, displayName }) => {
		const cell = cells.get(name);
		if (cell?.value === undefined)
			throw reading.missing(cell?.label ?? displayName, name, cell !== undefined);
	});
	const formNames = new Map(fields.map(({ name, parameter }) => [name, parameter]));
	const labels = new Map<string, string>();
	for (const [name, { label, value }] of cells)
		if (value !== undefined) labels.set(formNames.get(name) ?? name, label);
	const labelled = params.replacing({}, labels);
	const values = reading.assemble(
		cells,
		fields.map(({ name }) => [name]),
		{
			formNames,
			needed: [...NEVER_LEFT_OUT, ...required.map(({ name }) => name)],
			check(read, [name]) {
				const parameter = formNames.get(name)!;
				check(labelled, { [parameter]: read[parameter] });
			},
		},
	);
	return { values, labels };
}
