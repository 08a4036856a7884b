import type { INodeProperties } from 'n8n-workflow';

import { LIST_SIZES } from '../../transport/service/limits';
import { asObject, asText } from '../../values/json';
import { joinSentences } from '../../values/words';
import type { Operation } from '../operation';
import { FIXED_IN_TOOLS } from '../tool/agentTool';

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
const NOT_IN_TOOLS = new Set([...Object.keys(FIXED_IN_TOOLS), 'returnSigningLinks', 'ssn']);

/** Adapts the node's parameters to tools. */
export function withToolForm(
	properties: INodeProperties[],
	operations: readonly Operation[],
): INodeProperties[] {
	const adapted = properties.flatMap((property) =>
		property.default === 'binary' ? buildSources(property) : buildVariants(property),
	);
	const isChoice = ({ name }: INodeProperties) => name === 'resource' || name === 'operation';
	return [
		...adapted.filter(isChoice),
		...operations.map(toDescription),
		...adapted.filter((property) => !isChoice(property)),
	];
}

/** The source of a file: a tool has no files of an item. */
const buildSources = (source: INodeProperties): INodeProperties[] => [
	limitField(source, 'hide'),
	limitField({ ...source, default: 'url' }, 'show'),
];

/**
 * A field for nodes and for tools. A limit is two, because tools have another default, and so is a
 * field that starts with an expression: a tool has no item before it.
 */
function buildVariants(property: INodeProperties): INodeProperties[] {
	const { name, options, displayOptions, default: initial } = property;
	const field = NOT_IN_TOOLS.has(name) ? limitField(property, 'hide') : { ...property };
	if (options !== undefined)
		field.options = options.flatMap((option): typeof options => {
			if ('values' in option) return [{ ...option, values: option.values.flatMap(buildVariants) }];
			if ('type' in option) return buildVariants(option);
			return [name === 'output' && option.value === 'raw' ? limitField(option, 'hide') : option];
		});
	const start = asObject(initial);
	if (asText(start.value)?.startsWith('=') === true) {
		const empty = { ...start, value: '' } as INodeProperties['default'];
		return [limitField(field, 'hide'), limitField({ ...field, default: empty }, 'show')];
	}
	const { returnAll, ...show } = displayOptions?.show ?? {};
	if (name !== 'limit' || returnAll === undefined) return [field];
	return [
		field,
		{
			...property,
			typeOptions: { minValue: 1, maxValue: LIST_SIZES.mostInTool },
			default: LIST_SIZES.usualInTool,
			displayOptions: { show: { ...show, ...tools } },
		},
	];
}

/** Hides a field in tools, or shows it in them alone. */
const limitField = <T extends Pick<INodeProperties, 'displayOptions'>>(
	field: T,
	mode: 'hide' | 'show',
): T => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		[mode]: { ...field.displayOptions?.[mode], ...tools },
	},
});

/** The description of one operation. The editor shows another one with another operation. */
const toDescription = (operation: Operation): INodeProperties => ({
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	required: true,
	typeOptions: { rows: 3 },
	default: describeToModel(operation),
	description:
		'What the model reads of this tool: when to use it, what it changes, and whether to ask before',
	displayOptions: {
		show: { ...tools, resource: [operation.resource], operation: [operation.value] },
	},
});

/** Tells a model what an operation does, what it needs, and what has to be approved. */
export function describeToModel({ kind, description, effect, properties }: Operation): string {
	const text = joinSentences(
		description.replace(/\.$/, ''),
		properties.some(({ name }) => name === 'transactionId') &&
			"Needs the ID of the transaction (transaction_id). Look it up, don't guess it",
		kind === 'read' ? 'Changes nothing' : effect,
		kind === 'write' &&
			'Before you use it, tell the user what it will do to which transaction or person, and wait for their approval',
	);
	return `${text}.`;
}
