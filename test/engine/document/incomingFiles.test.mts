import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { SAMPLE_ENOTE, samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { storeFile, useBinaryMode, type BinaryMode } from '../../support/engine.mts';
import { BUSINESS, complaint, lastBody, ownDocuments, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Files of the item and of the nodes before it, by name and by expression. */

useSandbox();
const FORM = 'On form submission';
/** How n8n keeps files in workflows with its next version of execution logic. */
const COMBINED = { settings: { binaryMode: 'combined' as const } };

let transactionId: string;
beforeEach(async () => {
	await useBinaryMode('filesystem');
	transactionId = await createClosing(credential());
	sandbox.requests.length = 0;
});

const add = (more: IDataObject = {}) => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	...more,
});
const pdf = async (name: string, fileName = `${name}.pdf`): Promise<IBinaryData> =>
	await storeFile((await samplePdf(name))!, fileName, 'application/pdf');
const deed = async () => await pdf('deed-of-trust', 'Deed of Trust.pdf');
const affidavit = async () => await pdf('borrower-affidavit', 'Affidavit.pdf');
/** A form with a file, and a node that outputs something else for its item. */
const afterForm = (item: Omit<INodeExecutionData, 'json'> & { json?: IDataObject }) => ({
	before: [
		{ name: FORM, items: [{ json: {}, ...item }] },
		{ name: 'Create closing', items: [{ json: { made: true }, pairedItem: { item: 0 } }] },
	],
});
const names = () => ownDocuments(transactionId).map(({ name }) => name);
const isDeed = async () =>
	ownDocuments(transactionId)[0].uploaded.equals((await samplePdf('deed-of-trust'))!);

