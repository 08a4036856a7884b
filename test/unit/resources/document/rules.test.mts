import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { documentRules } from '../../../../nodes/SignAndClose/resources/document/rules/ruleFields.ts';
import {
	fits,
	findRule,
	listUnmetRules,
	splitWords,
} from '../../../../nodes/SignAndClose/resources/document/rules/rules.ts';
import { parseRules } from '../../../../nodes/SignAndClose/resources/document/rules/input.ts';
import type { OperationCall } from '../../../../nodes/SignAndClose/run/operation.ts';
import { complaintOf, formOf } from '../../../support/madeUp/params.mts';

/** The table of rules for documents: how its rows are read, and which name each of them fits. */

const form = formOf([documentRules]);
const read = (rows: IDataObject[]) =>
	parseRules({ params: form({ documentRules: { row: rows } }) } as unknown as OperationCall);

describe('the words of a rule', () => {
	test.each([
		['Deed of Trust', 'DEED_OF-TRUST (final).v2', true],
		['deed of trust', 'The Deed  of Trust, signed', true],
		['Deed of Trust', 'Deed of the Trust', false],
		['Trust Deed', 'Deed of Trust', false],
		['Note', 'Notice of Right to Cancel', false],
		['Note', 'Promissory Note', true],
		['Right to Cancel', 'Notice of Right to Cancel', true],
		['1003', '1003-Smith', true],
		['1003', '10035', false],
		['Café', 'CAFE\u0301 lease', true],
		['Straße', 'Strasse', false],
	])('%s in %s: %s', (words, name, expected) => {
		expect(fits([splitWords(words)], name)).toBe(expected);
	});
	test('fit a name that has them between other words, however they are written', () => {
		const word = fc.stringMatching(/^[a-z]{1,6}$/);
		const between = fc.constantFrom(' ', '_', '-', '. ', ' (');
		fc.assert(
			fc.property(
				fc.array(word),
				fc.array(word, { minLength: 1 }),
				fc.array(word),
				between,
				(before, words, after, by) => {
					const name = [...before, ...words.map((one) => one.toUpperCase()), ...after].join(by);
					expect(fits([words], name)).toBe(true);
				},
			),
		);
	});
	test('fit no name that lacks one of them', () => {
		const word = fc.stringMatching(/^[a-z]{1,3}$/);
		fc.assert(
			fc.property(fc.array(word), fc.array(word, { minLength: 1 }), (name, words) => {
				if (words.some((one) => !name.includes(one)))
					expect(fits([words], name.join(' '))).toBe(false);
			}),
		);
	});
});

test('the first rule that fits counts, and * fits every name', () => {
	const rules = read([
		{ nameContains: 'Deed of Trust', requirement: 'notarization' },
		{ nameContains: 'Deed', requirement: 'esign' },
		{ nameContains: '*', requirement: 'readonly' },
	]);
	const rowOf = (name: string) => findRule(rules, name)?.row;
	expect([rowOf('Deed of Trust'), rowOf('Warranty Deed'), rowOf('Invoice')]).toEqual([1, 2, 3]);
	expect(findRule(rules.slice(0, 2), 'Invoice')).toBeUndefined();
});

test('of words with | between them, one is enough', () => {
	const rules = read([{ nameContains: 'Deed of Trust | Mortgage' }]);
	const fitting = ['Deed of Trust', 'The Mortgage', 'Deed', 'Trust'].filter((name) =>
		findRule(rules, name),
	);
	expect(fitting).toEqual(['Deed of Trust', 'The Mortgage']);
	expect(complaintOf(() => read([{ nameContains: 'Deed|' }]))).toContain(
		"'Name Contains' is 'Deed|', which has no word",
	);
});

test('a rule is needed unless it is for every name or says that it is not', () => {
	const rules = read([
		{ nameContains: 'Deed' },
		{ nameContains: 'Deed of Gift|Gift' },
		{ nameContains: 'Rider', needed: false },
		{ nameContains: '*' },
	]);
	expect(listUnmetRules(rules, ['Note'])).toEqual([
		'No document is for rule 1 (Deed)',
		'No document is for rule 2 (Deed of Gift|Gift)',
	]);
	expect(listUnmetRules(rules, ['Deed of Gift'])).toEqual([
		"No document is for rule 2 (Deed of Gift|Gift). Rule 1 comes before it and took 'Deed of Gift'",
	]);
	expect(listUnmetRules(rules, ['Deed', 'Gift'])).toEqual([]);
});

