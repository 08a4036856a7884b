import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { buildJoinKeys } from '../../../nodes/SignAndClose/trigger/delivery/output.ts';
import { nextNumber } from '../../support/delivery.mts';
import { credentialFor, accounts, runNode, type RunOptions } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { liveClosing, liveDocument } from '../../support/live/answers.mts';
import { withService, type AskedFor, type Script } from '../../support/live/service.mts';

/** What a run makes of each event: the whole item, and which requests that takes. */

beforeEach(() => accounts.clear());

const PATH = '/mortgage/v2/transactions/ot_od4kenk';
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
const eventItem = (more: IDataObject = {}): INodeExecutionData => ({
	json: {
		event: 'transaction.completed',
		transaction_id: 'ot_od4kenk',
		delivery_key: `completion-${nextNumber()}`,
		...more,
	},
});
const run = async (items: INodeExecutionData[], more: Partial<RunOptions> = {}) => {
	const outcome = await runNode({
		type: 'signAndCloseTrigger',
		credential: credentialFor('http://127.0.0.1:9'),
		items,
		mode: 'webhook',
		...more,
		parameters: { events: ['*'], ...more.parameters },
	});
	const [shown] = outcome.run.data.resultData.runData.Tested;
	return { ...outcome, output: shown.data?.main, hints: shown.hints };
};
/** Runs the trigger with a service that shows this transaction, whose documents have these links. */
const runWith = async (
	transaction: IDataObject,
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	more: Partial<RunOptions> = {},
) => {
	const script: Script = ({ path, headers }: AskedFor) =>
		path === '/file'
			? { body: PDF, headers: { 'content-type': 'application/pdf' } }
			: path === PATH
				? {
						body: JSON.parse(
							JSON.stringify(transaction).replaceAll('http://service', `http://${headers.host}`),
						),
					}
				: path.startsWith(PATH)
					? { body: liveDocument({ id: path.split('/').at(-1) }) }
					: undefined;
	return await withService(script, async ({ credential, requests }) => {
		const outcome = await run(items, { ...more, credential, parameters });
		return { ...outcome, paths: requests.map(({ path }) => path) };
	});
};

describe('an event that needs no request', () => {
	test.each([
		['without a transaction', { transaction_id: null }],
		['of a deleted transaction', { event: 'transaction.deleted' }],
		['that the service did not confirm', { confirmed: false, unconfirmed_reason: 'Not found' }],
		['that has its transaction', { transaction: { transaction_id: 'ot_od4kenk' } }],
	])('%s passes as it is, even without a credential', async (_name, more) => {
		const items = [eventItem(more), eventItem(more)];
		const { output, error, hints } = await run(structuredClone(items), {
			credentialError: new Error('Credential with ID "1" does not exist'),
		});
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(output).toStrictEqual([
			items.map((item, index) => ({ ...item, pairedItem: { item: index } })),
		]);
	});
	test('is left as it was delivered where the transaction is not wanted', async () => {
		const items = [eventItem({ transaction: { a: 1 } }), eventItem()];
		const { output } = await run(structuredClone(items), {
			parameters: { options: { confirm: false } },
		});
		const [{ json: first }, { json: second }] = items;
		delete first.transaction;
		expect(output).toStrictEqual([
			[
				{ json: first, pairedItem: { item: 0 } },
				{ json: second, pairedItem: { item: 1 } },
			],
		]);
	});
});

describe('a repeat', () => {
	test('is left out beside others, which keep their places', async () => {
		const [seen, fresh] = [0, 1].map(() => eventItem({ event: 'transaction.deleted' }));
		await run([structuredClone(seen)]);
		expect((await run([seen, fresh].map((item) => structuredClone(item)))).output).toStrictEqual([
			[{ ...fresh, pairedItem: { item: 1 } }],
		]);
	});
	test('gives an empty output, and does not open the credential', async () => {
		const item = eventItem({ event: 'transaction.deleted' });
		let opened = 0;
		const credential = {
			...credentialFor('http://127.0.0.1:9'),
			get apiKey() {
				opened += 1;
				return 'demo-full-access-key';
			},
		};
		expect((await run([structuredClone(item)], { credential })).output).toHaveLength(1);
		const before = opened;
		expect(before).toBeGreaterThan(0);
		expect((await run([structuredClone(item)], { credential })).output).toStrictEqual([[]]);
		expect(opened).toBe(before);
	});
});

