import { InputFailure } from '../../../messages/failures';
import { parseEach } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { asObject } from '../../../values/json';
import { isSameStreet } from '../../address/property';
import { isEmptyCell, type Column, type RowReader } from './cells';
import { findMeanings, IDENTIFYING, type HeadingMeaning } from './headings';
import { isPerson, isSameOwner, ROW_FIELDS, type RowKind } from './rowFields';
import { formatPerson } from './signerChoice';

/* The columns of a row, and what they mean in it. */

/** The meanings of the headings of each run. State of this process; docs/architecture.md lists all of it. */
const meaningsByRun = new WeakMap<object, Map<string, HeadingMeaning>>();

/**
 * What the headings of a run mean. They're those of all items: where an item lacks the fields of its
 * empty cells, the others still are rows of the same sheet.
 */
function findRunMeanings({ context }: OperationCall, kind: RowKind): Map<string, HeadingMeaning> {
	const cached = meaningsByRun.get(context);
	if (cached !== undefined) return cached;
	const headings = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const runMeanings = findMeanings([...headings], kind);
	meaningsByRun.set(context, runMeanings);
	return runMeanings;
}

/** Lists the columns of the item's row: those that a person has mapped, or all. */
export function listColumns(call: OperationCall, kind: RowKind, isMapped: boolean): Column[] {
	const values = isMapped
		? asObject(call.params.getObject('columns').value)
		: call.context.getInputData()[call.itemIndex].json;
	const buildColumn = (label: string, name: string, meaning: HeadingMeaning): Column => {
		const value = Object.hasOwn(values, name) ? withoutTextMarks(values[name]) : undefined;
		const cell = { label, value: isEmptyCell(value) ? undefined : value };
		return { ...meaning, ...cell };
	};
	if (!isMapped)
		return chooseMeanings(
			[...findRunMeanings(call, kind)].map(([name, meaning]) => buildColumn(name, name, meaning)),
		);
	return ROW_FIELDS[kind]
		.filter(({ id }) => Object.hasOwn(values, id))
		.map((field) => buildColumn(field.displayName, field.id, { target: field.target }));
}

/** A cell without what says to a spreadsheet that digits are a text: ="0012345", '0012345. */
const withoutTextMarks = (value: unknown): unknown =>
	typeof value === 'string'
		? value
				.trim()
				.replace(/^="((?:[^"]|"")*)"$/, (_all, text: string) => text.replaceAll('""', '"'))
				.replace(/^'(?=[\d+(])(.*?)'?$/, '$1')
		: value;

/** A cell as text; nothing for what isn't one. */
const readPlainValue = ({ value }: Partial<Column> = {}): string =>
	['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';

/** What columns mean in one row, which its cells may say. */
function chooseMeanings(columns: Column[]): Column[] {
	const isOneStreet = hasOneStreet(columns);
	return columns.map((column): Column => {
		if (isOneStreet && column.isBesideStreet && column.bare !== STREET)
			return { ...column, target: { owner: 'property', name: column.bare! } };
		const isNobody = column.isUnclear && NOBODY.test(readPlainValue(column));
		return isNobody ? { ...column, isUnclear: false } : chooseNameMeaning(column);
	});
}

const STREET = 'address_line1';

/** Whether the address that doesn't say whose it is, has the street of the property. */
function hasOneStreet(columns: Column[]): boolean {
	const filled = columns.filter(({ value }) => value !== undefined);
	const findText = (matches: (column: Column) => boolean) => readPlainValue(filled.find(matches));
	return isSameStreet(
		findText(({ bare: name }) => name === STREET),
		findText(({ target }) => target?.owner === 'property' && target.name === STREET),
	);
}

const YES = /^(?:yes|y|true|x|[✓✔☑☒])$/i;
const NO = /^(?:no|n|false|☐)$/i;
const NOBODY = /^(?:no|n|false|☐|0)$/i;
const COUNT = /^\d+(?:\.0+)?$/;

/** In a column that is called like a person, a check box or a number of people is no name. */
function chooseNameMeaning(column: Column): Column {
	const { owner, name } = column.target ?? {};
	if (!isPerson(owner) || name !== 'name') return column;
	const answer = readPlainValue(column);
	const isCheckBox = YES.test(answer) || NO.test(answer);
	if (!isCheckBox && !COUNT.test(answer)) return column;
	return { ...column, target: undefined, ...(isCheckBox && { asksFor: owner }) };
}

/**
 * Compares check boxes for people with who is filled in.
 * @throws InputFailure when a check box says that there's somebody, and nobody is filled in, or not so
 */
export function checkAskedPeople(columns: Column[], reading: RowReader): void {
	parseEach(columns, (column) => {
		const { label, asksFor: person } = column;
		if (person === undefined) return;
		const answer = readPlainValue(column);
		const isAnswered = YES.test(answer) || NO.test(answer);
		if (isAnswered || column.value === undefined) reading.use([column]);
		if (!isAnswered) return;
		const isFilledIn = columns.some(
			({ target, value }) =>
				value !== undefined &&
				target !== undefined &&
				isSameOwner(target.owner, person) &&
				IDENTIFYING.includes(target.name),
		);
		if (isFilledIn !== YES.test(answer))
			throw new InputFailure(
				label,
				`is '${answer}', but ${formatPerson(person)} ${isFilledIn ? 'is' : "isn't"} filled in`,
				'Correct the cell, or the columns of this person',
			);
	});
}
