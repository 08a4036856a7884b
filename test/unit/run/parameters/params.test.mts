import type { INodeProperties } from 'n8n-workflow';

import { complaintOf, formOf, textField } from '../../../support/madeUp/params.mts';

/** The parameters of one item, read through n8n's own context. */

const PROPERTIES: INodeProperties[] = [
	textField('Full Name', 'fullName'),
	textField('State', 'state'),
	{ displayName: 'Draft', name: 'draft', type: 'boolean', default: true },
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		options: [
			{ name: 'Deed', value: 'deed' },
			{ name: 'Page 2', value: 2 },
			{ name: 'phone', value: 'phone' },
		],
		default: 'deed',
	},
	{
		displayName: 'More',
		name: 'more',
		type: 'collection',
		default: {},
		options: [
			textField('Loan Number', 'loan_number'),
			// The name of a field outside, with another label and other choices.
			{
				displayName: 'Kind of More',
				name: 'kind',
				type: 'options',
				options: [{ name: 'Note', value: 'note' }],
				default: 'note',
			},
			{
				displayName: 'Platform',
				name: 'platform',
				type: 'options',
				options: [{ name: 'Business', value: 'business' }],
				default: 'business',
			},
			// The name of a text outside, and of a choice.
			{
				displayName: 'State Code',
				name: 'state',
				type: 'options',
				options: [{ name: 'Maine', value: 'ME' }],
				default: 'ME',
			},
			textField('Phone Number', 'phone'),
		],
	},
	{
		displayName: 'Signers',
		name: 'signers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [
			{ name: 'row', displayName: 'Signer', values: [textField('Last Name', 'last_name')] },
		],
	},
	// n8n itself drops an expression for a whole collection, but not for a field of another type.
	textField('Fields', 'fields'),
	textField('Lines', 'lines'),
	{ displayName: 'Expiry', name: 'expiry', type: 'dateTime', default: '' },
	{ displayName: 'Body (JSON)', name: 'body', type: 'json', default: '' },
];

const paramsOf = formOf(PROPERTIES);
/** The form with nothing filled in. */
const empty = () => paramsOf({});

describe('the label of a parameter', () => {
	test.each([
		['fullName', 'Full Name'],
		// Inside a collection, inside rows.
		['loan_number', 'Loan Number'],
		['last_name', 'Last Name'],
		// The first of two.
		['kind', 'Kind'],
		['unheardOf', 'unheardOf'],
		['state', 'State'],
		// A choice of this name isn't a parameter, nor is a group of rows.
		['phone', 'Phone Number'],
		['row', 'row'],
	])('%s is %s', (name, label) => {
		expect(empty().label(name)).toBe(label);
	});
});

describe('a value', () => {
	test('comes from the own item', () => {
		const items = ['Jane', 'Joe'].map((name) => ({ json: { name } }));
		const parameters = { fullName: '={{ $json.name }}' };
		expect(paramsOf(parameters, items, 0).getRaw('fullName')).toBe('Jane');
		expect(paramsOf(parameters, items, 1).getRaw('fullName')).toBe('Joe');
	});
	test('stays as it is when it is read raw', () => {
		expect(paramsOf({ fullName: ' Jane ' }).getRaw('fullName')).toBe(' Jane ');
		expect(empty().getRaw('draft')).toBe(true);
	});
	test('of a parameter that is not in the form, or of an expression without a result, is undefined', () => {
		expect(empty().getRaw('unheardOf')).toBeUndefined();
		expect(paramsOf({ fullName: '={{ null }}' }).getRaw('fullName')).toBeUndefined();
	});
	test('that contains itself is refused with its label', () => {
		const endless = '={{ (() => { const all = {}; all.all = all; return all; })() }}';
		expect(complaintOf(() => paramsOf({ fullName: endless }).getRaw('fullName'))).toBe(
			"'Full Name' can't be read. Let the expression return a plain value",
		);
	});
	test("of a broken expression is refused in n8n's own words", () => {
		expect(() =>
			paramsOf({ fullName: "={{ $('Nowhere').item.json.a }}" }).getRaw('fullName'),
		).toThrow(
			expect.objectContaining({
				name: 'ExpressionError',
				message: expect.not.stringContaining("can't be read"),
			}),
		);
	});
});

