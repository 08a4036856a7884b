import { findPhrases, type Occurrence } from '../../../pdf/search/phrases';
import type { Pause } from '../../../pdf/bounds/limits';
import { readPages, type PdfPage } from '../../../pdf/pages';
import type { TextDesignation } from './designations';
import { isUntransformed, UNREADABLE_REASONS } from '../files/bytes';
import {
	toWholePoints,
	namePages,
	checkInsidePage,
	type PlacedDesignation,
	UNCERTAIN_PLACE,
} from './pages';

/*
 * Designations at texts of the document. A place is where its text stands for certain, or the row is
 * refused: there's no place that's assumed.
 */

type Pages = Array<Omit<PdfPage, 'runs'>>;

/** Where the texts of rows stand in a file, or what about the file keeps them from being found. */
type TextSearch = { pages: Pages; occurrences: Occurrence[][] } | { problem: string };

/** Finds the texts of all rows in one read of the file. */
export async function findTexts(
	texts: TextDesignation[],
	bytes: Uint8Array,
	pause: Pause,
): Promise<TextSearch> {
	const reading = await readPages(bytes, pause);
	if ('reason' in reading) return { problem: UNREADABLE_REASONS[reading.reason] };
	const kinds = new Set(reading.pages.map(({ kind }) => kind));
	if (kinds.size === 1 && kinds.has('picture')) return { problem: 'is a scan, without any text' };
	const phrases = texts.map(({ text, notInside }) => ({
		text,
		...(notInside !== undefined && { notInside: [notInside] }),
	}));
	return { pages: reading.pages, occurrences: await findPhrases(reading.pages, phrases, pause) };
}

/**
 * Places designations at the occurrences that rows mean.
 * @param points of the unit of the form
 * @returns those that are certain, each with its text; the others are told
 */
export const placeAtTexts = (
	texts: TextDesignation[],
	{ pages, occurrences }: Extract<TextSearch, { pages: unknown }>,
	points: number,
): Array<PlacedDesignation & { text: string }> =>
	texts.flatMap((entry, index) =>
		(findMeant(entry, pages, occurrences[index]) ?? []).map((occurrence) => {
			const box = computeBox(entry, occurrence, points);
			checkInsidePage(entry, box, pages[occurrence.page - 1]);
			return { ...entry, page: occurrence.page, box };
		}),
	);

/** The occurrences that a row means; none if that isn't certain. */
function findMeant(
	entry: TextDesignation,
	pages: Pages,
	all: Occurrence[],
): Occurrence[] | undefined {
	const { text, noteFault } = entry;
	if (text === '' || entry.pages === undefined) return undefined;
	const { to } = entry.pages;
	const from = entry.pages.from === 'last' ? pages.length : entry.pages.from;
	const searched = pages.slice(from - 1, to);
	if (searched.length === 0)
		return noteFault(
			`there's no page ${from}: the document has ${pages.length}`,
			"Choose other 'Pages'",
		);
	const matches = all.filter(({ page }) => page >= from && page <= to);
	const unread = searched.filter(({ kind }) => kind !== 'text');
	if (matches.length === 0)
		return noteFault(
			[`'${text}' isn't on ${formatRange(searched)}`, ...unread.map(describeUnread)].join('; '),
			"Enter a text as it stands on one line of the document, or place it with 'Designations Below'",
		);
	const inDoubt = unread.filter(({ number }) => canBeOn(number, entry, matches));
	if (inDoubt.length > 0)
		return noteFault(
			[`'${text}' may also stand on pages that can't be read`, ...inDoubt.map(describeUnread)].join(
				'; ',
			),
			"Leave these pages out in 'Pages', or choose First or Last in 'Occurrence' if they come after or before it",
		);
	const meant = choose(entry, matches);
	const uncertain = meant
		?.map(({ page }) => page)
		.filter((page) => !isUntransformed(pages[page - 1]));
	if (uncertain === undefined || uncertain.length === 0) return meant;
	return noteFault(
		`'${text}' stands on ${namePages(uncertain)}, which ${UNCERTAIN_PLACE}`,
		"Use 'Designations Below' for it, and check the document before you send it",
	);
}

/** Whether the occurrence that is meant may be on a page that can't be read. */
function canBeOn(page: number, { occurrence }: TextDesignation, matches: Occurrence[]): boolean {
	if (occurrence === 'first') return page <= matches[0].page;
	return occurrence !== 'last' || page >= matches[matches.length - 1].page;
}

function choose({ text, occurrence, nth, noteFault }: TextDesignation, matches: Occurrence[]) {
	const count = matches.length;
	const pages = namePages(matches.map(({ page }) => page));
	if (occurrence === 'only' && count > 1)
		return noteFault(
			`'${text}' stands ${count} times in the document, on ${pages}`,
			"Choose which one in 'Occurrence', narrow it by 'Pages' or 'Not Inside', or enter a longer text",
		);
	if (occurrence === 'nth' && count < nth)
		return noteFault(`'${text}' stands only ${count} times, on ${pages}`, "Change 'Number'");
	if (occurrence === 'first') return matches.slice(0, 1);
	if (occurrence === 'last') return matches.slice(-1);
	return occurrence === 'nth' ? matches.slice(nth - 1, nth) : matches;
}

function formatRange(pages: Pages): string {
	const [first, last] = [pages[0].number, pages[pages.length - 1].number];
	return first === last ? `page ${first}` : `pages ${first} to ${last}`;
}

function describeUnread({ number, kind, reason }: Omit<PdfPage, 'runs'>): string {
	if (kind === 'partly') return `page ${number} has a large picture, which may hold text`;
	return `page ${number} ${reason === undefined ? 'is a scan' : UNREADABLE_REASONS[reason]}`;
}

/** The box next to an occurrence. */
function computeBox(entry: TextDesignation, { x, y, ...text }: Occurrence, points: number) {
	const [width, height] = [entry.box.width, entry.box.height].map(
		(value = Number.NaN) => value * points,
	);
	const [left, bottom] = {
		right: [x + text.width, y],
		above: [x, y + text.height],
		below: [x, y - height],
		on: [x, y],
	}[entry.side];
	return toWholePoints({
		x: left + entry.right * points,
		y: bottom + entry.up * points,
		width,
		height,
	});
}
