import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import type { Faults } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import type { Pause } from '../../pdf/bounds/limits';
import { findPhrases, type Occurrence } from '../../pdf/finding/phrases';
import { readPages, type Page } from '../../pdf/pages';
import { asObject } from '../../values/json';
import { numberIn } from '../../values/shown';
import { choice, collection, number, parseCollection, rows, text } from '../shared/fields';
import { checkBox, inWholePoints, pagesListed, type Box, type PlacedEntry } from './checks';
import {
	details,
	parseBox,
	parseWho,
	POINTS,
	size,
	tellingOf,
	whoAndWhat,
	type Entry,
	type Telling,
} from './designations';
import { isPlain, REASONS } from './fileReading';

/*
 * Designations at texts of the document. A place is where its text stands for certain, or the row is
 * refused: there's no place that's assumed.
 */

const SIDES = ['right', 'above', 'below', 'on'] as const;
const OCCURRENCES = ['every', 'first', 'last', 'nth', 'only'] as const;

const row: INodeProperties[] = [
	text(
		'Text',
		'text',
		'Borrower Signature',
		"A text of the document, on one line, with its capital letters. Spaces don't matter.",
	),
	...whoAndWhat,
	choice(
		'Where',
		'where',
		[
			['Right of It', 'right'],
			['Above It', 'above'],
			['Below It', 'below'],
			['On It', 'on'],
		],
		"Where the place is, next to the text. Above, below or on it, it begins at the text's left edge.",
	),
	number(
		'Move Right',
		'moveRight',
		[-10_000, 0],
		'How far to move the place to the right, or with a minus to the left',
		POINTS,
	),
	number(
		'Move Up',
		'moveUp',
		[-10_000, 0],
		'How far to move the place up, or with a minus down',
		POINTS,
	),
	...size,
	choice(
		'Occurrence',
		'occurrence',
		[
			['Every One', 'every', 'Each of them gets a place'],
			['First', 'first', 'The first one, from the first page on'],
			['Last', 'last', 'The last one'],
			['Nth', 'nth', "The one with the 'Number'"],
			['The Only One', 'only', 'Refused if the text stands there more than once'],
		],
		'Which one is meant if the text stands there more than once',
		{ default: 'only' },
	),
	number('Number', 'nth', [1, 2], "Which one is meant if 'Occurrence' is Nth; the first is 1"),
	{
		...text('Pages', 'pages', '2-5', 'The pages to look at: "all", "last", one page or from-to'),
		default: 'all',
	},
	text(
		'Not Inside',
		'notInside',
		'Co-Borrower Signature',
		"A longer text that has this one in it and isn't meant",
	),
	collection('Details', 'details', details),
];

export const textRows = rows(
	'Texts',
	'texts',
	'Text',
	row,
	{
		displayOptions: { show: { whereToSign: ['text'] } },
		placeholder: 'Add Text (Where to Sign)',
		description:
			"Texts of the document next to which it's signed. If a text isn't found for certain, nothing is sent. Only for drafts.",
	},
	['text', 'signer_identifier', 'type', 'where'],
);

/** A row, without its page and place. */
interface TextRow extends Pick<Entry, 'row' | 'designation' | 'box'> {
	text: string;
	where: (typeof SIDES)[number];
	/** How far the place is moved, in the unit of the form. */
	right: number;
	up: number;
	occurrence: (typeof OCCURRENCES)[number];
	nth: number;
	/** The pages to look at, from 1; NaN for what was told before. */
	from: number;
	to: number;
	isLastPage: boolean;
	notInside: string | undefined;
}

/**
 * Parses the rows.
 * @param faults gets what can't be used, each with its row
 */
export function parseTexts(params: Params, faults: Faults): { rows: TextRow[]; telling: Telling } {
	const label = params.label('texts');
	const telling = tellingOf(faults, label, row);
	const given = faults.collect(() => params.rows('texts'));
	if (given?.length === 0)
		faults.note(new InputFailure(label, 'is empty', 'Add the texts next to which it is signed'));
	return {
		telling,
		rows: (given ?? []).flatMap(
			(values, index) => faults.collect(() => parseText(params, values, index + 1, telling)) ?? [],
		),
	};
}

