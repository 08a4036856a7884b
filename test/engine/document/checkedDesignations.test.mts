import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, borrowers, createClosing, id, toForm } from '../../support/closing.mts';
import { workedMs } from '../../support/cpuTime.mts';
import { attempt, hints, ownDocuments, run, sendClosing } from '../../support/operations.mts';
import { textPdf, type TextPage } from '../../support/textPdf.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Designations are compared with the file, the transaction and each other before anything is sent:
 * planted faults, each named with its row, all in one message; and good sets, which pass.
 */

useSandbox();

const PAGES: TextPage[] = [{}, { size: [612, 1008] }, {}];
const OTHER_PAGES: TextPage[] = [...PAGES, {}];

/** A place of its own for each designation. */
const spot = (index: number) => ({
	x: 20 + 60 * (index % 9),
	y: 20 + 30 * Math.floor(index / 9),
	width: 50,
	height: 20,
});
type Fault = [name: string, designation: IDataObject, expected: string];
/** Faults of a designation that's otherwise fine, as its JSON; `P` stands for the field of the page. */
const FAULTS: Fault[] = [
	['no signer', { signer_identifier: '' }, 'SIGNER is missing'],
	['no type', { type: ' ' }, 'TYPE is missing'],
	['a page before the first', { page: -1 }, 'PAGE is not a number from FIRST on'],
	['a page that is no number', { page: 'two' }, 'PAGE is not a number from FIRST on'],
	['a page between two', { page: 0.5 }, 'PAGE is not a number from FIRST on'],
	['a page after the last', { page: 3 }, "there's no page 4: the document has 3"],
	['a negative x', { x: -1 }, 'X is not a number from 0 on'],
	['a y that is no number', { y: 'top' }, 'Y is not a number from 0 on'],
	['no width', { width: 0 }, 'WIDTH is not a number above 0'],
	['a negative height', { height: -5 }, 'HEIGHT is not a number above 0'],
	['too far right', { x: 570 }, "the place isn't on the page: it reaches from 570 to 620"],
	['too high', { y: 780 }, "the place isn't on the page"],
	[
		'too wide',
		{ x: 0, y: 500, width: 613 },
		"the place isn't on the page: it reaches from 0 to 613",
	],
	['too high for its page', { page: 2, y: 990 }, "the place isn't on the page"],
	['the place of another one', { ...spot(0), again: true }, 'is at the same place as entry 1'],
	['an unknown signer', { signer_identifier: 'nobody' }, "'nobody' in SIGNER isn't a signer"],
	[
		"a signer's email",
		{ signer_identifier: 'jane.borrower@example.com' },
		"'jane.borrower@example.com' in SIGNER",
	],
	['a seal of a signer', { type: 'seal' }, "has the type 'seal', which only the notary completes"],
	[
		'a county of a witness',
		{ type: 'county', signer_identifier: 'witness1' },
		"has the type 'county', which only the notary completes",
	],
	[
		"a date of birth of the notary's",
		{ type: 'dob', signer_identifier: 'notary' },
		"has the type 'dob', which only a signer completes",
	],
	[
		'a condition without its trigger',
		{ conditional_on_primary: 'gone' },
		"no optional designation has the identifier 'gone'",
	],
	[
		'a circle',
		{ optional: true, primary_designation_identifier: 'a', conditional_on_primary: 'a' },
		'depends on itself',
	],
	[
		"an optional one of the notary's",
		{ optional: true, signer_identifier: 'notary' },
		"is optional and the notary's",
	],
	[
		'an optional one in a group',
		{ optional: true, type: 'checkmark', signing_designation_group: 'g' },
		'is optional and in a group',
	],
	[
		'a signature in a group',
		{ signing_designation_group: 'g' },
		"is in a group, and its type is 'signature'",
	],
];

