import { getOfField, isText, UNSEEN } from '../content/annotations';
import type { PdfDocument } from '../document/document';
import { toRectangle, type PageObject, type Rectangle } from '../document/pageTree';
import { isDictionary, type Dictionary, type PdfObject } from '../syntax/objects';
import { decodeTextString } from '../syntax/textStrings';

/** The fields of a form (12.7), as the pages show them: each widget is one. */

export type FieldKind = 'signature' | 'text' | 'checkbox' | 'other';

/**
 * Why nobody can sign there: viewers don't show it, nobody may change it, it has no name,
 * no size or no page, it's filled in, or it bears a digital signature.
 */
export type FieldObstacle =
	'hidden' | 'readOnly' | 'noName' | 'noSize' | 'noPage' | 'filled' | 'signed';

export interface PdfField {
	/** The names of its parents and its own, with periods between them (12.7.4.2). */
	name: string;
	kind: FieldKind;
	/** Counts from 1; undefined if it's on none. */
	page?: number;
	/** In user space; undefined if it has none. */
	box?: Rectangle;
	obstacle?: FieldObstacle;
}

/** Flags of a field (Tables 227 and 230): ReadOnly; Radio and Pushbutton. */
const READ_ONLY = 1;
const NO_CHECK_BOX = 0b11 << 15;

const KINDS: Record<string, FieldKind | undefined> = { Sig: 'signature', Tx: 'text' };

/** How many parents a field may have. */
const MOST_PARENTS = 30;

/**
 * The fields of the pages in their order, and then those on no page.
 * @param pages of the document
 */
export async function readFormFields(
	document: PdfDocument,
	pages: readonly PageObject[],
): Promise<PdfField[]> {
	const fields: PdfField[] = [];
	const seen = new Set<PdfObject>();
	const readOnce = async (field: Dictionary, page?: number) => {
		if (seen.has(field)) return;
		seen.add(field);
		document.budget.spend('objects');
		fields.push(await readField(document, field, page));
	};
	for (const [index, { annotations }] of pages.entries())
		for (const widget of await document.getElements(annotations))
			if (isDictionary(widget) && (await document.get(widget.get('Subtype'))) === 'Widget')
				await readOnce(widget, index + 1);
	const form = await document.getDictionary(await document.getCatalog(), 'AcroForm');
	const waiting = [form.get('Fields')];
	while (waiting.length > 0)
		for (const field of await document.getElements(waiting.pop())) {
			if (!isDictionary(field) || seen.has(field)) continue;
			if (!field.has('Kids')) await readOnce(field);
			else if (seen.add(field)) waiting.push(field.get('Kids'));
		}
	return fields;
}

async function readField(
	document: PdfDocument,
	widget: Dictionary,
	page: number | undefined,
): Promise<PdfField> {
	await document.budget.pauseIfDue();
	const names: string[] = [];
	let field = widget;
	for (let level = 0; level < MOST_PARENTS && field.size > 0; level++) {
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
	const obstacle = findObstacle(
		[page === undefined, 'noPage'],
		[((await document.getNumber(widget, 'F', 0)) & UNSEEN) !== 0, 'hidden'],
		[name === '', 'noName'],
		[box === undefined, 'noSize'],
		[kind === 'signature' && isDictionary(value), 'signed'],
		[(Number(flags) & READ_ONLY) !== 0, 'readOnly'],
		[kind === 'text' && isText(value), 'filled'],
		[kind === 'checkbox' && typeof state === 'string' && state !== 'Off', 'filled'],
	);
	return { name, kind, page, box, obstacle };
}

const findObstacle = (...obstacles: Array<[boolean, FieldObstacle]>): FieldObstacle | undefined =>
	obstacles.find(([isThere]) => isThere)?.[1];

function toKind(type: PdfObject, flags: PdfObject): FieldKind {
	if (type === 'Btn') return (Number(flags) & NO_CHECK_BOX) === 0 ? 'checkbox' : 'other';
	return KINDS[String(type)] ?? 'other';
}
