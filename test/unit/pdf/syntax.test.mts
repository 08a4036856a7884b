import fc from 'fast-check';

import {
	Keyword,
	Reference,
	type PdfObject,
} from '../../../nodes/SignAndClose/pdf/syntax/objects.ts';
import { END, Parser } from '../../../nodes/SignAndClose/pdf/syntax/parser.ts';
import { Unreadable } from '../../../nodes/SignAndClose/pdf/bounds/limits.ts';
import { forEachCase } from '../../support/forEachCase.mts';

const parsed = (text: string, hasReferences = true): PdfObject =>
	new Parser(Buffer.from(text, 'latin1'), 0, hasReferences).readNext();

/** A string, as its characters. */
const string = (text: string) => Buffer.from(parsed(text) as Uint8Array).toString('latin1');

describe('objects (ISO 32000-2, 7.3)', () => {
	test.each([
		['12', 12],
		['-0.25', -0.25],
		['+.5', 0.5],
		['4.', 4],
		['--7', -7],
		['12-34', 12],
		['true', true],
		['null', null],
		['/Name', 'Name'],
		['/A#20B#', 'A B#'],
		['/', ''],
		['% a comment\n 7', 7],
	])('%s', (text, value) => expect(parsed(text)).toBe(value));

	test.each([
		['(a(b)c)', 'a(b)c'],
		[String.raw`(\n\)\\\101\7\0533)`, '\n)\\A\x07+3'],
		['(a\\\r\nb)', 'ab'],
		['(never closed', 'never closed'],
		['<48 65 6C6c 7>', 'Hellp'],
		['<zz41', 'A'],
	])('the string %s', (text, value) => expect(string(text)).toBe(value));

	test('arrays, dictionaries and references', () => {
		expect(parsed('[1 2 0 R [/A] foo 3]')).toEqual([1, new Reference(2, 0), ['A'], 3]);
		expect(parsed('<</A<</B 1>>/C[]/D 10 0 R>>')).toEqual(
			new Map<string, unknown>([
				['A', new Map([['B', 1]])],
				['C', []],
				['D', new Reference(10, 0)],
			]),
		);
		expect(parsed('[1 0 R]', false)).toEqual([1, 0]);
		expect(parsed('[1 0 Rx 2]')).toEqual([1, 0, 2]);
	});

	test('operators follow each other', () => {
		const parser = new Parser(Buffer.from("q[(A)]TJ/F 1 Tf T*'"), 0, false);
		const words: PdfObject[] = [];
		for (let next = parser.readNext(); next !== END; next = parser.readNext())
			if (next instanceof Keyword) words.push(next.word);
		expect(words).toEqual(['q', 'TJ', 'Tf', "T*'"]);
	});

	test('what is too large or too deep is refused', () => {
		forEachCase(['['.repeat(101), '<</A'.repeat(101), `(${'x'.repeat(2 ** 20 + 2)})`], (text) =>
			expect(() => parsed(text)).toThrow(Unreadable),
		);
		expect(() => parsed(`<${'0'.repeat(2 ** 21 + 9)}>`)).toThrow(Unreadable);
		expect(() => parsed(`[${'0 '.repeat(250_001)}]`)).toThrow(Unreadable);
	});
});

test('whatever bytes come, they end', () => {
	const piece = fc.constantFrom(
		'<<',
		'>>',
		'[',
		']',
		'(',
		')',
		'<',
		'/',
		'%',
		'\\',
		'1 0 R',
		' -.',
		'{',
	);
	const bytes = fc.oneof(
		fc.uint8Array({ maxLength: 200 }),
		fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join(''))),
	);
	fc.assert(
		fc.property(bytes, fc.boolean(), (each, hasReferences) => {
			const parser = new Parser(each, 0, hasReferences);
			let steps = 0;
			while (parser.readNext() !== END) expect(++steps).toBeLessThanOrEqual(each.length);
		}),
	);
});
