import type { Budget } from '../limits';
import { Unreadable } from '../unreadable';

/*
 * The deflate format (RFC 1951). Of our own, since Node.js's DecompressionStream fails on checksums
 * and trailing bytes that every viewer ignores, in each version of Node.js differently, and then
 * doesn't tell a stream that's whole from one that was cut.
 */

/** A Huffman code: the symbols in order, and how many have each length. */
interface HuffmanCode {
	counts: Uint16Array;
	symbols: Uint16Array;
	/** For the next nine bits: symbol * 16 + length, or 0 where the code is longer. */
	quick: Uint16Array;
}

const QUICK_BITS = 9;
const MAX_BITS = 15;

/** Bytes after which it's looked whether others need a turn. */
const PIECE = 1 << 18;

function huffmanCode(lengths: ArrayLike<number>): HuffmanCode {
	const counts = new Uint16Array(MAX_BITS + 1);
	for (let index = 0; index < lengths.length; index++) counts[lengths[index]]++;
	counts[0] = 0;
	const offsets = new Uint16Array(MAX_BITS + 2);
	for (let bits = 1; bits <= MAX_BITS; bits++) offsets[bits + 1] = offsets[bits] + counts[bits];
	const symbols = new Uint16Array(lengths.length);
	const quick = new Uint16Array(1 << QUICK_BITS);
	const next = new Uint32Array(MAX_BITS + 1);
	for (let bits = 1; bits <= MAX_BITS; bits++)
		next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
	for (let symbol = 0; symbol < lengths.length; symbol++) {
		const length = lengths[symbol];
		if (length === 0) continue;
		symbols[offsets[length]++] = symbol;
		let code = next[length]++;
		if (length > QUICK_BITS) continue;
		let reversed = 0;
		for (let bit = 0; bit < length; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1);
		for (; reversed < quick.length; reversed += 1 << length) quick[reversed] = symbol * 16 + length;
	}
	return { counts, symbols, quick };
}

const FIXED_LITERALS = huffmanCode(
	Array.from({ length: 288 }, (_, n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8)),
);
const FIXED_DISTANCES = huffmanCode(new Uint8Array(30).fill(5));

const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Bases and extra bits of lengths (symbols from 257) and of distances. */
const LENGTH_EXTRA = Array.from({ length: 29 }, (_, n) => (n < 8 || n === 28 ? 0 : (n >> 2) - 1));
const DISTANCE_EXTRA = Array.from({ length: 30 }, (_, n) => (n < 4 ? 0 : (n >> 1) - 1));
const basesOf = (extra: number[], first: number): number[] =>
	extra.map((_, n) => extra.slice(0, n).reduce((sum, bits) => sum + (1 << bits), first));
const LENGTH_BASES = basesOf(LENGTH_EXTRA, 3);
LENGTH_BASES[28] = 258;
const DISTANCE_BASES = basesOf(DISTANCE_EXTRA, 1);

class Inflater {
	private position: number;

	private bits = 0;

	private bitCount = 0;

	private output: Uint8Array;

	private length = 0;

	constructor(
		private readonly input: Uint8Array,
		private readonly budget: Budget,
	) {
		// The header of zlib (RFC 1950); some producers leave it out.
		const header = input[0] * 256 + input[1];
		this.position = (input[0] & 15) === 8 && header % 31 === 0 ? 2 : 0;
		this.output = new Uint8Array(Math.max(512, Math.min(input.length * 4, PIECE)));
	}

	async inflate(): Promise<Uint8Array> {
		for (let isLast = false; !isLast;) {
			isLast = this.take(1) === 1;
			const type = this.take(2);
			if (type === 0) this.copyStored();
			else if (type === 1) await this.decode(FIXED_LITERALS, FIXED_DISTANCES);
			else if (type === 2) await this.decode(...this.dynamicCodes());
			else throw damaged();
		}
		return this.output.subarray(0, this.length);
	}

	private take(count: number): number {
		while (this.bitCount < count) {
			if (this.position >= this.input.length) throw damaged();
			this.bits |= this.input[this.position++] << this.bitCount;
			this.bitCount += 8;
		}
		const value = this.bits & ((1 << count) - 1);
		this.bits >>>= count;
		this.bitCount -= count;
		return value;
	}

