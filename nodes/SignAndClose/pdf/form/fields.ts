import { MAX_REFERENCES } from '../bounds/limits';
import { getOfField, isText, UNSEEN } from '../content/annotations';
import type { PdfDocument } from '../document/document';
import { toRectangle, type PageObject, type Rectangle } from '../document/pageTree';
import { isDictionary, type Dictionary, type PdfObject } from '../syntax/objects';
import { decodeTextString } from '../syntax/textStrings';

/** The fields of a form (12.7) that are on a page: each widget is one. */

export type FieldKind = 'signature' | 'text' | 'checkbox' | 'other';

/**
 * Why nobody can sign there: viewers don't show it, nobody may change it, it has no name or no size,
 * it's filled in, or it bears a digital signature.
 */
export type FieldObstacle = 'hidden' | 'readOnly' | 'noName' | 'noSize' | 'filled' | 'signed';

export interface PdfField {
	/** The names of its parents and its own, with periods between them (12.7.4.2). */
	name: string;
	kind: FieldKind;
	/** Counts from 1. */
	page: number;
	/** In user space; undefined if it has none. */
	box?: Rectangle;
	obstacle?: FieldObstacle;
}

/** Flags of a field (Tables 227 and 230): ReadOnly; Radio and Pushbutton. */
const READ_ONLY = 1;
const NO_CHECK_BOX = 0b11 << 15;

/**
 * The fields of the pages, in their order.
 * @param pages of the document
 */
export async function readFormFields(document: PdfDocument, pages: readonly PageObject[]) {
	const fields: PdfField[] = [];
	for (const [index, { annotations }] of pages.entries())
		for (const widget of await document.getElements(annotations))
			if (isDictionary(widget) && (await document.get(widget.get('Subtype'))) === 'Widget')
				fields.push(await readField(document, widget, index + 1));
	return fields;
}

async function readField(
	document: PdfDocument,
	widget: Dictionary,
	page: number,
): Promise<PdfField> {
	document.budget.spend('objects');
	await document.budget.pauseIfDue();
	const names: string[] = [];
	let field = widget;
	for (let level = 0; level < MAX_REFERENCES && field.size > 0; level++) {
		const name = await document.get(field.get('T'));
		if (name instanceof Uint8Array) {
			// Many fields may share a parent with a long name.
			document.budget.spend('glyphs', name.length);
			names.unshift(decodeTextString(name));
		}
		field = await document.getDictionary(field, 'Parent');
	}
	const flags = await getOfField(document, widget, 'Ff');
	const kind = toKind(await getOfField(document, widget, 'FT'), flags);
	// A circle of parents has no first name.
	const name = field.size > 0 ? '' : names.join('.');
	const state = await document.get(widget.get('AS'));
	const box = toRectangle(await document.getElements(widget.get('Rect')));
	const value = await getOfField(document, widget, 'V');
	const obstacles: Array<[boolean, FieldObstacle]> = [
		[((await document.getNumber(widget, 'F', 0)) & UNSEEN) !== 0, 'hidden'],
		[name === '', 'noName'],
		[box === undefined, 'noSize'],
		[kind === 'signature' && isDictionary(value), 'signed'],
		[(Number(flags) & READ_ONLY) !== 0, 'readOnly'],
		[kind === 'text' && isText(value), 'filled'],
		[kind === 'checkbox' && typeof state === 'string' && state !== 'Off', 'filled'],
	];
	const obstacle = obstacles.find(([isThere]) => isThere)?.[1];
	return { name, kind, page, box, obstacle };
}

function toKind(type: PdfObject, flags: PdfObject): FieldKind {
	if (type === 'Sig') return 'signature';
	if (type === 'Btn' && (Number(flags) & NO_CHECK_BOX) === 0) return 'checkbox';
	return type === 'Tx' ? 'text' : 'other';
}
