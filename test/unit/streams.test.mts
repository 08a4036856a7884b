import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { decodeData } from '../../nodes/SignAndClose/service/transport/base64Stream.ts';
import { safeFileName } from '../../nodes/SignAndClose/service/download.ts';
import {
	FileContent,
	toBody,
	type StreamedBody,
} from '../../nodes/SignAndClose/service/transport/streamedJson.ts';
import { metered, readHead } from '../../nodes/SignAndClose/service/transport/streams.ts';

const chunked = (bytes: Uint8Array, size: number) =>
	Readable.from(
		Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
			Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
		),
		{ objectMode: false },
	);

/** The streamed body of fields that hold files. */
const bodyOf = (fields: object) => (toBody(fields) as { stream: StreamedBody }).stream;

describe('toBody', () => {
	const files = fc.array(fc.uint8Array({ minLength: 1, maxLength: 400 }), {
		minLength: 1,
		maxLength: 4,
	});
	const others = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.integer()));
	test('is the JSON one would write, of the announced length, whatever the chunks, with any number of files anywhere', async () => {
		await fc.assert(
			fc.asyncProperty(
				files,
				fc.integer({ min: 1, max: 60 }),
				others,
				async (list, size, fields) => {
					const documents = list.map((bytes) => ({
						resource: new FileContent(bytes.length, async () => chunked(bytes, size)),
						name: 'x',
					}));
					const body = bodyOf({ ...fields, documents, last: undefined });
					const sent = await buffer(await body.open());
					expect(sent.length).toBe(body.contentLength);
					expect(JSON.parse(sent.toString())).toEqual(
						JSON.parse(
							JSON.stringify({
								...fields,
								documents: list.map((bytes) => ({
									resource: Buffer.from(bytes).toString('base64'),
									name: 'x',
								})),
							}),
						),
					);
				},
			),
			{ numRuns: 60 },
		);
	});
	test('without a file it is the body itself', () => {
		expect(toBody({ a: 1 })).toEqual({ body: { a: 1 } });
	});
	test('gives fresh streams each time, and ends every source when it is given up', async () => {
		const sources: Readable[] = [];
		const open = async () => {
			sources.push(Readable.from([Buffer.from('abc')], { objectMode: false }));
			return await Promise.resolve(sources.at(-1)!);
		};
		const body = bodyOf({ a: 1, file: new FileContent(3, open), other: new FileContent(3, open) });
		const first = await body.open();
		first.on('error', () => undefined);
		first.destroy();
		expect((await buffer(await body.open())).toString()).toBe(
			'{"a":1,"file":"YWJj","other":"YWJj"}',
		);
		await wait(20);
		expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
	});
});

describe('decodeData', () => {
	const read = async (text: string, size = 7) =>
		await buffer(decodeData(chunked(Buffer.from(text), size)));
	test('gives the bytes of the field, whatever the chunks and however the slashes are written', async () => {
		const pieces = fc.record({
			bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
			size: fc.integer({ min: 1, max: 50 }),
			name: fc.string(),
			escaped: fc.boolean(),
			last: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(pieces, async ({ bytes, size, name, escaped, last }) => {
				const data = Buffer.from(bytes).toString('base64');
				const json = JSON.stringify(
					last
						? { id: 'do_1', document_name: name, data }
						: { data, id: 'do_1', document_name: name },
				);
				expect(await read(escaped ? json.replaceAll('/', '\\/') : json, size)).toEqual(
					Buffer.from(bytes),
				);
			}),
			{ numRuns: 300 },
		);
	});
	test('a name that looks like the field is not taken for it', async () => {
		expect(
			(await read(JSON.stringify({ document_name: '"data":"AAAA"', data: 'YWJj' }))).toString(),
		).toBe('abc');
	});
	test.each(['{"id":"do_1"}', '{"data":null}', '{"data":"YWJj', ''])(
		'%s has no whole content',
		async (text) => {
			await expect(read(text)).rejects.toThrow('no content');
		},
	);
});

describe('metered', () => {
	test('holds on to no chunk that has passed', async () => {
		setFlagsFromString('--expose-gc');
		const collect = runInNewContext('gc') as () => void;
		const passed: Array<WeakRef<Buffer>> = [];
		const source = Readable.from(
			(function* () {
				for (let count = 0; count < 64; count++) yield Buffer.alloc(1024 * 1024, count);
			})(),
			{ objectMode: false },
		);
		let alive = 0;
		let bytes = 0;
		for await (const chunk of metered(source, () => undefined)) {
			bytes += (chunk as Buffer).length;
			passed.push(new WeakRef(chunk as Buffer));
			await wait(1);
			if (passed.length % 10 === 0) {
				collect();
				await wait(1);
				alive = Math.max(alive, passed.filter((held) => held.deref() !== undefined).length);
			}
		}
		expect(bytes).toBe(64 * 1024 * 1024);
		expect(alive).toBeLessThan(8);
	});

	test('a source that stalls is given up', async () => {
		const source = new Readable({ read() {} });
		source.push('x');
		const through = metered(source, () => undefined, 60);
		await expect(buffer(through)).rejects.toThrow(/ESTALLED/);
		expect(source.destroyed).toBe(true);
	});
	test('counts what passes and may refuse it', async () => {
		const totals: number[] = [];
		await buffer(metered(chunked(new Uint8Array(10), 4), (total) => totals.push(total)));
		expect(totals.at(-1)).toBe(10);
		await expect(
			buffer(
				metered(chunked(new Uint8Array(10), 4), () => {
					throw new Error('no');
				}),
			),
		).rejects.toThrow('no');
	});
});

test('readHead reads no more than it is asked for and ends the stream', async () => {
	const source = chunked(new Uint8Array(5000), 100);
	expect((await readHead(source, 1024)).length).toBe(1024);
	expect(source.destroyed).toBe(true);
});

test('file names are safe everywhere and keep their ending', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
			const safe = safeFileName(name, '.pdf');
			expect(safe).toMatch(/^[^<>:"/\\|?*\p{Cc}]+\.pdf$/iu);
			expect([...safe].length).toBeLessThanOrEqual(120);
			expect(safe.startsWith('.') && safe !== '.pdf').toBe(false);
		}),
	);
	expect(safeFileName('Deed / of: Trust.pdf', '.pdf')).toBe('Deed of Trust.pdf');
	expect(safeFileName('../../etc/passwd', '.pdf')).toBe('etc passwd.pdf');
	expect(safeFileName('', '.pdf')).toBe('file.pdf');
});
