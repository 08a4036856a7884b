import { MAX_ELEMENTS, MAX_NESTED_OBJECTS, MAX_STRING_BYTES, Unreadable } from '../bounds/limits';
import { Keyword, toLatin1, Reference, type Dictionary, type PdfObject } from './objects';

const WHITE_SPACE = 1;
const DELIMITER = 2;

/** Classes of characters (7.2.3). What's neither is regular. */
const CLASSES = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) CLASSES[code] = WHITE_SPACE;
for (const sign of '()<>[]{}/%') CLASSES[sign.charCodeAt(0)] = DELIMITER;

const [LF, CR, PERCENT, OPEN_ROUND, CLOSE_ROUND, SLASH, ZERO, NINE] = [
	10, 13, 37, 40, 41, 47, 48, 57,
];
const [LESS, GREATER, OPEN_SQUARE, BACKSLASH] = [60, 62, 91, 92];

/** The generation and the R of a reference. */
const MAX_REFERENCE_BYTES = 20;

/** Bytes behind an inline image that have to look like operators, for its end to be its end. */
const BYTES_BEHIND_IMAGE = 12;

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A character that isn't what it seems (7.3.4.2): an end of line that's left out, a code, or another one. */
const ESCAPED = /\\(?:(\r\n?|\n)|([0-7]{1,3})|([^]))/g;
const unescape = (_: string, end?: string, octal?: string, character = ''): string => {
	if (end !== undefined) return '';
	if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 255);
	return ESCAPES[character] ?? character;
};

