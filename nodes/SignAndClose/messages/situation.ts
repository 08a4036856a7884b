import type { INodeProperties } from 'n8n-workflow';

import type { FailureReason } from '../transport/failure/failure';
import type { DetailedWords } from './failures';

/** What is known of an item that failed. Its remedy depends on it. */
export interface Situation {
	/** Resource and value of the operation, e.g. transaction/send. */
	operation: string;
	/** The fields of its form. */
	properties: INodeProperties[];
	/** The platform that the item has chosen, where its form has one. */
	platform?: unknown;
	/** Whether the message goes on with what is done and how to run the rest. */
	saysHowToGoOn?: boolean;
}

/** What happened and what to do, by code, also where the outcome is unknown. */
export type Texts = {
	[C in FailureReason['code']]: (
		reason: FailureReason & { code: C },
		situation: Situation | undefined,
		isUnknown: boolean,
	) => DetailedWords;
};

/** Whether the form of the item's operation has a parameter. Outside of the node, it counts as there. */
export function hasParameter(situation: Situation | undefined, name: string): boolean {
	return situation === undefined || getParameterNames(situation.properties).labels.has(name);
}

/**
 * The display name of a parameter in the form of the item's operation.
 * @param name of the parameter, or of the field of a request
 * @returns undefined when the form doesn't have it
 */
export function labelIn(situation: Situation | undefined, name: string): string | undefined {
	const { labels } = getParameterNames(situation?.properties ?? []);
	return labels.get(name) ?? labels.get(toCamelCase(name));
}

/** The name that a parameter of a form has, from that of the field of a request. */
export const toCamelCase = (name: string): string =>
	name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** What the editor shows for the parameters of an operation. */
export interface ParameterNames {
	/** Display names, by name. */
	labels: Map<string, string>;
	/** Values of the choices, by name. */
	choices: Map<string, string[]>;
}

/** Those of each operation. They never change. */
const namesByProperties = new WeakMap<INodeProperties[], ParameterNames>();

/** The names of an operation's parameters. They're collected once, not for each item. */
export function getParameterNames(properties: INodeProperties[]): ParameterNames {
	const names = namesByProperties.get(properties) ?? collectNames(properties);
	namesByProperties.set(properties, names);
	return names;
}

/**
 * Labels and choices, those inside collections included. The first of a name counts, the outer ones
 * before the inner ones: a row may have a field of the same name.
 */
function collectNames(
	properties: INodeProperties[],
	names: ParameterNames = { labels: new Map(), choices: new Map() },
): ParameterNames {
	const { labels, choices } = names;
	for (const { name, displayName, options = [] } of properties) {
		if (!labels.has(name)) labels.set(name, displayName);
		const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		if (values.length > 0 && !choices.has(name)) choices.set(name, values);
	}
	const inner = properties.flatMap(({ options = [] }) =>
		options.flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		),
	);
	return inner.length > 0 ? collectNames(inner, names) : names;
}
