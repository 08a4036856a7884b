/**
 * How many items may wait behind others of their lane while later ones go ahead. To know its lane,
 * n8n has to evaluate an item's parameters.
 */
const MOST_WAITING = 100;

/** What the queue asks of the run. */
interface Run {
	/** How many items there are. */
	count: number;
	/** The lane of an item; undefined for one that can run beside any other. */
	laneOf(index: number): string | undefined;
	/** How many items may run at present. */
	places(): number;
	/** Called when no item can begin before one of those that run goes on. */
	onFull(running: number): void;
}

/**
 * The items of a run. They begin in input order, as many at once as there are places. Items of one
 * lane run one after the other; meanwhile, later ones go ahead.
 */
export class ItemQueue {
	private cursor = 0;

	private readonly running = new Map<number, string | undefined>();

	/** Items that wait for their lane, in input order. */
	private readonly waiting: Array<{ index: number; lane: string }> = [];

	private readonly busy = new Set<string | undefined>();

	/** Notes that something has changed, so that another item may begin. */
	changed = () => {};

	constructor(private readonly run: Run) {}

	/**
	 * The next item, as soon as it may begin.
	 * @returns undefined when all have ended
	 */
	async next(): Promise<number | undefined> {
		for (;;) {
			const entry = this.running.size < this.run.places() ? this.take() : undefined;
			if (entry !== undefined) {
				this.running.set(entry.index, entry.lane);
				if (entry.lane !== undefined) this.busy.add(entry.lane);
				return entry.index;
			}
			if (this.running.size === 0) return undefined;
			const change = new Promise<void>((resolve) => (this.changed = resolve));
			this.run.onFull(this.running.size);
			await change;
		}
	}

	/** Notes that an item has ended. */
	end(index: number): void {
		this.busy.delete(this.running.get(index));
		this.running.delete(index);
		this.changed();
	}

	private take(): { index: number; lane?: string } | undefined {
		const at = this.waiting.findIndex(({ lane }) => !this.busy.has(lane));
		if (at >= 0) return this.waiting.splice(at, 1)[0];
		while (this.cursor < this.run.count && this.waiting.length < MOST_WAITING) {
			const index = this.cursor++;
			const lane = this.run.laneOf(index);
			if (lane === undefined || !this.busy.has(lane)) return { index, lane };
			this.waiting.push({ index, lane });
		}
		return undefined;
	}
}
