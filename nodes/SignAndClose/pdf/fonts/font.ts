import type { PdfDocument } from '../document/document';
import { isDictionary, toLatin1, toNumber, listNumbers, Stream } from '../syntax/objects';
import type { Dictionary, PdfObject } from '../syntax/objects';
import { CMap, readCMap, TWO_BYTES } from './cmap';
import {
	ENCODINGS,
	SIGN_GLYPH,
	UNKNOWN_GLYPH,
	STANDARD_ENCODING,
	readGlyphName,
	type Encoding,
} from './characters';
import { findSignWidth, findStandardWidths } from './standardWidths';

/** A glyph, as a font shows it for a code. */
interface Glyph {
	/** UNKNOWN_GLYPH if nothing says which character it is, or where the next one is; SIGN_GLYPH for a sign. */
	text: string;
	/** How far it moves, in text space at font size 1; undefined if nothing says so. */
	width: number | undefined;
	/** The code is one byte, 32, to which word spacing applies (9.3.3). */
	isWordSpace: boolean;
}

/** Characters that ISO 32000 calls undefined. */
const MEANINGLESS = /[^\P{Cc}\s]|[\p{Cn}\p{Cs}\ufffd]/u;

const keepMeaningful = (text: string | undefined): string | undefined =>
	text === undefined || text === '' || MEANINGLESS.test(text) ? undefined : text;

/** Fonts whose codes of letters show signs, or Greek letters. */
const SIGNS = /wingdings|webdings|dingbats|^(?:[A-Z]{6}\+)?symbol(?:mt|ps)?\b/i;
const LATIN_OR_PRIVATE = /[A-Za-z0-9\p{Co}]/u;

/** Characters that mean something else in each font. */
const PRIVATE = /\p{Co}/u;

/**
 * What tells the text of a glyph from what the document says of its code. A private character may be a
 * letter, unless the font has no others.
 * @param baseFont the font's name
 * @param fontTexts all texts of the font
 */
function buildTextReader(baseFont: string, fontTexts: Iterable<string | undefined>) {
	const isSigns = SIGNS.test(baseFont);
	const hasLetters = [...fontTexts].some((text) => /[\p{L}\p{N}]/u.test(text ?? ''));
	return (...candidates: Array<string | undefined>): string | undefined => {
		const text = candidates.map(keepMeaningful).find((candidate) => candidate !== undefined);
		if (isSigns) return text === undefined || LATIN_OR_PRIVATE.test(text) ? SIGN_GLYPH : text;
		return hasLetters && text !== undefined && PRIVATE.test(text) ? undefined : text;
	};
}

const SYMBOLIC = 4;

/** The highest character identifier. */
const MAX_CID = 65_535;

const UNKNOWN_CODE: Glyph = { text: UNKNOWN_GLYPH, width: undefined, isWordSpace: false };

/** Most fonts whose codes can't be told apart have two bytes for each. */
const buildUnknownGlyphs = (bytes: number): Glyph[] =>
	new Array<Glyph>(Math.ceil(bytes / 2)).fill(UNKNOWN_CODE);

/** What a font knows of a code. */
type Lookup = (code: number) => { text: string | undefined; width: number | undefined };

/** A font (9.5). */
export class Font {
	private readonly glyphs = new Map<number, Glyph>();

	constructor(
		/** Undefined if each byte is a code. */
		private readonly cmap: CMap | undefined,
		private readonly lookUp: Lookup,
		/** How high a line is, in text space at font size 1. */
		readonly emHeight: number,
	) {}

	/** The glyphs of a string. */
	readGlyphs(bytes: Uint8Array): Glyph[] {
		const result: Glyph[] = [];
		for (let at = 0; at < bytes.length;) {
			const length = this.cmap === undefined ? 1 : this.cmap.measureCode(bytes, at);
			if (length === undefined) return [...result, ...buildUnknownGlyphs(bytes.length - at)];
			result.push(this.getGlyph(toNumber(bytes.subarray(at, at + length)), length));
			at += length;
		}
		return result;
	}

	private getGlyph(code: number, length: number): Glyph {
		const key = code * 8 + length;
		const cached = this.glyphs.get(key);
		if (cached !== undefined) return cached;
		const { text, width } = this.lookUp(code);
		const isKnown = width !== undefined || text === SIGN_GLYPH;
		const result = {
			...{ text: (isKnown ? text : undefined) ?? UNKNOWN_GLYPH, width },
			isWordSpace: length === 1 && code === 32,
		};
		this.glyphs.set(key, result);
		return result;
	}
}

/** Reads what's needed of a font to know its texts and widths. */
export class FontReader {
	constructor(
		private readonly document: PdfDocument,
		private readonly font: Dictionary,
	) {}

	/** @throws Unreadable when a stream of the font can't be read, or has too much in it */
	async readFont(): Promise<Font> {
		const texts = (await this.readCMapStream(this.font.get('ToUnicode')))?.texts ?? new Map();
		const isComposite = this.font.get('Subtype') === 'Type0';
		return await (isComposite ? this.readCompositeFont(texts) : this.readSimpleFont(texts));
	}

	private async readName(): Promise<string> {
		return String(await this.document.get(this.font.get('BaseFont')));
	}

	private async readCMapStream(value: PdfObject | undefined): Promise<CMap | undefined> {
		const stream = await this.document.get(value);
		if (!(stream instanceof Stream)) return undefined;
		return await readCMap(await this.document.unpack(stream), this.document.budget);
	}

