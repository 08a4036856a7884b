import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../../core/params';
import { InputFailure } from '../../core/failures';
import { asObject } from '../../service/values/json';

/**
 * Optional fields as n8n shows them: a collection whose options bear the service's own field names.
 */
export function collection(
	displayName: string,
	name: string,
	options: INodeProperties[],
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: byName(options),
		...more,
	};
}

/** n8n's order of optional fields: by the name that is shown. */
export function byName(options: INodeProperties[]): INodeProperties[] {
	return [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

export const flag = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'boolean',
	default: false,
	description,
});

export const text = (
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

export const longText = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({ ...text(displayName, name, '', description), typeOptions: { rows: 3 } });

export const moment = (
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

/** A name of the service as people read it: `title_agent` -> Title Agent. */
export function titleOf(name: string): string {
	return name.replace(/_/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Who pays, on both platforms (gaps.md §3). */
export const payer: INodeProperties = {
	displayName: 'Payer',
	name: 'payer',
	type: 'options',
	options: [
		{ name: 'Sender', value: 'sender' },
		{ name: 'Signer', value: 'signer' },
	],
	default: 'sender',
	description:
		'Who pays for the transaction. If the signer pays, documents are released after the payment.',
};

/**
 * Rows of the same fields. None of them is "required" to n8n, whose complaint would not name the
 * row (and which looks for such fields of hidden operations under the same names too): the reader
 * of the rows complains.
 */
export function rows(
	displayName: string,
	name: string,
	row: string,
	fields: INodeProperties[],
	more: Partial<INodeProperties> = {},
): INodeProperties {
	const values = fields.map((field) => ({ ...field, required: false }));
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: `Add ${row}`,
		default: {},
		options: [{ displayName: row, name: 'row', values }],
		...more,
	};
}

/** For what nobody foresaw: fields of the service that the node does not list. */
export const additionalJson: INodeProperties = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalJson',
	type: 'json',
	default: '{}',
	description:
		"Fields that the node doesn't list, as a JSON object. They override the fields above.",
};

/** How one field of a collection becomes fields of the request. */
type FieldReaders = Record<string, (value: unknown) => IDataObject>;

/**
 * Reads what was filled in of a collection, by the type of each field; empty ones are left out.
 * @param readers fields whose shape differs from the request's
 * @throws InputFailure naming the field
 */
export function readCollection(
	params: Params,
	values: IDataObject,
	options: INodeProperties[],
	readers: FieldReaders = {},
): IDataObject {
	const fields: IDataObject = {};
	for (const property of options) {
		const value = values[property.name];
		if (
			value === undefined ||
			value === null ||
			value === '' ||
			property.name === additionalJson.name
		)
			continue;
		Object.assign(
			fields,
			readers[property.name]?.(value) ?? { [property.name]: readValue(params, property, value) },
		);
	}
	for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
	return { ...fields, ...readJsonObject(params, values.additionalJson) };
}

function readValue(params: Params, property: INodeProperties, value: unknown): IDataObject[string] {
	const { name, type, displayName, typeOptions } = property;
	if (type === 'boolean') return params.toBoolean(name, value);
	if (type === 'dateTime') return params.moment(name, value);
	if (type === 'json') return params.json(name, value) as IDataObject;
	if (type === 'number') {
		const number = Number(value);
		if (!Number.isFinite(number))
			throw new InputFailure(
				displayName,
				`is '${String(value)}', which isn't a number`,
				'Enter digits only',
			);
		return number;
	}
	if (typeOptions?.multipleValues === true || type === 'multiOptions' || Array.isArray(value)) {
		const list = (Array.isArray(value) ? value : String(value).split(','))
			.map((entry) => String(entry).trim())
			.filter((entry) => entry !== '');
		return list.length > 0 ? list : undefined;
	}
	if (type === 'resourceLocator') return params.locatorOf(name, value);
	return params.textOf({ [name]: value as string }, name);
}

/**
 * A JSON object that a person typed or an expression gave.
 * @throws InputFailure when it is something else
 */
function readJsonObject(params: Params, value: unknown, name = additionalJson.name): IDataObject {
	const parsed = params.json(name, value ?? '');
	if (parsed === undefined) return {};
	if (typeof parsed !== 'object' || Array.isArray(parsed)) {
		throw new InputFailure(
			params.label(name),
			'is not a JSON object',
			'Write fields in braces, e.g. {"cash_out": true}',
		);
	}
	return asObject(parsed);
}