describe('a file by expression', () => {
	const FROM_FORM = `={{ $('${FORM}').item.binary.Deed }}`;
	test.each<BinaryMode>(['filesystem', 'default'])(
		'of an earlier node is taken in binary mode %s, under its own name',
		async (mode) => {
			await useBinaryMode(mode);
			await run(
				add({ binaryPropertyName: FROM_FORM }),
				afterForm({ binary: { Deed: await deed() } }),
			);
			expect(names()).toEqual(['Deed of Trust']);
			expect(await isDeed()).toBe(true);
		},
	);
	test('is that of the item it is paired with', async () => {
		const before = [
			{
				name: FORM,
				items: [
					{ json: {}, binary: { Deed: await deed() } },
					{ json: {}, binary: { Deed: await affidavit() } },
				],
			},
			{
				name: 'Create closing',
				items: [1, 0].map((item) => ({ json: {}, pairedItem: { item } })),
			},
		];
		await run(add({ binaryPropertyName: FROM_FORM }), { before });
		expect(names()).toEqual(['Affidavit', 'Deed of Trust']);
	});
	test('goes with a text that is looked for in it', async () => {
		const AT_TEXT = {
			whereToSign: 'text',
			texts: { row: [{ text: 'Notary Seal', signer_identifier: 'notary', type: 'seal' }] },
		};
		const { json } = await run(
			add({ binaryPropertyName: FROM_FORM, ...AT_TEXT }),
			afterForm({ binary: { Deed: await deed() } }),
		);
		expect(json.placed).toHaveLength(1);
	});
	test('is taken in the rows of a new business transaction', async () => {
		await run(
			{
				...BUSINESS,
				documents: {
					row: [{ source: 'binary', binaryPropertyName: FROM_FORM, requirement: 'esign' }],
				},
			},
			afterForm({ binary: { Deed: await deed() } }),
		);
		expect((lastBody().documents as IDataObject[])[0].filename).toBe('Deed of Trust');
	});
	test('is taken for an eNote', async () => {
		const note = await storeFile(Buffer.from(SAMPLE_ENOTE), 'note.xml', 'application/xml');
		await run(
			{
				resource: 'enote',
				operation: 'add',
				transactionId: id(transactionId),
				source: 'binary',
				binaryPropertyName: `={{ $('${FORM}').item.binary.Note }}`,
				enoteType: 'ENOTE',
				borrowers: {},
			},
			afterForm({ binary: { Note: note } }),
		);
		expect(lastBody().file).toBe(Buffer.from(SAMPLE_ENOTE).toString('base64'));
	});
	test('may be the only one of a list', async () => {
		await run(add({ binaryPropertyName: '={{ $json.Deeds }}' }), {
			items: [{ json: { Deeds: [await deed()] } as unknown as IDataObject }],
		});
		expect(names()).toEqual(['Deed of Trust']);
	});
	test.each<[string, unknown, RegExp]>([
		[
			'two files',
			[
				{ id: 'filesystem-v2:a', mimeType: 'a/b' },
				{ id: 'filesystem-v2:b', mimeType: 'a/b' },
			],
			/'Input Binary Field' holds 2 files instead of one\. Point the expression to a file/,
		],
		[
			'another object',
			{ name: 'Deed.pdf' },
			/'Input Binary Field' isn't a file\. Point the expression to a file/,
		],
		[
			'a file without content',
			{ mimeType: 'application/pdf', data: { a: 1 } },
			/'Input Binary Field' isn't a file/,
		],
		[
			'a file that n8n has not stored',
			{ mimeType: 'application/pdf', id: 'filesystem-v2:workflows/x', data: 'filesystem-v2' },
			/'Input Binary Field' isn't a file that n8n has stored/,
		],
	])('%s is refused before anything is sent', async (_name, value, expected) => {
		const items = [{ json: { value } as IDataObject }];
		expect(await complaint(add({ binaryPropertyName: '={{ $json.value }}' }), { items })).toMatch(
			expected,
		);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a workflow that has its files in the JSON of the items', () => {
	const inFiles = async (): Promise<INodeExecutionData[]> => [
		{ json: { _files: { data: await deed() } } as unknown as IDataObject },
	];
	// As n8n's Form Trigger outputs them there.
	const ofForm = async () =>
		({
			Deed: await deed(),
			'Power of Attorney': await affidavit(),
			Others: [await affidavit(), await deed()],
		}) as unknown as IDataObject;
	test.each(['data', '_files.data', '={{ $json._files.data }}'])(
		'%s is the file that a node put under _files',
		async (binaryPropertyName) => {
			await run(add({ binaryPropertyName }), { ...COMBINED, items: await inFiles() });
			expect(names()).toEqual(['Deed of Trust']);
		},
	);
	test.each([
		['Deed', 'Deed of Trust'],
		['Power of Attorney', 'Affidavit'],
		['Others[1]', 'Deed of Trust'],
		['={{ $json["Power of Attorney"] }}', 'Affidavit'],
		[`={{ $('${FORM}').item.Others[1] }}`, 'Deed of Trust'],
	])('%s is a file of a form', async (binaryPropertyName, name) => {
		const before = [{ name: FORM, items: [{ json: await ofForm() }] }];
		await run(add({ binaryPropertyName }), { ...COMBINED, before });
		expect(names()).toEqual([name]);
	});
	test('a file that n8n keeps in memory is beside the JSON, and taken', async () => {
		await useBinaryMode('default');
		await run(add(), { ...COMBINED, items: [{ json: {}, binary: { data: await deed() } }] });
		expect(names()).toEqual(['Deed of Trust']);
	});
	test('only there is the JSON searched', async () => {
		expect(await complaint(add(), { items: await inFiles() })).toMatch(
			/The item has no files, so 'Input Binary Field' finds none/,
		);
	});
	test('what looks like a file is none', async () => {
		// As a store of files outputs what it knows of one.
		const listed = { id: '1abc', mimeType: 'application/pdf', name: 'Deed.pdf' };
		const items = [{ json: { listed, other: 'text' } }];
		expect(await complaint(add(), { ...COMBINED, items })).toMatch(
			/no files, so 'Input Binary Field' finds none\. Put a node before/,
		);
	});
});

describe('a file that is missing', () => {
	const missing = async (parameters: IDataObject, more: object) => {
		const said = await complaint(add(parameters), more);
		expect(sandbox.requests).toEqual([]);
		return said;
	};
	test('is named with the earlier node that has it, and the expression to enter', async () => {
		const said = await missing(
			{ binaryPropertyName: 'Deed' },
			afterForm({ binary: { Deed: await deed() } }),
		);
		expect(said).toBe(
			`The item has no files, so 'Input Binary Field' finds none. 'On form submission' has it: enter the expression {{ $('On form submission').item.binary.Deed }}`,
		);
	});
	test('is named with the nearest of them, in the notation that its names need', async () => {
		const name = 'Loan "A" file\'s';
		const before = [
			{ name: FORM, items: [{ json: {}, binary: { [name]: await deed() } }] },
			{
				name: "Jane's step",
				items: [{ json: {}, binary: { [name]: await deed() }, pairedItem: { item: 0 } }],
			},
			{ name: 'Create closing', items: [{ json: {}, pairedItem: { item: 0 } }] },
		];
		const said = await missing({ binaryPropertyName: name }, { before });
		const expression = /\{\{ .* \}\}/.exec(said)![0];
		expect(expression).toContain("Jane\\'s step");
		await run(add({ binaryPropertyName: `=${expression}` }), { before });
		expect(names()).toEqual(['Deed of Trust']);
	});
	test("says which names the item has, and where other nodes' files are", async () => {
		const before = [
			{ name: FORM, items: [{ json: {}, binary: { Deed: await deed(), Photo: await deed() } }] },
			{
				name: 'Get letter',
				items: [{ json: {}, binary: { letter: await deed() }, pairedItem: { item: 0 } }],
			},
		];
		expect(await missing({ binaryPropertyName: 'deed' }, { before })).toBe(
			`'Input Binary Field' is 'deed', but the item has no such file. The item has: letter. Enter one of these names. Or enter an expression for one of an earlier node: {{ $('On form submission').item.binary.Deed }}, {{ $('On form submission').item.binary.Photo }}`,
		);
	});
	test('an expression that finds nothing says where there are files', async () => {
		expect(
			await missing(
				{ binaryPropertyName: `={{ $('${FORM}').item.binary.Dede }}` },
				afterForm({ binary: { Deed: await deed() } }),
			),
		).toMatch(
			/^'Input Binary Field' is empty\. .*\{\{ \$\('On form submission'\)\.item\.binary\.Deed \}\}/,
		);
	});
	test('of a workflow with its files in JSON is named with the expression of such a workflow', async () => {
		const file = (await deed()) as unknown as IDataObject;
		const said = await missing(
			{ binaryPropertyName: 'Deed' },
			{ ...COMBINED, ...afterForm({ json: { Deed: file, _files: { letter: file } } }) },
		);
		expect(said).toMatch(/enter the expression \{\{ \$\('On form submission'\)\.item\.Deed \}\}/);
	});
	test('of a node that has lost the link is found if there was one item only', async () => {
		const before = [
			{ name: FORM, items: [{ json: {}, binary: { Deed: await deed() } }] },
			{ name: 'Code', items: [{ json: {} }] },
		];
		const said = await missing({ binaryPropertyName: 'Deed' }, { before });
		const [expression] = /\{\{ .* \}\}/.exec(said)!;
		expect(expression).toBe("{{ $('On form submission').first().binary.Deed }}");
		await run(add({ binaryPropertyName: `=${expression}` }), { before });
		expect(names()).toEqual(['Deed of Trust']);
	});
	test('is not guessed among several', async () => {
		const before = [
			{ name: FORM, items: [{ json: {}, binary: { Deed: await deed() } }, { json: {} }] },
			{ name: 'Code', items: [{ json: {} }] },
		];
		expect(await missing({ binaryPropertyName: 'Deed' }, { before })).toBe(
			"The item has no files, so 'Input Binary Field' finds none. Put a node before this one that brings the file, e.g. a form with an upload, or n8n's Read/Write Files from Disk",
		);
	});
	test('in a row is told with the row', async () => {
		const row = { source: 'binary', binaryPropertyName: 'Deed', requirement: 'esign' };
		expect(
			await complaint(
				{ ...BUSINESS, documents: { row: [row] } },
				afterForm({ binary: { Deed: await deed() } }),
			),
		).toMatch(
			/'Documents', entry 1: The item has no files, so 'Input Binary Field' finds none.*\$\('On form submission'\)/,
		);
	});
});
