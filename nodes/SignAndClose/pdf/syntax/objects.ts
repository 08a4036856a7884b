/* Objects of a PDF (ISO 32000-2, 7.3). */

/** An indirect reference. */
export class Reference {
	constructor(
		readonly number: number,
		readonly generation: number,
	) {}
}

/** A keyword: an operator of a content stream, or a word of a file's structure. */
export class Keyword {
	constructor(readonly word: string) {}
}

export type Dictionary = Map<string, PdfObject>;

/** A stream object, with its bytes as they are in the file. */
export class Stream {
	constructor(
		readonly dictionary: Dictionary,
		readonly bytes: Uint8Array,
		/** The object that it is, from which its key is made when it's encrypted. */
		readonly reference: Reference,
	) {}
}

/** An object. A name is a string here, and a string its bytes. */
export type PdfObject =
	| null
	| boolean
	| number
	| string
	| Uint8Array
	| Reference
	| Keyword
	| Stream
	| Dictionary
	| PdfObject[];

export const isDictionary = (value: unknown): value is Dictionary => value instanceof Map;

/** The number below a key. */
export function getNumber(dictionary: Dictionary, key: string, otherwise: number): number {
	const value = dictionary.get(key);
	return typeof value === 'number' ? value : otherwise;
}

/** The numbers of an array; anything else in it is left out. */
export const listNumbers = (value: unknown): number[] =>
	Array.isArray(value)
		? value.filter((element): element is number => typeof element === 'number')
		: [];

/** The same bytes with the methods of a buffer. */
export const toBuffer = (bytes: Uint8Array): Buffer =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Bytes as characters of Latin-1, for words and names. */
export const toLatin1 = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
	toBuffer(bytes).toString('latin1', from, to);

/** A number of several bytes, the highest first. */
export const toNumber = (bytes: Uint8Array): number =>
	bytes.reduce((number, byte) => number * 256 + byte, 0);