/** Bytes of two digits each. A digit that's missing at the end is a zero. */
export function decodeHexadecimal(text: string): Buffer {
	const digits = text.replace(/[^0-9a-f]/gi, '');
	return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

/** The bytes are at their end. */
export const END = new Keyword('');

export const isWhiteSpace = (code: number): boolean => CLASSES[code] === WHITE_SPACE;

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

const buildTooLarge = () => new Unreadable('limit', 'An object is too large or nested too deep');

const isKeyword = (value: PdfObject, word: string): boolean =>
	value instanceof Keyword && value.word === word;

/** Reads objects, one after the other (7.2, 7.3). */
export class Parser {
	constructor(
		readonly bytes: Uint8Array,
		public position = 0,
		/** Content streams have none, so that `1 0 R` are three things there. */
		private readonly hasReferences = true,
	) {}

	/**
	 * The next object, or the keyword that stands there instead.
	 * @returns END when there's nothing more
	 * @throws Unreadable when objects stand too deep in each other
	 */
	readNext(depth = 0): PdfObject {
		this.skipWhiteSpace();
		const { bytes } = this;
		if (this.position >= bytes.length) return END;
		const code = bytes[this.position];
		if (isDigit(code) || code === 45 || code === 46 || code === 43) return this.readNumber();
		if (code === SLASH) return this.readName();
		if (code === OPEN_ROUND) return this.readLiteralString();
		if (code === OPEN_SQUARE) return this.readArray(depth + 1);
		if (code !== LESS) return this.readKeyword(code);
		if (bytes[this.position + 1] !== LESS) return this.readHexadecimalString();
		this.position += 2;
		return this.readDictionary(depth + 1);
	}

	/** Whether this word comes next. It's passed if so. */
	accepts(word: string): boolean {
		const before = this.position;
		if (isKeyword(this.readNext(), word)) return true;
		this.position = before;
		return false;
	}

	/** Passes white space and comments. */
	private skipWhiteSpace(): void {
		const { bytes } = this;
		let at = this.position;
		const end = at + MAX_STRING_BYTES;
		for (let isComment = false; at < bytes.length; at++) {
			if (at > end) throw buildTooLarge();
			const code = bytes[at];
			if (code === PERCENT) isComment = true;
			else if (code === LF || code === CR) isComment = false;
			else if (!isComment && CLASSES[code] !== WHITE_SPACE) break;
		}
		this.position = at;
	}

	private readKeyword(first: number): PdfObject {
		const from = this.position++;
		if (CLASSES[first] === DELIMITER) {
			if (first === GREATER && this.bytes[this.position] === GREATER) this.position++;
		} else this.skipRegular();
		const word = this.readText(from);
		if (word === 'true' || word === 'false') return word === 'true';
		return word === 'null' ? null : new Keyword(word);
	}

	/** What was passed since a position, in Latin-1. */
	private readText(from: number): string {
		const { bytes, position } = this;
		if (position - from === 1) return String.fromCharCode(bytes[from]);
		if (position - from === 2) return String.fromCharCode(bytes[from], bytes[from + 1]);
		return toLatin1(bytes, from, position);
	}

	private skipRegular(): void {
		const { bytes } = this;
		const end = this.position + MAX_STRING_BYTES;
		while (this.position < bytes.length && CLASSES[bytes[this.position]] === 0)
			if (this.position++ > end) throw buildTooLarge();
	}

	private readNumber(): PdfObject {
		const { bytes } = this;
		const from = this.position;
		let [at, value, scale] = [from, 0, 0];
		while (bytes[at] === 45 || bytes[at] === 43) at++;
		const first = at;
		for (; ; at++) {
			if (isDigit(bytes[at])) {
				value = value * 10 + bytes[at] - ZERO;
				scale *= 10;
			} else if (bytes[at] === 46 && scale === 0) scale = 1;
			else break;
		}
		this.position = at;
		// What goes on after a number, such as the second sign in "12-34", is left out like elsewhere.
		this.skipRegular();
		if (at === first) return new Keyword(this.readText(from));
		if (this.hasReferences && first === from && scale === 0) {
			const rest = toLatin1(bytes, at, at + MAX_REFERENCE_BYTES);
			const [behind, generation] = /^\s+(\d+)\s+R(?![^\s()<>[\]{}/%])/.exec(rest) ?? [];
			if (behind !== undefined) {
				this.position = at + behind.length;
				return new Reference(value, Number(generation));
			}
		}
		if (scale > 1) value /= scale;
		return bytes[from] === 45 ? -value : value;
	}

	private readName(): string {
		const from = ++this.position;
		this.skipRegular();
		const decode = (_: string, hex: string): string => String.fromCharCode(parseInt(hex, 16));
		return this.readText(from).replace(/#([0-9a-f]{2})/gi, decode);
	}

	private readLiteralString(): Uint8Array {
		const { bytes } = this;
		const from = this.position + 1;
		let at = from;
		for (let open = 1; at < bytes.length; at++) {
			if (at - from > MAX_STRING_BYTES) throw buildTooLarge();
			const code = bytes[at];
			if (code === BACKSLASH) at++;
			else if (code === OPEN_ROUND) open++;
			else if (code === CLOSE_ROUND && --open === 0) break;
		}
		this.position = at + 1;
		return Buffer.from(toLatin1(bytes, from, at).replace(ESCAPED, unescape), 'latin1');
	}

	private readHexadecimalString(): Uint8Array {
		const from = this.position + 1;
		const end = this.bytes.indexOf(GREATER, from);
		this.position = end < 0 ? this.bytes.length : end + 1;
		if (this.position - from > 2 * MAX_STRING_BYTES) throw buildTooLarge();
		return decodeHexadecimal(this.readText(from));
	}

	private readArray(depth: number): PdfObject[] {
		if (depth > MAX_NESTED_OBJECTS) throw buildTooLarge();
		this.position++;
		const result: PdfObject[] = [];
		for (;;) {
			const value = this.readNext(depth);
			if (value === END || isKeyword(value, ']')) return result;
			if (!(value instanceof Keyword) && result.push(value) > MAX_ELEMENTS) throw buildTooLarge();
		}
	}

	/** The entries until `>>`, or until `ID` in an inline image. */
	readDictionary(depth = 0): Dictionary {
		if (depth > MAX_NESTED_OBJECTS) throw buildTooLarge();
		const result: Dictionary = new Map();
		const isLast = (value: PdfObject): boolean =>
			value === END || isKeyword(value, '>>') || isKeyword(value, 'ID');
		for (;;) {
			const key = this.readNext(depth);
			if (isLast(key)) return result;
			if (typeof key !== 'string') continue;
			const value = this.readNext(depth);
			if (isLast(value)) return result;
			if (!(value instanceof Keyword)) result.set(key, value);
			if (result.size > MAX_ELEMENTS) throw buildTooLarge();
		}
	}

	/**
	 * Passes an image in a content stream (8.9.7). Its end has no mark that can't be in its data, too.
	 * @throws Unreadable when it has no end
	 */
	skipInlineImage(): void {
		this.readDictionary();
		const { bytes } = this;
		for (let at = this.position + 1; at + 2 < bytes.length; at++) {
			const isEnd = bytes[at] === 69 && bytes[at + 1] === 73;
			if (!isEnd || !isWhiteSpace(bytes[at - 1]) || !isWhiteSpace(bytes[at + 2])) continue;
			const behind = bytes.subarray(at + 3, at + 3 + BYTES_BEHIND_IMAGE);
			if (behind.some((byte) => byte > 126 || (byte < 32 && !isWhiteSpace(byte)))) continue;
			this.position = at + 2;
			return;
		}
		throw new Unreadable('damaged', 'An inline image has no end');
	}
}
