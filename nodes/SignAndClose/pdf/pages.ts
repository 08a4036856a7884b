import { ContentInterpreter } from './content/interpreter';
import type { Run } from './content/runs';
import { PdfDocument } from './document/document';
import { readPageTree, type PageObject, type Rectangle } from './document/pageTree';
import type { Font } from './fonts/font';
import { Budget, LIMITS, type Limits, type Pause } from './limits';
import type { Dictionary } from './syntax/objects';
import { reasonOf, Unreadable, type Reason } from './unreadable';

export type { Reason } from './unreadable';
export type { Run } from './content/runs';

/**
 * What can be read of a page: its `text`; its text, but not what's in a large picture (`partly`); nothing,
 * as it's a `picture`; nothing, for another reason (`unreadable`).
 */
export type PageKind = 'text' | 'partly' | 'picture' | 'unreadable';

/** A page, in units of user space: 1/72 inch if userUnit is 1. */
export interface Page {
	/** Counts from 1. */
	number: number;
	/** Of the crop box, before the page is rotated. */
	width: number;
	height: number;
	/** Degrees clockwise by which viewers turn the page: 0, 90, 180 or 270. */
	rotate: number;
	userUnit: number;
	boxes: { media: Rectangle; crop: Rectangle };
	kind: PageKind;
	/** Why it's unreadable. */
	reason?: Reason;
	/** What's on it, of which a page that's unreadable has none. */
	runs: Run[];
}

export type Reading = { pages: Page[] } | { reason: Reason };

/** A page is read if at least this part of its glyphs is known. */
const KNOWN_PART = 0.98;

/** Pictures that cover at least this part of a page may have text in them. */
const LARGE_PICTURE = 0.5;

/** A page without text, but with so many curves, may show letters as drawings. */
const MANY_CURVES = 100;

/** What viewers take for a page that doesn't say how large it is: US Letter. */
const LETTER: Rectangle = { left: 0, bottom: 0, right: 612, top: 792 };

/**
 * Reads sizes and texts of the pages of a PDF (ISO 32000-2). Nothing is thrown.
 * @param pause lets others work, after each 25 ms
 * @returns the pages, or why the document can't be read
 */
export async function readPages(
	bytes: Uint8Array,
	pause: Pause,
	limits: Limits = LIMITS,
): Promise<Reading> {
	const budget = new Budget(limits, pause);
	const fonts = new WeakMap<Dictionary, Font>();
	const pages: Page[] = [];
	try {
		const document = await PdfDocument.open(bytes, budget);
		for (const page of await readPageTree(document))
			pages.push(await readPage(document, page, pages.length + 1, fonts));
	} catch (thrown) {
		return { reason: reasonOf(thrown) };
	}
	return { pages };
}

async function readPage(
	document: PdfDocument,
	page: PageObject,
	number: number,
	fonts: WeakMap<Dictionary, Font>,
): Promise<Page> {
	const { rotate, userUnit, mediaBox: media = LETTER, cropBox: crop = LETTER } = page;
	const [width, height] = [crop.right - crop.left, crop.top - crop.bottom];
	const geometry = { number, width, height, rotate, userUnit, boxes: { media, crop } };
	document.budget.beginPage();
	await document.budget.due();
	try {
		if (page.mediaBox === undefined) throw new Unreadable('damaged', 'The page has no size');
		return { ...geometry, ...(await readContent(document, page, crop, fonts)) };
	} catch (thrown) {
		return { ...geometry, kind: 'unreadable', reason: reasonOf(thrown), runs: [] };
	}
}

async function readContent(
	document: PdfDocument,
	page: PageObject,
	visible: Rectangle,
	fonts: WeakMap<Dictionary, Font>,
): Promise<Pick<Page, 'kind' | 'reason' | 'runs'>> {
	const marks = await ContentInterpreter.interpret(document, page, visible, fonts);
	const { glyphs, known, runs } = marks.runs;
	if (known < glyphs * KNOWN_PART) throw new Unreadable('unknownGlyphs', 'Nobody knows its glyphs');
	const area = (visible.right - visible.left) * (visible.top - visible.bottom);
	if (known === 0)
		return {
			kind: marks.pictureArea > 0 || marks.curves >= MANY_CURVES ? 'picture' : 'text',
			runs,
		};
	return { kind: marks.pictureArea >= area * LARGE_PICTURE ? 'partly' : 'text', runs };
}
