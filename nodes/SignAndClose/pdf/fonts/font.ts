import type { PdfDocument } from '../document/document';
import {
	isDictionary,
	latin1,
	numbersOf,
	Stream,
	type Dictionary,
	type PdfObject,
} from '../syntax/objects';
import { CMap, codeOf, identityCMap, readCMap } from './cmap';
import { ENCODINGS, STANDARD_ENCODING, type Encoding } from './encodings';
import { textOfGlyphName } from './glyphNames';
import { standardWidths } from './standardWidths';

/** A glyph, as a font shows it for a code. */
export interface Glyph {
	/** Undefined if nothing says which character it is. */
	text: string | undefined;
	/** How far it moves, in text space at font size 1; undefined if nothing says so. */
	width: number | undefined;
	/** The code is one byte, 32, to which word spacing applies (9.3.3). */
	isWordSpace: boolean;
}

/** Characters that ISO 32000 calls undefined, or that mean something else in each font. */
const MEANINGLESS = /[\0-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd-\uffff]/;

/** Fonts whose codes of letters show signs. */
const SIGNS = /symbol|dingbats|wingdings|webdings/i;

const SYMBOLIC = 4;

/** The highest character identifier. */
const MAX_CID = 65_535;

const UNKNOWN: Glyph = { text: undefined, width: undefined, isWordSpace: false };

type Lookup = (code: number) => { text: string | undefined; width: number | undefined };

/** A font (9.5). */
export class Font {
	private readonly glyphs = new Map<number, Glyph>();

	constructor(
		private readonly cmap: CMap | undefined,
		private readonly lookup: Lookup,
		/** From glyph space to text space, for the height of a line. */
		readonly emHeight: number,
	) {}

	/** The glyphs of a string. */
	glyphsOf(bytes: Uint8Array): Glyph[] {
		const result: Glyph[] = [];
		for (let at = 0; at < bytes.length;) {
			const length = this.cmap === undefined ? 1 : this.cmap.codeLength(bytes, at);
			if (length === undefined) return [...result, UNKNOWN];
			const code = codeOf(bytes.subarray(at, at + length));
			result.push(this.glyph(code, length));
			at += length;
		}
		return result;
	}

	private glyph(code: number, length: number): Glyph {
		const key = code * 8 + length;
		let glyph = this.glyphs.get(key);
		if (glyph === undefined) {
			const { text, width } = this.lookup(code);
			const isKnown = text !== undefined && text !== '' && !MEANINGLESS.test(text);
			glyph = { text: isKnown ? text : undefined, width, isWordSpace: length === 1 && code === 32 };
			this.glyphs.set(key, glyph);
		}
		return glyph;
	}
}

/** Reads a font with what's needed to know its texts and widths. */
export async function readFont(document: PdfDocument, font: Dictionary): Promise<Font> {
	const toUnicode = await document.get(font.get('ToUnicode'));
	const texts =
		toUnicode instanceof Stream
			? (await readCMap(await document.unpacked(toUnicode), document.budget)).texts
			: new Map<number, string>();
	return font.get('Subtype') === 'Type0'
		? await compositeFont(document, font, texts)
		: await simpleFont(document, font, texts);
}

/** A composite font (9.7). */
async function compositeFont(
	document: PdfDocument,
	font: Dictionary,
	texts: Map<number, string>,
): Promise<Font> {
	const [cidFont] = await document.elements(font.get('DescendantFonts'));
	const encoding = await document.get(font.get('Encoding'));
	const isIdentity = encoding === 'Identity-H' || encoding === 'Identity-V';
	const cmap =
		encoding instanceof Stream
			? await readCMap(await document.unpacked(encoding), document.budget)
			: isIdentity
				? identityCMap(encoding === 'Identity-V')
				: new CMap();
	if (!isDictionary(cidFont) || cmap.isVertical) return new Font(cmap, () => UNKNOWN, 1);
	const widths = await cidWidths(document, await document.get(cidFont.get('W')));
	const defaultWidth = await document.get(cidFont.get('DW'));
	const otherwise = typeof defaultWidth === 'number' ? defaultWidth : 1000;
	return new Font(
		cmap,
		(code) => {
			const cid = isIdentity ? code : (cmap.cids.get(code) ?? 0);
			return { text: texts.get(code), width: (widths.get(cid) ?? otherwise) / 1000 };
		},
		1,
	);
}

