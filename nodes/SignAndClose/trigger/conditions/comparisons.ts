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

const ofText = (operation: string, name: string, more: Partial<Comparison> = {}): Comparison => ({
	name,
	operator: { type: 'string', operation, ...(more.alone === true && { singleValue: true }) },
	...more,
});

/** The comparisons by their stored values. */
export const COMPARISONS: Record<string, Comparison> = {
	contains: ofText('contains', 'Contains'),
	notContains: ofText('notContains', "Doesn't Contain", { negative: true }),
	notExists: ofText('notExists', "Doesn't Exist", { alone: true, negative: true }),
	endsWith: ofText('endsWith', 'Ends With'),
	exists: ofText('exists', 'Exists', { alone: true }),
	after: { name: 'Is After', operator: { type: 'dateTime', operation: 'after' } },
	before: { name: 'Is Before', operator: { type: 'dateTime', operation: 'before' } },
	equals: ofText('equals', 'Is Equal To'),
	false: {
		name: 'Is False',
		operator: { type: 'boolean', operation: 'false', singleValue: true },
		alone: true,
	},
	gt: { name: 'Is Greater Than', operator: { type: 'number', operation: 'gt' } },
	lt: { name: 'Is Less Than', operator: { type: 'number', operation: 'lt' } },
	notEquals: ofText('notEquals', 'Is Not Equal To', { negative: true }),
	true: {
		name: 'Is True',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
		alone: true,
	},
	regex: ofText('regex', 'Matches Regex'),
	startsWith: ofText('startsWith', 'Starts With'),
};
