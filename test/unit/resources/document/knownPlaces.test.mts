import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	findTexts,
	placeAtTexts,
} from '../../../../nodes/SignAndClose/resources/document/places/atText/texts.ts';
import type { TextDesignation } from '../../../../nodes/SignAndClose/resources/document/places/designations.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/*
 * At a Text in papers whose makers say where everything stands (bench/papers/forms): each place is one
 * of these, or the row is refused.
 */

interface Label {
	text: string;
	page: number;
	x: number;
	y: number;
}
interface Case {
	anchor: Label;
	next: string;
	direction: 'right' | 'below' | null;
	expected?: Label;
	refused?: string;
	orRefused?: string;
	notInside?: string;
	nextNotInside?: string;
}
type Scanned = Label & { tolerance: number; recognized: boolean };

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const readTruth = <T,>(folder: string): T[] =>
	JSON.parse(readFileSync(join(FIXTURES, folder, 'truth.json'), 'utf8')) as T[];

/** Where a row is placed, at the text itself, or the messages that refuse it. */
async function place(path: string, more: Partial<TextDesignation>, trustsRecognized = false) {
	const faults: string[] = [];
	const row: TextDesignation = {
		row: 1,
		noteFault(problem, remedy) {
			faults.push(`${problem}. ${remedy}`);
			return undefined;
		},
		nameField: (field) => field,
		designation: {},
		box: { width: 9, height: 9 },
		text: '',
		side: 'on',
		right: 0,
		up: 0,
		occurrence: 'only',
		nth: 1,
		pages: [{ from: 1, to: Infinity }],
		ignorePicturesOn: [],
		notInside: undefined,
		nextText: undefined,
		nextSide: 'either',
		...more,
	};
	const bytes = readFileSync(join(FIXTURES, path));
	const found = await findTexts([row], bytes, async () => undefined);
	if ('problem' in found) return { faults: [found.problem], places: [] };
	const options = { points: 1, trustsRecognized };
	const noteMissing = () => faults.push('not found');
	const places = placeAtTexts([row], found, options, noteMissing).map(({ page, box: { x, y } }) => [
		page,
		x,
		y,
	]);
	return { faults, places };
}
const toPlace = ({ page, x, y }: Label) => [page, Math.round(x), Math.round(y)];
const onPage = (page: number) => [{ from: page, to: page }];

const nextCases = readTruth<{ file: string; cases: Case[] }>('nextTo').flatMap(({ file, cases }) =>
	cases.map((each) => ({ file, name: `${file}: ${each.anchor.text}`, ...each })),
);
test.each(nextCases)(
	'the next text of $name',
	async ({ file, anchor, next, direction, expected, orRefused, notInside, nextNotInside }) => {
		const row = {
			text: anchor.text,
			pages: onPage(anchor.page),
			notInside: nextNotInside ?? notInside,
			nextText: next,
		};
		const { places, faults } = await place(`nextTo/${file}`, row);
		const isRefused = expected === undefined || (orRefused !== undefined && places.length === 0);
		expect(places).toEqual(isRefused ? [] : [toPlace(expected)]);
		expect(faults).toHaveLength(isRefused ? 1 : 0);
		if (direction === null) return;
		const one = await place(`nextTo/${file}`, { ...row, nextSide: direction });
		expect(one.places).toEqual(places);
		const other = direction === 'right' ? 'below' : 'right';
		const wrong = await place(`nextTo/${file}`, { ...row, nextSide: other });
		if (file !== 'line-before-below.pdf') expect(wrong.places).toEqual([]);
	},
);

test.each(nextCases.filter(({ anchor }) => !anchor.text.startsWith('Signature')))(
	'the text itself of $name',
	async ({ file, anchor, notInside }) => {
		const row = { text: anchor.text, pages: onPage(anchor.page), notInside };
		expect((await place(`nextTo/${file}`, row)).places).toEqual([toPlace(anchor)]);
	},
);

const scans = readTruth<{
	file: string;
	labels: Scanned[];
	pagesWithoutText: number[];
	refused?: string;
}>('scans');
test.each(scans)('the labels of the scan $file', async ({ file, labels, refused }) => {
	const path = `scans/${file}`;
	for (const { text, page } of labels) {
		const row = { text, pages: onPage(page), occurrence: 'every' as const };
		const untrusted = await place(path, row);
		if (!/made/.test(file)) expect([text, untrusted.places]).toEqual([text, []]);
		const { places } = await place(path, row, true);
		const same = labels.filter((label) => label.text === text && label.page === page);
		const isNear = (label: Scanned, [, x, y]: number[]) =>
			Math.hypot(label.x - x, label.y - y) <= label.tolerance;
		const isOfTruth = (found: number[]) => same.some((label) => isNear(label, found));
		expect([text, places.filter((found) => !isOfTruth(found))]).toEqual([text, []]);
		const unfound = same.filter(
			(label) => label.recognized && !places.some((found) => isNear(label, found)),
		);
		expect([text, unfound.length > 0]).toEqual([text, refused !== undefined]);
	}
});

test('the next text of a label on a scan is the one on its line', async () => {
	for (const { file, labels, refused } of scans)
		for (const [index, label] of labels.entries()) {
			const date = labels.at(index + 1);
			if (date?.text !== 'Date') continue;
			const row = { text: label.text, pages: onPage(label.page), nextText: 'Date' };
			const { places } = await place(`scans/${file}`, row, true);
			const distances = places.map(([, x, y]) => Math.hypot(date.x - x, date.y - y));
			const isFound = refused === undefined && label.recognized && date.recognized;
			expect({ file, label, near: distances.map((far) => far <= date.tolerance) }).toEqual({
				...{ file, label },
				near: isFound ? [true] : [],
			});
		}
});

test('a page of a scan without any text keeps the only one uncertain', async () => {
	forEachCase(
		await Promise.all(
			scans
				.filter(({ pagesWithoutText }) => pagesWithoutText.length > 0)
				.map(async ({ file, labels }) => ({
					file,
					...(await place(`scans/${file}`, { text: labels[0].text }, true)),
				})),
		),
		({ places, faults }) => expect([places, faults]).toEqual([[], [expect.stringMatching(/scan/)]]),
	);
});