const INNER = ['optional', 'primary_designation_identifier', 'conditional_on_primary'].concat(
	'signing_designation_group',
);
/** A designation as JSON of the service. */
const inJson = ({ page = 0, again: _again, ...more }: IDataObject, index: number): IDataObject => ({
	signer_identifier: 'borrower-1',
	type: 'signature',
	...spot(index),
	...more,
	page_number: page,
});
/** The same as a row of the form, whose pages count from 1. */
function inRow(designation: IDataObject, index: number): IDataObject {
	const { page_number: page, ...fields } = inJson(designation, index);
	const entries = Object.entries(fields);
	return {
		...Object.fromEntries(entries.filter(([name]) => !INNER.includes(name))),
		page: typeof page === 'number' ? page + 1 : page,
		details: Object.fromEntries(entries.filter(([name]) => INNER.includes(name))),
	};
}
/** The parameter that has designations, in either way. */
const WAYS: Array<[string, string, (all: IDataObject[]) => IDataObject, Record<string, string>]> = [
	[
		'rows',
		'Designations',
		(all) => ({ whereToSign: 'rows', designations: { row: all.map(inRow) } }),
		{
			SIGNER: "'Signer Name or ID'",
			TYPE: "'Type'",
			PAGE: "'Page'",
			X: "'From Left'",
			Y: "'From Bottom or Top'",
			WIDTH: "'Width'",
			HEIGHT: "'Height'",
			FIRST: '1',
		},
	],
	[
		'JSON',
		'Designations (JSON)',
		(all) => ({ whereToSign: 'json', designationsJson: JSON.stringify(all.map(inJson)) }),
		{
			SIGNER: '"signer_identifier"',
			TYPE: '"type"',
			PAGE: '"page_number"',
			X: '"x"',
			Y: '"y"',
			WIDTH: '"width"',
			HEIGHT: '"height"',
			FIRST: '0',
		},
	],
];

const adding = async (transactionId: string, pages: TextPage[], more: IDataObject) => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	source: 'base64',
	fileBase64: (await textPdf(pages)).toString('base64'),
	documentName: 'Deed',
	...more,
});
const group = (row: IDataObject) => ({
	additionalFields: { signing_designation_groups: { row: [row] } },
});
const GROUP = group({ name: 'g', min_required: 0, max_required: 1 });

describe.each(WAYS)('%s', (_way, label, give, names) => {
	test('25 planted faults are all named, each with its number, before anything is sent', async () => {
		expect(FAULTS).toHaveLength(25);
		const transactionId = await createClosing(credential());
		const good = { type: 'initials' };
		const all = [good, ...FAULTS.map(([, designation]) => designation)];
		const { error } = await attempt(await adding(transactionId, PAGES, { ...GROUP, ...give(all) }));
		const told = String(error?.description)
			.split(/\.? ?\(\d+\) /)
			.slice(1);
		FAULTS.forEach(([name, , expected], index) => {
			const words = expected.replace(/\b[A-Z]{1,6}\b/g, (word) => names[word] ?? word);
			const wanted = `'${label}', entry ${index + 2}: ${words}`;
			expect([name, told.find((fault) => fault.startsWith(wanted)) ?? told]).toEqual([
				name,
				expect.any(String),
			]);
		});
		expect(told).toHaveLength(25);
		expect(ownDocuments(transactionId)).toEqual([]);
	});

	const optional = { optional: true, type: 'checkmark', primary_designation_identifier: 'a' };
	const grouped = { type: 'checkmark', signing_designation_group: 'g' };
	test.each<[string, IDataObject[], IDataObject?]>([
		['one', [{}]],
		['many on a page', Array.from({ length: 100 }, () => ({}))],
		['on the last page', [{ page: 2 }]],
		['on the page "last"', [{ page: 'last' }]],
		['in a corner', [{ x: 0, y: 0 }]],
		['in the other corner', [{ x: 562, y: 772 }]],
		['over the whole page', [{ x: 0, y: 0, width: 612, height: 792 }]],
		['at the top of a longer page', [{ page: 1, y: 988 }]],
		['with numbers in texts', [{ page: '2', x: '10', y: ' 20 ', width: '9', height: '9' }]],
		['with fractions', [{ x: 10.4, y: 0.2, width: 0.3, height: 19.6 }]],
		['of the notary', [{ signer_identifier: 'notary', type: 'seal' }]],
		['of a witness', [{ signer_identifier: 'witness1' }, { signer_identifier: 'witness2' }]],
		['of another signer', [{ signer_identifier: 'co' }]],
		['of an unknown type', [{ type: 'thumbprint', signer_identifier: 'notary' }]],
		['optional', [{ optional: true }]],
		['with a condition', [optional, { type: 'free_text', conditional_on_primary: 'a' }]],
		[
			'with a chain of conditions',
			[
				optional,
				{ ...optional, primary_designation_identifier: 'b', conditional_on_primary: 'a' },
				{ type: 'free_text', conditional_on_primary: 'b' },
			],
		],
		['in a group', [grouped, grouped], group({ name: 'g', min_required: 1, max_required: 2 })],
		['in a group of one', [{ ...grouped, type: 'radio_checkmark' }], GROUP],
		['at the same place of different pages', [{ ...spot(0) }, { ...spot(0), page: 1 }]],
	])('good ones pass: %s', async (_name, all, more = {}) => {
		const closing = borrowers(
			{},
			{ email: 'co@example.com', first_name: 'Co', last_name: 'B', external_id: 'co' },
		);
		const transactionId = await createClosing(credential(), { signers: closing });
		const outcome = await run(await adding(transactionId, PAGES, { ...more, ...give(all) }));
		expect(ownDocuments(transactionId)[0].designations).toHaveLength(all.length);
		expect(hints(outcome)).toBe('');
	});
});

