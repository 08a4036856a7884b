import { type Budget, MAX_REFERENCES, getReason, Unreadable } from '../bounds/limits';
import { undoFilter } from '../filters/filters';
import { toBuffer, isDictionary, toLatin1, Reference, Stream } from '../syntax/objects';
import type { Dictionary, PdfObject } from '../syntax/objects';
import { isWhiteSpace, Parser } from '../syntax/parser';
import { CrossReferences, type ObjectPlace } from './crossReferences';
import { Encryption } from './encryption';

const NOTHING: Dictionary = new Map();

/** A file header is looked for in so many bytes at the beginning. */
const HEADER_BYTES = 1024;

/** Bytes of an object stream (7.5.7), and numbers and offsets of its objects. */
interface ObjectStream {
	bytes: Uint8Array;
	objects: [number: number, offset: number][];
}

/** The objects of a file (7.3.10, 7.5). */
export class PdfDocument {
	private references: CrossReferences;

	private encryption: Encryption | undefined;

	private isRebuilt = false;

	private readonly objects = new Map<number, PdfObject>();

	/** Objects that are being read, of which a part can refer to the whole. */
	private readonly loading = new Set<number>();

	private readonly objectStreams = new Map<number, ObjectStream>();

	/** Where the last search for the end of a stream began and ended, which saves the next one. */
	private searched = { from: 0, end: -1 };

	private constructor(
		private readonly bytes: Uint8Array,
		readonly budget: Budget,
	) {
		this.references = new CrossReferences(bytes, this);
	}

	/** @throws Unreadable when it's no PDF, can't be decrypted or has no page tree */
	static async open(bytes: Uint8Array, budget: Budget): Promise<PdfDocument> {
		const header = toLatin1(bytes, 0, HEADER_BYTES).indexOf('%PDF-');
		if (header < 0) throw new Unreadable('notPdf', 'There is no header of a PDF');
		// Offsets count from the header.
		const document = new PdfDocument(bytes.subarray(header), budget);
		const used = document.references.load().then(() => document.decrypt());
		await used.catch((thrown: unknown) =>
			getReason(thrown) === 'damaged' ? undefined : Promise.reject(thrown),
		);
		const getCatalog = await document.getCatalog();
		if ((await document.getDictionary(getCatalog, 'Pages')).size === 0) await document.rebuild();
		return document;
	}

	/** The catalog dictionary (7.7.2). */
	getCatalog(): Promise<Dictionary> {
		return this.getDictionary(this.references.trailer, 'Root');
	}

	private async decrypt(): Promise<void> {
		const { trailer } = this.references;
		const encrypt = await this.get(trailer.get('Encrypt'));
		if (encrypt === null) return;
		const entries = new Map(isDictionary(encrypt) ? encrypt : NOTHING);
		for (const [key, value] of entries) entries.set(key, await this.get(value));
		this.encryption = new Encryption(entries, await this.get(trailer.get('ID')));
	}

	private async rebuild(): Promise<void> {
		if (this.isRebuilt) throw new Unreadable('damaged', 'The document has no pages');
		this.isRebuilt = true;
		this.encryption = undefined;
		const references = new CrossReferences(this.bytes, this);
		await references.rebuild();
		this.references = references;
		this.objects.clear();
		this.objectStreams.clear();
		await this.decrypt();
		for (const container of references.objectStreams) {
			const { objects } = await this.readObjectStream(container);
			for (const [index, [number]] of objects.entries())
				if (!references.places.has(number)) references.places.set(number, { container, index });
		}
	}

	/** The object that a reference leads to, or the object itself; null if there is none. */
	async get(value: PdfObject | undefined): Promise<PdfObject> {
		for (let steps = 0; value instanceof Reference; steps++) {
			if (steps === MAX_REFERENCES) return null;
			const { number } = value;
			if (this.loading.has(number)) return null;
			if (!this.objects.has(number)) {
				this.loading.add(number);
				const loaded = this.load(number).finally(() => this.loading.delete(number));
				this.objects.set(number, await loaded);
			}
			value = this.objects.get(number);
		}
		return value ?? null;
	}

	/** The dictionary below a key, also that of a stream. An empty one if there is none. */
	async getDictionary(dictionary: Dictionary, key: string, otherwise = NOTHING) {
		const value = await this.get(dictionary.get(key));
		if (value instanceof Stream) return value.dictionary;
		return isDictionary(value) ? value : otherwise;
	}

	/** The number below a key. */
	async getNumber(dictionary: Dictionary, key: string, otherwise: number): Promise<number> {
		const value = await this.get(dictionary.get(key));
		return typeof value === 'number' ? value : otherwise;
	}

	/** The elements of an array with what they refer to, or a single object as an array. */
	async getElements(value: PdfObject | undefined): Promise<PdfObject[]> {
		const array = await this.get(value);
		if (!Array.isArray(array)) return array === null ? [] : [array];
		const result: PdfObject[] = [];
		for (const element of array)
			result.push(element instanceof Reference ? await this.get(element) : element);
		return result;
	}

