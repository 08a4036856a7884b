import { deepCopy, type GenericValue, type IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool, valueInTool } from '../tool/agentTool';

/**
 * The values of the node's parameters in one run. n8n evaluates a parameter each time it's asked for
 * one, which takes longer than anything else that an item needs. So each is asked for at most once an
 * item, and at most once a run when it has no expression.
 */
export class ParameterValues {
	private readonly fixed = new Map<string, unknown>();

	private readonly withExpression = new Map<string, boolean>();

	/** As the workflow stores them. */
	private readonly stored: Record<string, unknown>;

	private readonly ofTool: boolean;

	private readonly items = new Map<number, ItemValues>();

	constructor(readonly context: IExecuteFunctions) {
		const node = context.getNode();
		this.stored = node.parameters;
		this.ofTool = isAgentTool(node);
	}

	/** The parameters of one item, which are kept until it ends. */
	ofItem(itemIndex: number): ItemValues {
		const values = this.items.get(itemIndex) ?? new ItemValues(this, itemIndex);
		this.items.set(itemIndex, values);
		return values;
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
	evaluate(name: string, itemIndex: number): unknown {
		if (this.hasExpression(name)) return this.ask(name, itemIndex);
		if (!this.fixed.has(name)) this.fixed.set(name, this.ask(name, itemIndex));
		// Of an object each item gets its own, as from n8n.
		return deepCopy(this.fixed.get(name) as GenericValue);
	}

	private ask(name: string, itemIndex: number): unknown {
		// n8n throws for a parameter that isn't shown, unless there is a fallback other than undefined.
		const value: unknown = this.context.getNodeParameter(name, itemIndex, null);
		return this.ofTool ? valueInTool(name, value) : value;
	}

	private hasExpression(name: string): boolean {
		const known = this.withExpression.get(name) ?? holdsExpression(this.stored[name]);
		this.withExpression.set(name, known);
		return known;
	}
}

/** The values of one item's parameters. */
export class ItemValues {
	private readonly known = new Map<string, unknown>();

	constructor(
		private readonly values: ParameterValues,
		private readonly itemIndex: number,
	) {}

	/** The workflow's time zone. */
	get timezone(): string {
		return this.values.context.getTimezone();
	}

	/** @throws n8n's error for an expression that can't be evaluated */
	get(name: string): unknown {
		if (!this.known.has(name)) this.known.set(name, this.values.evaluate(name, this.itemIndex));
		return this.known.get(name);
	}
}

/** n8n evaluates a text that begins with an equals sign, also inside of objects. */
function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
