import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextItem } from 'pdfjs-dist/types/src/display/api.d.ts';

/*
 * The papers of bench/papers/forms: what their makers say about them is what pdf.js reads in them. The
 * package's own reader has no part in it.
 */

type Box = [left: number, bottom: number, right: number, top: number];
interface Widget {
	name: string;
	type: string;
	page: number;
	box: Box;
}

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const readTruth = (folder: string) =>
	JSON.parse(readFileSync(join(FIXTURES, folder, 'truth.json'), 'utf8'));

const openPdf = async (folder: string, file: string) =>
	await getDocument({
		data: new Uint8Array(readFileSync(join(FIXTURES, folder, file))),
		verbosity: VerbosityLevel.ERRORS,
	}).promise;

const typeOf = ({ fieldType, checkBox, radioButton, pushButton }: any): string =>
	({
		Sig: 'signature',
		Tx: 'text',
		Ch: 'choice',
		Btn: checkBox ? 'checkbox' : radioButton ? 'radio' : pushButton ? 'button' : 'none',
	})[fieldType as string] ?? 'none';

/** The widgets of form fields that pdf.js finds. */
async function readWidgets(folder: string, file: string): Promise<Widget[]> {
	const pdf = await openPdf(folder, file);
	const widgets: Widget[] = [];
	for (let page = 1; page <= pdf.numPages; page += 1)
		for (const annotation of await (await pdf.getPage(page)).getAnnotations())
			if (annotation.subtype === 'Widget')
				widgets.push({
					name: annotation.fieldName,
					type: typeOf(annotation),
					page,
					box: annotation.rect,
				});
	await pdf.destroy();
	return widgets;
}

const isNear = (one: number[], other: number[], points: number): boolean =>
	one.every((value, index) => Math.abs(value - other[index]) <= points);
const isSame = (one: Widget, other: Widget): boolean =>
	(['name', 'type', 'page'] as const).every((key) => one[key] === other[key]) &&
	isNear(one.box, other.box, 1);

it.each(['forms/good', 'forms/traps', 'scans', 'nextTo'])(
	'all papers in %s have a truth',
	(folder) => {
		const files = readdirSync(join(FIXTURES, folder)).filter((file) => file !== 'truth.json');
		expect(files.sort()).toEqual(
			readTruth(folder)
				.map(({ file }: { file: string }) => file)
				.sort(),
		);
	},
);

/** Fields that pdf.js doesn't find, and those that it finds and the truth doesn't know. */
async function compareWidgets(folder: string, file: string, places: Widget[], known: Widget[]) {
	const widgets = await readWidgets(folder, file);
	return {
		file,
		missing: places.filter((place) => !widgets.some((widget) => isSame(place, widget))),
		unknown: widgets.filter((widget) => !known.some((field) => isSame(field, widget))),
	};
}

it('pdf.js finds the fields of good forms, and no others, within a point', async () => {
	for (const { file, fields } of readTruth('forms/good')) {
		const differing = await compareWidgets('forms/good', file, fields, fields);
		expect(differing).toEqual({ file, missing: [], unknown: [] });
	}
});

it('pdf.js finds the places of forms with traps, and no fields that their truths leave out', async () => {
	for (const { file, fields } of readTruth('forms/traps')) {
		const places = fields.filter(({ expected }: { expected: string }) => expected === 'place');
		const differing = await compareWidgets('forms/traps', file, places, fields);
		expect(differing).toEqual({ file, missing: [], unknown: [] });
	}
});

interface Label {
	text: string;
	page: number;
	x: number;
	y: number;
}

/** The pieces of text that pdf.js reads on each page. */
async function readTexts(folder: string, file: string): Promise<TextItem[][]> {
	const pdf = await openPdf(folder, file);
	const pages: TextItem[][] = [];
	for (let page = 1; page <= pdf.numPages; page += 1) {
		const { items } = await (await pdf.getPage(page)).getTextContent();
		pages.push(items.filter((item) => 'str' in item));
	}
	await pdf.destroy();
	return pages;
}

/** Whether the first word of a label is read there, in a piece of text that may have more in it. */
function isRead(pages: TextItem[][], { text, page, x, y }: Label, points: number): boolean {
	const [word] = text.split(' ');
	return pages[page - 1].some(({ str, width, transform }) => {
		if (!str.includes(word)) return false;
		const [cos, sin, , , left, bottom] = transform;
		const baseline = bottom + ((x - left) * sin) / cos;
		const right = str.startsWith(word) ? left : left + width;
		return Math.abs(y - baseline) <= points && x >= left - points && x <= right + points;
	});
}

it('pdf.js reads the labels of papers with next labels where their truths say', async () => {
	for (const { file, cases } of readTruth('nextTo')) {
		const pages = await readTexts('nextTo', file);
		const labels: Label[] = cases.flatMap(({ anchor, next, expected }: any) =>
			expected === undefined ? [anchor] : [anchor, { text: next, ...expected }],
		);
		const unread = labels.filter((label) => !isRead(pages, label, 1));
		expect({ file, unread }).toEqual({ file, unread: [] });
	}
});

it('pdf.js reads the recognized labels of scans where they stand on the paper', async () => {
	for (const { file, labels, pages: count, pagesWithoutText } of readTruth('scans')) {
		const pages = await readTexts('scans', file);
		const empty = pages.flatMap((texts, index) => (texts.length === 0 ? [index + 1] : []));
		const unread = labels.filter(
			(label: Label & { recognized: boolean; tolerance: number }) =>
				label.recognized && !isRead(pages, label, label.tolerance),
		);
		expect({ file, count: pages.length, empty, unread }).toEqual({
			file,
			count,
			empty: pagesWithoutText,
			unread: [],
		});
	}
});
