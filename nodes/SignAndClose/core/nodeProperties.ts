import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { RESOURCES, type Operation, type ResourceValue } from './operation';

/**
 * Builds the node's parameters from the list of operations: the resource, one operation dropdown
 * for each resource, and the fields of each operation, shown for that operation only.
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
			options: byName(resources.map((value) => ({ name: RESOURCES[value], value }))),
			default: 'transaction',
		},
		...resources.map((resource) => operationDropdown(resource, operations)),
		...operations.flatMap((operation) =>
			operation.properties.map((property) => shownFor(operation, property)),
		),
	];
}

/**
 * Builds the expression for the line below the node's name on the canvas. It shows the operation's
 * action, e.g. "Create closing".
 */
export function buildSubtitle(operations: readonly Operation[]): string {
	const names = Object.fromEntries(
		operations.map(({ resource, value, action }) => [`${resource}/${value}`, action]),
	);
	return `={{ (${JSON.stringify(names)})[$parameter["resource"] + "/" + $parameter["operation"]] }}`;
}

function operationDropdown(
	resource: ResourceValue,
	operations: readonly Operation[],
): INodeProperties {
	const own = operations.filter((entry) => entry.resource === resource);
	const options = byName(
		own.map(({ name, value, action, description }) => ({ name, value, action, description })),
	);
	const initial = own.some(({ value }) => value === 'get') ? 'get' : String(options[0].value);
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

function shownFor({ resource, value }: Operation, property: INodeProperties): INodeProperties {
	const displayOptions: IDisplayOptions = {
		...property.displayOptions,
		show: { ...property.displayOptions?.show, resource: [resource], operation: [value] },
	};
	return { ...property, displayOptions };
}

function byName(options: INodePropertyOptions[]): INodePropertyOptions[] {
	return [...options].sort((a, b) => a.name.localeCompare(b.name));
}
