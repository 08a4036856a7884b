import { ContentInterpreter } from './content/interpreter';
import type { GlyphRun } from './content/marks';
import { PdfDocument } from './document/document';
import { readFormFields, type PdfField } from './form/fields';
import { readPageTree, type PageObject, type Rectangle } from './document/pageTree';
import { countUnknown, findLines } from './search/lines';
import {
	Budget,
	type PdfLimits,
	type Pause,
	type UnreadableReason,
	getReason,
	Unreadable,
} from './bounds/limits';

/**
 * What can be read of a page: its `text`; its text, but not all that may be text (`partly`); nothing, as
 * it's a `picture`; nothing, for another reason (`unreadable`).
 */
type PageKind = 'text' | 'partly' | 'picture' | 'unreadable';

/** What of a page may be text and isn't read. */
export type UnreadPart =
	/** A large picture, or all that's on the page. */
	| 'picture'
	/** Text that nobody sees: another program has recognized it in a picture. */
	| 'recognized'
	/** Letters of which nobody knows what they are, or where. */
	| 'letters'
	/** The value of a form field or a text box that viewers make up. */
	| 'annotation';

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

export interface PdfPage extends PageSize {
	kind: PageKind;
	/** Why it's unreadable. */
	reason?: UnreadableReason;
	/** Nothing for a page that's read, or unreadable. */
	unread: UnreadPart[];
	/** What's on it, of which a page that's unreadable has none. */
	runs: GlyphRun[];
}

export type PdfReading<P = PdfPage> = { pages: P[] } | { reason: UnreadableReason };

/** A page is read if at least this part of its glyphs is known. */
const KNOWN_PART = 0.98;

/** Pictures that cover at least this part of a page may have text in them. */
const LARGE_PICTURE = 0.5;

/** Pictures that cover at least this part of a page are of all that's on it. */
const WHOLE_PICTURE = 0.8;

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
	limits?: PdfLimits,
): Promise<PdfReading> {
	return await readDocument(bytes, new Budget(pause, limits), async (document, objects) => {
		const interpreter = new ContentInterpreter(document);
		const pages: PdfPage[] = [];
		for (const page of objects) {
			document.budget.beginPage();
			await document.budget.pauseIfDue();
			const content = await readContent(interpreter, page).catch((thrown: unknown) => {
				return { kind: 'unreadable' as const, reason: getReason(thrown), unread: [], runs: [] };
			});
			pages.push({ ...toPageSize(page, pages.length), ...content });
		}
		return { pages };
	});
}

/** Reads the sizes of the pages alone, which takes a small part of the time, as readPages(). */
export async function readSizes(bytes: Uint8Array, pause: Pause): Promise<PdfReading<PageSize>> {
	return await readDocument(bytes, new Budget(pause), (_document, objects) => ({
		pages: objects.map(toPageSize),
	}));
}

/** Reads the sizes of the pages and the fields of the form on them, as readPages(). */
export async function readFields(
	bytes: Uint8Array,
	pause: Pause,
): Promise<{ pages: PageSize[]; fields: PdfField[] } | { reason: UnreadableReason }> {
	return await readDocument(bytes, new Budget(pause), async (document, objects) => ({
		pages: objects.map(toPageSize),
		fields: await readFormFields(document, objects),
	}));
}

async function readDocument<T>(
	bytes: Uint8Array,
	budget: Budget,
	readAll: (document: PdfDocument, objects: PageObject[]) => T | Promise<T>,
): Promise<T | { reason: UnreadableReason }> {
	try {
		const document = await PdfDocument.open(bytes, budget);
		return await readAll(document, await readPageTree(document));
	} catch (thrown) {
		return { reason: getReason(thrown) };
	}
}

function toPageSize(page: PageObject, index: number): PageSize {
	const { mediaBox: media, cropBox: crop, rotate, userUnit } = page;
	const [width, height] = [crop.right - crop.left, crop.top - crop.bottom];
	return { number: index + 1, width, height, rotate, userUnit, boxes: { media, crop } };
}

async function readContent(
	interpreter: ContentInterpreter,
	page: PageObject,
): Promise<Pick<PdfPage, 'kind' | 'unread' | 'runs'>> {
	const marks = await interpreter.readMarks(page);
	const { known: knownCount, runs, pictureArea } = marks;
	const unknown = marks.lost + (marks.puzzling > 0 ? countUnknown(findLines(runs)) : 0);
	if (knownCount < (knownCount + unknown) * KNOWN_PART)
		throw new Unreadable('unknownGlyphs', 'Its glyphs are unknown');
	const { left, bottom, right, top } = page.cropBox;
	const picturePart = pictureArea / ((right - left) * (top - bottom));
	const isPicture = knownCount === 0 && (pictureArea > 0 || marks.curves >= MANY_CURVES);
	const unread: UnreadPart[] = [];
	const isInvisible = marks.invisible >= Math.max(1, knownCount / 2);
	// Beside a picture of a part of the page, the text may be that of the rest.
	const isPart = picturePart >= LARGE_PICTURE && picturePart < WHOLE_PICTURE;
	if (isPicture) unread.push('picture');
	else if (isInvisible && !isPart) unread.push('recognized');
	else if (picturePart >= LARGE_PICTURE) unread.push('picture');
	if (unknown > 0) unread.push('letters');
	if (marks.unreadAnnotations > 0) unread.push('annotation');
	if (isPicture) return { kind: 'picture', unread, runs };
	return { kind: unread.length > 0 ? 'partly' : 'text', unread, runs };
}