	/** A composite font (9.7). */
	private async readCompositeFont(texts: Map<number, string>): Promise<Font> {
		const { document, font } = this;
		const [cidFont] = await document.getElements(font.get('DescendantFonts'));
		const entry = await document.get(font.get('Encoding'));
		const isIdentity = entry === 'Identity-H';
		const cmap = isIdentity ? TWO_BYTES : ((await this.readCMapStream(entry)) ?? new CMap());
		if (!isDictionary(cidFont) || cmap.isVertical) return new Font(cmap, () => UNKNOWN_CODE, 1);
		const widths = await this.readCidWidths(cidFont);
		const readText = buildTextReader(await this.readName(), texts.values());
		const otherwise = await document.getNumber(cidFont, 'DW', 1000);
		const lookUp: Lookup = (code) => {
			const cid = isIdentity ? code : (cmap.cids.get(code) ?? 0);
			return {
				text: readText(texts.get(code)),
				width: (widths.get(cid) ?? otherwise) / 1000,
			};
		};
		return new Font(cmap, lookUp, 1);
	}

	/** Widths of character identifiers (9.7.4.3). */
	private async readCidWidths(cidFont: Dictionary): Promise<Map<number, number>> {
		const { document } = this;
		const widths = new Map<number, number>();
		const elements = await document.getElements(cidFont.get('W'));
		for (let index = 0; index + 1 < elements.length;) {
			const [first, next] = [Number(elements[index++]), elements[index++]];
			const rangeWidths = listNumbers(await document.getElements(next));
			const isRange = !Array.isArray(next);
			const width = isRange ? Number(elements[index++]) : 0;
			const count = isRange ? Math.min(Number(next), MAX_CID) - first + 1 : rangeWidths.length;
			document.budget.spend('mapEntries', Math.max(1, count));
			for (let n = 0; n < count; n++) widths.set(first + n, isRange ? width : rangeWidths[n]);
			await document.budget.pauseIfDue();
		}
		return widths;
	}

	/** A simple font (9.6). */
	private async readSimpleFont(texts: Map<number, string>): Promise<Font> {
		const { document, font } = this;
		const baseFont = await this.readName();
		const descriptor = await document.getDictionary(font, 'FontDescriptor');
		const characters = await this.readEncoding(baseFont, descriptor);
		const firstChar = await document.getNumber(font, 'FirstChar', 0);
		const widths = await document.getElements(font.get('Widths'));
		const missingWidth = await document.getNumber(descriptor, 'MissingWidth', 0);
		const [unit, emHeight] = await this.readGlyphSpace();
		const standard = widths.length === 0 ? findStandardWidths(baseFont) : () => missingWidth;
		const readText = buildTextReader(baseFont, texts.size > 0 ? texts.values() : characters);
		const lookUp: Lookup = (code) => {
			const listedWidth = widths[code - firstChar];
			const width =
				typeof listedWidth === 'number'
					? listedWidth
					: (standard?.(characters[code] ?? '') ?? findSignWidth(baseFont, code));
			const text = readText(texts.get(code), characters[code]);
			return { text, width: width === undefined ? undefined : width * unit };
		};
		return new Font(undefined, lookUp, emHeight);
	}

	/** The unit of widths and the height of a line; a Type 3 font can have any (9.6.4). */
	private async readGlyphSpace(): Promise<[unit: number, emHeight: number]> {
		if (this.font.get('Subtype') !== 'Type3') return [0.001, 1];
		const matrix = await this.document.getElements(this.font.get('FontMatrix'));
		const [unit = 0.001, , , height = 0.001] = listNumbers(matrix);
		const box = await this.document.getElements(this.font.get('FontBBox'));
		const [, bottom = 0, , top = 0] = listNumbers(box);
		return [unit, Math.abs(height * (bottom === top ? 1000 : top - bottom))];
	}

	/** The character of each code of a simple font (9.6.5). */
	private async readEncoding(baseFont: string, descriptor: Dictionary): Promise<Encoding> {
		const { document } = this;
		const entry = await document.get(this.font.get('Encoding'));
		const differences = isDictionary(entry) ? entry : new Map<string, PdfObject>();
		const name = await document.get(isDictionary(entry) ? entry.get('BaseEncoding') : entry);
		const base = SIGNS.test(baseFont) ? [] : ENCODINGS.get(name);
		const result = [...(base ?? (await this.readBuiltInEncoding(descriptor)))];
		let code = 0;
		for (const element of await document.getElements(differences.get('Differences'))) {
			if (typeof element === 'number') code = element;
			else if (code >= 0 && code < 256) result[code++] = readGlyphName(String(element));
		}
		return result;
	}

	/** The encoding if the document names none. What can't be read has no characters. */
	private async readBuiltInEncoding(descriptor: Dictionary): Promise<Encoding> {
		const program = await this.document.get(descriptor.get('FontFile'));
		if (program instanceof Stream) {
			const text = toLatin1(await this.document.unpack(program)).split('eexec')[0];
			if (/\/Encoding\s+StandardEncoding/.test(text)) return STANDARD_ENCODING;
			const result: (string | undefined)[] = [];
			for (const [, code, name] of text.matchAll(/\bdup\s+(\d{1,3})\s*\/([^\s/]+)\s+put\b/g))
				result[Number(code)] = readGlyphName(name);
			return result;
		}
		const flags = await this.document.getNumber(descriptor, 'Flags', 0);
		const isEmbedded = descriptor.has('FontFile2') || descriptor.has('FontFile3');
		const isOwn = this.font.get('Subtype') === 'Type3' || (isEmbedded && (flags & SYMBOLIC) !== 0);
		return isOwn ? [] : STANDARD_ENCODING;
	}
}