describe('a text', () => {
	test('has no spaces around it', () => {
		expect(paramsOf({ fullName: ' Jane Doe ' }).getText('fullName')).toBe('Jane Doe');
		expect(paramsOf({ fullName: ' Jane Doe ' }).getRequired('fullName')).toBe('Jane Doe');
	});
	test('that is empty is undefined, or refused where it is required', () => {
		expect(empty().getText('fullName')).toBeUndefined();
		expect(complaintOf(() => empty().getRequired('fullName'))).toBe(
			"'Full Name' is empty. Enter a value. If it's an expression, check what it returns for this item",
		);
		expect(
			complaintOf(() => paramsOf({ fullName: '={{ $json.name }}' }).getRequired('fullName')),
		).toBe(
			"'Full Name' is empty: its expression {{ $json.name }} gives nothing for this item. Enter a value. To take it from the workflow, put this node after one that outputs it",
		);
	});
});

describe('a switch', () => {
	test.each([
		...[true, 1, '1', 'true', 'TRUE', ' yes ', 'Y'].map((value) => [value, true] as const),
		...[false, 0, '0', 'false', 'No', 'n'].map((value) => [value, false] as const),
		...[undefined, null, '', ' ', 'null', 'undefined'].map((value) => [value, undefined] as const),
	])('that is %j means %j', (value, expected) => {
		expect(empty().toBoolean('draft', value)).toBe(expected);
	});
	test.each([
		['maybe', 'maybe'],
		[2, '2'],
		[{}, 'an object'],
		[[true], 'a list'],
	])('that is %j is refused', (value, shown) => {
		expect(complaintOf(() => empty().toBoolean('draft', value))).toBe(
			`'Draft' is '${shown}', which isn't true or false. Enter true or false`,
		);
	});
	test('that is empty is off, or what its reader says', () => {
		const params = paramsOf({ draft: '={{ null }}' });
		expect(params.getBoolean('draft')).toBe(false);
		expect(params.getBoolean('draft', true)).toBe(true);
	});
});

describe('a choice', () => {
	test.each([
		['deed', 'deed'],
		[' deed ', 'deed'],
		['2', '2'],
		[2, '2'],
		['', undefined],
		[null, undefined],
	])('that is %j is %j', (value, expected) => {
		expect(empty().getChoice('kind', value)).toBe(expected);
	});
	test('that an expression gets wrong is refused with the choices', () => {
		expect(complaintOf(() => paramsOf({ kind: '={{ "note" }}' }).getChoice('kind'))).toBe(
			"'Kind' is 'note'. Choose from the list. An expression must return one of: deed, 2, phone",
		);
	});
	test('of a collection has the choices of the collection', () => {
		expect(empty().getChoice('platform', 'business')).toBe('business');
		expect(complaintOf(() => empty().getChoice('platform', 'deed'))).toBe(
			"'Platform' is 'deed'. Choose from the list. An expression must return one of: business",
		);
	});
});

describe('a moment', () => {
	test('without a zone is in the zone of the workflow', () => {
		expect(empty().getMoment('expiry', '2026-01-15T17:00:00')).toBe('2026-01-15T17:00:00-05:00');
		expect(paramsOf({ expiry: '2026-07-15T17:00:00' }).getMoment('expiry')).toBe(
			'2026-07-15T17:00:00-04:00',
		);
	});
	test.each([[undefined], [null], ['']])('that is %j is undefined', (value) => {
		expect(empty().getMoment('expiry', value)).toBeUndefined();
	});
	test.each([
		['next Tuesday', 'next Tuesday'],
		[true, 'true'],
		[{}, 'an object'],
	])('that is %j is refused', (value, shown) => {
		expect(complaintOf(() => empty().getMoment('expiry', value))).toBe(
			`'Expiry' is '${shown}', which isn't a valid date. Enter it as year-month-day and time, e.g. 2026-12-31T17:00`,
		);
	});
});

