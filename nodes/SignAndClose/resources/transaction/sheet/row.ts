import type { IDataObject } from 'n8n-workflow';

import { HeadingFailure, InputFailure, RowFailure } from '../../../messages/failures';
import { parseEach, parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { asOptionalFields, readOptionalFields } from '../../../run/parameters/optionalFields';
import type { Params } from '../../../run/parameters/params';
import { asError } from '../../../transport/failure/failure';
import { formatForDisplay } from '../../../values/plainValues';
import { toCapitalized } from '../../../values/words';
import { transactionTypes } from '../../../form/commonFields';
import type { SignerRoles } from '../../signer/roles';
import {
	parseClosingType,
	RowReader,
	readCellText,
	type Cell,
	type Cells,
	type Column,
} from './cells';
import { checkAskedPeople, listColumns } from './columns';
import { FORM_FIELDS, isPerson, type RowKind } from './rowFields';
import { describeRow, buildRowNote, nameRow, type RowNote } from './hint';
import { readContacts, readSigners } from './people';
import { getCells, findSides, chooseSigners, type Sheet } from './signerChoice';
import { isByHeading, isForm, describeUpdateIt } from './source';
import { splitAddresses } from './wholeAddress';

/* Reads a row of a sheet or a loan system as a new transaction. */

/** A row, read as the form would have it, or the form itself. */
export interface FormValues {
	/** The parameters of the form, with the values of a row in their places. */
	params: Params;
	/** The signers of a row and their roles, and what it tells. */
	people?: { signers: IDataObject[]; roles: SignerRoles };
	note?: RowNote;
}

/** What a kind of transaction does with a row. */
interface RowBuilder<T> {
	kind: RowKind;
	/** Checks values of 'Additional Fields'. @throws InputFailure */
	check(params: Params, fields: IDataObject): void;
	/** Builds the transaction. @throws InputFailure */
	build(values: FormValues): T;
}

/**
 * Builds a new transaction of the row of an item, or of the form.
 * @throws RowFailure naming the row and all that can't be used or is missing
 */
export function buildFromRow<T>(call: OperationCall, form: RowBuilder<T>): T {
	const { params, itemIndex } = call;
	if (isForm(params)) return form.build({ params });
	const isMapped = !isByHeading(params);
	const columns = listColumns(call, form.kind, isMapped);
	const name = toCapitalized(nameRow(call, itemIndex));
	const reading = new RowReader(name + describeRow(columns), columns, isMapped);
	try {
		return form.build(readRow(call, form, columns, reading));
	} catch (thrown) {
		throw toRowFailure(thrown, reading.row);
	}
}

/** What can't be used of a row, with its name, or with that of the heading row. */
function toRowFailure(thrown: unknown, row: string): Error {
	if (!(thrown instanceof InputFailure)) return asError(thrown);
	const isOfHeadings = thrown.failures.every((fault) => fault instanceof HeadingFailure);
	return new RowFailure(isOfHeadings ? 'Heading row' : row, thrown);
}

/** @throws InputFailure when two columns say different things about the same */
function buildSheet(columns: Column[], sides: string[] | undefined, reading: RowReader): Sheet {
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
		const cells = getCells(sheet, isOfSides ? { ...owner, side: sides![0] } : owner);
		const before = cells.get(name);
		if (before?.value === undefined) cells.set(name, { value, label });
		else if (value !== undefined && normalizeCell(before) !== normalizeCell({ value, label }))
			throw new InputFailure(
				label,
				`and '${before.label}' are about the same, and differ`,
				'Remove or rename one of the two columns',
			);
		else if (value !== undefined) reading.use([{ value, label }]);
	});
	checkAskedPeople(columns, reading);
	splitAddresses(sheet, reading);
	return sheet;
}

const normalizeCell = (cell: Cell) => readCellText(cell).toLowerCase();

const findTypeColumn = (columns: Column[]) =>
	columns.find(({ target, value }) => target?.name === 'transaction_type' && value !== undefined);

const findTypeName = (type: string | undefined) =>
	transactionTypes.find(({ value }) => value === type)?.name ?? 'Closing';

