import { LIST_SIZES } from '../../transport/service/limits';

/*
 * How the node works as a tool of an agent. Its form leaves fields out (form.ts), but a workflow that a
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
};

/** Whether a node is a tool. n8n ends the types of all tools alike. */
export function isAgentTool({ type }: { type: string }): boolean {
	return type.endsWith('Tool');
}

/** Returns the value that a tool works with, whatever its workflow or its model says. */
export function valueInTool(name: string, value: unknown): unknown {
	if (name in FIXED_IN_TOOLS) return FIXED_IN_TOOLS[name];
	return name === 'limit' && Number(value) > LIST_SIZES.mostInTool ? LIST_SIZES.mostInTool : value;
}
