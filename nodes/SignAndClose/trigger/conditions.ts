import { executeFilter, type IDataObject } from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import { asObject, asObjects, asText, getOwnValue } from '../values/json';
import { isOwnReference } from '../values/reference';
import { formatForDisplay } from '../values/plainValues';

/*
 * "Only Run If": compares fields of an event and of its transaction before the workflow starts. n8n's
 * own filter compares, so that the comparisons mean what they mean in other nodes.
 */

/** The label of the conditions in the form. */
export const CONDITIONS_LABEL = 'Only Run If';

/** The choice of a field that isn't in the form's list. */
export const FREE_FIELD = 'other';

/** One condition, as it was filled in. */
interface Condition {
	field: string;
	/** The stored value of a comparison. */
	comparison: string;
	value: string;
}

/** The conditions of a trigger. */
export interface Conditions {
	all: boolean;
	list: Condition[];
}

/**
 * Reads the conditions. A row that names no field, or a comparison that isn't known here, compares
 * nothing that is there, so it isn't met by anything.
 * @returns undefined when there are none
 */
export function parseConditions(rows: unknown, combinator: unknown): Conditions | undefined {
	const list = asObjects(asObject(rows).row).map(({ field, otherField, comparison, value }) => ({
		field: (asText(field === FREE_FIELD ? otherField : field) ?? '').trim(),
		comparison: Object.hasOwn(COMPARISONS, String(comparison)) ? String(comparison) : 'equals',
		value: toComparisonText(value),
	}));
	return list.length === 0 ? undefined : { all: combinator !== 'or', list };
}

/** An expression may return a number, a date or nothing. A DateTime is ISO 8601 as text. */
const toComparisonText = (value: unknown) =>
	value instanceof Date ? value.toISOString() : String(value ?? '').trim();

/**
 * Names that belong to the event itself. Everything else is of the transaction: what the data of an
 * event says of it under the same name may be made up.
 */
const EVENT_FIELD = /^(event|transaction_id|document_id|document_name|date_occurred|data(\..+)?)$/;

/** Whether the transaction has to be known to tell whether the conditions are met. */
export function needsTransaction(conditions: Conditions | undefined): boolean {
	return conditions?.list.some(({ field }) => !EVENT_FIELD.test(field)) === true;
}

/**
 * Whether an event meets the conditions.
 * @param event its fields, which are looked at first
 * @param transaction undefined when it can't be seen: no condition on it is met then
 */
export function areMet(
	conditions: Conditions | undefined,
	event: IDataObject,
	transaction: IDataObject | undefined,
): boolean {
	if (conditions === undefined) return true;
	const meets = (condition: Condition) => isMet(condition, event, transaction);
	return conditions.all ? conditions.list.every(meets) : conditions.list.some(meets);
}

function isMet(
	{ field, comparison, value }: Condition,
	event: IDataObject,
	transaction: IDataObject | undefined,
): boolean {
	const ofEvent = EVENT_FIELD.test(field);
	if (field === '' || (transaction === undefined && !ofEvent)) return false;
	const matches = [event, ofEvent ? undefined : transaction]
		.map((subject) => listValues(subject, field))
		.find(({ length }) => length > 0);
	// What isn't there is compared as nothing: it doesn't exist, and equals no text.
	const values = matches ?? [undefined];
	const { negative = false } = COMPARISONS[comparison];
	// What can't be converted to the type of the comparison isn't met.
	const meets = (left: unknown) => compareValue(left, comparison, value) ?? negative;
	return negative ? values.every(meets) : values.some(meets);
}

/** The values that a path names. A list on the way stands for all of its entries. */
function listValues(subject: unknown, path: string): unknown[] {
	let values: unknown[] = [subject];
	for (const name of path.split('.'))
		values = values
			.flat()
			.map((value) => getOwnValue(asObject(value), name) as unknown)
			// The service writes an empty text or null where nothing is set, and the node a reference.
			.filter(
				(value) => value !== undefined && value !== null && value !== '' && !isOwnReference(value),
			);
	return values.flat();
}

