import type { IExecuteFunctions } from 'n8n-workflow';

import { ParameterValues, type ItemValues } from './parameterValues';

/** The parameters of a run's items. Those of an item are kept until it ends. */
export class RunParameters {
	private readonly values: ParameterValues;

	private readonly kept = new Map<number, ItemValues>();

	/** The items before this one have begun, or their parameters are evaluated. */
	private evaluated = 0;

	constructor(
		context: IExecuteFunctions,
		private readonly count: number,
	) {
		this.values = new ParameterValues(context);
	}

	/** The parameters of an item, which are evaluated when they're asked for. */
	of(index: number): ItemValues {
		const values = this.kept.get(index) ?? this.values.ofItem(index);
		this.kept.set(index, values);
		return values;
	}

	/** Forgets the parameters of an item that has ended. */
	forget(index: number): void {
		this.kept.delete(index);
	}

	/**
	 * Evaluates the parameters of one item that can't begin yet. While requests are open there's time
	 * for it, and when an answer comes, the next request is sent at once.
	 * @param next the item that will begin next
	 * @param many how many items may be evaluated in advance
	 * @returns whether there was one
	 */
	evaluateAhead(next: number, many: number): boolean {
		this.evaluated = Math.max(this.evaluated, next);
		const nothingLeft = this.evaluated >= Math.min(this.count, next + many);
		if (nothingLeft || this.values.ofEachItem.length === 0) return false;
		this.of(this.evaluated++).prepare();
		return true;
	}
}
