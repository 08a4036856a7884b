import type { IDataObject } from 'n8n-workflow';

/** Takes an entry, and says whether more are wanted. */
type Visit = (entry: IDataObject) => boolean;

/** How to walk a list, of which at most so many entries are wanted. */
type Pages = (most: number) => AsyncIterable<IDataObject[]>;

/** An item that reads a list. */
interface Visitor {
	visit: Visit;
	/** How many entries it wants at most; infinity when that depends on them. */
	most: number;
	resolve(): void;
	reject(failure: unknown): void;
}

/**
 * The lists that items of one run read together. Those that want the same list wait until no other
 * item can join them, and then see each page together, so that the list is read once and only one
 * page of it is in memory. An item that comes later waits for the next walk.
 */
export class SharedWalks {
	/** By list, the next walk through it, and who waits for that. */
	private readonly next = new Map<string, { pages: Pages; visitors: Visitor[] }>();

	private readonly underWay = new Set<string>();

	/** How many items send nothing of their own because they take part: others may begin for them. */
	idle = 0;

	/** @param onChange is called when an item begins to wait, and when a walk has ended */
	constructor(private readonly onChange: () => void) {}

	/**
	 * Takes part in the next walk through a list.
	 * @param list distinguishes the list from others
	 * @throws what ends the walk before the visitor has enough
	 */
	async join(list: string, pages: Pages, most: number, visit: Visit): Promise<void> {
		const walk = this.next.get(list) ?? { pages, visitors: [] };
		this.next.set(list, walk);
		this.idle++;
		const ended = new Promise<void>((resolve, reject) => {
			walk.visitors.push({ visit, most, resolve, reject });
		});
		this.onChange();
		await ended.finally(() => this.idle--);
	}

	/**
	 * Begins the walks for which somebody waits, as soon as all items that run take part in one.
	 * @param running how many items have begun and not ended
	 */
	begin(running: number): void {
		if (this.idle < running) return;
		for (const list of this.next.keys()) if (!this.underWay.has(list)) void this.walk(list);
	}

	private async walk(list: string): Promise<void> {
		const { pages, visitors } = this.next.get(list)!;
		this.next.delete(list);
		this.underWay.add(list);
		let unsatisfied = visitors;
		try {
			for await (const entries of pages(Math.max(...visitors.map(({ most }) => most)))) {
				unsatisfied = unsatisfied.filter(({ visit }) => entries.every((entry) => visit(entry)));
				if (unsatisfied.length === 0) break;
			}
		} catch (thrown) {
			for (const { reject } of unsatisfied) reject(thrown);
		}
		for (const { resolve } of visitors) resolve();
		this.underWay.delete(list);
		this.onChange();
	}
}
