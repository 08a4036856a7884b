import type { INodeProperties } from 'n8n-workflow';

/* Builds fields of forms. */

/**
 * Builds a collection of optional fields, sorted as n8n does. The options have the service's own
 * field names.
 */
export function defineCollection(
	displayName: string,
	name: string,
	options: INodeProperties[],
	overrides: Partial<INodeProperties> = {},
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: sortByDisplayName(options).map(startSwitch),
		...overrides,
	};
}

/** A switch that somebody adds says something else than leaving it out, which its default is about. */
const startSwitch = (field: INodeProperties): INodeProperties =>
	field.type === 'boolean' ? { ...field, default: field.default !== true } : field;

/** Sorts optional fields by display name, as n8n wants them. */
export const sortByDisplayName = (options: INodeProperties[]): INodeProperties[] =>
	[...options].sort((a, b) => a.displayName.localeCompare(b.displayName));

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