describe('a run that fails', () => {
	const broken = { credentialError: new Error('Credential with ID "1" does not exist') };
	const message =
		'n8n stopped the request, so nothing was sent: Credential with ID "1" does not exist';
	const remedy =
		'Select the credential in the node again, or create it again if somebody deleted it';
	test.each(['manual', 'webhook'] as const)(
		'says what happened and to which item (%s)',
		async (mode) => {
			const items = [eventItem({ event: 'transaction.deleted' }), eventItem()];
			const { error } = await run(items, { ...broken, mode });
			expect([error?.message, error?.description, error?.context]).toEqual([
				`${message} (item 2 of 2)`,
				remedy,
				expect.not.objectContaining({ itemIndex: expect.anything() }),
			]);
		},
	);
	test('and goes on has the failure in the place of the event', async () => {
		const items = [eventItem({ event: 'transaction.deleted' }), eventItem()];
		const { output } = await run(structuredClone(items), {
			...broken,
			node: { onError: 'continueRegularOutput' },
		});
		expect(output).toStrictEqual([
			[
				{ ...items[0], pairedItem: { item: 0 } },
				{
					json: { error: `${message} (item 2 of 2). ${remedy}`, details: items[1].json },
					pairedItem: { item: 1 },
				},
			],
		]);
	});
});

describe('the transaction of an event', () => {
	test('is retrieved once from the side of closings, and has a record only if there is one', async () => {
		const items = [eventItem({ notarization_record_id: 'me_old' }), eventItem()];
		await forEachCase([{}, { notarization_record: 'me_1' }], async (more) => {
			const transaction = liveClosing([], { status: 'sent', ...more });
			const { output, paths, hints } = await runWith(
				transaction,
				structuredClone(items),
				{ output: 'raw' },
				{ mode: 'manual' },
			);
			const record = 'notarization_record' in more ? { notarization_record_id: 'me_1' } : {};
			const whole = { transaction_id: 'ot_od4kenk', ...record, ...transaction };
			expect(output).toStrictEqual([
				items.map(({ json }, index) => ({
					json: {
						...json,
						...buildJoinKeys('ot_od4kenk', transaction),
						...record,
						transaction: whole,
					},
					pairedItem: { item: index },
				})),
			]);
			expect([paths, hints]).toEqual([[PATH, PATH], []]);
		});
	});
});

describe('finished documents', () => {
	const options = { options: { downloadDocuments: true } };
	const finished = { status: 'completed', detailed_status: 'complete' };
	test('are downloaded without a hint, and the link comes with the transaction', async () => {
		const document = liveDocument({ final_document_url: 'http://service/file' });
		const { items, hints, paths } = await runWith(
			liveClosing([document], finished),
			[eventItem()],
			{ options: { ...options.options, confirm: false } },
		);
		expect(Object.keys(items[0])).toEqual(['json', 'binary', 'pairedItem']);
		expect(Object.keys(items[0].binary!)).toEqual(['document_1']);
		expect(Object.keys(items[0].json)).toEqual(['event', 'transaction_id', 'delivery_key']);
		expect([hints, paths]).toEqual([[], [PATH, '/file']]);
	});
	test('whose link has expired are downloaded by the one that the side of closings gives next', async () => {
		const document = liveDocument({ final_document_url: 'http://service/file?old' });
		const seen: string[] = [];
		const script: Script = ({ path, query, headers }) => {
			seen.push(path);
			if (path === '/file') return 'old' in query ? { status: 403, body: '' } : { body: PDF };
			const link = `http://${headers.host}/file${seen.length > 1 ? '' : '?old'}`;
			return {
				body: liveClosing([{ ...document, final_document_url: link }], finished),
			};
		};
		const { items, error } = await withService(
			script,
			async ({ credential }) => await run([eventItem()], { credential, parameters: options }),
		);
		expect(error).toBeUndefined();
		expect(Object.keys(items[0].binary!)).toEqual(['document_1']);
		expect(seen).toEqual([PATH, '/file', PATH, '/file']);
	});
	test('without a link are named in one hint below the output', async () => {
		const documents = ['Deed of Trust', 'Note'].map((name, index) =>
			liveDocument({ id: `do_${index}`, document_name: name }),
		);
		const { output, hints, paths } = await runWith(
			liveClosing(documents, finished),
			[eventItem()],
			options,
		);
		expect(output![0]![0]).not.toHaveProperty('binary');
		expect(hints).toEqual([
			{
				message:
					"The service gives no link to 'Deed of Trust', 'Note'. If the signer pays, documents are released after the payment: use the event 'Documents Released'",
				location: 'outputPane',
			},
		]);
		expect(paths).toEqual([PATH, `${PATH}/documents/do_0`, `${PATH}/documents/do_1`]);
	});
	test.each(['sent', 'started', 'something_new'])(
		'are not missed while the transaction is %s',
		async (status) => {
			const { items, hints } = await runWith(
				liveClosing([liveDocument()], { status, detailed_status: status }),
				[eventItem()],
				options,
			);
			expect([items.length, hints]).toEqual([1, []]);
		},
	);
});
