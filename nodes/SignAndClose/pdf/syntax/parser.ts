import { MAX_ELEMENTS, MAX_NESTED_OBJECTS, MAX_STRING_BYTES } from '../limits';
import { Unreadable } from '../unreadable';
import { Keyword, latin1, Reference, type Dictionary, type PdfObject } from './objects';

const WHITE_SPACE = 1;
const DELIMITER = 2;

/** Classes of characters (7.2.3). What's neither is regular. */
const CLASSES = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) CLASSES[code] = WHITE_SPACE;
for (const sign of '()<>[]{}/%') CLASSES[sign.charCodeAt(0)] = DELIMITER;

const [CR, LF, ZERO, NINE, SLASH, BACKSLASH] = [13, 10, 48, 57, 47, 92];
const [OPEN_ROUND, CLOSE_ROUND, LESS, GREATER, OPEN_SQUARE, PERCENT] = [40, 41, 60, 62, 91, 37];

const ESCAPES: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** The bytes are at their end. */
export const END = new Keyword('');

const hexDigit = (code: number): number => {
	if (code >= ZERO && code <= NINE) return code - ZERO;
	const letter = code | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

export const isWhiteSpace = (code: number): boolean => CLASSES[code] === WHITE_SPACE;

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

const tooLarge = () => new Unreadable('limit', 'An object is too large or nested too deep');

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
	next(depth = 0): PdfObject {
		this.skipWhiteSpace();
		const { bytes } = this;
		if (this.position >= bytes.length) return END;
		const code = bytes[this.position];
		if (isDigit(code) || code === 45 || code === 46 || code === 43) return this.number();
		switch (code) {
			case SLASH:
				return this.name();
			case OPEN_ROUND:
				return this.literalString();
			case LESS:
				if (bytes[this.position + 1] !== LESS) return this.hexadecimalString();
				this.position += 2;
				return this.dictionary(depth + 1);
			case OPEN_SQUARE:
				this.position++;
				return this.array(depth + 1);
		}
		return this.keyword(code);
	}

	/** Whether this word comes next. It's passed if so. */
	accepts(word: string): boolean {
		const before = this.position;
		if (isKeyword(this.next(), word)) return true;
		this.position = before;
		return false;
	}

	skipWhiteSpace(): void {
		const { bytes } = this;
		for (let { position } = this; ; position++) {
			if (bytes[position] === PERCENT)
				while (position < bytes.length && bytes[position] !== LF && bytes[position] !== CR)
					position++;
			if (position >= bytes.length || CLASSES[bytes[position]] !== WHITE_SPACE) {
				this.position = position;
				return;
			}
		}
	}

	private keyword(first: number): PdfObject {
		const from = this.position++;
		if (CLASSES[first] === DELIMITER) {
			if (first === GREATER && this.bytes[this.position] === GREATER) this.position++;
		} else this.skipRegular();
		const word = latin1(this.bytes, from, this.position);
		if (word === 'true') return true;
		if (word === 'false') return false;
		return word === 'null' ? null : new Keyword(word);
	}

	private skipRegular(): void {
		const { bytes } = this;
		while (this.position < bytes.length && CLASSES[bytes[this.position]] === 0) this.position++;
	}

	private number(): PdfObject {
		const { bytes } = this;
		const from = this.position;
		let at = from;
		let whole = 0;
		let scale = 0;
		let digits = 0;
		while (bytes[at] === 45 || bytes[at] === 43) at++;
		const negative = at > from && bytes[from] === 45;
		for (; ; at++) {
			const code = bytes[at];
			if (isDigit(code)) {
				whole = whole * 10 + code - ZERO;
				scale *= 10;
				digits++;
			} else if (code === 46 && scale === 0) scale = 1;
			else break;
		}
		this.position = at;
		// What goes on after a number, such as the second sign in "12-34", is left out like elsewhere.
		if (at < bytes.length && CLASSES[bytes[at]] === 0) this.skipRegular();
		if (digits === 0)
			return this.position - from > 1 ? new Keyword(latin1(bytes, from, this.position)) : 0;
		const value = scale > 1 ? whole / scale : whole;
		if (negative) return -value;
		if (!this.hasReferences || scale > 0 || digits !== at - from) return value;
		return this.reference(value) ?? value;
	}

	/** The reference whose object number was read, if it is one. */
	private reference(number: number): Reference | undefined {
		const { bytes } = this;
		let at = this.position;
		let generation = 0;
		while (CLASSES[bytes[at]] === WHITE_SPACE) at++;
		if (at === this.position || !isDigit(bytes[at])) return undefined;
		for (; isDigit(bytes[at]); at++) generation = generation * 10 + bytes[at] - ZERO;
		const behind = at;
		while (CLASSES[bytes[at]] === WHITE_SPACE) at++;
		if (at === behind || bytes[at] !== 82) return undefined;
		if (at + 1 < bytes.length && CLASSES[bytes[at + 1]] === 0) return undefined;
		this.position = at + 1;
		return new Reference(number, generation);
	}

	private name(): string {
		const from = ++this.position;
		this.skipRegular();
		const name = latin1(this.bytes, from, this.position);
		if (!name.includes('#')) return name;
		return name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(parseInt(hex, 16)),
		);
	}

	private literalString(): Uint8Array {
		const { bytes } = this;
		const result: number[] = [];
		let at = this.position + 1;
		for (let open = 1; at < bytes.length; at++) {
			const code = bytes[at];
			if (result.length > MAX_STRING_BYTES) throw tooLarge();
			if (code === OPEN_ROUND) open++;
			if (code === CLOSE_ROUND && --open === 0) break;
			if (code !== BACKSLASH) {
				result.push(code);
				continue;
			}
			const escaped = bytes[++at];
			if (escaped === CR || escaped === LF) {
				if (escaped === CR && bytes[at + 1] === LF) at++;
			} else if (escaped >= ZERO && escaped < ZERO + 8) {
				let octal = escaped - ZERO;
				for (let n = 0; n < 2 && bytes[at + 1] >= ZERO && bytes[at + 1] < ZERO + 8; n++)
					octal = octal * 8 + bytes[++at] - ZERO;
				result.push(octal & 255);
			} else result.push(ESCAPES[String.fromCharCode(escaped)] ?? escaped);
		}
		this.position = at + 1;
		return Uint8Array.from(result);
	}

	private hexadecimalString(): Uint8Array {
		const { bytes } = this;
		const digits: number[] = [];
		let at = this.position + 1;
		for (; at < bytes.length && bytes[at] !== GREATER; at++) {
			const digit = hexDigit(bytes[at]);
			if (digit >= 0 && digits.push(digit) > 2 * MAX_STRING_BYTES) throw tooLarge();
		}
		this.position = at + 1;
		return Uint8Array.from({ length: Math.ceil(digits.length / 2) }, (_, index) => {
			return digits[2 * index] * 16 + (digits[2 * index + 1] ?? 0);
		});
	}

	private array(depth: number): PdfObject[] {
		if (depth > MAX_NESTED_OBJECTS) throw tooLarge();
		const result: PdfObject[] = [];
		for (;;) {
			const value = this.next(depth);
			if (value === END || isKeyword(value, ']')) return result;
			if (!(value instanceof Keyword) && result.push(value) > MAX_ELEMENTS) throw tooLarge();
		}
	}

	/** The entries until `>>`, or until `ID` in an inline image. */
	dictionary(depth = 0): Dictionary {
		if (depth > MAX_NESTED_OBJECTS) throw tooLarge();
		const result: Dictionary = new Map();
		const isLast = (value: PdfObject): boolean =>
			value === END || isKeyword(value, '>>') || isKeyword(value, 'ID');
		for (;;) {
			const key = this.next(depth);
			if (isLast(key)) return result;
			if (typeof key !== 'string') continue;
			const value = this.next(depth);
			if (isLast(value)) return result;
			if (!(value instanceof Keyword)) result.set(key, value);
			if (result.size > MAX_ELEMENTS) throw tooLarge();
		}
	}
}