/**
 * Compares as n8n's filters do.
 * @returns undefined when a value can't be converted to the type of the comparison
 */
function compareValue(left: unknown, operation: string, rightValue: string): boolean | undefined {
	const { type, alone = false } = COMPARISONS[operation];
	const operator = { type, operation, ...(alone && { singleValue: true }) };
	const leftValue = (typeof left === 'object' ? JSON.stringify(left) : left) as string;
	try {
		return executeFilter({
			options: { caseSensitive: false, leftValue: '', typeValidation: 'loose', version: 2 },
			combinator: 'and',
			conditions: [{ id: '1', leftValue, operator, rightValue }],
		});
	} catch {
		return undefined;
	}
}

/**
 * Checks the conditions, which is done when the workflow is published: afterwards, one that can't be
 * met would only be noticed by workflows that never run.
 * @throws InputFailure naming the row
 */
export function checkConditions(conditions: Conditions | undefined): void {
	for (const [index, { field, comparison, value }] of conditions?.list.entries() ?? []) {
		const entry = `entry ${index + 1}`;
		const createFailure = (problem: string, remedy: string) =>
			new InputFailure(CONDITIONS_LABEL, problem, remedy);
		if (field === '')
			throw createFailure(`has no field in ${entry}`, "Fill in 'Field Name', or remove the entry");
		const { name, type, alone } = COMPARISONS[comparison];
		if (alone) continue;
		if (value === '')
			throw createFailure(`has no value in ${entry}`, "Fill in 'Value', or use 'Doesn't Exist'");
		const expected = getOwnValue(CONVERTED_TYPES, comparison === 'regex' ? comparison : type);
		// Nothing on the left, so that only the value can be what isn't convertible.
		if (expected !== undefined && compareValue(undefined, comparison, value) === undefined)
			throw createFailure(
				`has '${formatForDisplay(value)}' in ${entry}, which isn't ${expected}`,
				`'${name}' compares with ${expected}. Correct the value, or choose another comparison`,
			);
	}
}

/** What comparisons convert a value into. */
const CONVERTED_TYPES: Record<string, string> = {
	number: 'a number',
	dateTime: 'a date',
	regex: 'a regular expression',
};

/** A comparison of one condition. */
interface Comparison {
	/** As the form shows it. */
	name: string;
	type: 'boolean' | 'dateTime' | 'number' | 'string';
	/** Whether it needs no value. */
	alone?: true;
	/**
	 * Whether it says what isn't so. In a list, e.g. the emails of all signers, no entry may be so then.
	 * Of any other comparison, one entry that fits is enough.
	 */
	negative?: true;
}

/** The comparisons by their stored values, which are also the names of n8n's operations. */
export const COMPARISONS: Record<string, Comparison> = {
	contains: { name: 'Contains', type: 'string' },
	notContains: { name: "Doesn't Contain", type: 'string', negative: true },
	notExists: { name: "Doesn't Exist", type: 'string', alone: true, negative: true },
	endsWith: { name: 'Ends With', type: 'string' },
	exists: { name: 'Exists', type: 'string', alone: true },
	after: { name: 'Is After', type: 'dateTime' },
	before: { name: 'Is Before', type: 'dateTime' },
	equals: { name: 'Is Equal To', type: 'string' },
	false: { name: 'Is False', type: 'boolean', alone: true },
	gt: { name: 'Is Greater Than', type: 'number' },
	lt: { name: 'Is Less Than', type: 'number' },
	notEquals: { name: 'Is Not Equal To', type: 'string', negative: true },
	true: { name: 'Is True', type: 'boolean', alone: true },
	regex: { name: 'Matches Regex', type: 'string' },
	startsWith: { name: 'Starts With', type: 'string' },
};
