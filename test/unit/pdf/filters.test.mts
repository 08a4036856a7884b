import { deflateRawSync, deflateSync } from 'node:zlib';

import fc from 'fast-check';

import { Budget, PDF_LIMITS } from '../../../nodes/SignAndClose/pdf/bounds/limits.ts';
import { undoFilter } from '../../../nodes/SignAndClose/pdf/filters/filters.ts';
import { pause } from '../../support/pdfFile.mts';

const undo = async (name: string, bytes: Uint8Array, parameters: Record<string, number> = {}) =>
	Buffer.from(
		await undoFilter(name, bytes, new Map(Object.entries(parameters)), new Budget(pause)),
	);

/** Text that doesn't pack well, so that it comes in several pieces. */
const LONG = Buffer.from(
	Array.from({ length: 60_000 }, (_, n) => `${(n * 7919) % 99_991} Td`).join('\n'),
);

describe('FlateDecode', () => {
	const whole = deflateSync(LONG);
	const withoutChecksum = whole.subarray(0, -4);

	test.each([
		['as it should be', whole],
		['with an end of line behind it', Buffer.concat([whole, Buffer.from('\r\n')])],
		['without its checksum', withoutChecksum],
		['with a wrong checksum', Buffer.concat([withoutChecksum, Buffer.alloc(4)])],
		['with half of its checksum', whole.subarray(0, -2)],
	])('a stream %s is whole', async (_, bytes) => {
		expect((await undo('FlateDecode', bytes)).equals(LONG)).toBe(true);
	});

	test.each([
		['is cut', whole.subarray(0, -9)],
		['is cut at its beginning', whole.subarray(0, 1)],
		['is empty', Buffer.alloc(0)],
		['is something else', Buffer.from('something else, which is no deflate')],
		['has no header', deflateRawSync(LONG)],
		['has much behind it', Buffer.concat([withoutChecksum.subarray(0, -1), Buffer.alloc(99)])],
	])('a stream that %s is not taken for a whole one', async (_, bytes) => {
		await expect(undo('FlateDecode', bytes)).rejects.toMatchObject({ reason: 'damaged' });
	});

	test('unpacks to no more than it may', async () => {
		const bomb = deflateSync(Buffer.alloc(PDF_LIMITS.streamBytes + 1));
		await expect(undo('FlateDecode', bomb)).rejects.toMatchObject({ reason: 'limit' });
	});
});

describe('predictors of PNG', () => {
	/** Rows of bytes as PNG's filters write them, each row with the type that it begins with. */
	function filtered(rows: Uint8Array[], types: number[], pixel: number): Buffer {
		const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
		return Buffer.concat(
			rows.map((row, y) => {
				const bytes = row.map((byte, x) => {
					const [left, up, corner] = [at(y, x - pixel), at(y - 1, x), at(y - 1, x - pixel)];
					const guess = left + up - corner;
					const paeth = [left, up, corner].reduce((best, each) =>
						Math.abs(guess - each) < Math.abs(guess - best) ? each : best,
					);
					return byte - [0, left, up, Math.floor((left + up) / 2), paeth][types[y]];
				});
				return Buffer.from([types[y], ...bytes]);
			}),
		);
	}

	test('of all types are undone', async () => {
		const width = 6;
		const row = fc.tuple(
			fc.uint8Array({ minLength: width, maxLength: width }),
			fc.integer({ min: 0, max: 4 }),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(row, { minLength: 1, maxLength: 8 }),
				fc.constantFrom(1, 2, 3),
				async (rows, colors) => {
					const plain = rows.map(([bytes]) => bytes);
					const packed = filtered(
						plain,
						rows.map(([, type]) => type),
						colors,
					);
					const parameters = { Predictor: 15, Colors: colors, Columns: width / colors };
					const result = await undo('FlateDecode', deflateSync(packed), parameters);
					expect([...result]).toEqual(plain.flatMap((each) => [...each]));
				},
			),
			{ numRuns: 40 },
		);
	});

	test('that are none of PNG are not read', async () => {
		const bytes = deflateSync(Buffer.from('abc'));
		await expect(undo('FlateDecode', bytes, { Predictor: 2 })).rejects.toMatchObject({
			reason: 'unsupported',
		});
		await expect(undo('FlateDecode', bytes, { Predictor: 12, Columns: -1 })).rejects.toMatchObject({
			reason: 'damaged',
		});
	});
});

describe('filters of letters', () => {
	test('ASCII85Decode', async () => {
		expect((await undo('ASCII85Decode', Buffer.from('87cUR\nD]i,"Ebo80~>'))).toString()).toBe(
			'Hello World!',
		);
		expect([...(await undo('ASCII85Decode', Buffer.from('z5l~>')))]).toEqual([0, 0, 0, 0, 65]);
		await expect(undo('ASCII85Decode', Buffer.from('a|'))).rejects.toMatchObject({
			reason: 'damaged',
		});
	});
	test('ASCIIHexDecode', async () => {
		expect((await undo('ASCIIHexDecode', Buffer.from('48 65\n6c6C6f7>00'))).toString()).toBe(
			'Hellop',
		);
	});
	test.each(['DCTDecode', 'constructor', '__proto__'])('%s is not read', async (name) => {
		await expect(undo(name, Buffer.alloc(1))).rejects.toMatchObject({ reason: 'unsupported' });
	});
});
