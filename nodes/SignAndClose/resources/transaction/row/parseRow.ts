import type { IDataObject } from 'n8n-workflow';

import { InputFailure, RowFailure } from '../../../messages/explainedFailure';
import { parseEach, parseTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { asError } from '../../../transport/failure/failure';
import { SERVICE_LIMITS } from '../../../transport/service/limits';
import { asObject, withoutEmpty } from '../../../values/json';
import { shownValue } from '../../../values/shown';
import { withoutUsForm } from '../../../values/times';
import { checkEmail } from '../../shared/checks';
import { titleOf } from '../../shared/fields';
import { parseUsPhone } from '../../shared/phone';
import { parseCountry } from '../../shared/places';
import { transactionTypes } from '../../shared/transactionType';
import { checkSigners, type ParsedSigner } from '../../signer/input';
import { closingType, isEmpty, stateOf, textOfCell, zipCode, type Cell } from './cells';
import { columnsOf, type Column, type Target } from './headings';
import { Reading, type Cells, type RowNote } from './reading';
import { ROW_FIELDS, type RowKind } from './rowFields';
import { readSigner } from './rowSigner';
import { personTitle, sidesOf, signingOf, type People } from './whoSigns';
import { ROLES } from './words';

/* Reads a row of a sheet or a loan system as a new transaction. */

/** A row, read as the form would have it. */
export interface Row {
	/** The parameters of the form, with the values of the row in their places. */
	params: Params;
	signers: ParsedSigner[];
	note: RowNote;
}

/** What a kind of transaction does with a row. */
export interface RowForm<T> {
	kind: RowKind;
	/** Checks values of 'Additional Fields'. @throws InputFailure */
	check(params: Params, fields: IDataObject): void;
	/** Builds the transaction; of the form, where there is no row. @throws InputFailure */
	build(row?: Row): T;
}

/** Whether columns are found by their headings. */
export const isByHeading = (params: Params): boolean => params.choice('fieldsFrom') === 'row';

/**
 * Builds a new transaction of the row of an item, or of the form.
 * @throws RowFailure naming the row and all that can't be used or is missing
 */
export function inRow<T>(call: OperationCall, form: RowForm<T>): T {
	const { params, itemIndex } = call;
	const isMapped = params.choice('fieldsFrom') === 'mapped';
	if (!isMapped && !isByHeading(params)) return form.build();
	const item = call.context.getInputData()[itemIndex].json;
	const columns = isMapped
		? mappedColumns(form.kind, asObject(params.object('columns').value))
		: columnsOf(Object.keys(item), form.kind).map((column) =>
				withValue(column, item[column.heading]),
			);
	const number = isEmpty(item.row_number) ? undefined : shownValue(item.row_number);
	const row = number === undefined ? `Item ${itemIndex + 1}` : `Row ${number}`;
	const vague = columns.flatMap(({ label, vague: name }): Array<[string, string]> =>
		name === undefined ? [] : [[label, name]],
	);
	const reading = new Reading(row + describe(columns), isMapped, vague);
	try {
		return form.build(readRow(call, form, columns, reading));
	} catch (thrown) {
		throw thrown instanceof InputFailure ? inRowOf(reading, thrown) : asError(thrown);
	}
}

const inRowOf = ({ row }: Reading, fault: InputFailure) => new RowFailure(row, fault);

/** A column and its cell in a row. */
type ColumnCell = Column & Cell;

const withValue = (column: Column, value: unknown): ColumnCell => ({
	...column,
	label: column.heading,
	value: isEmpty(value) ? undefined : value,
});

function mappedColumns(kind: RowKind, values: IDataObject): ColumnCell[] {
	const given = ROW_FIELDS[kind].filter(({ id }) => Object.hasOwn(values, id));
	return given.map(({ id, displayName, parameter }) => {
		const [, number, told] = /^signer(\d)_(.+)$/.exec(id) ?? [];
		const role = [...ROLES.values()].find((one) => id.startsWith(`${one}_`)) ?? '';
		let target: Target = { of: 'contact', owner: role, name: id.slice(role.length + 1) };
		if (number !== undefined) target = { of: 'person', owner: `signer ${number}`, name: told };
		if (parameter !== undefined) target = { of: 'field', owner: '', name: id };
		return withValue({ heading: displayName, target }, values[id]);
	});
}

/** What tells a row from others: the first name in it, and the number of the loan. */
function describe(columns: ColumnCell[]): string {
	const texts = columns.flatMap(({ target, value }) =>
		target !== undefined && ['string', 'number'].includes(typeof value)
			? [{ ...target, text: String(value).trim() }]
			: [],
	);
	const named = texts.filter(({ of, name }) => of === 'person' && name.endsWith('name'));
	const own = named.filter(({ owner }) => owner === named[0].owner);
	const part = (wanted: string) => own.filter(({ name }) => name === wanted).slice(0, 1);
	const whole = part('name');
	const parts = whole.length > 0 ? whole : [...part('first_name'), ...part('last_name')];
	const loan = texts.find(({ name }) => name === 'loan_number')?.text.replace(/\.0+$/, '');
	const all = [parts.map(({ text }) => text).join(' '), loan === undefined ? '' : `loan ${loan}`];
	const known = all.filter((text) => text !== '');
	return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

/** The cells of a row, by whom or what they're about. */
type Sheet = Record<'field' | 'person' | 'contact', People>;

/** @throws InputFailure when two columns say different things about the same */
function sheetOf(columns: ColumnCell[], sides: string[] | undefined, reading: Reading): Sheet {
	const sheet: Sheet = { field: new Map(), person: new Map(), contact: new Map() };
	parseEach(columns, ({ label, value, target, isUnclear }) => {
		if (isUnclear === true && value !== undefined)
			throw new InputFailure(
				label,
				'may be about another signer',
				"Say whose it is, e.g. 'Co-Borrower Email' or 'Signer 2 Email', or remove the column",
			);
		if (target === undefined || target.of === 'other') return;
		const { of, owner, name } = target;
		const [side, number] = owner.split(' ');
		// Buyer and borrower of a purchase are the same person.
		const key = of === 'person' && sides?.includes(side) ? `${sides[0]} ${number}` : owner;
		const cells: Cells = sheet[of].get(of === 'field' ? '' : key) ?? new Map();
		sheet[of].set(of === 'field' ? '' : key, cells);
		const before = cells.get(name);
		if (before?.value === undefined) cells.set(name, { value, label });
		else if (value !== undefined && !isSame(before, { value, label }))
			throw new InputFailure(
				label,
				`and '${before.label}' are about the same, and differ`,
				'Remove or rename one of the two columns',
			);
		else if (value !== undefined) reading.use([{ value, label }]);
	});
	return sheet;
}

const isSame = (...cells: [Cell, Cell]) => {
	const [one, other] = cells.map((cell) => textOfCell(cell).toLowerCase());
	return one === other;
};

function readRow(
	call: OperationCall,
	form: RowForm<unknown>,
	columns: ColumnCell[],
	reading: Reading,
): Row {
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
	const assuranceField = call.service.settings.assuranceField;
	const { fields, signers } = parseTogether({
		signers() {
			const signing = signingOf(sheet.person, sides, nameOf(type), reading);
			const read = parseEach(signing, (signer) =>
				readSigner({ params, kind, assuranceField, reading }, signer),
			);
			if (read.length > SERVICE_LIMITS.signers)
				throw new InputFailure(
					'Signers',
					`are ${read.length}; the service accepts up to ${SERVICE_LIMITS.signers}`,
					'Use more than one row',
				);
			checkSigners(read, 'Signers');
			return read;
		},
		fields: () => fieldsOf(params, form, sheet.field.get('') ?? new Map(), reading),
	});
	const { values, additional, labels } = fields;
	const contacts = isClosing ? contactsOf(sheet.contact, reading) : [];
	if (contacts.length > 0)
		additional.contacts = {
			row: [...params.rows('contacts', additional.contacts ?? {}), ...contacts],
		};
	if (isClosing) {
		const { first_name: first, last_name: last } = signers[0].signer;
		values.transactionName ??= `${nameOf(type)}, ${String(first)} ${String(last)}, ${String(values.addressLine1)}`;
		if (values.addressZipCode === undefined) reading.remark('no zip code of the property');
	}
	const note = noteOf(columns, reading, params);
	return {
		params: params.replacing({ ...values, additionalFields: additional }, labels),
		signers,
		note,
	};
}

const nameOf = (type: string) =>
	transactionTypes.find(({ value }) => value === type)?.name ?? 'Closing';

function noteOf(columns: ColumnCell[], { used, remarks }: Reading, params: Params): RowNote {
	const isUseless = ({ label, target, value }: ColumnCell) =>
		!used.has(label) &&
		label !== 'row_number' &&
		(target === undefined || target.of === 'other' || value !== undefined);
	return {
		// Who has mapped the columns knows it.
		used: (isByHeading(params) ? columns : []).flatMap(({ label, target }) =>
			target && used.has(label) ? [[label, titleFor(target)]] : [],
		),
		unused: columns.filter(isUseless).map(({ label }) => label),
		remarks,
	};
}

/** How the hint calls what a column fills in. */
function titleFor({ of, owner, name }: Target): string {
	if (of === 'person') return personTitle(owner);
	if (owner !== '') return titleOf(owner);
	return [...ROW_FIELDS.closing, ...ROW_FIELDS.transaction].find(({ id }) => id === name)!
		.displayName;
}

/** What isn't left out when it can't be read. Who asks for a second ID relies on it. */
const NEVER_LEFT_OUT = new Set(['transaction_type', 'require_secondary_photo_id']);

/** Puts the cells of fields into the places of the form. */
function fieldsOf(
	params: Params,
	{ kind, check }: RowForm<unknown>,
	cells: Cells,
	reading: Reading,
) {
	const values: IDataObject = {};
	const additional: IDataObject = { ...params.object('additionalFields') };
	const given = ROW_FIELDS[kind].filter(({ parameter }) => parameter !== undefined);
	const labels = new Map<string, string>();
	for (const { id, parameter = '' } of given) {
		const cell = cells.get(id);
		if (cell?.value !== undefined) labels.set(parameter, cell.label);
	}
	const labelled = params.replacing({}, labels);
	parseEach(given, ({ id, displayName, parameter = '', ...field }) => {
		const cell = cells.get(id);
		if (cell?.value === undefined) {
			if (field.required) throw reading.missing(cell?.label ?? displayName, id, cell !== undefined);
			return;
		}
		const place = field.isAdditional ? additional : values;
		delete place[parameter];
		const read = () => {
			const country = additional.country as string | undefined;
			const value = valueOf(kind, id, cell, country) as string;
			if (field.isAdditional) check(labelled, { [parameter]: value });
			place[parameter] = value;
		};
		if (field.required === true || NEVER_LEFT_OUT.has(id)) {
			read();
			reading.use([cell]);
		} else reading.optional([cell], read);
	});
	return { values, additional, labels };
}

function valueOf(kind: RowKind, id: string, cell: Cell, country: string | undefined): unknown {
	if (id === 'transaction_type' && kind === 'closing') return closingType(cell);
	if (id === 'property_country') return parseCountry(textOfCell(cell), cell.label);
	if (id === 'property_state') return stateOf(cell, country);
	if (id === 'property_zip') return zipCode(cell, country);
	if (/_time$|^expiry$/.test(id)) return withoutUsForm(cell.value);
	return id === 'cc_recipient_emails' && Array.isArray(cell.value) ? cell.value : textOfCell(cell);
}

/** Contacts with an email address, because the service knows contacts by it (docs/service/closings.md#contacts). */
function contactsOf(contacts: People, reading: Reading): IDataObject[] {
	return [...contacts].flatMap(([role, cells]) => {
		const filled = [...cells].filter(([, { value }]) => value !== undefined);
		const email = cells.get('email');
		if (filled.length === 0 || email === undefined) return [];
		const read = () => {
			if (email.value === undefined) throw reading.missing(email.label, 'email', true);
			const texts = Object.fromEntries(filled.map(([name, cell]) => [name, textOfCell(cell)]));
			checkEmail(texts.email, email.label);
			return texts;
		};
		const all = filled.map(([, cell]) => cell);
		const contact = reading.optional(all, read, 'the contact');
		if (contact === undefined) return [];
		const { name = '', phone_number: phone, ...more } = contact;
		const cell = cells.get('phone_number')!;
		const digits = phone && reading.optional([cell], () => parseUsPhone(phone, cell.label));
		// The service shows the parts side by side, so that it matters little where a name is split.
		const [first, ...others] = name.split(/\s+/);
		const names = { first_name: first, last_name: others.join(' ') };
		return [withoutEmpty({ role, ...names, ...more, phone_number: digits })];
	});
}
