import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import { ADD_DOCUMENT, borrowers, createClosing, id, toForm } from '../../support/closing.mts';
import { closingFile } from '../../support/createAndSend.mts';
import { storeFile } from '../../support/engine.mts';
import { complaint, hints, ownDocuments, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Places at the fields of a PDF's own form, by rules and in runs that are repeated. */

useSandbox();
beforeEach(() => {
	sandbox.world.settings.processingMs = 0;
});

/** An item with deeds that have fields, by their file names. */
async function forms(...names: string[]): Promise<{ items: INodeExecutionData[] }> {
	const bytes = (await samplePdf('deed-of-trust-form'))!;
	const binary: INodeExecutionData['binary'] = {};
	for (const name of names)
		binary[`file${Object.keys(binary).length}`] = await storeFile(
			Buffer.concat([bytes, Buffer.from(`%${name}`)]),
			`${name}.pdf`,
			'application/pdf',
		);
	return { items: [{ json: {}, binary }] };
}
const RULE = { nameContains: 'Deed', requirement: 'notarization', whereToSign: 'fields' };
const rules = (...all: IDataObject[]) => ({ row: all.map((rule) => ({ ...RULE, ...rule })) });
const placesOf = (transactionId: unknown) =>
	ownDocuments(transactionId).map(({ name, designations }) => [
		name,
		designations.map(({ signer_identifier: who, type }) => `${String(who)} ${String(type)}`),
	]);
const OF_BORROWER = (who: string) => [
	`${who} signature`,
	`${who} date_signed`,
	'notary signature',
	'notary seal',
];
const countPosts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;

describe('Create and Send', () => {
	let loan = 0;
	const file = (more: IDataObject) =>
		closingFile({ numbers: { loan_number: `field-${loan}` }, documentRules: rules({}), ...more });
	beforeEach(() => loan++);

	test.each<[string, IDataObject, string]>([
		['an external ID of a person', {}, 'borrower-1'],
		['one of the node', { external_id: '' }, 'signer-1'],
	])('places each document by the names of its fields, for %s', async (_name, more, who) => {
		const outcome = await run(file({ signers: borrowers(more) }), await forms('Deed', 'Deed 2'));
		expect(placesOf(outcome.json.transaction_id)).toEqual([
			['Deed', OF_BORROWER(who)],
			['Deed 2', OF_BORROWER(who)],
		]);
		expect(hints(outcome)).toContain(
			`Deed: 4 places on page 2, by their names for ${who} (2) and notary (2)`,
		);
	});
	test('run again, adds nothing', async () => {
		const first = await run(file({}), await forms('Deed'));
		const before = countPosts();
		const again = await run(file({}), await forms('Deed'));
		expect(again.json.transaction_id).toBe(first.json.transaction_id);
		expect(placesOf(first.json.transaction_id)).toEqual([['Deed', OF_BORROWER('borrower-1')]]);
		expect(countPosts()).toBe(before);
	});
	const JANE = { external_id: '', role: 'Borrower' };
	const JOHN = {
		...{ email: 'john@example.com', first_name: 'John', last_name: 'Other' },
		...{ role: 'Co-Borrower' },
	};
	test.each<[string, IDataObject, IDataObject, string]>([
		['whose IDs the node has made', JANE, JOHN, 'borrower-2'],
		[
			'with IDs of their own',
			{ ...JANE, external_id: 'jane' },
			{ ...JOHN, external_id: 'john' },
			'john',
		],
	])(
		'changes the places of signers %s when their roles are swapped',
		async (_name, jane, john, who) => {
			const draft = async (first: string, second: string) =>
				await run(
					file({
						signers: borrowers({ ...jane, role: first }, { ...john, role: second }),
						...toForm({ loan_number: `field-${loan}`, ifItDiffers: 'update' }),
					}),
					await forms('Deed'),
				);
			const { json } = await draft('Borrower', 'Co-Borrower');
			await draft('Co-Borrower', 'Borrower');
			expect(placesOf(json.transaction_id)).toEqual([['Deed', OF_BORROWER(who)]]);
			const before = countPosts();
			await draft('Co-Borrower', 'Borrower');
			expect(countPosts()).toBe(before);
		},
	);
	test('changes the places of a signer whom another one replaces', async () => {
		const draft = async (signer: IDataObject) =>
			await run(
				file({
					signers: borrowers({ ...JANE, ...signer }),
					...toForm({
						loan_number: `field-${loan}`,
						ifItDiffers: 'update',
						removeSignersNotNamed: true,
					}),
				}),
				await forms('Deed'),
			);
		const { json } = await draft({});
		await draft({ email: 'carl@example.com', first_name: 'Carl', last_name: 'Other' });
		expect(placesOf(json.transaction_id)).toEqual([['Deed', OF_BORROWER('signer-1')]]);
	});
	test('takes rows before names', async () => {
		const row = { fieldName: '*Seal', signer_identifier: 'borrower-1', type: 'initials' };
		const formFields = { row: [row] };
		const all = await run(file({ documentRules: rules({ formFields }) }), await forms('Deed'));
		expect(placesOf(all.json.transaction_id)[0][1]).toContain('borrower-1 initials');
		expect(placesOf(all.json.transaction_id)[0][1]).not.toContain('notary seal');
	});
	test('names the rule of a document without such fields', async () => {
		const bytes = await storeFile((await samplePdf('note'))!, 'Deed.pdf', 'application/pdf');
		const items = [{ json: {}, binary: { data: bytes } }];
		expect(await complaint(file({}), { items })).toMatch(
			/'Deed'?.*is 'Signature Fields of the PDF', but the file has no form fields\. Choose 'At a Text' or 'Designations Below'/,
		);
	});
});

test('Apply Rules replaces a document with places by the names of its fields', async () => {
	const closing = await createClosing(credential());
	const where = { transactionId: id(closing), documentName: 'Deed', designationsJson: '[]' };
	await run({ ...ADD_DOCUMENT, ...where, binaryPropertyName: 'file0' }, await forms('Deed'));
	const { json } = await run({
		resource: 'document',
		operation: 'applyRules',
		platform: 'realEstate',
		transactionId: id(closing),
		documentRules: rules({}),
		ifSplitRunning: 'return',
		settingsNotShown: 'none',
		notUpdatable: 'replace',
	});
	expect(json.applied).toContain('signing_designations');
	expect(placesOf(closing)).toEqual([['Deed', OF_BORROWER('borrower-1')]]);
});

describe('If It Exists: Skip', () => {
	const add = (transactionId: string, more: IDataObject = {}) => ({
		...ADD_DOCUMENT,
		transactionId: id(transactionId),
		binaryPropertyName: 'file0',
		documentName: 'Deed',
		whereToSign: 'fields',
		fieldsByName: true,
		formFields: {},
		additionalFields: { ifExists: 'skip' },
		...more,
	});
	test('skips the same file that is to be placed alike', async () => {
		const closing = await createClosing(credential());
		await run(add(closing), await forms('Deed'));
		const before = countPosts();
		await run(add(closing), await forms('Deed'));
		expect([ownDocuments(closing).length, countPosts()]).toEqual([1, before]);
	});
	test('says so if the places are to be others', async () => {
		const closing = await createClosing(credential());
		await run(add(closing), await forms('Deed'));
		const row = { fieldName: 'Notary Seal', signer_identifier: 'notary', type: 'seal' };
		const other = add(closing, { fieldsByName: false, formFields: { row: [row] } });
		expect(hints(await run(other, await forms('Deed')))).toContain(
			'Deed is there with another requirement or other places; nothing was changed',
		);
		expect(ownDocuments(closing)).toHaveLength(1);
	});
});