const [rows] = WAYS.map(([, , give]) => give);

test('thousands in JSON that depend on each other block n8n for less than a second', async () => {
	const chain = Array.from({ length: 5_000 }, (_, index) => ({
		...inJson({ x: 0, y: 0, type: 'checkmark' }, index),
		optional: true,
		primary_designation_identifier: `a${index}`,
		conditional_on_primary: `a${(index + 1) % 5_000}`,
		page_number: 9,
	}));
	const more = { whereToSign: 'json', designationsJson: JSON.stringify(chain) };
	const parameters = await adding('ot_1', PAGES, more);
	let [last, longest] = [workedMs(), 0];
	const turns = setInterval(() => {
		const now = workedMs();
		[last, longest] = [now, Math.max(longest, now - last)];
	});
	const { error } = await attempt(parameters);
	clearInterval(turns);
	expect(error?.description).toMatch(/There are \d+ more like these/);
	expect(longest).toBeLessThan(1_000);
});

describe('groups', () => {
	const grouped = { type: 'radio_checkmark', signing_designation_group: 'g' };
	test.each<[string, IDataObject, string]>([
		[
			'need more than they have',
			{ min_required: 3, max_required: 3 },
			'needs 3 designations, and 2 are in it',
		],
		[
			'allow more than they have',
			{ min_required: 1, max_required: 5 },
			'allows 5 designations, and 2',
		],
		['allow two radio buttons', { min_required: 0, max_required: 2 }, 'allows more than one radio'],
	])('%s', async (_name, own, expected) => {
		const { error } = await attempt(
			await adding(await createClosing(credential()), PAGES, {
				...group({ name: 'g', ...own }),
				...rows([grouped, grouped]),
			}),
		);
		expect(`${error?.message} ${error?.description}`).toContain(
			`'Designation Groups', group 'g': ${expected}`,
		);
	});
});

describe('the transaction', () => {
	test('is no draft', async () => {
		const transactionId = await createClosing(credential(), {
			...toForm({ paper_note_consent: true }),
		});
		await run(await adding(transactionId, PAGES, {}));
		await run(sendClosing(id(transactionId)));
		const { error } = await attempt(await adding(transactionId, PAGES, rows([{}])));
		expect(error?.message).toBe("'Transaction' isn't a draft, and only drafts take designations");
	});
	test('is retrieved once, and only for designations', async () => {
		const transactionId = await createClosing(credential());
		const asked = async (more: IDataObject, pages = PAGES) => {
			const before = sandbox.requests.length;
			await run(await adding(transactionId, pages, more));
			return sandbox.requests.slice(before).map(({ method }) => method);
		};
		expect(await asked({ whereToSign: 'rows', designations: {} })).toEqual(['POST']);
		expect(await asked(rows([{}]))).toEqual(['GET', 'POST']);
		const skip = { additionalFields: { ifExists: 'skip' }, documentName: 'Other' };
		expect(await asked({ ...rows([{}]), ...skip }, OTHER_PAGES)).toEqual(['GET', 'POST']);
	});
});

describe('measured', () => {
	/** What reaches the service of a designation. */
	async function sent(row: IDataObject, additionalFields: IDataObject, pages = PAGES) {
		const transactionId = await createClosing(credential());
		const outcome = await run(
			await adding(transactionId, pages, { ...rows([row]), additionalFields }),
		);
		const [{ page_number: page, x, y, width, height }] =
			ownDocuments(transactionId)[0].designations;
		return { place: [page, x, y, width, height], hint: hints(outcome) };
	}
	test.each<[string, IDataObject, IDataObject, number[]]>([
		[
			'in inches',
			{ x: 1, y: 1.5, width: 2, height: 0.25 },
			{ unit: 'inches' },
			[0, 72, 108, 144, 18],
		],
		[
			'in centimeters',
			{ x: 2.54, y: 1, width: 5, height: 1 },
			{ unit: 'centimeters' },
			[0, 72, 28, 142, 28],
		],
		[
			'from the top of the page it is on',
			{ page: 1, x: 10, y: 100, width: 50, height: 20 },
			{ measuredFrom: 'top' },
			[1, 10, 888, 50, 20],
		],
	])('%s', async (_name, row, options, expected) => {
		expect((await sent(row, options)).place).toEqual(expected);
	});
	test('on a page that is rotated: a hint, and nothing from the top', async () => {
		const { hint, place } = await sent({ x: 700 }, {}, [{ rotate: 90 }]);
		expect(place[1]).toBe(700);
		expect(hint).toMatch(/^Check the document before you send it: page 1 is rotated/);
		const { error } = await attempt(
			await adding('ot_1', [{ rotate: 90 }], {
				...rows([{}]),
				additionalFields: { measuredFrom: 'top' },
			}),
		);
		expect(error?.message).toMatch(/entry 1: is measured from the top, and the height/);
	});
	test('places that overlap: a hint', async () => {
		const outcome = await run(
			await adding(await createClosing(credential()), PAGES, rows([{}, { x: 40, y: 25 }])),
		);
		expect(hints(outcome)).toBe('Some places overlap each other on page 1');
	});
});

