/** A map that keeps its newest entries, so that what a process remembers doesn't grow for ever. */
export class NewestMap<Value> extends Map<string, Value> {
	/** @param limit how many entries are kept; the one that was set first goes first */
	constructor(private readonly limit: number) {
		super();
	}

	override set(key: string, value: Value): this {
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.limit && oldest !== undefined) this.delete(oldest);
		return this;
	}
}
