import { checkConditions, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

/**
 * What a saved workflow holds of a node: names of parameters, their types, defaults and the values
 * of choices. Texts are left out: they may change.
 */
export interface StoredParameter {
	/** Resource and operation, what else has to be chosen, and the path of the name. */
	path: string;
	type: string;
	default: unknown;
	/** Values of a choice. */
	values?: unknown[];
}

/**
 * All parameters of a node or credential, those inside collections included.
 * @param version of the node that the workflow is saved with
 */
export function storedParameters(
	properties: INodeProperties[],
	version: number,
	above = '',
): StoredParameter[] {
	const isThere = ({ displayOptions }: INodeProperties) =>
		checkConditions(displayOptions?.show?.['@version'] ?? [version], [version]);
	return properties
		.filter(isThere)
		.flatMap(forEachOperation)
		.flatMap((property): StoredParameter[] => {
			const path = `${above}${shownFor(property)}${property.name}`;
			const options = property.options ?? [];
			const values = options.flatMap((option) =>
				'value' in option ? [(option as INodePropertyOptions).value] : [],
			);
			const own: StoredParameter = {
				path,
				type: property.type,
				default: property.default,
				...(values.length > 0 && { values: [...values].sort() }),
			};
			const inside = options.flatMap((option) =>
				'values' in option
					? storedParameters(option.values, version, `${path}.${option.name}.`)
					: 'type' in option
						? storedParameters([option], version, `${path}.`)
						: [],
			);
			return [own, ...inside];
		});
}

/** A parameter that several operations share, as if each had its own. */
function forEachOperation(property: INodeProperties): INodeProperties[] {
	const { show } = property.displayOptions ?? {};
	return (show?.operation ?? [undefined]).map((operation) =>
		operation === undefined
			? property
			: {
					...property,
					displayOptions: { ...property.displayOptions, show: { ...show, operation: [operation] } },
				},
	);
}

/**
 * Conditions that change nothing about what is stored: the version, tools, and the credential's
 * switch, with which a field of the same name is there twice.
 */
const WHERE_SHOWN = ['@', '/', 'technicalSettings'];

function shownFor({ displayOptions }: INodeProperties): string {
	const { resource, operation, ...more } = displayOptions?.show ?? {};
	const others = Object.fromEntries(
		Object.entries(more).filter(([key]) => !WHERE_SHOWN.some((known) => key.startsWith(known))),
	);
	if (displayOptions?.show === undefined) return '';
	const where = [resource, operation].flatMap((part) => (part === undefined ? [] : [part.join()]));
	const conditions = Object.keys(others).length === 0 ? '' : JSON.stringify(others);
	const said = `${where.join('/')}${conditions}`;
	return said === '' ? '' : `${said}: `;
}
