/**
 * How many items may wait behind others of their lane while later ones go ahead. To know its lane,
 * n8n has to evaluate an item's parameters.
 */
const MOST_WAITING = 100;

/** What the queue asks of the run. */
export interface Run {
	/** How many items there are. */
	count: number;
	/** The lane of an item; undefined for one that can run beside any other. */
	laneOf(index: number): string | undefined;
	/** How many items may run at present. */
	places(): number;
}

/**
 * The items of a run. They begin in input order, as many at once as there are places. Items of one
 * lane run one after the other; meanwhile, later ones go ahead.
 */
export class ItemQueue {
	private cursor = 0;

	private readonly running = new Map<number, string | undefined>();

	private readonly busy = new Set<string | undefined>();

	/** The lanes of items that wait for them, in input order. */
	private readonly waiting = new Map<number, string>();

	/** Notes that something has changed, so that another item may begin. */
	changed = () => {};

	constructor(private readonly run: Run) {}

	/**
	 * The next item, as soon as it may begin.
	 * @returns undefined when all have ended
	 */
	async next(): Promise<number | undefined> {
		for (;;) {
			const index = this.running.size < this.run.places() ? this.take() : undefined;
			if (index !== undefined || this.running.size === 0) return index;
			await new Promise<void>((resolve) => (this.changed = resolve));
		}
	}

	/** Notes that an item has ended. */
	end(index: number): void {
		this.busy.delete(this.running.get(index));
		this.running.delete(index);
		this.changed();
	}

	private take(): number | undefined {
		for (const [index, lane] of this.waiting)
			if (!this.busy.has(lane)) return this.start(index, lane);
		while (this.cursor < this.run.count && this.waiting.size < MOST_WAITING) {
			const index = this.cursor++;
			const lane = this.run.laneOf(index);
			if (lane === undefined || !this.busy.has(lane)) return this.start(index, lane);
			this.waiting.set(index, lane);
		}
		return undefined;
	}

	private start(index: number, lane: string | undefined): number {
		this.waiting.delete(index);
		this.running.set(index, lane);
		if (lane !== undefined) this.busy.add(lane);
		return index;
	}
}
