/* Pages as people enter them, and as messages say what to enter. */

/** Pages from one to another, both included; `last` is the last one alone. */
export type PageRange = { from: number; to: number } | 'last';

/** Reads pages as people write them: "all", "last", "3", "2-5", and several of them: "2, 4-6". */
export function parsePageRanges(pages: string): PageRange[] | undefined {
	const ranges = pages.split(',').map((part): PageRange | undefined => {
		const range = part.trim().toLowerCase();
		if (range === 'all') return { from: 1, to: Infinity };
		if (range === 'last') return 'last';
		const [, from, to = from] = /^(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(range) ?? [];
		const isRange = Number(from) >= 1 && Number(to) >= Number(from);
		return isRange ? { from: Number(from), to: Number(to) } : undefined;
	});
	return ranges.includes(undefined) ? undefined : (ranges as PageRange[]);
}

/** Whether a page is one of these, in a document of so many. */
export const isInRanges = (ranges: PageRange[], page: number, count: number): boolean =>
	ranges.some((range) =>
		range === 'last' ? page === count : page >= range.from && page <= range.to,
	);

/** The first page of ranges of which a document has none. */
export const getFirst = ([range]: PageRange[]): number => (range === 'last' ? 1 : range.from);

/** Writes ascending pages as parsePageRanges() reads them: "2-5, 7". */
export function formatRanges(numbers: readonly number[]): string {
	const ranges: Array<[from: number, to: number]> = [];
	for (const number of numbers) {
		const range = ranges.at(-1);
		if (range !== undefined && number === range[1] + 1) range[1] = number;
		else ranges.push([number, number]);
	}
	return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