function parseText(params: Params, values: IDataObject, number: number, telling: Telling): TextRow {
	const { complain, named } = telling;
	const phrase = params.textOf(values, 'text') ?? '';
	if (phrase === '')
		complain(number, `${named('text')} is missing`, 'Enter a text of the document');
	const moved = (field: string) => {
		const value = numberIn(values[field] ?? 0);
		if (!Number.isFinite(value))
			complain(number, `${named(field)} isn't a number`, `Enter ${named(field)} as a number`);
		return value;
	};
	const nth = numberIn(values.nth ?? 2);
	const occurrence = params.choice('occurrence', values.occurrence ?? '') ?? 'only';
	if (occurrence === 'nth' && !(Number.isInteger(nth) && nth >= 1))
		complain(number, `${named('nth')} isn't a whole number from 1 on`, 'Enter e.g. 2');
	const pages = params.textOf(values, 'pages')?.toLowerCase() ?? 'all';
	const [, from, to = from] = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(pages) ?? [];
	const isPages =
		from === undefined
			? pages === 'all' || pages === 'last'
			: Number(from) >= 1 && Number(to) >= Number(from);
	if (!isPages)
		complain(number, `${named('pages')} is '${pages}'`, 'Enter all, last, or pages as in 2 or 2-5');
	const { width = 180, height = 24, signer_identifier: signer, type } = values;
	const designation = {
		signer_identifier: signer,
		type,
		...parseCollection(params, asObject(values.details), details),
	};
	return {
		row: number,
		designation: parseWho(designation, number, telling),
		box: parseBox({ width, height }, number, telling),
		text: phrase,
		where: SIDES.find((side) => side === params.choice('where', values.where ?? '')) ?? 'right',
		right: moved('moveRight'),
		up: moved('moveUp'),
		occurrence: OCCURRENCES.find((one) => one === occurrence) ?? 'only',
		nth,
		from: isPages ? Number(from ?? 1) : Number.NaN,
		to: Number(to ?? Infinity),
		isLastPage: pages === 'last',
		notInside: params.textOf(values, 'notInside'),
	};
}

/** Where the texts of rows stand in a file, or why it can't be read. */
export type Found =
	| { pages: Array<Omit<Page, 'runs'>>; occurrences: Occurrence[][] }
	| { reason: keyof typeof REASONS };

/** Finds the texts of all rows in one read of the file. */
export async function findTexts(
	texts: readonly TextRow[],
	bytes: Uint8Array,
	pause: Pause,
): Promise<Found> {
	const reading = await readPages(bytes, pause);
	if ('reason' in reading) return reading;
	const phrases = texts.map(({ text: own, notInside }) => ({
		text: own,
		...(notInside !== undefined && { notInside: [notInside] }),
	}));
	return { pages: reading.pages, occurrences: await findPhrases(reading.pages, phrases, pause) };
}

/**
 * Places designations at the occurrences that rows mean.
 * @param points of the unit of the form
 * @returns those that are certain, each with its text; the others are told
 */
export function placeAtTexts(
	texts: readonly TextRow[],
	{ pages, occurrences }: Extract<Found, { pages: unknown }>,
	points: number,
	telling: Telling,
): Array<PlacedEntry & { text: string }> {
	return texts.flatMap((each, index) =>
		chosen(each, pages, occurrences[index], telling).map((occurrence) => {
			const { row: number, designation, text: own } = each;
			const box = boxAt(each, occurrence, points);
			checkBox(number, box, pages[occurrence.page - 1], telling);
			return {
				row: number,
				designation: { ...designation },
				page: occurrence.page,
				box,
				text: own,
			};
		}),
	);
}

