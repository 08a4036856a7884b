import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/json';
import { toPlainText } from '../../values/plainText';

/* Values of parameters as the workflow stores them. */

/** How much of an expression a message shows. */
const LONGEST_EXPRESSION = 100;

/** Whether it's the value of a resource locator. In a collection, one that nobody changed has no mark. */
export const isLocator = (value: unknown): value is IDataObject =>
	isObject(value) && 'mode' in value && 'value' in value;

/** n8n evaluates a text that begins with an equals sign. */
export const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

/**
 * Finds the expression that gives a value.
 * @param stored the parameter
 * @param path names and indexes that lead to the value inside of it
 * @returns it as the editor shows it; undefined where there is none
 */
export function findExpression(
	stored: unknown,
	path: ReadonlyArray<string | number>,
): string | undefined {
	const value = path.reduce(
		(outer, part) =>
			typeof outer === 'object' ? (outer as IDataObject | null)?.[part] : undefined,
		stored,
	);
	const text = isLocator(value) ? value.value : value;
	if (!isExpression(text)) return undefined;
	return toPlainText(text.slice(1), LONGEST_EXPRESSION).trim() || undefined;
}