/** Widths of character identifiers (9.7.4.3). */
async function cidWidths(document: PdfDocument, array: PdfObject): Promise<Map<number, number>> {
	const widths = new Map<number, number>();
	const elements = await document.elements(array);
	for (let index = 0; index + 1 < elements.length;) {
		const first = elements[index++];
		const next = elements[index++];
		if (typeof first !== 'number') continue;
		if (Array.isArray(next)) {
			const each = numbersOf(await document.elements(next));
			document.budget.spend('mapEntries', each.length);
			each.forEach((width, offset) => widths.set(first + offset, width));
			continue;
		}
		const width = elements[index++];
		if (typeof next !== 'number' || typeof width !== 'number') continue;
		const last = Math.min(next, MAX_CID);
		document.budget.spend('mapEntries', Math.max(1, last - first + 1));
		for (let cid = first; cid <= last; cid++) widths.set(cid, width);
	}
	return widths;
}

/** A simple font (9.6). */
async function simpleFont(
	document: PdfDocument,
	font: Dictionary,
	texts: Map<number, string>,
): Promise<Font> {
	const isType3 = font.get('Subtype') === 'Type3';
	const baseFont = String(await document.get(font.get('BaseFont')));
	const descriptor = await document.dictionaryAt(font, 'FontDescriptor');
	const encoding = await simpleEncoding(document, font, baseFont, descriptor);
	const firstChar = await document.get(font.get('FirstChar'));
	const widths = await document.elements(font.get('Widths'));
	const missingWidth = await document.get(descriptor.get('MissingWidth'));
	const [unit = 0.001, , , height = 0.001] = isType3
		? numbersOf(await document.elements(font.get('FontMatrix')))
		: [];
	const standard = widths.length === 0 ? standardWidths(baseFont) : undefined;
	const widthOf = (code: number): number | undefined => {
		if (widths.length === 0) return standard?.(encoding[code] ?? '');
		const width = typeof firstChar === 'number' ? widths[code - firstChar] : undefined;
		return typeof width === 'number' ? width : typeof missingWidth === 'number' ? missingWidth : 0;
	};
	return new Font(
		undefined,
		(code) => {
			const width = widthOf(code);
			const text = texts.get(code) ?? encoding[code];
			return { text, width: width === undefined ? undefined : width * unit };
		},
		isType3 ? await type3Height(document, font, Math.abs(height)) : 1,
	);
}

/** The height of a line in a Type 3 font, whose glyph space can have any size (9.6.4). */
async function type3Height(document: PdfDocument, font: Dictionary, unit: number): Promise<number> {
	const [, bottom = 0, , top = 0] = numbersOf(await document.elements(font.get('FontBBox')));
	return bottom === top ? unit * 1000 : Math.abs(top - bottom) * unit;
}

/** The character of each code of a simple font (9.6.5). */
async function simpleEncoding(
	document: PdfDocument,
	font: Dictionary,
	baseFont: string,
	descriptor: Dictionary,
): Promise<Encoding> {
	const encoding = await document.get(font.get('Encoding'));
	const name = isDictionary(encoding) ? await document.get(encoding.get('BaseEncoding')) : encoding;
	const base =
		(SIGNS.test(baseFont) ? [] : ENCODINGS[String(name)]) ??
		(await builtInEncoding(document, font, descriptor));
	const result = [...base];
	if (!isDictionary(encoding)) return result;
	let code = 0;
	for (const element of await document.elements(encoding.get('Differences'))) {
		if (typeof element === 'number') code = element;
		else if (typeof element === 'string' && code >= 0 && code < 256)
			result[code++] = textOfGlyphName(element);
	}
	return result;
}

/** The encoding that a font has if the document names none. What can't be read has no characters. */
async function builtInEncoding(
	document: PdfDocument,
	font: Dictionary,
	descriptor: Dictionary,
): Promise<Encoding> {
	const program = await document.get(descriptor.get('FontFile'));
	if (program instanceof Stream) {
		const text = latin1(await document.unpacked(program)).split('eexec')[0];
		if (/\/Encoding\s+StandardEncoding/.test(text)) return STANDARD_ENCODING;
		const result: (string | undefined)[] = [];
		for (const [, code, name] of text.matchAll(/\bdup\s+(\d{1,3})\s*\/([^\s/]+)\s+put\b/g))
			result[Number(code)] = textOfGlyphName(name);
		return result;
	}
	const flags = await document.get(descriptor.get('Flags'));
	const isSymbolic = typeof flags === 'number' && (flags & SYMBOLIC) !== 0;
	const isEmbedded = descriptor.has('FontFile2') || descriptor.has('FontFile3');
	return font.get('Subtype') === 'Type3' || (isSymbolic && isEmbedded) ? [] : STANDARD_ENCODING;
}
