import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../transport/client';
import { LIST_SIZES } from '../../transport/service/limits';
import { isObject } from '../../values/json';

/*
 * How the node works as a tool of an agent. Its form leaves fields out (toolForm.ts), but a workflow that a
 * machine has written, or a model, may name them all the same.
 */

/** What a tool works with in place of the values of these fields. */
export const FIXED_IN_TOOLS: Record<string, unknown> = {
	simplify: true,
	returnAll: false,
	content: 'none',
	// There's no sheet.
	fieldsFrom: 'form',
	// Sending takes a person.
	then: 'draft',
	// A model has no files to replace documents with.
	thenReplace: 'plan',
};

/** Whether a node is a tool. n8n ends the types of all tools alike. */
export function isAgentTool({ type }: { type: string }): boolean {
	return type.endsWith('Tool');
}

/** Returns the value that a tool works with, whatever its workflow or its model says. */
export function getToolValue(name: string, value: unknown): unknown {
	if (name in FIXED_IN_TOOLS) return FIXED_IN_TOOLS[name];
	return name === 'limit' && Number(value) > LIST_SIZES.mostInTool ? LIST_SIZES.mostInTool : value;
}

/** The results of an operation as they come out: without secrets and, as a tool, as a model may read them. */
export function hideInResults<Result extends { json: IDataObject }>(
	context: IExecuteFunctions,
	service: ServiceClient,
	results: Result[],
): Result[] {
	const isTool = isAgentTool(context.getNode());
	return results.map((result) => {
		const json = service.hide(result.json);
		return { ...result, json: isTool ? filterForModel(json) : json };
	});
}

/**
 * Links, and files in the text of the answer. Whoever has a link of a signer can sign, and a model may
 * repeat in a chat whatever it has read.
 */
const LINK_OR_FILE = /^\s*(https?:|data:)/i;

/** Fields that are a key to something, whatever they hold. */
const KEY_FIELD = /(^|_)(token|links?|ur[il]s?|pin)$/i;

/** From this many characters on, a text without spaces in the letters of base64 is a file. */
const LONG = 1_000;
const BASE64 = /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/;

/** Returns an output without links, pictures and other files. */
export function filterForModel(json: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(json)
			.filter(([name, value]) => !isHidden(name, value))
			.map(([name, value]) => [name, filterValue(value)]),
	);
}

function filterValue(value: IDataObject[string]): IDataObject[string] {
	if (Array.isArray(value))
		return (value as Array<IDataObject[string]>)
			.filter((entry) => !isHidden('', entry))
			.map(filterValue) as IDataObject[];
	return isObject(value) && !(value instanceof Date) ? filterForModel(value) : value;
}

function isHidden(name: string, value: unknown): boolean {
	if (typeof value !== 'string') return KEY_FIELD.test(name) && value !== null && value !== false;
	return (
		KEY_FIELD.test(name) || LINK_OR_FILE.test(value) || (value.length >= LONG && BASE64.test(value))
	);
}
