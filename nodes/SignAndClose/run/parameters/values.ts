import { deepCopy, type GenericValue, type IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool, getToolValue } from '../tool/agentTool';
import type { ParameterSource } from './params';
import { isExpression } from './stored';

/**
 * The values of the node's parameters in one run. n8n evaluates a parameter each time it's asked for
 * one, which takes longer than anything else that an item needs. So each is asked for at most once an
 * item, and at most once a run when it has no expression.
 */
export class ParameterValues {
	private readonly fixed = new Map<string, unknown>();

	private readonly items = new Map<number, Map<string, unknown>>();

	/** As the workflow stores them. */
	private readonly stored: Record<string, unknown>;

	private readonly ofTool: boolean;

	constructor(private readonly context: IExecuteFunctions) {
		const node = context.getNode();
		this.stored = node.parameters;
		this.ofTool = isAgentTool(node);
	}

	/** The parameters of one item, which are kept until it ends. */
	getItemValues(itemIndex: number): ParameterSource {
		const cache = this.items.get(itemIndex) ?? new Map<string, unknown>();
		this.items.set(itemIndex, cache);
		return {
			timezone: this.context.getTimezone(),
			get: (name) => {
				if (!cache.has(name)) cache.set(name, this.evaluate(name, itemIndex));
				return cache.get(name);
			},
			getStored: (name) => this.stored[name],
			withItem: (index) => this.getItemValues(index),
		};
	}

	/** Forgets the parameters of an item that has ended. */
	forget(itemIndex: number): void {
		this.items.delete(itemIndex);
	}

	/**
	 * Evaluates a parameter.
	 * @returns null when it isn't shown for this operation
	 * @throws n8n's error for an expression that can't be evaluated
	 */
	private evaluate(name: string, itemIndex: number): unknown {
		if (holdsExpression(this.stored[name])) return this.ask(name, itemIndex);
		if (!this.fixed.has(name)) this.fixed.set(name, this.ask(name, itemIndex));
		// Of an object each item gets its own, as from n8n.
		return deepCopy(this.fixed.get(name) as GenericValue);
	}

	private ask(name: string, itemIndex: number): unknown {
		// n8n throws for a parameter that isn't shown, unless there is a fallback other than undefined.
		const value: unknown = this.context.getNodeParameter(name, itemIndex, null);
		return this.ofTool ? getToolValue(name, value) : value;
	}
}

/** Whether n8n evaluates a value, or something inside of it. */
function holdsExpression(value: unknown): boolean {
	if (isExpression(value)) return true;
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

/** Reads parameters. The item fails with what can't be evaluated when it begins. */
export function tryToRead<T>(readValue: () => T): T | undefined {
	try {
		return readValue();
	} catch {
		return undefined;
	}
}
