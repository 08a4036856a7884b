import { sleep, type IDataObject } from 'n8n-workflow';

/** Takes an entry, and says whether more are wanted. */
export type Visit = (entry: IDataObject) => boolean;

/** How to walk a list, of which at most so many entries are wanted. */
type Pages = (most: number) => AsyncIterable<IDataObject[]>;

/** How many items may take part at once. Each keeps its parameters meanwhile. */
const MOST_VISITORS = 1_000;
/** How long visitors may keep n8n from everything else, in milliseconds. */
const LONGEST_AT_A_STRETCH_MS = 10;

/** An item that reads a list. */
interface Visitor {
	visit: Visit;
	/** How many entries it wants at most; infinity when that depends on them. */
	most: number;
	/** Lets the item go on, or fail. */
	leave: (failure?: unknown) => void;
}

interface Walk {
	pages: Pages;
	/** Those that wait for the next walk from the start of the list. */
	waiting: Visitor[];
	isUnderWay: boolean;
}

/**
 * The lists that items of one run read together. Those that want the same list wait until no other
 * item can join them, and then see each page together, so that the list is read once and only one
 * page of it is in memory. An item that comes later waits for the next walk. Only operations that read may
 * take part.
 */
export class SharedWalks {
	private readonly walks = new Map<string, Walk>();

	private count = 0;

	/** @param onChange is called when an item begins to wait, and when a walk has ended */
	constructor(private readonly onChange: () => void) {}

	/** How many items send nothing of their own because they take part: others may begin for them. */
	get idle(): number {
		return Math.min(this.count, MOST_VISITORS);
	}

	/**
	 * Takes part in the next walk through a list.
	 * @param list distinguishes the list from others
	 * @throws what ends the walk, or what the visitor throws
	 */
	async join(list: string, pages: Pages, most: number, visit: Visit): Promise<void> {
		const walk = this.walks.get(list) ?? { pages, waiting: [], isUnderWay: false };
		this.walks.set(list, walk);
		this.count++;
		const ended = new Promise<void>((resolve, reject) => {
			const leave = (failure?: unknown) =>
				failure === undefined ? resolve() : reject(failure as Error);
			walk.waiting.push({ visit, most, leave });
		});
		this.onChange();
		await ended.finally(() => this.count--);
	}

	/** Lets all go that wait for a walk, because the run has stopped: nobody needs what they find. */
	end(): void {
		for (const { waiting } of this.walks.values())
			for (const { leave } of waiting.splice(0)) leave();
	}

	/**
	 * Begins the walks for which somebody waits, as soon as all items that run take part in one.
	 * @param running how many items have begun and not ended
	 */
	begin(running: number): void {
		if (this.count < running) return;
		for (const [list, walk] of this.walks) if (!walk.isUnderWay) void this.walk(list, walk);
	}

	private async walk(list: string, walk: Walk): Promise<void> {
		const visitors = new Set(walk.waiting.splice(0));
		walk.isUnderWay = true;
		const leave = (visitor: Visitor, failure?: unknown) => {
			visitors.delete(visitor);
			visitor.leave(failure);
		};
		try {
			const most = Math.max(...[...visitors].map((visitor) => visitor.most));
			for await (const entries of walk.pages(most)) {
				let since = Date.now();
				for (const visitor of visitors) {
					try {
						if (!entries.every((entry) => visitor.visit(entry))) leave(visitor);
					} catch (thrown) {
						leave(visitor, thrown);
					}
					if (Date.now() - since < LONGEST_AT_A_STRETCH_MS) continue;
					await sleep(0);
					since = Date.now();
				}
				if (visitors.size === 0) break;
			}
			for (const visitor of visitors) leave(visitor);
		} catch (thrown) {
			for (const visitor of visitors) leave(visitor, thrown);
		}
		walk.isUnderWay = false;
		if (walk.waiting.length === 0) this.walks.delete(list);
		this.onChange();
	}
}
