import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import { Faults } from '../messages/inputFaults';
import type { Params } from '../run/parameters/params';
import { parseTexts } from '../run/parameters/texts';
import { isObject } from '../values/json';
import { parseWholeNumber } from './checks';
import { additionalJson, type OptionTuple } from './fields';

/* Parses what was filled in into fields of forms. */

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
	if (type === 'resourceLocator') return params.parseAddedLocator(name, value);
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
