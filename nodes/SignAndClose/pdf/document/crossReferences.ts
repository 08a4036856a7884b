import type { Budget } from '../limits';
import { isDictionary, latin1, numbersOf, Stream, type Dictionary } from '../syntax/objects';
import { Parser } from '../syntax/parser';
import { Unreadable } from '../unreadable';

/** Where an object is: in the file, or in an object stream. */
export type Place = { offset: number } | { container: number; index: number };

export interface CrossReferences {
	/** Free objects have no place. */
	places: Map<number, Place | undefined>;
	trailer: Dictionary;
}

/** What reads cross-reference streams. */
export interface StreamReader {
	/** The object that begins there, whatever its number. */
	indirectObjectAt(offset: number): Promise<{ number: number; value: unknown }>;
	unpacked(stream: Stream): Promise<Uint8Array>;
}

const damaged = () => new Unreadable('damaged', 'The cross-reference table cannot be used');

/**
 * Reads the cross-reference tables and streams, from the newest to the oldest (7.5.4, 7.5.8).
 * @throws Unreadable when one of them can't be read
 */
export async function readCrossReferences(
	bytes: Uint8Array,
	reader: StreamReader,
	budget: Budget,
): Promise<CrossReferences> {
	const places: CrossReferences['places'] = new Map();
	const trailer: Dictionary = new Map();
	const last = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf('startxref');
	const start = last < 0 ? undefined : new Parser(bytes, last + 9).next();
	const waiting = [start];
	const done = new Set<unknown>();
	for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
		if (typeof offset !== 'number' || offset >= bytes.length) throw damaged();
		if (done.has(offset)) continue;
		done.add(offset);
		const parser = new Parser(bytes, offset);
		const section = parser.accepts('xref')
			? await readTable(parser, places, budget)
			: await readStream(offset, reader, places, budget);
		for (const [key, value] of section) if (!trailer.has(key)) trailer.set(key, value);
		// In files for old and new readers, the stream counts before older tables.
		waiting.push(
			...['XRefStm', 'Prev']
				.map((key) => section.get(key) ?? undefined)
				.filter((each) => each !== undefined),
		);
	}
	if (!trailer.has('Root')) throw damaged();
	return { places, trailer };
}

async function readTable(
	parser: Parser,
	places: CrossReferences['places'],
	budget: Budget,
): Promise<Dictionary> {
	while (!parser.accepts('trailer')) {
		const [first, count] = [parser.next(), parser.next()];
		if (typeof first !== 'number' || typeof count !== 'number') throw damaged();
		for (let index = 0; index < count; index++) {
			const [offset, generation] = [parser.next(), parser.next()];
			const isUsed = parser.accepts('n');
			if (!isUsed && !parser.accepts('f')) throw damaged();
			if (typeof offset !== 'number' || typeof generation !== 'number') throw damaged();
			budget.spend('objects');
			if (!places.has(first + index)) places.set(first + index, isUsed ? { offset } : undefined);
			if (index % 1000 === 999) await budget.due();
		}
	}
	const trailer = parser.next();
	if (!isDictionary(trailer)) throw damaged();
	return trailer;
}

async function readStream(
	offset: number,
	reader: StreamReader,
	places: CrossReferences['places'],
	budget: Budget,
): Promise<Dictionary> {
	const { value } = await reader.indirectObjectAt(offset);
	if (!(value instanceof Stream) || value.dictionary.get('Type') !== 'XRef') throw damaged();
	const { dictionary } = value;
	const bytes = await reader.unpacked(value);
	const widths = numbersOf(dictionary.get('W'));
	if (widths.length !== 3 || widths.some((width) => !(width >= 0 && width <= 6))) throw damaged();
	let at = 0;
	const field = (width: number): number => {
		let number = 0;
		for (const end = at + width; at < end; at++) number = number * 256 + bytes[at];
		return number;
	};
	const sections = numbersOf(dictionary.get('Index') ?? [0, dictionary.get('Size') ?? 0]);
	for (let section = 0; section < sections.length; section += 2) {
		const [first, count] = sections.slice(section);
		for (let index = 0; index < count && at < bytes.length; index++) {
			const type = widths[0] === 0 ? 1 : field(widths[0]);
			const [second, third] = [field(widths[1]), field(widths[2])];
			budget.spend('objects');
			if (places.has(first + index)) continue;
			if (type === 1) places.set(first + index, { offset: second });
			else places.set(first + index, type === 2 ? { container: second, index: third } : undefined);
			if (index % 1000 === 999) await budget.due();
		}
	}
	return dictionary;
}

/**
 * Finds the objects of a file whose cross-reference table is missing or wrong, by their beginnings.
 * The last of several objects with the same number counts, as if the file had been updated.
 * @returns also the object streams, whose objects are not in the places yet
 * @throws Unreadable when no trailer names the document's catalog, nor does anything else
 */
export async function rebuildCrossReferences(
	bytes: Uint8Array,
	reader: StreamReader,
	budget: Budget,
): Promise<CrossReferences & { objectStreams: [number, Stream][] }> {
	const places: CrossReferences['places'] = new Map();
	const trailer: Dictionary = new Map();
	const found = new Map<number, Stream>();
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	for (let at = buffer.indexOf('obj'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
		const begin = /(?<!\d)(\d{1,10})\s+\d{1,5}\s*$/.exec(latin1(bytes, Math.max(0, at - 25), at));
		if (begin === null) continue;
		const offset = at - begin[0].length;
		budget.spend('objects');
		places.set(Number(begin[1]), { offset });
		found.delete(Number(begin[1]));
		await budget.due();
		const { value } = await reader.indirectObjectAt(offset);
		const dictionary = value instanceof Stream ? value.dictionary : value;
		if (!isDictionary(dictionary)) continue;
		const type = dictionary.get('Type');
		if (type === 'ObjStm' && value instanceof Stream) found.set(Number(begin[1]), value);
		if (type === 'XRef') for (const [key, each] of dictionary) trailer.set(key, each);
	}
	for (let at = buffer.indexOf('trailer'); at >= 0; at = buffer.indexOf('trailer', at + 7)) {
		const dictionary = new Parser(bytes, at + 7).next();
		if (isDictionary(dictionary)) for (const [key, value] of dictionary) trailer.set(key, value);
	}
	if (!trailer.has('Root')) throw damaged();
	return { places, trailer, objectStreams: [...found] };
}
