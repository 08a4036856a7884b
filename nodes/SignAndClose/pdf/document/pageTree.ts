import { Unreadable } from '../bounds/limits';
import {
	isDictionary,
	listNumbers,
	Stream,
	type Dictionary,
	type PdfObject,
} from '../syntax/objects';
import type { PdfDocument } from './document';

/** A rectangle of user space (7.9.5), with its lower left corner first. */
export interface Rectangle {
	left: number;
	bottom: number;
	right: number;
	top: number;
}

/** A page object (7.7.3.3). */
export interface PageObject {
	contents: PdfObject;
	annotations: PdfObject;
	resources: Dictionary;
	mediaBox: Rectangle;
	/** The part of the media box that viewers show. */
	cropBox: Rectangle;
	/** Degrees clockwise: 0, 90, 180 or 270. */
	rotate: number;
	userUnit: number;
}

/** What pages inherit from their parents (Table 31). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/**
 * The pages of a document, in their order (7.7.3.2).
 * @throws Unreadable when the page tree is no tree, has other things in it than pages, or a page no size
 */
export async function readPageTree(document: PdfDocument): Promise<PageObject[]> {
	const catalog = await document.getCatalog();
	const pages: PageObject[] = [];
	const waiting: [PdfObject | undefined, Dictionary][] = [[catalog.get('Pages'), new Map()]];
	const seen = new Set<Dictionary>();
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const [reference, inherited] = next;
		const node = await document.get(reference);
		if (!isDictionary(node) || seen.has(node))
			throw new Unreadable('damaged', 'The page tree is no tree of pages');
		seen.add(node);
		await document.budget.pauseIfDue();
		const attributes: Dictionary = new Map(inherited);
		for (const key of INHERITED) if (node.has(key)) attributes.set(key, node.get(key) ?? null);
		const kids = await document.get(node.get('Kids'));
		if (!Array.isArray(kids) || node.get('Type') === 'Page') {
			document.budget.spend('pages');
			pages.push(await readPageObject(document, new Map([...node, ...attributes])));
		} else for (const kid of [...kids].reverse()) waiting.push([kid, attributes]);
	}
	return pages;
}

async function readPageObject(document: PdfDocument, page: Dictionary): Promise<PageObject> {
	const mediaBox = toRectangle(await document.getElements(page.get('MediaBox')));
	if (mediaBox === undefined) throw new Unreadable('damaged', 'A page has no size');
	const cropBox = toRectangle(await document.getElements(page.get('CropBox'))) ?? mediaBox;
	const rotate = await document.getNumber(page, 'Rotate', 0);
	const userUnit = await document.getNumber(page, 'UserUnit', 1);
	return {
		contents: page.get('Contents') ?? null,
		annotations: page.get('Annots') ?? null,
		resources: await document.getDictionary(page, 'Resources'),
		mediaBox,
		cropBox: intersect(mediaBox, cropBox),
		rotate: rotate % 90 === 0 ? ((rotate % 360) + 360) % 360 : 0,
		userUnit: userUnit > 0 ? userUnit : 1,
	};
}

/** The rectangle of four numbers; undefined if they're none, or it has no area. */
export function toRectangle(elements: PdfObject[]): Rectangle | undefined {
	const [x1, y1, x2, y2] = listNumbers(elements);
	if (y2 === undefined || x1 === x2 || y1 === y2) return undefined;
	const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
	return { left, bottom: Math.min(y1, y2), right, top: Math.max(y1, y2) };
}

/** What two boxes have in common, or the first one if that's nothing. */
export function intersect(outer: Rectangle, inner: Rectangle): Rectangle {
	const [left, right] = [Math.max(outer.left, inner.left), Math.min(outer.right, inner.right)];
	const [bottom, top] = [Math.max(outer.bottom, inner.bottom), Math.min(outer.top, inner.top)];
	return left < right && bottom < top ? { left, bottom, right, top } : outer;
}

/**
 * The content of a page, of which the parts are one (7.8.2).
 * @throws Unreadable when a part can't be read, or it's too long
 */
export async function readContents(document: PdfDocument, page: PageObject): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for (const part of await document.getElements(page.contents)) {
		if (!(part instanceof Stream)) throw new Unreadable('damaged', 'The content is no stream');
		const bytes = await document.unpack(part);
		size += bytes.length;
		if (size > document.budget.limits.streamBytes)
			throw new Unreadable('limit', 'The content is too long');
		// A part can't end within a token.
		parts.push(bytes, Uint8Array.of(10));
	}
	return Buffer.concat(parts);
}