	private symbol({ counts, symbols, quick }: HuffmanCode): number {
		while (this.bitCount < QUICK_BITS && this.position < this.input.length) {
			this.bits |= this.input[this.position++] << this.bitCount;
			this.bitCount += 8;
		}
		const entry = quick[this.bits & ((1 << QUICK_BITS) - 1)];
		const known = entry & 15;
		if (known > 0 && known <= this.bitCount) {
			this.bits >>>= known;
			this.bitCount -= known;
			return entry >> 4;
		}
		let code = 0;
		let first = 0;
		let index = 0;
		for (let length = 1; length <= MAX_BITS; length++) {
			code |= this.take(1);
			if (code - first < counts[length]) return symbols[index + code - first];
			index += counts[length];
			first = (first + counts[length]) << 1;
			code <<= 1;
		}
		throw damaged();
	}

	private reserve(count: number): void {
		const needed = this.length + count;
		if (needed > this.budget.limits.streamBytes)
			throw new Unreadable('limit', 'A stream unpacks to too many bytes');
		if (needed <= this.output.length) return;
		const grown = new Uint8Array(Math.max(needed, this.output.length * 2));
		grown.set(this.output.subarray(0, this.length));
		this.output = grown;
	}

	private copyStored(): void {
		this.take(this.bitCount & 7);
		const count = this.take(16);
		if ((count ^ 0xffff) !== this.take(16)) throw damaged();
		this.reserve(count);
		// Whole bytes that were taken from the input too early.
		this.position -= this.bitCount >> 3;
		this.bits = this.bitCount = 0;
		if (this.position + count > this.input.length) throw damaged();
		this.output.set(this.input.subarray(this.position, this.position + count), this.length);
		this.position += count;
		this.length += count;
	}

	private dynamicCodes(): [HuffmanCode, HuffmanCode] {
		const literals = this.take(5) + 257;
		const total = literals + this.take(5) + 1;
		const lengthLengths = new Uint8Array(19);
		for (let left = this.take(4) + 4, n = 0; n < left; n++)
			lengthLengths[LENGTH_ORDER[n]] = this.take(3);
		const lengthCode = huffmanCode(lengthLengths);
		const lengths: number[] = [];
		while (lengths.length < total) {
			const symbol = this.symbol(lengthCode);
			if (symbol < 16) {
				lengths.push(symbol);
				continue;
			}
			const repeated = symbol === 16 ? (lengths.at(-1) ?? 0) : 0;
			const times =
				symbol === 16 ? 3 + this.take(2) : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
			for (let n = 0; n < times; n++) lengths.push(repeated);
		}
		return [huffmanCode(lengths.slice(0, literals)), huffmanCode(lengths.slice(literals, total))];
	}

	private async decode(literals: HuffmanCode, distances: HuffmanCode): Promise<void> {
		for (let nextTurn = this.length + PIECE; ;) {
			const symbol = this.symbol(literals);
			if (symbol === 256) return;
			if (this.length + 258 > this.output.length) this.reserve(258);
			if (symbol < 256) {
				this.output[this.length++] = symbol;
				continue;
			}
			const length = LENGTH_BASES[symbol - 257] + this.take(LENGTH_EXTRA[symbol - 257]);
			const code = this.symbol(distances);
			const distance = DISTANCE_BASES[code] + this.take(DISTANCE_EXTRA[code]);
			const { output } = this;
			let to = this.length;
			if (!(distance <= to) || !(length <= 258)) throw damaged();
			for (const end = to + length; to < end; to++) output[to] = output[to - distance];
			this.length = to;
			if (to >= nextTurn) {
				await this.budget.due();
				nextTurn = to + PIECE;
			}
		}
	}
}

const damaged = () => new Unreadable('damaged', 'A stream is not in deflate format, or was cut');

/**
 * Unpacks deflate, with or without zlib's header. Checksums and what follows don't matter.
 * @throws Unreadable when it's cut or something else, or unpacks to too much
 */
export const inflate = (bytes: Uint8Array, budget: Budget): Promise<Uint8Array> =>
	new Inflater(bytes, budget).inflate();
