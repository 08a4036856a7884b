/* Decides which item of a run may begin next. */

/**
 * How many items may wait behind others of their lane while later ones go ahead. To know its lane,
 * n8n has to evaluate an item's parameters.
 */
const MOST_WAITING = 100;

/**
 * The order of a run's items. Items of one lane run one after the other, in input order; items of
 * different lanes, and those without one, side by side.
 */
export class Schedule {
	private cursor = 0;

	private readonly running = new Map<number, string | undefined>();

	/** Items that wait for their lane, in input order. */
	private readonly behind: Array<{ index: number; lane: string }> = [];

	private readonly busy = new Set<string>();

	/**
	 * @param count how many items there are
	 * @param laneOf the lane of an item; undefined for one that can run beside any other
	 */
	constructor(
		private readonly count: number,
		private readonly laneOf: (index: number) => string | undefined,
	) {}

	/** The first item that nobody has looked at yet. */
	get next(): number {
		return this.cursor;
	}

	/** How many items have begun and not ended. */
	get underWay(): number {
		return this.running.size;
	}

	/**
	 * Begins the next item that may run.
	 * @returns undefined when none may before another one ends
	 */
	begin(): number | undefined {
		const at = this.behind.findIndex(({ lane }) => !this.busy.has(lane));
		if (at >= 0) {
			const [{ index, lane }] = this.behind.splice(at, 1);
			return this.start(index, lane);
		}
		while (this.cursor < this.count && this.behind.length < MOST_WAITING) {
			const index = this.cursor++;
			const lane = this.laneOf(index);
			if (lane === undefined || !this.busy.has(lane)) return this.start(index, lane);
			this.behind.push({ index, lane });
		}
		return undefined;
	}

	/** Notes that an item has ended. */
	end(index: number): void {
		const lane = this.running.get(index);
		this.running.delete(index);
		if (lane !== undefined) this.busy.delete(lane);
	}

	private start(index: number, lane: string | undefined): number {
		if (lane !== undefined) this.busy.add(lane);
		this.running.set(index, lane);
		return index;
	}
}
