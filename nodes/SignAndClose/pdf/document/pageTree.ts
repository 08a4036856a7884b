import { Unreadable } from '../unreadable';
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
	dictionary: Dictionary;
	resources: Dictionary;
	/** Undefined if the page has none, though it must. */
	mediaBox: Rectangle | undefined;
	/** The part of the media box that viewers show. */
	cropBox: Rectangle | undefined;
	/** Degrees clockwise: 0, 90, 180 or 270. */
	rotate: number;
	userUnit: number;
}

/** What pages inherit from their parents (Table 31). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/**
 * The pages of a document, in their order (7.7.3.2).
 * @throws Unreadable when the page tree is no tree, or has other things in it than pages
 */
export async function readPageTree(document: PdfDocument): Promise<PageObject[]> {
	const catalog = await document.dictionaryAt(document.trailer, 'Root');
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
			pages.push(await pageObject(document, node, attributes));
		} else for (const kid of [...kids].reverse()) waiting.push([kid, attributes]);
	}
	return pages;
}

async function pageObject(
	document: PdfDocument,
	dictionary: Dictionary,
	attributes: Dictionary,
): Promise<PageObject> {
	const mediaBox = rectangle(await document.elements(attributes.get('MediaBox')));
	const cropBox = rectangle(await document.elements(attributes.get('CropBox')));
	const rotate = await document.get(attributes.get('Rotate'));
	const userUnit = await document.get(dictionary.get('UserUnit'));
	return {
		dictionary,
		resources: await document.dictionaryAt(attributes, 'Resources'),
		mediaBox,
		cropBox: mediaBox && cropBox ? (intersection(mediaBox, cropBox) ?? mediaBox) : mediaBox,
		rotate: typeof rotate === 'number' && rotate % 90 === 0 ? ((rotate % 360) + 360) % 360 : 0,
		userUnit: typeof userUnit === 'number' && userUnit > 0 ? userUnit : 1,
	};
}

function rectangle(elements: PdfObject[]): Rectangle | undefined {
	const [x1, y1, x2, y2] = numbersOf(elements);
	if (y2 === undefined || x1 === x2 || y1 === y2) return undefined;
	const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
	return { left, bottom: Math.min(y1, y2), right, top: Math.max(y1, y2) };
}

function intersection(one: Rectangle, other: Rectangle): Rectangle | undefined {
	const result = {
		left: Math.max(one.left, other.left),
		bottom: Math.max(one.bottom, other.bottom),
		right: Math.min(one.right, other.right),
		top: Math.min(one.top, other.top),
	};
	return result.left < result.right && result.bottom < result.top ? result : undefined;
}
