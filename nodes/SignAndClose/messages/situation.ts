import type { INodeProperties } from 'n8n-workflow';

import { namesOf } from './names';

/** What is known of an item that failed. Its remedy depends on it. */
export interface Situation {
	/** Resource and value of the operation, e.g. transaction/send. */
	operation: string;
	/** The fields of its form. */
	properties: INodeProperties[];
}

/** Whether the form of the item's operation has a parameter. Outside of the node, it counts as there. */
export function hasParameter(situation: Situation | undefined, name: string): boolean {
	return situation === undefined || namesOf(situation.properties).labels.has(name);
}

/**
 * The display name of a parameter in the form of the item's operation.
 * @param name of the parameter, or of the field of a request
 * @returns undefined when the form doesn't have it
 */
export function labelIn(situation: Situation | undefined, name: string): string | undefined {
	const { labels } = namesOf(situation?.properties ?? []);
	const inner = name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
	return labels.get(name) ?? labels.get(inner);
}
