import { type Budget, Unreadable } from '../bounds/limits';
import { toBuffer, isDictionary, toLatin1, toNumber, listNumbers, Stream } from '../syntax/objects';
import type { Dictionary, PdfObject } from '../syntax/objects';
import { Parser } from '../syntax/parser';

/** Where an object is: in the file, or in an object stream. */
export type ObjectPlace = { offset: number } | { container: number; index: number };

/** What of a document its cross-references need. */
interface ObjectReader {
	budget: Budget;
	/** The object that begins there. */
	readIndirectObject(offset: number): Promise<{ number: number; value: PdfObject }>;
	unpack(stream: Stream): Promise<Uint8Array>;
}

const buildDamaged = () => new Unreadable('damaged', "The cross-reference table can't be used");

/** Where the objects of a file are (7.5.4, 7.5.8). */
export class CrossReferences {
	/** Free objects have no place. */
	readonly places = new Map<number, ObjectPlace | undefined>();

	readonly trailer: Dictionary = new Map();

	/** The object streams of a file whose table was rebuilt, which has no places of their objects. */
	readonly objectStreams = new Set<number>();

	constructor(
		private readonly bytes: Uint8Array,
		private readonly document: ObjectReader,
	) {}

	/**
	 * Reads the tables and streams, from the newest to the oldest.
	 * @throws Unreadable when one of them can't be read
	 */
	async load(): Promise<void> {
		const last = toBuffer(this.bytes).lastIndexOf('startxref');
		let offset = last < 0 ? null : new Parser(this.bytes, last + 9).readNext();
		const done = new Set<unknown>();
		while (typeof offset === 'number' && offset < this.bytes.length && !done.has(offset)) {
			done.add(offset);
			const parser = new Parser(this.bytes, offset);
			const isTable = parser.accepts('xref');
			const section = await (isTable ? this.readTable(parser.position) : this.readStream(offset));
			for (const [key, value] of section) if (!this.trailer.has(key)) this.trailer.set(key, value);
			offset = section.get('Prev') ?? null;
		}
		if (!this.trailer.has('Root')) throw buildDamaged();
	}

	private async readTable(position: number): Promise<Dictionary> {
		const parser = new Parser(this.bytes, position, false);
		const free: number[] = [];
		while (!parser.accepts('trailer')) {
			const [first, count] = [parser.readNext(), parser.readNext()];
			if (typeof first !== 'number' || typeof count !== 'number') throw buildDamaged();
			for (let number = first; number < first + count; number++) {
				const [offset] = [parser.readNext(), parser.readNext()];
				const isUsed = parser.accepts('n');
				if (typeof offset !== 'number' || (!isUsed && !parser.accepts('f'))) throw buildDamaged();
				if (isUsed) await this.add(number, { offset });
				else free.push(number);
			}
		}
		const trailer = new Parser(this.bytes, parser.position).readNext();
		if (!isDictionary(trailer)) throw buildDamaged();
		// A stream for newer readers has objects that the table calls free (7.5.8.4).
		const stream = trailer.get('XRefStm');
		if (typeof stream === 'number') await this.readStream(stream);
		for (const number of free) await this.add(number, undefined);
		return trailer;
	}

	private async readStream(offset: number): Promise<Dictionary> {
		const { value } = await this.document.readIndirectObject(offset);
		if (!(value instanceof Stream) || value.dictionary.get('Type') !== 'XRef') throw buildDamaged();
		const { dictionary } = value;
		const bytes = await this.document.unpack(value);
		const widths = listNumbers(dictionary.get('W'));
		if (widths.length !== 3 || widths.some((width) => !(width >= 0 && width <= 6)))
			throw buildDamaged();
		const sections = listNumbers(dictionary.get('Index') ?? [0, dictionary.get('Size') ?? 0]);
		let at = 0;
		for (let section = 0; section < sections.length; section += 2) {
			const [first, count] = [sections[section], sections[section + 1]];
			for (let number = first; number < first + count && at < bytes.length; number++) {
				const [type, second, third] = widths.map((width, field) => {
					const number =
						width === 0 ? Number(field === 0) : toNumber(bytes.subarray(at, at + width));
					at += width;
					return number;
				});
				if (type === 1) await this.add(number, { offset: second });
				else await this.add(number, type === 2 ? { container: second, index: third } : undefined);
			}
		}
		return dictionary;
	}

	private async add(number: number, place: ObjectPlace | undefined): Promise<void> {
		this.document.budget.spend('objects');
		if (!this.places.has(number)) this.places.set(number, place);
		await this.document.budget.pauseIfDue();
	}

	/**
	 * Finds the objects of a file whose tables are missing or wrong, by their beginnings. The last of
	 * several objects with the same number counts, as if the file had been updated.
	 * @throws Unreadable when nothing names the document's catalog
	 */
	async rebuild(): Promise<void> {
		const buffer = toBuffer(this.bytes);
		for (let at = buffer.indexOf('obj'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
			const before = toLatin1(buffer, Math.max(0, at - 25), at);
			const [begin = '', number] = /(?<!\d)(\d{1,10})\s+\d{1,5}\s*$/.exec(before) ?? [];
			if (begin === '') continue;
			const offset = at - begin.length;
			this.places.delete(Number(number));
			await this.add(Number(number), { offset });
			const { value } = await this.document.readIndirectObject(offset);
			const type = value instanceof Stream ? value.dictionary.get('Type') : undefined;
			this.objectStreams.delete(Number(number));
			if (type === 'ObjStm') this.objectStreams.add(Number(number));
			if (type === 'XRef') this.use((value as Stream).dictionary);
		}
		for (let at = buffer.indexOf('trailer'); at >= 0; at = buffer.indexOf('trailer', at + 7))
			this.use(new Parser(this.bytes, at + 7).readNext());
		if (!this.trailer.has('Root')) throw buildDamaged();
	}

	private use(trailer: PdfObject): void {
		if (isDictionary(trailer)) for (const [key, value] of trailer) this.trailer.set(key, value);
	}
}
