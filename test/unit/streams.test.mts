import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { safeFileName } from '../../nodes/SignAndClose/service/download.ts';
import { jsonWithFile } from '../../nodes/SignAndClose/service/jsonStream.ts';
import { metered, readHead } from '../../nodes/SignAndClose/service/streams.ts';

const chunked = (bytes: Uint8Array, size: number) => Readable.from(Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => Buffer.from(bytes.subarray(index * size, (index + 1) * size))), { objectMode: false });

describe('jsonWithFile', () => {
	test('is the JSON one would write, of the announced length, whatever the chunks', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 500 }), fc.integer({ min: 1, max: 60 }), fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.integer())), async (bytes, size, fields) => {
				delete fields.resource;
				const body = jsonWithFile(fields, 'resource', { bytes: bytes.length, open: async () => chunked(bytes, size) });
				const sent = await buffer(await body.open());
				expect(sent.length).toBe(body.contentLength);
				expect(JSON.parse(sent.toString())).toEqual(JSON.parse(JSON.stringify({ ...fields, resource: Buffer.from(bytes).toString('base64') })));
			}),
			{ numRuns: 60 },
		);
	});
	test('gives a fresh stream each time, and ends its source when it is given up', async () => {
		const sources: Readable[] = [];
		const body = jsonWithFile({ a: 1 }, 'file', {
			bytes: 3,
			open: async () => {
				sources.push(Readable.from([Buffer.from('abc')], { objectMode: false }));
				return sources.at(-1)!;
			},
		});
		const first = await body.open();
		first.on('error', () => undefined);
		first.destroy();
		expect((await buffer(await body.open())).toString()).toBe('{"a":1,"file":"YWJj"}');
		await wait(20);
		expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	});
});

describe('metered', () => {
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
		await expect(buffer(metered(chunked(new Uint8Array(10), 4), () => { throw new Error('no'); }))).rejects.toThrow('no');
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
