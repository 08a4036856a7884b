import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { RESOURCES, type Operation, type ResourceValue } from '../operation';

/**
 * Builds the node's parameters from the list of operations: the resource, one operation dropdown
 * for each resource, and the fields of each operation. A field that several operations of a resource
 * have alike is there once, because the editor loads all of them with the node.
 */
export function buildProperties(operations: readonly Operation[]): INodeProperties[] {
	const resources = (Object.keys(RESOURCES) as ResourceValue[]).filter((resource) =>
		operations.some((entry) => entry.resource === resource),
	);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map((value) => ({ name: RESOURCES[value], value })),
			default: 'transaction',
		},
		...resources.map((resource) => buildOperationDropdown(resource, operations)),
		...resources.flatMap((resource) =>
			collectFields(operations.filter((operation) => operation.resource === resource)),
		),
	];
}

/**
 * Builds the expression for the line below the node's name on the canvas. It shows the operation as
 * messages name it, e.g. "Transaction: Create Closing". The action wouldn't say more than the node's
 * own name, which n8n takes from it.
 */
export function buildSubtitle(operations: readonly Operation[]): string {
	const names = Object.fromEntries(
		operations.map(({ resource, value, name }) => [
			`${resource}/${value}`,
			`${RESOURCES[resource]}: ${name}`,
		]),
	);
	return `={{ (${JSON.stringify(names)})[$parameter["resource"] + "/" + $parameter["operation"]] }}`;
}

function buildOperationDropdown(
	resource: ResourceValue,
	operations: readonly Operation[],
): INodeProperties {
	const entries = operations.filter((entry) => entry.resource === resource);
	const options = sortByName(
		entries.map(({ name, value, action, description }) => ({ name, value, action, description })),
	);
	const first =
		entries.find(({ initial }) => initial) ?? entries.find(({ value }) => value === 'get');
	const initial = first?.value ?? options[0].value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: initial,
	};
}

/** A field, and the operations that have it. */
interface Field {
	property: INodeProperties;
	/** Fields with the same text are alike. */
	text: string;
	operations: string[];
}

/** The fields of one resource's operations. Each operation's own keep their order. */
function collectFields(operations: readonly Operation[]): INodeProperties[] {
	const fields: Field[] = [];
	for (const { value, properties } of operations) {
		let last = -1;
		for (const property of properties) {
			const text = JSON.stringify(property);
			const alike = fields.findIndex((field, at) => at > last && field.text === text);
			if (alike >= 0) fields[alike].operations.push(value);
			else fields.splice(last + 1, 0, { property, text, operations: [value] });
			last = alike >= 0 ? alike : last + 1;
		}
	}
	return fields.map(({ property, operations: values }) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			// n8n takes a condition for met if it's about an expression, and looks at none after it.
			show: {
				resource: [operations[0].resource],
				operation: values,
				...property.displayOptions?.show,
			},
		},
	}));
}

function sortByName(options: INodePropertyOptions[]): INodePropertyOptions[] {
	return [...options].sort((a, b) => a.name.localeCompare(b.name));
}
