import type { INodeExecutionData } from 'n8n-workflow';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { RESOURCES, type Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { ADD_DOCUMENT, CLOSING, pdfItem, TITLE, toForm } from '../../support/closing.mts';
import {
	credentialFor,
	runNode,
	storeFile,
	useBinaryMode,
	type RunOptions,
} from '../../support/engine.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { ownDocuments, run, sendClosing } from '../../support/operations.mts';
import { useSandbox } from '../../support/useSandbox.mts';

/** Files of the input that go on with the output, so that a workflow needs no Merge node for them. */

useSandbox();
beforeEach(async () => await useBinaryMode('filesystem'));

const stored = async (name: string) => await storeFile(Buffer.from(name), name, 'text/plain');
const TRANSACTION = { __rl: true, mode: 'id', value: '={{ $json.transaction_id }}' };

/** Runs a made-up operation that passes files on. */
const pass = async (own: Partial<Operation>, more: Partial<RunOptions>) => {
	const operation = madeUpOperation({
		passesFiles: true,
		execute: async ({ itemIndex }) => ({ json: { index: itemIndex } }),
		...own,
	});
	return await runNode({
		credential: credentialFor('https://api.example.com'),
		operations: [operation],
		parameters: choosing(operation),
		...more,
	});
};
const binaries = (items: INodeExecutionData[]) => items.map(({ binary }) => binary);

test('each output item has the files of its input item', async () => {
	const items: INodeExecutionData[] = [
		{ json: {}, binary: { a: await stored('a'), b: await stored('b') } },
		{ json: {} },
		{ json: {}, binary: { c: await stored('c') } },
	];
	const outcome = await pass({}, { items });
	expect(binaries(outcome.items)).toEqual([items[0].binary, undefined, items[2].binary]);
	expect(outcome.items.map(({ json }) => json)).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
});

test('several output items of one input item have them each', async () => {
	const binary = { a: await stored('a') };
	const execute = async () => [{ json: { part: 1 } }, { json: { part: 2 } }];
	const { items } = await pass({ execute }, { items: [{ json: {}, binary }] });
	expect(binaries(items)).toEqual([binary, binary]);
});

test("an operation that doesn't pass them on gives what it has of its own", async () => {
	const [incoming, own] = [await stored('a'), await stored('b')];
	const items = [{ json: {}, binary: { data: incoming } }];
	const execute = async () => ({ json: {}, binary: { own } });
	const without = { passesFiles: undefined };
	expect(binaries((await pass({ ...without, execute }, { items })).items)).toEqual([{ own }]);
	expect(binaries((await pass(without, { items })).items)).toEqual([undefined]);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a failed item keeps them: %s',
	async (onError) => {
		const binary = { a: await stored('a') };
		const execute = async () => {
			throw new Error('No');
		};
		const more = { items: [{ json: {}, binary }], node: { onError } };
		const { items, errorItems } = await pass({ execute }, more);
		expect(binaries([...items, ...errorItems])).toEqual([binary]);
	},
);

test('where a workflow has its files in the JSON of items, they come out there', async () => {
	const [deed, photo, letter] = [await stored('d'), await stored('p'), await stored('l')];
	const items = [{ json: { Deed: deed, Photos: [photo], _files: { letter } } as never }];
	const outcome = await pass({}, { items, settings: { binaryMode: 'combined' } });
	expect(outcome.items[0].json).toEqual({
		index: 0,
		_files: { Deed: deed, 'Photos[0]': photo, letter },
	});
});

test('what n8n keeps for a retry has none of their content', async () => {
	await useBinaryMode('default');
	const content = 'content of a file '.repeat(100);
	const operation = {
		kind: 'write' as const,
		execute: async ({ itemIndex }: { itemIndex: number }) => {
			if (itemIndex === 1) throw new Error('No');
			return { json: {} };
		},
	};
	const file = await storeFile(Buffer.from(content), 'a.txt', 'text/plain');
	const items = [{ json: {}, binary: { file } }, { json: {} }];
	const { run: ran, error } = await pass(operation, { items });
	expect(error?.description).toMatch(/Item 1 is done/);
	const { contextData } = ran.data.executionData!;
	expect(JSON.stringify(contextData)).toContain('"done"');
	expect(JSON.stringify(contextData)).not.toContain(file.data);
});

test('it is what one transaction, document or eNote goes through, not lists and downloads', () => {
	const names = (resources: string[], passes?: true) =>
		operations
			.filter((one) => resources.includes(one.resource) && one.passesFiles === passes)
			.map(({ resource, value }) => `${resource}/${value}`)
			.sort();
	const PASSING = ['address', 'transaction', 'document', 'enote'];
	expect(names(PASSING)).toEqual([
		'document/download',
		'document/getAll',
		'transaction/downloadFiles',
		'transaction/downloadPackage',
		'transaction/getAll',
		'transaction/getAuditTrail',
	]);
	const others = Object.keys(RESOURCES).filter((resource) => !PASSING.includes(resource));
	expect(names(others, true)).toEqual([]);
});

describe('from a form to the sent closing', () => {
	test('one node after the other, each with a file of the form', async () => {
		const [deed, note] = [await pdfItem(), await pdfItem('borrower-affidavit', 'Affidavit.pdf')];
		const form = [{ json: {}, binary: { Deed: deed.binary.data, Other: note.binary.data } }];
		const fields = toForm({ ...TITLE, paper_note_consent: true });
		const created = await run({ ...CLOSING, ...fields }, { items: form });
		const add = (binaryPropertyName: string) => ({
			...ADD_DOCUMENT,
			binaryPropertyName,
			transactionId: TRANSACTION,
		});
		const first = await run(add('Deed'), { items: created.items });
		const second = await run(add('Other'), { items: first.items });
		const sent = await run(sendClosing(TRANSACTION), { items: second.items });
		expect(ownDocuments(sent.json.transaction_id).map(({ name }) => name)).toEqual([
			'Deed of Trust',
			'Affidavit',
		]);
		expect(sent.json.status).toBe('sent');
	});
});