/** The occurrences that a row means; none if that isn't certain. */
function chosen(
	{ row: number, text: phrase, occurrence, nth, ...where }: TextRow,
	pages: Array<Omit<Page, 'runs'>>,
	all: readonly Occurrence[],
	{ complain }: Telling,
): Occurrence[] {
	if (phrase === '' || Number.isNaN(where.from)) return [];
	const refuse = (what: string, remedy: string): Occurrence[] => {
		complain(number, what, remedy);
		return [];
	};
	const from = where.isLastPage ? pages.length : where.from;
	const searched = pages.slice(from - 1, where.to);
	if (searched.length === 0)
		return refuse(
			`there's no page ${from}: the document has ${pages.length}`,
			"Choose other 'Pages'",
		);
	const there = all.filter(({ page }) => page >= from && page <= where.to);
	const unread = searched.filter(({ kind }) => kind !== 'text');
	if (there.length === 0)
		return refuse(
			[`'${phrase}' isn't on ${rangeOf(searched)}`, ...unread.map(whyUnread)].join('; '),
			"Enter a text as it stands on one line of the document, or place it with 'Designations Below'",
		);
	const [first, last] = [there[0].page, there[there.length - 1].page];
	const inDoubt = unread.filter(({ number: page }) => {
		if (occurrence === 'first') return page <= first;
		return occurrence !== 'last' || page >= last;
	});
	if (inDoubt.length > 0)
		return refuse(
			[`'${phrase}' may also stand on pages that can't be read`, ...inDoubt.map(whyUnread)].join(
				'; ',
			),
			"Leave these pages out in 'Pages', or choose First or Last in 'Occurrence' if they come after or before it",
		);
	const on = pagesListed(there.map(({ page }) => page));
	if (occurrence === 'only' && there.length > 1)
		return refuse(
			`'${phrase}' stands ${there.length} times in the document, on ${on}`,
			"Choose which one in 'Occurrence', narrow it by 'Pages' or 'Not Inside', or enter a longer text",
		);
	if (occurrence === 'nth' && there.length < nth)
		return refuse(`'${phrase}' stands only ${there.length} times, on ${on}`, "Change 'Number'");
	const meant = {
		every: there,
		first: there.slice(0, 1),
		last: there.slice(-1),
		nth: there.slice(nth - 1, nth),
		only: there,
	}[occurrence];
	const odd = meant.map(({ page }) => page).filter((page) => !isPlain(pages[page - 1]));
	if (odd.length === 0) return meant;
	return refuse(
		`'${phrase}' stands on ${pagesListed(odd)}, which is rotated, cropped or scaled: it's unknown where the service starts to measure there`,
		"Use 'Designations Below' for it, and check the document before you send it",
	);
}

function rangeOf(pages: Array<Pick<Page, 'number'>>): string {
	const [first, last] = [pages[0].number, pages[pages.length - 1].number];
	return first === last ? `page ${first}` : `pages ${first} to ${last}`;
}

function whyUnread({ number, kind, reason }: Omit<Page, 'runs'>): string {
	if (kind === 'partly') return `page ${number} has a large picture, which may hold text`;
	return `page ${number} ${reason === undefined ? 'is a scan' : REASONS[reason]}`;
}

/** The box next to an occurrence. */
function boxAt(each: TextRow, { x, y, width, height }: Occurrence, points: number): Box {
	const [own, up] = [each.box.width, each.box.height].map((value = Number.NaN) => value * points);
	const [left, bottom] = {
		right: [x + width, y],
		above: [x, y + height],
		below: [x, y - up],
		on: [x, y],
	}[each.where];
	return inWholePoints({
		x: left + each.right * points,
		y: bottom + each.up * points,
		width: own,
		height: up,
	});
}

/** Says how many places were found, and where: "6 places on pages 2, 4 and 7". */
export const foundHint = (placed: readonly PlacedEntry[]): string =>
	`${placed.length} ${placed.length === 1 ? 'place' : 'places'} on ${pagesListed(placed.map(({ page }) => page))}`;
