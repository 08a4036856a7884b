import fc from 'fast-check';

import { sortFiles } from '../../../nodes/SignAndClose/run/itemFiles.ts';

/** In which order the files of an item are gone through: never in that of its keys. */

const upload = { filename: 'a.pdf', mimetype: 'application/pdf', size: 1 };
const stored = { mimeType: 'application/pdf', data: 'filesystem-v2', id: 'filesystem-v2:a' };
const order = (names: string[], ...jsons: object[]) =>
	sortFiles(
		names.map((name) => ({ name })),
		jsons,
	).map(({ name }) => name);

test.each<[string, string[]]>([
	['numbers as numbers', ['Deed_0', 'Deed_2', 'Deed_10', 'Deed_100']],
	['each number of a name', ['a1b2', 'a1b10', 'a2b1', 'a10b1']],
	['no number before numbers', ['data', 'data0', 'data1', 'data_1']],
	['numbers with zeros', ['page_01', 'page_1', 'page_002', 'page_10']],
	['numbers of many digits', ['a9007199254740992', 'a9007199254740993', 'a10000000000000000']],
	['small and capital letters alike', ['affidavit', 'Deed', 'Note', 'note', 'rider']],
	['letters of any language', ['Zusage', 'Öffnung']],
])('by name: %s', (_what, names) => {
	expect(order(names.toReversed())).toEqual(names);
});

test.each<[string, string[], object[]]>([
	[
		'the fields of a form',
		['Note', 'Deed_of_Trust', 'Affidavit'],
		[{ Name: 'Jane', Note: upload, 'Deed of Trust': upload, Affidavit: upload }],
	],
	[
		'several files of a field',
		['Others_0', 'Others_2', 'Others_10', 'Deed'],
		[{ Others: new Array(11).fill(upload), Deed: upload }],
	],
	['one file of a field for several', ['Others', 'Deed'], [{ Others: [upload], Deed: upload }]],
	[
		'fields that hold the files',
		['Others[0]', 'Others[1]', 'Deed'],
		[{ Others: [stored, stored], Deed: stored }],
	],
	['what no field has comes last', ['Note', 'Deed', 'a', 'b'], [{ Note: upload, Deed: upload }]],
	['an earlier item', ['Note', 'Deed'], [{ id: 'ot_1' }, { Note: upload, Deed: upload }]],
	[
		'the nearest item with one of them',
		['Note', 'Deed'],
		[{ Other: upload }, { Note: upload, Deed: upload }, { Deed: upload, Note: upload }],
	],
	['fields of other values tell nothing', ['Deed', 'Note'], [{ Note: 'yes', Deed: { a: 1 } }]],
	['an empty list tells nothing', ['Deed', 'Note'], [{ Note: [], Deed: [] }]],
	['names of Object.prototype', ['Note', 'constructor'], [{ Note: upload }]],
])('by the form: %s', (_what, names, jsons) => {
	expect(order(names, ...jsons)).toEqual(names);
	expect(order(names.toReversed(), ...jsons)).toEqual(names);
});

test('several files of a field come by the names of the files, whatever numbers n8n gave them', () => {
	const files = ['Deed_1', 'Deed_0', 'Deed_2', 'x', 'Note'].map((name, index) => ({
		name,
		file: { fileName: ['2 Note.pdf', '10 Rider.pdf', '1 Deed.pdf', '0.pdf', 'a.pdf'][index] },
	}));
	const json = { Deed: [upload, upload, upload], Note: upload };
	const expected = ['Deed_2', 'Deed_1', 'Deed_0', 'Note', 'x'];
	expect(sortFiles(files, [json]).map(({ name }) => name)).toEqual(expected);
	expect(sortFiles(files.toReversed(), [json]).map(({ name }) => name)).toEqual(expected);
});

test('earlier items are read only where several files need it', () => {
	const read = jest.fn();
	const items = function* () {
		yield { Note: upload, Deed: upload };
		read();
	};
	sortFiles([{ name: 'data' }], items());
	sortFiles([{ name: 'Deed' }, { name: 'Note' }], items());
	expect(read).not.toHaveBeenCalled();
});

const name = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.stringMatching(/^[aA]{0,2}_?(0{0,2}\d{1,3})?b?$/),
);
const json = fc.dictionary(
	name,
	fc.constantFrom<unknown>(upload, [upload, upload], stored, 'x', null),
);

test('any order of the keys gives the same order', () => {
	const permuted = fc
		.uniqueArray(name, { maxLength: 12 })
		.chain((names) =>
			fc.tuple(
				fc.constant(names),
				fc.shuffledSubarray(names, { minLength: names.length, maxLength: names.length }),
				fc.array(json, { maxLength: 2 }),
			),
		);
	fc.assert(
		fc.property(permuted, ([names, others, jsons]) => {
			const ordered = order(names, ...jsons);
			expect(order(others, ...jsons)).toEqual(ordered);
			expect(ordered.toSorted()).toEqual(names.toSorted());
		}),
		{
			examples: [[[['', 'b', 'Aa_0', '\0', '0', 'aa_'], ['', 'b', '0', 'aa_', '\0', 'Aa_0'], []]]],
		},
	);
});
