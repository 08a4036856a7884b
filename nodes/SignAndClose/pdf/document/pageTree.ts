import { Unreadable } from '../bounds/limits';
import { isDictionary, numbersOf, type Dictionary, type PdfObject } from '../syntax/objects';
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
	const catalog = await document.catalog();
	const pages: PageObject[] = [];
	const waiting: [PdfObject | undefined, Dictionary][] = [[catalog.get('Pages'), new Map()]];
	const seen = new Set<Dictionary>();
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const [reference, inherited] = next;
		const node = await document.get(reference);
		if (!isDictionary(node) || seen.has(node))
			throw new Unreadable('damaged', 'The page tree is no tree of pages');
		seen.add(node);
		await document.budget.due();
		const attributes: Dictionary = new Map(inherited);
		for (const key of INHERITED) if (node.has(key)) attributes.set(key, node.get(key) ?? null);
		const kids = await document.get(node.get('Kids'));
		if (!Array.isArray(kids) || node.get('Type') === 'Page') {
			document.budget.spend('pages');
			pages.push(await pageObject(document, new Map([...node, ...attributes])));
		} else for (const kid of [...kids].reverse()) waiting.push([kid, attributes]);
	}
	return pages;
}

async function pageObject(document: PdfDocument, page: Dictionary): Promise<PageObject> {
	const mediaBox = rectangle(await document.elements(page.get('MediaBox')));
	if (mediaBox === undefined) throw new Unreadable('damaged', 'A page has no size');
	const cropBox = rectangle(await document.elements(page.get('CropBox'))) ?? mediaBox;
	const rotate = await document.numberAt(page, 'Rotate', 0);
	const userUnit = await document.numberAt(page, 'UserUnit', 1);
	return {
		contents: page.get('Contents') ?? null,
		resources: await document.dictionaryAt(page, 'Resources'),
		mediaBox,
		cropBox: intersection(mediaBox, cropBox),
		rotate: rotate % 90 === 0 ? ((rotate % 360) + 360) % 360 : 0,
		userUnit: userUnit > 0 ? userUnit : 1,
	};
}

function rectangle(elements: PdfObject[]): Rectangle | undefined {
	const [x1, y1, x2, y2] = numbersOf(elements);
	if (y2 === undefined || x1 === x2 || y1 === y2) return undefined;
	const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
	return { left, bottom: Math.min(y1, y2), right, top: Math.max(y1, y2) };
}

/** What two boxes have in common, or the first one if that's nothing. */
function intersection(one: Rectangle, other: Rectangle): Rectangle {
	const [left, right] = [Math.max(one.left, other.left), Math.min(one.right, other.right)];
	const [bottom, top] = [Math.max(one.bottom, other.bottom), Math.min(one.top, other.top)];
	return left < right && bottom < top ? { left, bottom, right, top } : one;
}
