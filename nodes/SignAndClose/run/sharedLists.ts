import type { IDataObject } from 'n8n-workflow';

import { asError } from '../transport/failure/failure';

type Page = IDataObject[];

/** A list that some item of the run has begun to read. */
interface SharedList {
	/** The most entries that an item wants. */
	limit: number;
	source?: AsyncIterator<Page>;
	pages: Array<Promise<IteratorResult<Page>>>;
}

/**
 * The lists that items of one run read together: each page is fetched once, by the first item that
 * needs it, and is in memory until the run ends.
 */
export class SharedLists {
	private readonly lists = new Map<string, SharedList>();

	/** @param items how many the run has */
	constructor(private readonly items: number) {}

	/**
	 * Reads a list page by page, as far as the caller takes pages.
	 * @param key distinguishes the list from others
	 * @param open begins to read the list, of which at most so many entries are wanted
	 * @param limit how many entries the caller wants at most; infinity when that depends on them
	 * @throws what ends the reading. An item that begins later reads the list anew
	 */
	async *readPages(
		key: string,
		open: (limit: number) => AsyncIterable<Page>,
		limit: number,
	): AsyncGenerator<Page> {
		// One item alone needs no page twice, so none stays in memory.
		if (this.items === 1) return yield* open(limit);
		const list = this.lists.get(key) ?? { limit, pages: [] };
		this.lists.set(key, list);
		list.limit = Math.max(list.limit, limit);
		// Items that begin together say what they want before the first page is fetched.
		await Promise.resolve();
		list.source ??= open(list.limit)[Symbol.asyncIterator]();
		try {
			for (let index = 0; ; index++) {
				const page = await (list.pages[index] ??= list.source.next());
				if (page.done === true) return;
				yield page.value;
			}
		} catch (thrown) {
			this.lists.delete(key);
			throw asError(thrown);
		}
	}
}
