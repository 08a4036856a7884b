import { findPhrases, type Occurrence } from '../../../pdf/search/phrases';
import type { Pause } from '../../../pdf/bounds/limits';
import { readPages, type PdfPage, type UnreadPart } from '../../../pdf/pages';
import { joinWithAnd, quote, toCapitalized } from '../../../values/words';
import type { TextDesignation } from './designations';
import { isUntransformed, UNREADABLE_REASONS } from '../files/bytes';
import { formatRanges, getFirst, isInRanges } from './pageRanges';
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

/** The way out for what isn't found. */
export const PLACE_BY_HAND =
	"choose 'Designations Below' in 'Where to Sign' and give page and position";

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
		...{ text, inWords: true },
		...(notInside !== undefined && { notInside: [notInside] }),
	}));
	return { pages: reading.pages, occurrences: await findPhrases(reading.pages, phrases, pause) };
}

/**
 * Places designations at the occurrences that rows mean.
 * @param points of the unit of the form
 * @param noteMissing notes texts that are on none of the same pages, all of which can be read
 * @returns those that are certain, each with its text and the line around it; the others are told
 */
export function placeAtTexts(
	texts: TextDesignation[],
	{ pages, occurrences }: Extract<TextSearch, { pages: unknown }>,
	points: number,
	noteMissing: (entries: TextDesignation[], pageNames: string) => void,
): Array<PlacedDesignation & { text: string; line: string }> {
	const missing = new Map<string, TextDesignation[]>();
	const places = texts.flatMap((entry, index) =>
		(findMeant(entry, pages, occurrences[index], missing) ?? []).map((occurrence) => {
			const box = computeBox(entry, occurrence, points);
			checkInsidePage(entry, box, pages[occurrence.page - 1]);
			return { ...entry, page: occurrence.page, box, line: occurrence.around };
		}),
	);
	for (const [pageNames, entries] of missing) noteMissing(entries, pageNames);
	return places;
}

/**
 * The occurrences that a row means; none if that isn't certain.
 * @param missing gets the row if its text is nowhere, by the pages that were searched
 */
function findMeant(
	entry: TextDesignation,
	pages: Pages,
	all: Occurrence[],
	missing: Map<string, TextDesignation[]>,
): Occurrence[] | undefined {
	const { text, noteFault } = entry;
	if (text === '' || entry.pages === undefined) return undefined;
	const ranges = entry.pages;
	const isSearched = (page: number): boolean => isInRanges(ranges, page, pages.length);
	const searched = pages.filter(({ number }) => isSearched(number));
	if (searched.length === 0)
		return noteFault(
			`there's no page ${getFirst(ranges)}: the document has ${pages.length}`,
			"Choose other 'Pages'",
		);
	const onPages = all.filter(({ page }) => isSearched(page));
	const matches = onPages.filter(({ inWord }) => inWord === undefined);
	const unread = searched.filter((page) => isUnread(entry, page, pages.length));
	if (onPages.length + unread.length === 0) {
		const pageNames = namePageRanges(searched);
		missing.set(pageNames, [...(missing.get(pageNames) ?? []), entry]);
		return undefined;
	}
	if (matches.length === 0) return noteNoMatch(entry, searched, onPages, unread);
	const inDoubt = unread.filter(({ number }) => canBeOn(number, entry, matches));
	if (inDoubt.length > 0)
		return noteFault(
			[`'${text}' may also stand on pages that can't be read`, ...inDoubt.map(describeUnread)].join(
				'; ',
			),
			describeWayOut(searched, inDoubt, matches),
		);
	const meant = choose(entry, matches);
	const uncertain = meant
		?.map(({ page }) => page)
		.filter((page) => !isUntransformed(pages[page - 1]));
	if (uncertain === undefined || uncertain.length === 0) return meant;
	return noteFault(
		`'${text}' stands on ${namePages(uncertain)}, which ${UNCERTAIN_PLACE}`,
		`${toCapitalized(PLACE_BY_HAND)}. Then check the document before you send it`,
	);
}

/** Tells a text that stands only inside of longer words, or may stand where the node can't read it. */
const noteNoMatch = (
	{ text, noteFault }: TextDesignation,
	searched: Pages,
	insideWords: Occurrence[],
	unread: Pages,
) =>
	noteFault(
		[
			`'${text}' isn't on ${namePageRanges(searched)}`,
			...(insideWords.length > 0 ? [`it stands only inside ${nameWords(insideWords)}`] : []),
			...unread.map(describeUnread),
		].join('; '),
		`Enter a text as it stands on one line of the document, or ${PLACE_BY_HAND}`,
	);

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

/** Whether a page may have the text where the node can't read it. A person may have looked at its pictures. */
function isUnread(entry: TextDesignation, page: Pages[number], count: number): boolean {
	const { ignorePicturesOn } = entry;
	if (page.kind === 'unreadable') return true;
	const parts = new Set(page.unread);
	if (isInRanges(ignorePicturesOn, page.number, count)) parts.delete('picture');
	return parts.size > 0;
}

/** Says what to enter for pages that are in doubt to be left out, or to count as looked at. */
function describeWayOut(searched: Pages, inDoubt: Pages, matches: Occurrence[]): string {
	const doubtful = new Set(inDoubt.map(({ number }) => number));
	const certain = searched.map(({ number }) => number).filter((number) => !doubtful.has(number));
	const canLeaveOut = matches.some(({ page }) => !doubtful.has(page));
	const pictures = inDoubt.filter((page) => page.unread.join() === 'picture');
	const choices = [
		...(canLeaveOut ? [`enter ${formatRanges(certain)} in 'Pages' to leave these pages out`] : []),
		...(pictures.length === inDoubt.length
			? [
					`look at them and enter ${formatRanges([...doubtful])} in 'Ignore Pictures On' if the text isn't in a picture`,
				]
			: []),
		"choose First or Last in 'Occurrence' if they come after or before the text",
	];
	return toCapitalized(choices.join(', or '));
}

const namePageRanges = (pages: Pages): string =>
	`${pages.length === 1 ? 'page' : 'pages'} ${formatRanges(pages.map(({ number }) => number)).replaceAll('-', ' to ')}`;

/** Names the longer words in which a text stands. */
const nameWords = (occurrences: Occurrence[]): string =>
	joinWithAnd([...new Set(occurrences.map(({ inWord }) => quote(inWord ?? '')))].slice(0, 3));

const UNREAD_PARTS: Record<UnreadPart, string> = {
	picture: 'a large picture, which may hold text',
	letters: 'letters that only its fonts know',
	annotation: "a form field or a text box that can't be read",
};

function describeUnread({ number, kind, reason, unread }: Pages[number]): string {
	if (kind === 'partly')
		return `page ${number} has ${joinWithAnd(unread.map((part) => UNREAD_PARTS[part]))}`;
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