	private async load(number: number): Promise<PdfObject> {
		const place = this.references.places.get(number);
		if (place === undefined) return null;
		this.budget.spend('objects');
		await this.budget.pauseIfDue();
		const object = await this.readObjectAt(place);
		if (object.number === number) return object.value;
		if (this.isRebuilt) return null;
		await this.rebuild();
		return await this.load(number);
	}

	private async readObjectAt(place: ObjectPlace): Promise<{ number: number; value: PdfObject }> {
		if ('offset' in place) return await this.readIndirectObject(place.offset);
		const { bytes, objects } = await this.readObjectStream(place.container);
		const [number, offset] = objects[place.index] ?? [-1, bytes.length];
		return { number, value: new Parser(bytes, offset).readNext() };
	}

	private async readObjectStream(container: number): Promise<ObjectStream> {
		const cached = this.objectStreams.get(container);
		if (cached !== undefined) return cached;
		const stream = await this.get(new Reference(container, 0));
		if (!(stream instanceof Stream)) return { bytes: new Uint8Array(), objects: [] };
		const result: ObjectStream = { bytes: await this.unpack(stream), objects: [] };
		const count = await this.getNumber(stream.dictionary, 'N', 0);
		const first = await this.getNumber(stream.dictionary, 'First', 0);
		const parser = new Parser(result.bytes);
		for (let index = 0; index < count; index++) {
			const [number, offset] = [parser.readNext(), parser.readNext()];
			if (typeof number !== 'number' || typeof offset !== 'number') break;
			this.budget.spend('objects');
			result.objects.push([number, first + offset]);
		}
		this.objectStreams.set(container, result);
		return result;
	}

	/** The object that begins there, with the number that it has; -1 if none begins there. */
	async readIndirectObject(offset: number): Promise<{ number: number; value: PdfObject }> {
		const parser = new Parser(this.bytes, offset);
		const [number, generation] = [parser.readNext(), parser.readNext()];
		if (typeof number !== 'number' || typeof generation !== 'number' || !parser.accepts('obj'))
			return { number: -1, value: null };
		const reference = new Reference(number, generation);
		const value = this.decryptStrings(parser.readNext(), reference);
		this.budget.spend('bytes', parser.position - offset);
		if (!isDictionary(value) || !parser.accepts('stream')) return { number, value };
		const position = this.skipEndOfLine(parser.position);
		const end = await this.findEndOfStream(position, value);
		const bytes = this.bytes.subarray(position, end);
		return { number, value: new Stream(value, bytes, reference) };
	}

	/** The strings of an object; those of an object stream are decrypted with it. */
	private decryptStrings(value: PdfObject, reference: Reference): PdfObject {
		const { encryption } = this;
		if (encryption === undefined) return value;
		if (value instanceof Uint8Array) return encryption.decrypt(value, reference, 'string');
		if (Array.isArray(value)) return value.map((part) => this.decryptStrings(part, reference));
		if (!isDictionary(value)) return value;
		for (const [key, part] of value) value.set(key, this.decryptStrings(part, reference));
		return value;
	}

	/** Where the bytes of a stream begin: after its line, which some end with spaces. */
	private skipEndOfLine(position: number): number {
		const { bytes } = this;
		let at = position;
		while (bytes[at] === 32 || bytes[at] === 9) at++;
		if (bytes[at] !== 13 && bytes[at] !== 10) return position;
		return bytes[at] === 13 && bytes[at + 1] === 10 ? at + 2 : at + 1;
	}

	/** Where the bytes of a stream end: after its length, if that's right, or before `endstream`. */
	private async findEndOfStream(start: number, dictionary: Dictionary): Promise<number> {
		const length = await this.getNumber(dictionary, 'Length', -1);
		const buffer = toBuffer(this.bytes);
		if (length >= 0) {
			let at = start + length;
			while (isWhiteSpace(this.bytes[at])) at++;
			if (toLatin1(buffer, at, at + 9) === 'endstream') return start + length;
		}
		if (start < this.searched.from || start > this.searched.end) {
			const endMark = buffer.indexOf('endstream', start);
			this.searched = { from: start, end: endMark < 0 ? buffer.length : endMark };
		}
		return this.searched.end;
	}

	/**
	 * The bytes of a stream, decrypted and without filters.
	 * @throws Unreadable when that fails
	 */
	async unpack(stream: Stream): Promise<Uint8Array> {
		const { dictionary } = stream;
		let { bytes } = stream;
		if (this.encryption !== undefined && dictionary.get('Type') !== 'XRef')
			bytes = this.encryption.decrypt(bytes, stream.reference, 'stream');
		const filters = await this.getElements(dictionary.get('Filter'));
		const parameters = await this.getElements(dictionary.get('DecodeParms'));
		for (const [index, name] of filters.entries()) {
			const entry = parameters[index];
			const values = isDictionary(entry) ? entry : NOTHING;
			bytes = await undoFilter(name, bytes, values, this.budget);
			await this.budget.pauseIfDue();
		}
		return bytes;
	}
}