/** The name of a closing that has none: its type, and who signs for which property. */
export const buildClosingName = (type: string | undefined, ...parts: unknown[]): string => {
	const [first, last, street] = parts.map((part) => formatForDisplay(part ?? '').trim());
	return [findTypeName(type), `${first} ${last}`.trim(), street].filter(Boolean).join(', ');
};

const describeMissingZip = (params: Params) =>
	`no zip code of the property, which most services need. Correct the sheet, and run it again with ${describeUpdateIt(params)}`;

function readRow(
	call: OperationCall,
	form: RowBuilder<unknown>,
	columns: Column[],
	reading: RowReader,
): FormValues {
	const { params } = call;
	const { kind } = form;
	const isClosing = kind === 'closing';
	const typeCell = isClosing ? findTypeColumn(columns) : undefined;
	const type = typeCell
		? parseClosingType(typeCell)
		: formatForDisplay(params.getRaw('transactionType') ?? '');
	const sides = isClosing ? findSides(type) : undefined;
	const sheet = buildSheet(columns, sides, reading);
	const { fields, people } = parseTogether({
		people() {
			const signing = chooseSigners(sheet, sides, isClosing ? findTypeName(type) : undefined);
			return readSigners(call, kind, reading, signing, sides);
		},
		fields() {
			const cells = new Map([...getCells(sheet, 'transaction'), ...getCells(sheet, 'property')]);
			// It's read before, because it says who signs.
			if (typeCell) cells.set('transaction_type', { ...typeCell, value: type });
			return readFields(params, form, cells, reading);
		},
	});
	const { values, labels } = fields;
	// What a row has and can't be read isn't replaced by what the form has.
	const inForm = Object.entries(readOptionalFields(params));
	const keptFields = Object.fromEntries(inForm.filter(([name]) => !labels.has(name)));
	const unread = Object.fromEntries([...labels.keys()].map((name) => [name, undefined]));
	const additional = { ...keptFields, ...values };
	if (isClosing) {
		addContacts(params, additional, readContacts(sheet, reading));
		const { first_name: first, last_name: last } = people.signers[0];
		values.transactionName ??= buildClosingName(type, first, last, values.addressLine1);
		if (values.addressZipCode === undefined) reading.remarks.push(describeMissingZip(params));
	}
	return {
		// Each parameter is looked up in its own place, and there's one of each name only.
		params: params.withValues({ ...unread, ...values, ...asOptionalFields(additional) }, labels),
		people,
		note: buildRowNote(columns, reading, kind, isByHeading(params)),
	};
}

/** Adds the contacts of a row to those of the form. */
function addContacts(params: Params, additional: IDataObject, contacts: IDataObject[]): void {
	if (contacts.length === 0) return;
	const inForm = params.getRows('contacts', additional.contacts ?? {});
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
function readFields(
	params: Params,
	{ kind, check }: RowBuilder<unknown>,
	cells: Cells,
	reading: RowReader,
): { values: IDataObject; labels: Map<string, string> } {
	const fields = FORM_FIELDS[kind].map((field) => ({ ...field, name: field.target.name }));
	const required = fields.filter((field) => field.required);
	parseEach(required, ({ name, displayName }) => {
		const cell = cells.get(name);
		if (cell?.value === undefined)
			throw reading.describeMissing(cell?.label ?? displayName, name, cell !== undefined);
	});
	const formNames = new Map(fields.map(({ name, parameter }) => [name, parameter]));
	const labels = new Map<string, string>();
	for (const [name, { label, value }] of cells)
		if (value !== undefined) labels.set(formNames.get(name) ?? name, label);
	const labelled = params.withValues({}, labels);
	const values = reading.assemble(
		cells,
		fields.map(({ name }) => [name]),
		{
			formNames,
			needed: [...NEVER_LEFT_OUT, ...required.map(({ name }) => name)],
			check(fieldValues, [name]) {
				const parameter = formNames.get(name)!;
				check(labelled, { [parameter]: fieldValues[parameter] });
			},
		},
	);
	return { values, labels };
}
