import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import { Faults } from '../messages/inputFaults';
import type { Params } from '../run/parameters/params';
import { parseTexts } from '../run/parameters/texts';
import { isObject } from '../values/json';
import { parseWholeNumber } from './checks';

/* Builds fields of forms, and parses what was filled in. */

/**
 * Builds a collection of optional fields, sorted as n8n does. The options have the service's own
 * field names.
 */
export function defineCollection(
	displayName: string,
	name: string,
	options: INodeProperties[],
	overrides: Partial<INodeProperties> = {},
	first: string[] = [],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: sortByDisplayName(options, first),
		...overrides,
	};
}

/**
 * Sorts optional fields by display name, as n8n wants them.
 * @param first names of fields that come before the others, in this order
 */
export function sortByDisplayName(
	options: INodeProperties[],
	first: string[] = [],
): INodeProperties[] {
	const findPosition = ({ name }: INodeProperties) => [...first, name].indexOf(name);
	return [...options].sort(
		(a, b) => findPosition(a) - findPosition(b) || a.displayName.localeCompare(b.displayName),
	);
}

/** Builds a switch, off by default. */
export const defineFlag = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'boolean',
	default: false,
	description,
});

/**
 * Builds a text field.
 * @param placeholder an example; empty for none
 */
export const defineText = (
	displayName: string,
	name: string,
	placeholder: string,
	description?: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...(placeholder !== '' && { placeholder: `e.g. ${placeholder}` }),
	...(description !== undefined && { description }),
});

/** A choice of a list: its name, the value that workflows store, and what it means. */
export type OptionTuple = [name: string, value: string, description?: string];

/** Builds the options of a list. */
export const buildOptions = (choices: OptionTuple[]) =>
	choices.map(([name, value, description]) => ({ name, value, description }));

/** Orders choices by name, as n8n does. */
export const compareByName = ([a]: OptionTuple, [b]: OptionTuple): number => a.localeCompare(b);

/** Builds a list to choose one from, or several with `type: 'multiOptions'`. The first is the default. */
export const defineChoice = (
	displayName: string,
	name: string,
	choices: OptionTuple[],
	description?: string,
	overrides: Partial<INodeProperties> = {},
): INodeProperties => {
	const options = buildOptions(choices);
	const initial = options[0].value;
	return {
		displayName,
		name,
		type: 'options',
		options,
		default: initial,
		description,
		...overrides,
	};
};

/**
 * Parses what was chosen of a list to choose several from.
 * @throws InputFailure when nothing is chosen, or what there isn't
 */
export function parseSelection(
	params: Params,
	name: string,
	choices: readonly OptionTuple[],
): ReadonlySet<string> {
	const label = params.label(name);
	const selection = parseTexts(label, params.getRaw(name));
	const allowed = choices.map(([, value]) => value);
	if (selection.length > 0 && selection.every((entry) => allowed.includes(entry)))
		return new Set(selection);
	throw new InputFailure(
		label,
		selection.length === 0 ? 'is empty' : `is '${selection.join(', ')}'`,
		`Choose from the list. An expression must return ${allowed.join(', ')} or several of them`,
	);
}

/** Builds a field for a number. */
export const defineNumber = (
	displayName: string,
	name: string,
	[least, initial]: [least: number, initial: number],
	description: string,
	overrides: Partial<INodeProperties> = {},
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	typeOptions: { minValue: least },
	default: initial,
	description,
	...overrides,
});

/** Builds a text field of several lines. */
export const defineLongText = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({
	...defineText(displayName, name, '', description),
	typeOptions: { rows: 3 },
});

/** Builds a date and time field. */
export const defineDateTime = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
	description: `${description}. Without a time zone, the workflow's time zone applies.`,
});

/**
 * Builds rows of the same fields. None of them is required for n8n, because n8n's message wouldn't
 * name the row, and because n8n would also check fields of the same name in operations that aren't
 * shown. Whoever reads the rows checks them.
 * @param visibleFields names of the fields that every row shows; the others are added by a button. Without
 *   it, and in an n8n that has no such button, every row shows all fields
 */
export function defineRows(
	displayName: string,
	name: string,
	row: string,
	fields: INodeProperties[],
	overrides: Partial<INodeProperties> = {},
	visibleFields: readonly string[] = [],
): INodeProperties {
	const values = fields.map((field) => ({
		...field,
		required: false,
		...(visibleFields.includes(field.name) && {
			typeOptions: { ...field.typeOptions, showEvenWhenOptional: true },
		}),
	}));
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			...(visibleFields.length > 0 && {
				hideOptionalFields: true,
				addOptionalFieldButtonText: 'Add Field',
			}),
		},
		placeholder: `Add ${row}`,
		default: {},
		options: [{ displayName: row, name: 'row', values }],
		...overrides,
	};
}

/** A JSON object with fields of the service that the node doesn't list. */
export const additionalJson: INodeProperties = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalJson',
	type: 'json',
	default: '{}',
	description:
		"Fields that the node doesn't list, as a JSON object. They override the fields above.",
};

/**
 * Reads the filled-in fields of a collection by their types, as fields of the request. Empty ones
 * are left out, and the JSON object overrides the others.
 * @param values the collection's values
 * @param readers for fields whose shape differs from the request's; they return fields of the request
 * @throws InputFailure naming the field
 */
export function parseCollection(
	params: Params,
	values: IDataObject,
	options: INodeProperties[],
	readers: Record<string, (value: unknown) => IDataObject> = {},
): IDataObject {
	const fields: IDataObject = {};
	const faults = new Faults();
	for (const property of options) {
		const { name } = property;
		const value = values[name] ?? '';
		if (value === '' || name === additionalJson.name) continue;
		const readField = () =>
			readers[name]?.(value) ?? { [name]: parseValue(params, property, value) };
		Object.assign(fields, faults.collect(readField));
	}
	for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
	const jsonFields = faults.collect(() => parseJsonObject(params, values.additionalJson));
	faults.throwIfAny();
	return { ...fields, ...jsonFields };
}

/** Times that end something. A day without a time counts as a whole, so its end is meant. */
const ENDS = new Set(['expiry', 'expiration_time']);

function parseValue(
	params: Params,
	property: INodeProperties,
	value: unknown,
): IDataObject[string] {
	const { name, type, displayName, typeOptions } = property;
	if (type === 'boolean') return params.toBoolean(name, value);
	if (type === 'dateTime') return params.getMoment(name, value, ENDS.has(name) ? 'end' : 'begin');
	if (type === 'json') return params.getJson(name, value) as IDataObject;
	if (type === 'number') return parseWholeNumber(value, typeOptions?.minValue ?? 0, displayName);
	if (typeOptions?.multipleValues === true || type === 'multiOptions' || Array.isArray(value)) {
		const list = parseTexts(params.label(name), value);
		return list.length > 0 ? list : undefined;
	}
	if (type === 'resourceLocator') return params.parseLocator(name, value);
	return params.getTextIn({ [name]: value as string }, name);
}

/**
 * Reads a JSON object that was typed or that an expression returned.
 * @throws InputFailure when it is anything else
 */
function parseJsonObject(params: Params, value: unknown): IDataObject {
	const { name } = additionalJson;
	const parsed = params.getJson(name, value ?? '') ?? {};
	if (isObject(parsed)) return parsed;
	throw new InputFailure(
		params.label(name),
		'is not a JSON object',
		'Write fields in braces, e.g. {"cash_out": true}',
	);
}
