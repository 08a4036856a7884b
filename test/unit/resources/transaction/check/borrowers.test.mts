import fc from 'fast-check';

import { parseBorrowers } from '../../../../../nodes/SignAndClose/resources/transaction/check/borrowers.ts';
import { enoteOf } from '../../../../support/checkedDrafts.mts';
import { forEachCase } from '../../../../support/forEachCase.mts';

/** The names in an eNote are read exactly, or not at all. */

const JANE = { first: 'Jane', middle: '', last: 'Doe', suffix: '' };

describe('are read', () => {
	test.each<[string, string, object]>([
		['of two attributes', '_FirstName="Jane" _LastName="Doe"', {}],
		['in single quotes, with spaces', "_FirstName = 'Jane'\n\t_LastName='Doe '", {}],
		[
			'with middle name and suffix',
			'_FirstName="Jane" _MiddleName="A" _LastName="Doe" _NameSuffix="Jr"',
			{ middle: 'A', suffix: 'Jr' },
		],
		[
			'with characters by name',
			'_FirstName="Jane" _LastName="D&apos;&#79;&#x65; &amp; Co"',
			{ last: "D'Oe & Co" },
		],
		['beside others', 'BorrowerID="b1" _FirstName="Jane" _SSN="000" _LastName="Doe"', {}],
		['with a greater sign', 'Note="a > b" _FirstName="Jane" _LastName="Doe"', {}],
	])('%s', (_name, attributes, more) => {
		expect(parseBorrowers(enoteOf(attributes))).toEqual([{ ...JANE, ...more }]);
	});
	test('of several people, in order, with a prefix or not', () => {
		const xml = `<a><m:BORROWER _FirstName="Jane" _LastName="Doe"></m:BORROWER>
			<BORROWER _FirstName="John" _LastName="Doe"/></a>`;
		expect(parseBorrowers(xml)).toEqual([JANE, { ...JANE, first: 'John' }]);
	});
	test('not from comments, instructions and characters', () => {
		const hidden = '<BORROWER _FirstName="Jim" _LastName="Doe"/>';
		const xml = `<?x ${hidden}?><a><!-- ${hidden} --><![CDATA[${hidden}]]>${enoteOf('_FirstName="Jane" _LastName="Doe"')}</a>`;
		expect(parseBorrowers(xml)).toEqual([JANE]);
	});
});

test.each([
	['no XML', 'Jane Doe'],
	['nobody', '<SMART_DOCUMENT><DATA/></SMART_DOCUMENT>'],
	['somebody without a last name', enoteOf('_FirstName="Jane"')],
	[
		'one of two without a first name',
		enoteOf('_FirstName="Jane" _LastName="Doe"', '_LastName="Doe"'),
	],
	['a character that the file defines', enoteOf('_FirstName="Jane" _LastName="&mine;"')],
	['a character that does not exist', enoteOf('_FirstName="Jane" _LastName="&#9999999;"')],
	['names of another element', '<BORROWER_NAME _FirstName="Jane" _LastName="Doe"/>'],
	['names of another version', '<BORROWER><FirstName>Jane</FirstName></BORROWER>'],
	['a tag that does not end', '<BORROWER _FirstName="Jane" _LastName="Doe"'],
	['quotes that do not end', '<a b="><BORROWER _FirstName="Jane" _LastName="Doe"/>'],
	['a comment that does not end', '<a><!-- <BORROWER _FirstName="Jane" _LastName="Doe"/>'],
])('nothing is read of %s', (_what, xml) => {
	expect(parseBorrowers(xml)).toBeUndefined();
});

test('any text is read to its end, however long it is', () => {
	const parts = ['<', '>', '<!--', '-->', '"', "'", '<BORROWER ', '_LastName="', '&#1;', ' ', '='];
	forEachCase(parts, (part) => expect(parseBorrowers(part.repeat(300_000))).toBeUndefined());
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (text) => {
			parseBorrowers(text.join(''));
		}),
	);
});
