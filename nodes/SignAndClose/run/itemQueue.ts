/**
 * How many items may wait behind others of their lane while later ones go ahead. To know its lane,
 * n8n has to evaluate an item's parameters.
 */
const MOST_WAITING = 100;

/** What the queue asks of the run. */
export interface QueuedRun {
	/** How many items there are. */
	count: number;
	/** The lane of an item; undefined for one that can run beside any other. */
	findOrderKey(index: number): string | undefined;
	/** How many items may run at present. */
	countPlaces(): number;
}

/**
 * The items of a run. They begin in input order, as many at once as there are places. Items of one
 * lane run one after the other; meanwhile, later ones go ahead.
 */
export class ItemQueue {
	private cursor = 0;

	private readonly running = new Map<number, string | undefined>();

	private readonly busyKeys = new Set<string | undefined>();

	/** The lanes of items that wait for them, in input order. */
	private readonly waiting = new Map<number, string>();

	/** Notes that something has changed, so that another item may begin. */
	notifyChange = () => {};

	constructor(private readonly run: QueuedRun) {}

	/**
	 * The next item, as soon as it may begin.
	 * @returns undefined when all have ended
	 */
	async takeNext(): Promise<number | undefined> {
		for (;;) {
			const index = this.running.size < this.run.countPlaces() ? this.take() : undefined;
			if (index !== undefined || this.running.size === 0) return index;
			await new Promise<void>((resolve) => (this.notifyChange = resolve));
		}
	}

	/** Notes that an item has ended. */
	end(index: number): void {
		this.busyKeys.delete(this.running.get(index));
		this.running.delete(index);
		this.notifyChange();
	}

	private take(): number | undefined {
		for (const [index, orderKey] of this.waiting)
			if (!this.busyKeys.has(orderKey)) return this.start(index, orderKey);
		while (this.cursor < this.run.count && this.waiting.size < MOST_WAITING) {
			const index = this.cursor++;
			const orderKey = this.run.findOrderKey(index);
			if (orderKey === undefined || !this.busyKeys.has(orderKey))
				return this.start(index, orderKey);
			this.waiting.set(index, orderKey);
		}
		return undefined;
	}

	private start(index: number, orderKey: string | undefined): number {
		this.waiting.delete(index);
		this.running.set(index, orderKey);
		if (orderKey !== undefined) this.busyKeys.add(orderKey);
		return index;
	}
}
