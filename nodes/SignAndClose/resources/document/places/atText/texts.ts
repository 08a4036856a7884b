import { findBlockLines } from './blocks';
import { chooseNext } from './nextTexts';
import { describeUnread, describeWayOut, isUnread, type Pages, type TextOptions } from './unread';
import { findPhrases, type Occurrence } from '../../../../pdf/search/phrases';
import type { Pause } from '../../../../pdf/bounds/limits';
import { readPages, type PdfPage } from '../../../../pdf/pages';
import { joinWithAnd, quote, toCapitalized } from '../../../../values/words';
import type { TextDesignation } from '../designations';
import { isUntransformed, UNREADABLE_REASONS } from '../../files/bytes';
import { formatRanges, getFirst, isInRanges } from '../pageRanges';
import {
	toWholePoints,
	namePages,
	checkInsidePage,
	type PlacedDesignation,
	UNCERTAIN_PLACE,
} from '../pages';

/*
 * Designations at texts of the document. A place is where its text stands for certain, or the row is
 * refused: there's no place that's assumed.
 */

/** The way out for what isn't found. */
export const PLACE_BY_HAND =
	"choose 'Designations Below' in 'Where to Sign' and give page and position";

/** Where the texts of rows, and those that belong to them, stand in a file. */
export interface FoundTexts {
	pages: PdfPage[];
	occurrences: Occurrence[][];
	nexts: Occurrence[][];
}

export type PlaceAtText = PlacedDesignation &
	Pick<TextDesignation, 'text' | 'nextText'> & { line: string };

/**
 * Finds the texts of all rows in one read of the file.
 * @returns where they stand, or what about the file keeps them from being found
 */
export async function findTexts(
	texts: TextDesignation[],
	bytes: Uint8Array,
	pause: Pause,
): Promise<FoundTexts | { problem: string }> {
	const reading = await readPages(bytes, pause);
	if ('reason' in reading) return { problem: UNREADABLE_REASONS[reading.reason] };
	const kinds = new Set(reading.pages.map(({ kind }) => kind));
	if (kinds.size === 1 && kinds.has('picture')) return { problem: 'is a scan, without any text' };
	const toPhrase = (text: string, { notInside }: TextDesignation) => ({
		...{ text, inWords: true },
		...(notInside !== undefined && { notInside: [notInside] }),
	});
	const phrases = texts.flatMap((entry) => [
		toPhrase(entry.text, entry),
		toPhrase(entry.nextText ?? '', entry),
	]);
	const lists = await findPhrases(reading.pages, phrases, pause, findBlockLines);
	return {
		pages: reading.pages,
		occurrences: lists.filter((_list, index) => index % 2 === 0),
		nexts: lists.filter((_list, index) => index % 2 === 1),
	};
}

/**
 * Places designations at the occurrences that rows mean.
 * @param noteMissing notes texts that are on none of the same pages, all of which can be read, beside
 *   what is placed
 * @returns those that are certain, each with its text and the line around it; the others are told
 */
export function placeAtTexts(
	texts: TextDesignation[],
	{ pages, occurrences, nexts }: FoundTexts,
	options: TextOptions,
	noteMissing: (
		entries: TextDesignation[],
		pageNames: string,
		placed: readonly PlaceAtText[],
	) => void,
): PlaceAtText[] {
	const missing = new Map<string, TextDesignation[]>();
	const places = texts.flatMap((entry, index) => {
		const meant = findMeant(entry, pages, occurrences[index], options, missing) ?? [];
		return meant.flatMap((occurrence) => {
			const { runs, ...page } = pages[occurrence.page - 1];
			const next = chooseNext(entry, occurrence, nexts[index], runs);
			if (next === undefined) return [];
			const box = computeBox(entry, next, options.points);
			checkInsidePage(entry, box, page);
			return [{ ...entry, page: page.number, box, line: occurrence.around }];
		});
	});
	for (const [pageNames, entries] of missing) noteMissing(entries, pageNames, places);
	return places;
}

/** Whether a text stands on the pages of its row, of which the index is that in `found`. */
export const isTextThere = (
	{ pages: ranges = [] }: TextDesignation,
	{ pages, occurrences }: FoundTexts,
	index: number,
): boolean =>
	occurrences[index].some(
		({ page, inWord }) => inWord === undefined && isInRanges(ranges, page, pages.length),
	);

/**
 * The occurrences that a row means; none if that isn't certain.
 * @param missing gets the row if its text is nowhere, by the pages that were searched
 */
function findMeant(
	entry: TextDesignation,
	pages: Pages,
	all: Occurrence[],
	options: TextOptions,
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
	const unread = searched.filter((page) => isUnread(entry, page, pages.length, options));
	if (onPages.length + unread.length === 0) {
		const pageNames = namePageRanges(searched);
		missing.set(pageNames, [...(missing.get(pageNames) ?? []), entry]);
		return undefined;
	}
	if (matches.length === 0) return noteNoMatch(entry, searched, onPages, unread);
	const inDoubt = unread.filter(({ number }) => canBeOn(number, entry, matches));
	if (inDoubt.length > 0)
		return noteFault(
			`'${text}' may also stand on pages that can't be read; ${inDoubt.map(describeUnread).join('; ')}`,
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
		`Enter a text as it stands on one line or two of the document, or ${PLACE_BY_HAND}`,
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

const namePageRanges = (pages: Pages): string =>
	`${pages.length === 1 ? 'page' : 'pages'} ${formatRanges(pages.map(({ number }) => number)).replaceAll('-', ' to ')}`;

/** Names the longer words in which a text stands. */
const nameWords = (occurrences: Occurrence[]): string =>
	joinWithAnd([...new Set(occurrences.map(({ inWord }) => quote(inWord ?? '')))].slice(0, 3));

/** The box next to an occurrence: it begins at the first line, and stands on none below. */
function computeBox(entry: TextDesignation, { x, y, ...text }: Occurrence, points: number) {
	const { rest = { x, y, ...text } } = text;
	const [width, height] = [entry.box.width, entry.box.height].map(
		(value = Number.NaN) => value * points,
	);
	const [left, bottom] = {
		right: [Math.max(x + text.width, rest.x + rest.width), y],
		above: [x, y + text.height],
		below: [x, rest.y - height],
		on: [x, y],
	}[entry.side];
	return toWholePoints({
		x: left + entry.right * points,
		y: bottom + entry.up * points,
		width,
		height,
	});
}