describe('JSON', () => {
	test.each([
		['{"a": [1]}', { a: [1] }],
		['null', null],
		['"a"', 'a'],
		['', undefined],
		[' \n', undefined],
		[{ a: 1 }, { a: 1 }],
		[[1], [1]],
		[0, 0],
		[false, false],
		[null, undefined],
		[undefined, undefined],
	])('that is %j is %j', (value, expected) => {
		expect(empty().getJson('body', value)).toEqual(expected);
	});
	test('that is broken is refused with what is wrong with it', () => {
		expect(complaintOf(() => empty().getJson('body', '{"a": 1,}'))).toMatch(
			/^'Body \(JSON\)' isn't valid JSON: .*(position|property name).*\. Check quotes, commas and brackets\. Text needs double quotes$/,
		);
	});
});

describe('an object', () => {
	const read = (fields: string) => paramsOf({ fields }).getObject('fields');

	test('is what the form holds', () => {
		expect(paramsOf({ more: { loan_number: '7001' } }).getObject('more')).toEqual({
			loan_number: '7001',
		});
		expect(empty().getObject('more')).toEqual({});
	});
	test('is what an expression returns', () => {
		expect(read('={{ ({ loan_number: 7 }) }}')).toEqual({ loan_number: 7 });
	});
	test.each(['', '={{ null }}', '={{ "" }}', '={{ [] }}', '={{ undefined }}'])(
		'is empty when there is nothing (%j)',
		(expression) => {
			expect(read(expression)).toEqual({});
		},
	);
	test.each(['={{ "some" }}', '={{ 7 }}', '={{ true }}', '={{ [1] }}', '={{ [{}] }}', ' '])(
		'is refused when there is anything else (%j)',
		(expression) => {
			expect(complaintOf(() => read(expression))).toBe(
				"'Fields' must be an object of its fields. Fill in the fields one by one, or let the expression return an object of them",
			);
		},
	);
});

describe('rows', () => {
	const ROWS = [{ last_name: 'Doe' }, { last_name: 'Roe' }];

	test('are those of the form', () => {
		expect(paramsOf({ signers: { row: ROWS } }).getRows('signers')).toEqual(ROWS);
		expect(empty().getRows('signers')).toEqual([]);
	});
	test('are the array that an expression returns', () => {
		const lines = `={{ ${JSON.stringify(ROWS)} }}`;
		expect(paramsOf({ lines }).getRows('lines')).toEqual(ROWS);
	});
	test.each([
		[ROWS, ROWS],
		[{ row: ROWS }, ROWS],
		// A single row.
		[{ row: ROWS[0] }, [ROWS[0]]],
		[{ row: null }, []],
		[{ row: '' }, []],
		[{}, []],
		[undefined, []],
		[null, []],
		['', []],
	])('of %j are %j', (value, expected) => {
		expect(empty().getRows('signers', value)).toEqual(expected);
	});
	test.each([
		[['Doe'], 1],
		[[{}, null], 2],
		[[{}, {}, []], 3],
		[[undefined], 1],
		['Doe', 1],
		[7, 1],
		[true, 1],
		[{ row: 'Doe' }, 1],
		[{ row: [{}, 'Roe'] }, 2],
	])('of %j are refused at row %i', (value, row) => {
		expect(complaintOf(() => empty().getRows('signers', value))).toBe(
			`'Signers', entry ${row}: must be an object. Fill in the entries, or let the expression return an array of objects`,
		);
	});
});
