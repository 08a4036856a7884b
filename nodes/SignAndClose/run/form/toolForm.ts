import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from '../operation';
import { FIXED_IN_TOOLS, HIGHEST_LIMIT } from '../tool/agentTool';

/*
 * The node's form as a tool of an agent. n8n makes a tool of the node by itself and keeps its form;
 * here it's made for a model, which pays for what it reads, repeats what it has read, and knows of an
 * operation only what its description says.
 */

const tools = { '@tool': [true] };

/**
 * Fields that a tool doesn't have: those with a fixed value, what would give a model access in place
 * of a signer, and what it shouldn't be told.
 */
const NOT_IN_TOOLS = new Set([...Object.keys(FIXED_IN_TOOLS), 'returnAccessLinks', 'ssn']);

/** Choices that a tool doesn't have, by the name of their field. */
const CHOICES_NOT_IN_TOOLS: Record<string, string> = { output: 'raw' };

const LIMIT = 'limit';
const USUAL_LIMIT = 20;

/** The field that a read has only if its output is a file. A model gets no files. */
const FILE_FIELD = 'binaryPropertyName';

/** Adapts the node's parameters to tools. */
export function withToolForm(
	properties: INodeProperties[],
	operations: readonly Operation[],
): INodeProperties[] {
	const files = operations.filter(
		({ kind, properties: own }) => kind === 'read' && own.some(({ name }) => name === FILE_FIELD),
	);
	const adapted = properties
		.map((property) => (property.name === 'operation' ? withoutFiles(property, files) : property))
		.flatMap(adapt);
	const isChoice = ({ name }: INodeProperties) => name === 'resource' || name === 'operation';
	return [
		...adapted.filter(isChoice),
		...operations.map(describe),
		...adapted.filter((property) => !isChoice(property)),
	];
}

/** A field for nodes and for tools. A limit is two, because tools have another default. */
function adapt(property: INodeProperties): INodeProperties[] {
	const field = { ...property, ...(property.options && { options: optionsOf(property) }) };
	const { show } = field.displayOptions ?? {};
	if (field.name === LIMIT && show?.returnAll !== undefined) return [field, limitOf(field)];
	return [NOT_IN_TOOLS.has(field.name) ? notInTools(field) : field];
}

function optionsOf({ name, options = [] }: INodeProperties): INodeProperties['options'] {
	const adaptOne = (option: (typeof options)[number]): typeof options => {
		if ('values' in option) return [{ ...option, values: option.values.flatMap(adapt) }];
		if ('type' in option) return adapt(option);
		const isLeftOut = 'value' in option && CHOICES_NOT_IN_TOOLS[name] === option.value;
		return [isLeftOut ? notInTools(option) : option];
	};
	return options.flatMap(adaptOne);
}

/** Leaves operations out of a dropdown whose output is a file. Tools that have one keep it. */
function withoutFiles(property: INodeProperties, files: readonly Operation[]): INodeProperties {
	const [resource] = property.displayOptions?.show?.resource ?? [];
	const options = (property.options ?? []) as INodePropertyOptions[];
	return {
		...property,
		options: options.map((option) =>
			files.some((entry) => entry.resource === resource && entry.value === option.value)
				? notInTools(option)
				: option,
		),
	};
}

function limitOf(field: INodeProperties): INodeProperties {
	const show = { ...field.displayOptions?.show };
	delete show.returnAll;
	return {
		...field,
		typeOptions: { minValue: 1, maxValue: HIGHEST_LIMIT },
		default: USUAL_LIMIT,
		displayOptions: { show: { ...show, ...tools } },
	};
}

type Shown = Pick<INodeProperties, 'displayOptions'>;

const notInTools = <T extends Shown>(field: T): T => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		hide: { ...field.displayOptions?.hide, ...tools },
	},
});

const DESCRIPTION: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	required: true,
	typeOptions: { rows: 3 },
	default: '',
	description:
		'What the model reads of this tool: when to use it, what it changes, and whether to ask before',
};

/** The description of one operation. The editor shows another one with another operation. */
function describe(operation: Operation): INodeProperties {
	const { resource, value } = operation;
	return {
		...DESCRIPTION,
		default: describeToModel(operation),
		displayOptions: {
			show: { ...tools, resource: [resource], operation: [value] },
		},
	};
}

/** Tells a model what an operation does, what it needs, and what has to be approved. */
export function describeToModel({ kind, description, effect, properties }: Operation): string {
	const has = (field: string) => properties.some(({ name }) => name === field);
	return [
		description,
		has('transactionId') &&
			"Needs the ID of the transaction (transaction_id). Look it up, don't guess it",
		kind === 'read' && 'Changes nothing',
		kind === 'write' && effect,
		kind === 'write' &&
			'Before you call it, tell the user what it will do to which transaction or person, and wait for their approval',
	]
		.filter((sentence) => typeof sentence === 'string')
		.map((sentence) => `${sentence.replace(/\.$/, '')}.`)
		.join(' ');
}