test('a rule sets a requirement, flags and a position', () => {
	const [rule] = read([
		{
			nameContains: 'Deed',
			requirement: 'notarization',
			flags: ['witness_required', 'signing_requires_meeting'],
			position: 2,
		},
	]);
	expect(rule.fields).toEqual({
		requirement: 'notarization',
		witness_required: true,
		signing_requires_meeting: true,
		bundle_position: 2,
	});
	const places = { unit: 'inches', measuredFrom: 'top' };
	const texts = { unit: 'inches', trustRecognized: true };
	const rules = read([
		{ nameContains: '*', whereToSign: 'json', ...places },
		{ nameContains: '*', whereToSign: 'text', ...texts },
	]);
	expect(
		rules.map(({ params }) => [params.getChoice('whereToSign'), params.getObject('placeOptions')]),
	).toEqual([
		['json', { ...places, ifSignerMissing: 'stop' }],
		['text', { ...texts, ifSignerMissing: 'stop', ifTextMissing: 'stop' }],
	]);
	// What a reference says of a rule, stays as it was before there were more options.
	expect(rules.map(({ placement }) => placement.measures)).toEqual([places, texts]);
});

test('a row sets nothing but what stands in it, although n8n adds defaults', () => {
	expect(read([{ nameContains: 'Deed', requirement: 'esign' }])[0].fields).toEqual({
		requirement: 'esign',
	});
	const positions = read([0, '0', '', null].map((position) => ({ nameContains: '*', position })));
	expect(positions.map(({ fields }) => fields.bundle_position)).toEqual([
		0,
		0,
		undefined,
		undefined,
	]);
});

test("all that can't be used is told with its row, and nothing is guessed", () => {
	expect(
		complaintOf(() =>
			read([
				{ nameContains: '' },
				{ nameContains: '...', position: -1 },
				{ nameContains: '*', flags: ['pdf_bookmarked'] },
				{ nameContains: '*', flags: ['notarization_required', 'identity_confirmation_required'] },
			]),
		),
	).toMatchInlineSnapshot(
		`"'Document Rules', entry 1: 'Name Contains' is empty (and 4 more). (1) 'Document Rules', entry 1: 'Name Contains' is empty. (2) 'Document Rules', entry 2: 'Name Contains' is '...', which has no word. Enter words of the name, or * for every document. (3) 'Document Rules', entry 2: 'Position' is '-1', which isn't a whole number from 0 on. Enter a whole number from 0 on. (4) 'Document Rules', entry 3: 'Flags' is 'pdf_bookmarked'. Choose from the list. An expression must return several of: esign_required, identity_confirmation_required, notarization_required, customer_can_annotate, signing_requires_meeting, vaulted, witness_required. (5) 'Document Rules', entry 4: 'Notarization Required' is on together with 'Identity Check Required'. Turn one of the two off: the service takes only one of them for a document"`,
	);
});

test('a requirement that contradicts where the document is signed is told at once', () => {
	const places = { whereToSign: 'text', texts: { row: [{ text: 'Borrower' }] } };
	const told = complaintOf(() =>
		read([
			{ nameContains: 'Deed', requirement: 'readonly', ...places },
			{ nameContains: 'Note', requirement: 'esign', whereToSign: 'nobody' },
			{ nameContains: '*', requirement: 'readonly', whereToSign: 'text', texts: {} },
		]),
	);
	expect(told).toMatch(/entry 1: 'Where to Sign' is 'At a Text', but 'Requirement' is 'Read Only'/);
	expect(told).toMatch(/entry 2: 'Where to Sign' is 'Nobody Signs', but 'Requirement' is 'esign'/);
	expect(told).not.toMatch(/entry 3/);
});

test('a flag that contradicts where the document is signed has the name that the form shows', () => {
	const row = {
		nameContains: '*',
		requirement: 'readonly',
		flags: ['esign_required'],
		whereToSign: 'nobody',
	};
	expect(complaintOf(() => read([row]))).toMatch(/but 'Electronic Signature Required' is on/);
});
