import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import fc from 'fast-check';

import {
	FileContent,
	toBody,
	type StreamedBody,
} from '../../../../nodes/SignAndClose/transport/files/requestBody.ts';
import { chunked } from '../../../support/chunked.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { until } from '../../../support/until.mts';

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
	test('a file in base64 leaves in parts, normal and padded, as often as it is asked for', async () => {
		const bytes = Buffer.alloc(200_000, 'deed?>');
		const text = bytes.toString('base64url').replace(/(.{76})/g, '$1\r\n');
		const file = (await FileContent.createFromBase64(text))!;
		expect(file.bytes).toBe(bytes.length);
		const body = bodyOf({ file });
		await forEachCase(Array(2).keys(), async () => {
			let moves = 0;
			const sent = await buffer(await body.open(() => moves++));
			expect(sent).toHaveLength(body.contentLength);
			expect(JSON.parse(sent.toString())).toEqual({ file: bytes.toString('base64') });
			expect(moves).toBeGreaterThan(3);
		});
		expect(await FileContent.createFromBase64('not base64!')).toBeUndefined();
	});
	test('a file leaves while it is read', async () => {
		const source = new Readable({ read() {} });
		source.push('abcd');
		const file = new FileContent(6, async () => await Promise.resolve(source));
		const body = await bodyOf({ file }).open();
		let sent = '';
		for await (const part of body) {
			sent += String(part);
			if (sent !== '{"file":"YWJj') continue;
			source.push('ef');
			source.push(null);
		}
		expect(sent).toBe('{"file":"YWJjZGVm"}');
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
		await until(() => sources.every(({ destroyed }) => destroyed));
		expect(sources).toHaveLength(3);
	});
});
