import { type Budget, MAX_CODESPACE_RANGES, MAX_ELEMENTS, Unreadable } from '../bounds/limits';
import { Keyword, toNumber, type PdfObject } from '../syntax/objects';
import { END, Parser } from '../syntax/parser';

/** Codes of a number of bytes, each of which is in its range (9.7.6.3). */
type CodespaceRange = [low: Uint8Array, high: Uint8Array];

/** Codes of a range between two looks at the clock. */
const CODES_AT_ONCE = 5_000;

/** How many bytes a code may have. */
const MAX_CODE_BYTES = 4;

/** A CMap (9.7.5), or a ToUnicode CMap (9.10.3). */
export class CMap {
	readonly codespaceRanges: CodespaceRange[] = [];

	/** Character identifiers, and texts, of codes. */
	readonly cids = new Map<number, number>();

	readonly texts = new Map<number, string>();

	isVertical = false;

	/** How many bytes the code at a place has; undefined if no code begins there. */
	measureCode(bytes: Uint8Array, at: number): number | undefined {
		for (let length = 1; length <= MAX_CODE_BYTES && at + length <= bytes.length; length++) {
			const matches = ([low, high]: CodespaceRange): boolean =>
				low.length === length &&
				low.every((least, index) => bytes[at + index] >= least && bytes[at + index] <= high[index]);
			if (this.codespaceRanges.some(matches)) return length;
		}
		return undefined;
	}
}

/** Identity-H, where a code of two bytes is the character identifier. */
export const TWO_BYTES = new CMap();
TWO_BYTES.codespaceRanges.push([Uint8Array.of(0, 0), Uint8Array.of(255, 255)]);

/** How many bytes the text of a code may have; the longest ligature of Unicode has 36. A longer one is none. */
const MAX_TEXT_BYTES = 64;

/** UTF-16BE, which has an even number of bytes; a single byte is meant as a code of its own. */
function decodeText(bytes: Uint8Array): string {
	if (bytes.length > MAX_TEXT_BYTES) return '';
	if (bytes.length === 1) return String.fromCharCode(bytes[0]);
	return Buffer.from(bytes.subarray(0, bytes.length & ~1))
		.swap16()
		.toString('utf16le');
}

/** The text that follows by some places, as a range of codes has it: its last code unit counts on. */
const shiftText = (text: string, places: number): string =>
	text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + places);

/**
 * Reads a CMap.
 * @throws Unreadable when its ranges have too many codes
 */
export async function readCMap(bytes: Uint8Array, budget: Budget): Promise<CMap> {
	const cmap = new CMap();
	const parser = new Parser(bytes, 0, false);
	let operands: PdfObject[] = [];
	for (let next = parser.readNext(); next !== END; next = parser.readNext()) {
		if (operands.length % 1000 === 999) await budget.pauseIfDue();
		if (!(next instanceof Keyword)) {
			if (operands.push(next) > MAX_ELEMENTS) throw new Unreadable('limit', 'A CMap is too long');
			continue;
		}
		const { word } = next;
		if (word === 'endcodespacerange') addCodespaceRanges(cmap, operands);
		else if (/^end(bf|cid)char$/.test(word)) await addEntries(cmap, operands, 2, budget);
		else if (/^end(bf|cid)range$/.test(word)) await addEntries(cmap, operands, 3, budget);
		else if (word === 'def' && operands.at(-2) === 'WMode') cmap.isVertical = operands.at(-1) === 1;
		operands = [];
	}
	return cmap;
}

function addCodespaceRanges(cmap: CMap, operands: PdfObject[]): void {
	for (let index = 0; index + 1 < operands.length; index += 2) {
		const [low, high] = [operands[index], operands[index + 1]];
		if (low instanceof Uint8Array && high instanceof Uint8Array && low.length === high.length)
			cmap.codespaceRanges.push([low, high]);
		if (cmap.codespaceRanges.length > MAX_CODESPACE_RANGES)
			throw new Unreadable('limit', 'A CMap has too many ranges');
	}
}

/** Adds entries of one code (size 2), or of a range of codes (size 3). */
async function addEntries(cmap: CMap, operands: PdfObject[], size: 2 | 3, budget: Budget) {
	for (let index = 0; index + size <= operands.length; index += size) {
		const low = operands[index];
		const high = operands[index + size - 2];
		const target = operands[index + size - 1];
		if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array)) continue;
		const [first, last] = [toNumber(low), toNumber(high)];
		budget.spend('mapEntries', Math.max(1, last - first + 1));
		const text = target instanceof Uint8Array ? decodeText(target) : undefined;
		for (let places = 0; places <= last - first; places++) {
			const element = Array.isArray(target) ? target[places] : undefined;
			if (element instanceof Uint8Array) cmap.texts.set(first + places, decodeText(element));
			else if (text !== undefined) cmap.texts.set(first + places, shiftText(text, places));
			else if (typeof target === 'number') cmap.cids.set(first + places, target + places);
			if (places % CODES_AT_ONCE === CODES_AT_ONCE - 1) await budget.pauseIfDue();
		}
		await budget.pauseIfDue();
	}
}
