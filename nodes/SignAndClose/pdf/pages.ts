import { ContentInterpreter } from './content/interpreter';
import type { Run } from './content/marks';
import { PdfDocument } from './document/document';
import { readPageTree, type PageObject, type Rectangle } from './document/pageTree';
import {
	Budget,
	type Limits,
	type Pause,
	type Reason,
	reasonOf,
	Unreadable,
} from './bounds/limits';

/**
 * What can be read of a page: its `text`; its text, but not what's in a large picture (`partly`); nothing,
 * as it's a `picture`; nothing, for another reason (`unreadable`).
 */
export type PageKind = 'text' | 'partly' | 'picture' | 'unreadable';

/** The size of a page, in units of user space: 1/72 inch if userUnit is 1. */
export interface PageSize {
	/** Counts from 1. */
	number: number;
	/** Of the crop box, before the page is rotated. */
	width: number;
	height: number;
	/** Degrees clockwise by which viewers turn the page: 0, 90, 180 or 270. */
	rotate: number;
	userUnit: number;
	boxes: { media: Rectangle; crop: Rectangle };
}

export interface Page extends PageSize {
	kind: PageKind;
	/** Why it's unreadable. */
	reason?: Reason;
	/** What's on it, of which a page that's unreadable has none. */
	runs: Run[];
}

export type Reading<P = Page> = { pages: P[] } | { reason: Reason };

/** A page is read if at least this part of its glyphs is known. */
const KNOWN_PART = 0.98;

/** Pictures that cover at least this part of a page may have text in them. */
const LARGE_PICTURE = 0.5;

/** A page without text, but with so many curves, may show letters as drawings. */
const MANY_CURVES = 100;

/**
 * Reads sizes and texts of the pages of a PDF (ISO 32000-2). Nothing is thrown.
 * @param pause lets others work, after each 25 ms
 * @returns the pages, or why the document can't be read
 */
export async function readPages(
	bytes: Uint8Array,
	pause: Pause,
	limits?: Limits,
): Promise<Reading> {
	return await read(bytes, new Budget(pause, limits), async (document, objects) => {
		const interpreter = new ContentInterpreter(document);
		const pages: Page[] = [];
		for (const page of objects) {
			document.budget.beginPage();
			await document.budget.due();
			const content = await readContent(interpreter, page).catch((thrown: unknown) => {
				return { kind: 'unreadable' as const, reason: reasonOf(thrown), runs: [] };
			});
			pages.push({ ...sizeOf(page, pages.length), ...content });
		}
		return pages;
	});
}

/** Reads the sizes of the pages alone, which takes a small part of the time, as readPages(). */
export async function readSizes(bytes: Uint8Array, pause: Pause): Promise<Reading<PageSize>> {
	return await read(bytes, new Budget(pause), async (_document, objects) =>
		Promise.resolve(objects.map(sizeOf)),
	);
}

async function read<P>(
	bytes: Uint8Array,
	budget: Budget,
	readAll: (document: PdfDocument, objects: PageObject[]) => Promise<P[]>,
): Promise<Reading<P>> {
	try {
		const document = await PdfDocument.open(bytes, budget);
		return { pages: await readAll(document, await readPageTree(document)) };
	} catch (thrown) {
		return { reason: reasonOf(thrown) };
	}
}

function sizeOf({ mediaBox: media, cropBox: crop, ...page }: PageObject, index: number): PageSize {
	const [width, height] = [crop.right - crop.left, crop.top - crop.bottom];
	const { rotate, userUnit } = page;
	return { number: index + 1, width, height, rotate, userUnit, boxes: { media, crop } };
}

async function readContent(
	interpreter: ContentInterpreter,
	page: PageObject,
): Promise<Pick<Page, 'kind' | 'runs'>> {
	const { glyphs, known, runs, pictureArea, curves } = await interpreter.marksOf(page);
	if (known < glyphs * KNOWN_PART) throw new Unreadable('unknownGlyphs', 'Its glyphs are unknown');
	if (known === 0)
		return { kind: pictureArea > 0 || curves >= MANY_CURVES ? 'picture' : 'text', runs };
	const { left, bottom, right, top } = page.cropBox;
	const isLarge = pictureArea >= (right - left) * (top - bottom) * LARGE_PICTURE;
	return { kind: isLarge ? 'partly' : 'text', runs };
}
