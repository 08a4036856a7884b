import type { FilterValue } from 'n8n-workflow';

/* How conditions compare, in terms of n8n's own filters. */

type Operator = FilterValue['conditions'][number]['operator'];

/** A comparison of one condition. */
export interface Comparison {
	/** As the form shows it. */
	name: string;
	operator: Operator;
	/** Whether it needs no value. */
	alone?: boolean;
	/**
	 * Whether it says what isn't so. In a list, e.g. the emails of all signers, no entry may be so then.
	 * Of any other comparison, one entry that fits is enough.
	 */
	negative?: boolean;
}

const of = (
	type: 'boolean' | 'dateTime' | 'number' | 'string',
	operation: string,
	name: string,
	more: Partial<Comparison> = {},
): Comparison => ({
	name,
	operator: { type, operation, ...(more.alone === true && { singleValue: true }) },
	...more,
});

const ALONE = { alone: true };
const NEGATIVE = { negative: true };

/** The comparisons by their stored values. */
export const COMPARISONS: Record<string, Comparison> = {
	contains: of('string', 'contains', 'Contains'),
	notContains: of('string', 'notContains', "Doesn't Contain", NEGATIVE),
	notExists: of('string', 'notExists', "Doesn't Exist", { ...ALONE, ...NEGATIVE }),
	endsWith: of('string', 'endsWith', 'Ends With'),
	exists: of('string', 'exists', 'Exists', ALONE),
	after: of('dateTime', 'after', 'Is After'),
	before: of('dateTime', 'before', 'Is Before'),
	equals: of('string', 'equals', 'Is Equal To'),
	false: of('boolean', 'false', 'Is False', ALONE),
	gt: of('number', 'gt', 'Is Greater Than'),
	lt: of('number', 'lt', 'Is Less Than'),
	notEquals: of('string', 'notEquals', 'Is Not Equal To', NEGATIVE),
	true: of('boolean', 'true', 'Is True', ALONE),
	regex: of('string', 'regex', 'Matches Regex'),
	startsWith: of('string', 'startsWith', 'Starts With'),
};
