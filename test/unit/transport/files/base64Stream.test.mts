import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import fc from 'fast-check';

import { decodeData } from '../../../../nodes/SignAndClose/transport/files/base64Stream.ts';
import { chunked } from '../../../support/chunked.mts';
import { forEachCase } from '../../../support/forEachCase.mts';

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
	test('the rest of the answer is checked at its end, wherever the content stands', async () => {
		await forEachCase([1, 7, 1000], async (size) => {
			const seen: unknown[] = [];
			const read = async (json: string) =>
				await buffer(decodeData(chunked(Buffer.from(json), size), (rest) => void seen.push(rest)));
			await read('{"id":"do_1","data" : "YWJj","more":[{"data":"x"}]}');
			await read('{"data":"YWJj","id":"do_1"}');
			await read('{"id":"do_1","document":{"data":"YWJj"}}');
			expect(seen).toEqual([
				{ id: 'do_1', data: '', more: [{ data: 'x' }] },
				{ data: '', id: 'do_1' },
				{ id: 'do_1', document: { data: '' } },
			]);
			const refuse = () => {
				throw new Error('Not this one');
			};
			await expect(
				buffer(decodeData(chunked(Buffer.from('{"data":"YWJj"}'), size), refuse)),
			).rejects.toThrow('Not this one');
		});
	});
	test('gives what has come before the answer ends', async () => {
		const answer = new Readable({ read() {} });
		answer.push('{"data":"YWJjZG');
		let read = '';
		for await (const part of decodeData(answer)) {
			read += String(part);
			if (read !== 'abc') continue;
			answer.push('Vm"}');
			answer.push(null);
		}
		expect(read).toBe('abcdef');
	});
	test.each(['Y', 'YQ==YQ==', 'YW!j', 'YWJj\\u00e4'])('%p is not base64', async (data) => {
		await forEachCase(
			[1, 1000],
			async (size) =>
				await expect(read(`{"data":"${data}"}`, size)).rejects.toThrow('unreadableContent'),
		);
	});
	test('searches the first four million bytes for the content, and no more', async () => {
		const most = 4 * 1024 * 1024;
		const answer = (...parts: string[]) =>
			Readable.from(
				parts.map((part) => Buffer.from(part)),
				{ objectMode: false },
			);
		const content = '"data":"YWJj"}';
		expect(String(await buffer(decodeData(answer('{'.padEnd(most), content))))).toBe('abc');
		const tooFar = answer('{'.padEnd(most + 1), content);
		await expect(buffer(decodeData(tooFar))).rejects.toThrow('noContent');
		expect(tooFar.destroyed).toBe(true);
	});
	test.each(['{"id":"do_1"}', '{"data":null}', '{"data":"YWJj', ''])(
		'%s has no whole content',
		async (text) => {
			await expect(read(text)).rejects.toThrow('noContent');
		},
	);
});
