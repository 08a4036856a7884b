import { Readable } from 'node:stream';

import { beforeAll, describe, expect, jest, test } from '@jest/globals';

import { saveStream } from '../../../../nodes/SignAndClose/transport/download.ts';
import { ServiceFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { executionOf, readFile, useBinaryMode } from '../../../support/engine.mts';

/** What is saved of a stream: whether it's whole, what it is, and under which name. */

beforeAll(async () => await useBinaryMode('filesystem'));

type Piece = string | Buffer;

/** A stream that gives these pieces one by one. */
const streamOf = (...pieces: Piece[]) =>
	Readable.from(
		pieces.map((piece) => Buffer.from(piece as Buffer)),
		{ objectMode: false },
	);

interface Target {
	mimeType?: string;
	name?: string;
	headers?: Record<string, unknown>;
}

/** Saves a stream in n8n's store, and reads it there. */
const save = async (
	stream: Readable,
	{ mimeType = 'application/pdf', name = 'File', headers = {} }: Target = {},
) => {
	const context = executionOf({ parameters: {} })();
	try {
		const { binary, facts } = await saveStream(context, stream, headers, { name, mimeType });
		return { facts, binary, content: await readFile(binary), reason: undefined };
	} catch (failure) {
		return { reason: (failure as ServiceFailure).reason, facts: undefined };
	}
};

const PDF = Buffer.from('%PDF-1.7\nfinal\n%%EOF\n');
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n1{2[3<IEND\xAE\x42\x60\x82', 'latin1');
const MUCH = 'x'.repeat(3_000);

describe('a file', () => {
	test('is saved as it is, however it comes in pieces', async () => {
		for (const middle of [0, 1, 1_000, 1_024, 5_000, 200_000]) {
			const whole = Buffer.concat([PDF.subarray(0, 9), Buffer.alloc(middle, 'é'), PDF]);
			for (const size of [1, 7, 1_023, 1_024, 1_025, 65_536, whole.length]) {
				if (whole.length / size > 3_000) continue;
				const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_value, index) =>
					whole.subarray(index * size, (index + 1) * size),
				);
				const { content, facts } = await save(streamOf(...pieces), {
					headers: { 'content-type': 'application/pdf' },
				});
				expect(content?.equals(whole)).toBe(true);
				expect(facts).toEqual({
					file_name: 'File.pdf',
					mime_type: 'application/pdf',
					bytes: whole.length,
				});
			}
		}
	});
	test('that is empty is refused', async () => {
		expect(await save(streamOf())).toMatchObject({
			reason: { code: 'emptyFile', fileName: 'File.pdf' },
		});
	});
	test('that fails is told as cut, unless the failure says more', async () => {
		const failing = (thrown: Error, ...pieces: Buffer[]) =>
			Readable.from(
				(async function* () {
					yield* pieces;
					throw thrown;
				})(),
				{ objectMode: false },
			);
		const tooBig = new ServiceFailure({ code: 'unreachable', fault: 'TOO_BIG', attempts: 1 });
		for (const pieces of [[], [PDF], [PDF, Buffer.from(MUCH)]]) {
			expect(await save(failing(new Error('reset'), ...pieces))).toMatchObject({
				reason: { code: 'incompleteFile', fileName: 'File.pdf' },
			});
			expect(await save(failing(tooBig, ...pieces))).toMatchObject({ reason: tooBig.reason });
		}
	});
	test('that is another one is given up at its beginning', async () => {
		const stream = new Readable({
			read() {
				this.push(MUCH);
			},
		});
		expect(await save(stream)).toMatchObject({
			reason: { code: 'unexpectedFile', fileName: 'File.pdf', expected: 'pdf' },
		});
		expect(stream.destroyed).toBe(true);
	});
	test('is judged by its first 1024 bytes, without waiting for more', async () => {
		const silent = new Readable({ read() {} });
		silent.push('x'.repeat(1_000));
		silent.push('y'.repeat(24));
		expect(await save(silent)).toMatchObject({ reason: { code: 'unexpectedFile' } });
	}, 5_000);
	test('that can not be saved is not read on', async () => {
		const stream = new Readable({
			read() {
				this.push(PDF);
			},
		});
		const context = executionOf({ parameters: {} })();
		jest.spyOn(context.helpers, 'prepareBinaryData').mockRejectedValue(new Error('disk full'));
		await expect(
			saveStream(context, stream, {}, { name: 'File', mimeType: 'application/pdf' }),
		).rejects.toMatchObject({ reason: { code: 'incompleteFile' } });
		expect(stream.destroyed).toBe(true);
	});
});

describe('where only the connection tells the end', () => {
	const headers = { connection: 'close' };
	const xml = (text: string) => Buffer.from(text, 'utf16le');
	test.each<[string, string, Piece[]]>([
		['a PDF', 'application/pdf', [PDF]],
		['a PDF whose mark comes in two pieces', 'application/pdf', ['%PDF-1.7', MUCH, '%%E', 'OF']],
		[
			'a PDF with a mark 1024 bytes before its end',
			'application/pdf',
			['%PDF-', '%%EOF', 'x'.repeat(1_019)],
		],
		['XML', 'application/xml', ['<a/>', MUCH, '</a>']],
		['XML with blanks after it', 'application/xml', ['<a/>', MUCH, '</a>', ' \r', '\n']],
		['XML in UTF-16', 'application/xml', [xml('\uFEFF<a>'), xml(`${MUCH}</a>\n`)]],
		['a picture', 'image/png', [PICTURE, MUCH, 'IEND', '\0\0']],
		['a photo', 'image/jpeg', ['\xFF\xD8', MUCH, Buffer.from('\xFF\xD9', 'latin1')]],
		['a recording, whose format has no mark', 'video/mp4', ['\0\0\0\x18ftyp', MUCH]],
	])('%s is whole', async (_what, mimeType, pieces) => {
		expect((await save(streamOf(...pieces), { mimeType, headers })).reason).toBeUndefined();
	});
	test.each<[string, string, Piece[]]>([
		['a PDF', 'application/pdf', ['%PDF-1.7', MUCH, '%%EO']],
		[
			'a PDF with a mark long before its end',
			'application/pdf',
			['%PDF-', '%%EOF', 'x'.repeat(1_020)],
		],
		[
			'a PDF with a mark long before its end, in pieces',
			'application/pdf',
			['%PDF-%%EOF', ...'x'.repeat(1_020)],
		],
		[
			'a PDF with a mark long before its end, in one piece',
			'application/pdf',
			[`%PDF-%%EOF${MUCH}`],
		],
		['XML', 'application/xml', ['<a>', MUCH, '<b/></a']],
		['a picture', 'image/png', [PICTURE, MUCH]],
		['a photo', 'image/jpeg', [Buffer.from('\xFF\xD8\xFF\xD9', 'latin1'), MUCH, 'IEND']],
	])('%s is cut', async (_what, mimeType, pieces) => {
		const { reason } = await save(streamOf(...pieces), { mimeType, headers });
		expect(reason).toMatchObject({ code: 'incompleteFile' });
	});
	test.each([{}, { 'content-length': '13' }, { 'transfer-encoding': 'chunked' }])(
		'a file without a mark is whole otherwise (%j)',
		async (known) => {
			expect((await save(streamOf('%PDF-1.7', MUCH), { headers: known })).reason).toBeUndefined();
		},
	);
});