describe('a file that the node', () => {
	const byUrl = { source: 'url', fileUrl: '' };
	test('does not read is not checked, and its last page is not known', async () => {
		const fileUrl = `${sandbox.url}/samples/deed-of-trust.pdf`;
		const transactionId = await createClosing(credential());
		const add = async (row: IDataObject, more: IDataObject = {}) =>
			await attempt(
				await adding(transactionId, PAGES, { ...byUrl, fileUrl, ...rows([row]), ...more }),
			);
		const last = await add({ page: 'last' });
		expect(last.error?.message).toMatch(/'Page' is "last", and the pages are unknown/);
		expect(last.error?.description).toMatch(/'Fetch the File to Check It'/);
		const fetched = { additionalFields: { fetchFile: true } };
		const beyond = await add({ page: 2 }, fetched);
		expect(beyond.error?.message).toMatch(/there's no page 3: the document has 2/);
		expect((await add({ page: 'last' }, fetched)).error).toBeUndefined();
		expect(ownDocuments(transactionId)[0].designations[0].page_number).toBe(1);
	});
	test('fetches is asked for with its header, which goes to no other host', async () => {
		const pdf = await textPdf(PAGES);
		const headers: unknown[] = [];
		// Two addresses instead of a name, which waits for what else is looked up in this process.
		const server = createServer(({ url, headers: { authorization } }, answer) => {
			headers.push([url, authorization]);
			if (url === '/file') answer.end(pdf);
			else answer.writeHead(302, { location: `http://127.0.0.2:${port}/file` }).end();
		}).listen(0);
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const { error } = await attempt(
			await adding(await createClosing(credential()), PAGES, {
				...byUrl,
				fileUrl: `http://127.0.0.1:${port}/moved`,
				...rows([{ page: 3 }]),
				additionalFields: {
					fetchFile: true,
					authorization_header: 'Authorization: Bearer sesame',
				},
			}),
		);
		server.close();
		expect(error?.message).toMatch(/there's no page 4: the document has 3/);
		expect(headers).toEqual([
			['/moved', 'Bearer sesame'],
			['/file', undefined],
		]);
	});
	test('fetches and whose connection is cut is not sent', async () => {
		const server = createServer((_request, answer) => {
			answer.writeHead(200, { 'content-length': 1000 });
			answer.write('%PDF-1.7', () => answer.destroy());
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const transactionId = await createClosing(credential());
		const { error } = await attempt(
			await adding(transactionId, PAGES, {
				...byUrl,
				fileUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
				...rows([{}]),
				additionalFields: { fetchFile: true },
			}),
		);
		server.close();
		expect(error?.message).toMatch(/connection was cut/);
		expect(ownDocuments(transactionId)).toEqual([]);
	});
	test('can not fetch is not sent', async () => {
		const transactionId = await createClosing(credential());
		const { error } = await attempt(
			await adding(transactionId, PAGES, {
				...byUrl,
				fileUrl: `${sandbox.url}/samples/unknown.pdf`,
				...rows([{}]),
				additionalFields: { fetchFile: true },
			}),
		);
		expect(error?.description).toMatch(/No such sample/);
		expect(ownDocuments(transactionId)).toEqual([]);
	});
	test('can not read is sent, with a hint', async () => {
		const transactionId = await createClosing(credential());
		const outcome = await attempt(
			await adding(transactionId, PAGES, {
				...rows([{}]),
				fileBase64: Buffer.from('%PDF-1.7\nnothing').toString('base64'),
			}),
		);
		expect(hints(outcome)).toMatch(
			/^The places weren't compared with the pages, because the file is/,
		);
	});
});
