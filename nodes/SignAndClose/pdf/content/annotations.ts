import { MAX_REFERENCES } from '../bounds/limits';
import type { PdfDocument } from '../document/document';
import { toRectangle, type Rectangle } from '../document/pageTree';
import {
	isDictionary,
	listNumbers,
	Stream,
	toLatin1,
	type Dictionary,
	type PdfObject,
} from '../syntax/objects';
import { multiply, toMatrix, type Matrix } from './matrix';

/** An annotation that viewers show on a page, such as a form field or a text box (12.5). */
export interface Annotation {
	dictionary: Dictionary;
	box: Rectangle;
	/** What viewers show in its box; undefined if they make it up. */
	appearance: Stream | undefined;
}

/** As how many operators an annotation counts, since it takes so long. */
const OPERATORS_OF_ANNOTATION = 30;

/** Flags of annotations that nobody sees: Hidden and NoView. */
export const UNSEEN = 2 | 32;

/** The annotations of a page that viewers show, in the order in which they're drawn. */
export async function readAnnotations(
	document: PdfDocument,
	annotations: PdfObject,
): Promise<Annotation[]> {
	const result: Annotation[] = [];
	for (const dictionary of await document.getElements(annotations)) {
		document.budget.spend('operators', OPERATORS_OF_ANNOTATION);
		await document.budget.pauseIfDue();
		if (!isDictionary(dictionary)) continue;
		const box = toRectangle(await document.getElements(dictionary.get('Rect')));
		const isUnseen = ((await document.getNumber(dictionary, 'F', 0)) & UNSEEN) !== 0;
		if (box === undefined || isUnseen || dictionary.get('Subtype') === 'Popup') continue;
		const states = await document.getDictionary(dictionary, 'AP');
		const normal = await document.get(states.get('N'));
		const state = String(await document.get(dictionary.get('AS')));
		const appearance = isDictionary(normal) ? await document.get(normal.get(state)) : normal;
		result.push({
			...{ dictionary, box },
			appearance: appearance instanceof Stream ? appearance : undefined,
		});
	}
	return result;
}

/** From the space of an appearance, before its own matrix, to its place on the page. */
export async function computePlace(
	document: PdfDocument,
	{ dictionary }: Stream,
	{ left, bottom, right, top }: Rectangle,
): Promise<Matrix> {
	const ownMatrix = toMatrix(listNumbers(await document.getElements(dictionary.get('Matrix'))));
	const form = toRectangle(await document.getElements(dictionary.get('BBox')));
	if (form === undefined) return [1, 0, 0, 1, left, bottom];
	const corners = [form.left, form.right].flatMap((x) =>
		[form.bottom, form.top].map((y) => multiply([1, 0, 0, 1, x, y], ownMatrix)),
	);
	const [x, y] = [corners.map((corner) => corner[4]), corners.map((corner) => corner[5])];
	const [minX, minY] = [Math.min(...x), Math.min(...y)];
	const scaleX = (right - left) / (Math.max(...x) - minX);
	const scaleY = (top - bottom) / (Math.max(...y) - minY);
	return [scaleX, 0, 0, scaleY, left - minX * scaleX, bottom - minY * scaleY];
}

/**
 * Whether viewers make up a text for an annotation: the value of a field, the caption of a button, or
 * what's written in a text box.
 */
export async function hasMadeUpText(
	document: PdfDocument,
	{ dictionary, appearance }: Annotation,
): Promise<boolean> {
	const subtype = dictionary.get('Subtype');
	if (subtype === 'Widget') {
		const form = await document.getDictionary(await document.getCatalog(), 'AcroForm');
		if (appearance !== undefined && form.get('NeedAppearances') !== true) return false;
		const value = await getOfField(document, dictionary, 'V');
		const { length } = [value].flat().filter(isText);
		const look = await document.getDictionary(dictionary, 'MK');
		return length > 0 || isText(await document.get(look.get('CA')));
	}
	if (appearance !== undefined) return false;
	return subtype === 'Stamp' || (subtype === 'FreeText' && dictionary.has('Contents'));
}

/** An entry of a field, which its parents may have (12.7.4.1). */
export async function getOfField(
	document: PdfDocument,
	field: Dictionary,
	key: string,
): Promise<PdfObject> {
	for (let steps = 0; steps < MAX_REFERENCES && !field.has(key); steps++)
		field = await document.getDictionary(field, 'Parent');
	return await document.get(field.get(key));
}

/** Whether a value is a text with anything in it; UTF-16 begins with a mark. */
export const isText = (value: PdfObject): boolean =>
	value instanceof Stream || (value instanceof Uint8Array && /[^\s\0þÿ]/.test(toLatin1(value)));
