import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { ADD_DOCUMENT, createClosing, id, pdfItem, toForm } from '../../support/closing.mts';
import { closingFile, DEED, withFiles } from '../../support/createAndSend.mts';
import type { RunOptions } from '../../support/engine.mts';
import { attempt, ownDocuments, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * An item of several writes that fails on the way comes out once: as a failure that says what is
 * done. Nothing of it gets to where the nodes after it would go on.
 */

useSandbox();

/** An item whose second document is refused. */
interface Story {
	parameters: IDataObject;
	items: INodeExecutionData[];
	/** The requests of which the second one is refused. */
	writes: { method: string; path: RegExp };
	/** What the failure says. */
	done: (transactionId: string, documentId: unknown) => object[];
	notDone: string[];
}

const FILES = { 'Deed of Trust.pdf': '%1', 'Deed of Trust (copy).pdf': '%2' };

/** Each operation that has parts, with an item for a closing. */
const STORIES: Record<string, (closing: string) => Promise<Story>> = {
	'document/add': async (closing) => ({
		parameters: {
			...ADD_DOCUMENT,
			source: 'allFiles',
			binaryPropertyName: '',
			transactionId: id(closing),
		},
		...(await withFiles(FILES, { row: 7 })),
		writes: { method: 'POST', path: /documents$/ },
		done: (transactionId, documentId) => [
			{ name: 'Deed of Trust.pdf', transaction_id: transactionId, document_id: documentId },
		],
		notDone: ['Deed of Trust (copy).pdf'],
	}),
	'document/applyRules': async (closing) => {
		for (const documentName of ['Deed', 'Note', 'Rider'])
			await run(
				{ ...ADD_DOCUMENT, transactionId: id(closing), documentName },
				{ items: [await pdfItem()] },
			);
		return {
			parameters: {
				resource: 'document',
				operation: 'applyRules',
				platform: 'realEstate',
				transactionId: id(closing),
				documentRules: { row: [{ nameContains: '*', requirement: 'esign' }] },
				settingsNotShown: 'none',
			},
			items: [{ json: { row: 7 } }],
			writes: { method: 'PATCH', path: /documents/ },
			done: (transactionId, documentId) => [
				{ name: 'Deed', transaction_id: transactionId, document_id: documentId },
			],
			notDone: ['Note', 'Rider'],
		};
	},
	'transaction/copy': async (closing) => {
		for (const documentName of ['Deed', 'Note'])
			await run(
				{ ...ADD_DOCUMENT, transactionId: id(closing), documentName },
				{ items: [await pdfItem()] },
			);
		Object.assign(transaction(closing), { status: 'expired', detailedStatus: 'expired' });
		return {
			parameters: {
				resource: 'transaction',
				operation: 'copy',
				platform: 'realEstate',
				transactionId: id(closing),
				settingsNotShown: 'none',
			},
			items: [{ json: { row: 7 } }],
			writes: { method: 'POST', path: /documents$/ },
			done: (transactionId, documentId) => [
				{ name: 'Transaction', transaction_id: transactionId },
				{ name: 'Deed', document_id: documentId },
			],
			notDone: ['Note', 'Copy'],
		};
	},
	'transaction/createAndSend': async () => ({
		parameters: closingFile({
			documentRules: DEED,
			...toForm({ loan_number: '70442' }),
		}),
		...(await withFiles(FILES, { row: 7 })),
		writes: { method: 'POST', path: /documents$/ },
		done: (transactionId, documentId) => [
			{ name: 'Transaction', transaction_id: transactionId },
			{ name: 'Deed of Trust.pdf', document_id: documentId },
		],
		notDone: ['Deed of Trust (copy).pdf', 'Draft'],
	}),
	'transaction/replaceDocuments': async (closing) => ({
		parameters: {
			...{ resource: 'transaction', operation: 'replaceDocuments', platform: 'realEstate' },
			...{ transactionId: id(closing), documentRules: DEED, enote: {} },
			...{ thenReplace: 'draft', additionalFields: {} },
		},
		...(await withFiles(FILES, { row: 7 })),
		writes: { method: 'POST', path: /documents$/ },
		done: (transactionId, documentId) => [
			{ name: 'transaction', transaction_id: transactionId },
			{ name: 'Deed of Trust.pdf', document_id: documentId },
		],
		notDone: ['Deed of Trust (copy).pdf', 'Draft'],
	}),
};

test('every operation that has parts is among them', () => {
	const divided = operations.filter(({ divide }) => divide !== undefined);
	expect(divided.map(({ resource, value }) => `${resource}/${value}`).sort()).toEqual(
		Object.keys(STORIES).sort(),
	);
});

/** Whether n8n 1.x takes an item for a failed one, as its handleNodeErrorOutput decides it. */
const isFailureFor1 = ({ json }: INodeExecutionData) => {
	const count = Object.keys(json).length;
	return Boolean(json.error && (count === 1 || (json.message && count === 2)));
};

describe.each(Object.entries(STORIES))('%s, of which the second document is refused', (_, tell) => {
	let story: Story;
	let closing: string;
	beforeEach(async () => {
		sandbox.world.settings.processingMs = 0;
		sandbox.world.transactions.clear();
		closing = await createClosing(credential());
		story = await tell(closing);
		const body = { errors: ['Not now'] };
		sandbox.faults.add({ ...story.writes, skip: 1, times: Infinity, status: 422, body });
	});
	const play = async (node: RunOptions['node'] = {}) => {
		const before = [{ name: 'Before', items: story.items }];
		return await attempt(story.parameters, { before, node });
	};
	/** What is expected of the failure's own fields. */
	const failure = () => {
		const made = [...sandbox.world.transactions.keys()].at(-1)!;
		const [first] = ownDocuments(made);
		return {
			error: expect.stringMatching(/Not now.*Done: .*Not done: /),
			message: {
				transaction_id: made,
				done: story.done(made, first.id).map((part) => expect.objectContaining(part)),
				unknown: [],
				not_done: story.notDone,
			},
		};
	};
	const pairedItem = { item: 0 };

	test('stop: nothing comes out, and the message says what is done', async () => {
		const { items, errorItems, error } = await play();
		expect([items, errorItems]).toEqual([[], []]);
		expect(error?.description).toContain(`Not done: ${story.notDone.join(', ')}. `);
	});
	test('continue: the failure alone comes out, also for n8n 1.x', async () => {
		const { items, error } = await play({ onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(items).toEqual([expect.objectContaining({ json: failure(), pairedItem })]);
		expect(isFailureFor1(items[0])).toBe(true);
	});
	test('error output: it leaves there, and nowhere else', async () => {
		const { items, errorItems } = await play({ onError: 'continueErrorOutput' });
		expect(items).toEqual([]);
		const json = { row: 7, ...failure() };
		expect(errorItems).toEqual([expect.objectContaining({ json, pairedItem })]);
	});
	test('error output with Retry On Fail: once, with what the first try has done', async () => {
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const { items, errorItems } = await play({ onError: 'continueErrorOutput', ...tries });
		expect(items).toEqual([]);
		expect(errorItems).toEqual([
			expect.objectContaining({ json: { row: 7, ...failure() }, pairedItem }),
		]);
	});
});
