import type { IDataObject } from 'n8n-workflow';

import { runItems } from '../../../nodes/SignAndClose/run/runItems.ts';
import { sendWithReference } from '../../../nodes/SignAndClose/run/write/reference.ts';
import {
	ADD_DOCUMENT,
	borrowers,
	CLOSING,
	createClosing,
	fieldsIn,
	id,
	pdfItem,
	toForm,
} from '../../support/closing.mts';
import { executionOf, accounts, processed, type RunOutcome } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { choosing, madeUpOperation } from '../../support/madeUp/operation.mts';
import { attempt, BUSINESS, hints, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';
import { toolOf } from '../run/toolCalls.mts';

/**
 * Creates whose answer is lost are found by the reference that they carried, and by nothing else: in
 * n8n's tries, retries, loops and tools. What several items lose is with test/faults/lostCreates.
 */

useSandbox();
beforeEach(async () => {
	sandbox.requests.length = 0;
	await processed.clearAllProcessedItems();
});

const OWN = /^n8n-(?:[\da-f-]{36}|a-[\da-f-]{35})$/;
const PATH = /\/(transactions|documents)$/;
/** The bodies of creates, in the order in which they came. */
const sent = () =>
	sandbox.requests
		.filter(({ method, path }) => method === 'POST' && PATH.test(path))
		.map(({ body }) => body as IDataObject);
const references = () => sent().map(({ external_id: reference }) => String(reference));
const held = (transactionId: unknown) => sandbox.world.transactions.get(String(transactionId))!;
const lose = (kind: 'cutAfter' | 'cutBefore') =>
	sandbox.faults.add({ method: 'POST', path: PATH, kind });
/** Lets the list show references, without which it says nothing about what is missing. */
const somebodyElses = async () =>
	await createClosing(credential(), { ...toForm({ external_id: 'somebody-elses' }) });

test('a reference costs no request as long as no answer is lost', async () => {
	accounts.clear();
	const items = Array.from({ length: 200 }, () => ({ json: {} }));
	const outcome = await run(CLOSING, { items });
	expect(outcome.items).toHaveLength(200);
	expect(sandbox.requests.length).toBeLessThanOrEqual(201);
});

describe('a reference', () => {
	const retried = { executionId: '512', limits: { absentAfterMs: 0 } };

	test('is the same in each try of Retry On Fail', async () => {
		await somebodyElses();
		sandbox.requests.length = 0;
		lose('cutBefore');
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { json } = await run({ ...CLOSING, output: 'raw' }, { ...retried, node });
		const [first, second, ...others] = references();
		expect([second, json.external_id, others]).toEqual([first, first, []]);
	});
	test.each([
		['is found, if it was made', 'cutAfter', 1],
		['is sent again with the same one, if it was not', 'cutBefore', 2],
	] as const)('of a retried execution: it %s', async (_what, kind, times) => {
		await somebodyElses();
		sandbox.requests.length = 0;
		lose(kind);
		sandbox.faults.add({ method: 'GET', status: 503, times: Infinity });
		const first = await attempt(CLOSING, retried);
		expect(first.error?.message).toMatch(/outcome is unknown/);
		expect(first.error?.description).toContain(`to ${references()[0]}`);
		sandbox.faults.clear();
		const { json } = await run(CLOSING, { ...retried, executionId: '513', retryOf: first });
		expect(held(json.transaction_id).fields.external_id).toBe(references()[0]);
		expect(references()).toEqual(Array(times).fill(references()[0]));
	});
	test('is not sent again before the service had time to show it', async () => {
		await somebodyElses();
		sandbox.requests.length = 0;
		lose('cutBefore');
		const absentAfterMs = 400;
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		await run(CLOSING, { executionId: '512', node, limits: { absentAfterMs } });
		const [first, second, ...others] = sandbox.requests.filter(({ method }) => method === 'POST');
		expect(Date.parse(second.at) - Date.parse(first.at)).toBeGreaterThanOrEqual(absentAfterMs);
		expect(others).toEqual([]);
	});
	test('is another one in each round of a loop, whatever became of the one before', async () => {
		const seen: unknown[] = [];
		const operation = madeUpOperation({
			kind: 'write',
			async execute({ sending, itemIndex }) {
				const wish = { fields: {}, isWanted: true };
				await sendWithReference(sending, 'external_id', wish, async ({ external_id: own }) =>
					seen.push(own),
				);
				if (itemIndex === 1) throw new Error('It broke');
				return [];
			},
		});
		const contextOf = executionOf({
			operations: [operation],
			parameters: choosing(operation),
			items: [{ json: {} }, { json: {} }],
		});
		await forEachCase(
			Array(100).keys(),
			async (round) =>
				await expect(runItems(contextOf(round), [operation])).rejects.toThrow('It broke'),
		);
		expect(new Set(seen).size).toBe(200);
	});
	test.each(['agent', 'mcp'] as const)(
		'is another one in each call as a tool (%s), with the same arguments, too',
		async (caller) => {
			const call = toolOf(
				{ type: 'signAndCloseTool', credential: credential(), parameters: { ...CLOSING } },
				caller,
			);
			for (let turn = 0; turn < 2; turn++) await call({ name: 'The same' });
			expect(new Set(references()).size).toBe(2);
		},
	);
	test.each([
		['external_id', CLOSING],
		['external_id', BUSINESS],
		['tracking_id', ADD_DOCUMENT],
	])(
		'that the service refuses by name (%s) is left out once, and a hint says so',
		async (field, given) => {
			const transactionId = await createClosing(credential());
			sandbox.requests.length = 0;
			const refusal = { [field]: ['is not allowed'] };
			sandbox.faults.add({ method: 'POST', path: PATH, status: 422, body: { errors: refusal } });
			const parameters = { ...given, transactionId: id(transactionId) };
			const outcome = await run(parameters, { items: [await pdfItem()] });
			expect(sent().map((body) => body[field])).toEqual([expect.stringMatching(OWN), undefined]);
			expect(hints(outcome)).toMatch(/takes no reference of the node.*turn off 'Send Reference'/);
		},
	);
	test('that is off is not sent, and a lost create is unknown without a look', async () => {
		lose('cutAfter');
		const fields = toForm({ ...fieldsIn(CLOSING), sendReference: false });
		const { error } = await attempt({ ...CLOSING, ...fields });
		expect(error?.message).toMatch(/outcome is unknown/);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST']);
		expect(sent()[0]).not.toHaveProperty('external_id');
	});
	test("is nobody's External ID: only 'Raw' shows it", async () => {
		const { json: simple } = await run(CLOSING);
		const { json: raw } = await run({ ...CLOSING, output: 'raw' });
		expect(simple.external_id).toBeNull();
		expect(raw.external_id).toMatch(OWN);
	});
});

describe("a person's own External ID", () => {
	const create = async (given: IDataObject, signers?: IDataObject): Promise<RunOutcome> => {
		const fields = toForm({ ...fieldsIn(given), external_id: 'order-17' });
		return await attempt({ ...given, ...(signers && { signers }), ...fields });
	};
	beforeEach(() => sandbox.world.transactions.clear());

	test.each([BUSINESS, CLOSING])('finds what was made', async (given) => {
		lose('cutAfter');
		const { items, error } = await create(given);
		expect(error).toBeUndefined();
		expect(items[0].json.external_id).toBe('order-17');
	});
	test('finds none that has other signers', async () => {
		await create(CLOSING, borrowers({ email: 'other@example.com' }));
		lose('cutBefore');
		expect((await create(CLOSING)).error?.message).toMatch(/outcome is unknown/);
	});
	test.each<[string, IDataObject, string[]]>([
		['the same name', BUSINESS, ['A', 'A']],
		['another name', BUSINESS, ['A', 'B']],
		['another name', CLOSING, ['A', 'B']],
	])('is not that of another item with %s', async (_how, given, names) => {
		sandbox.faults.add({ method: 'POST', path: PATH, kind: 'cutBefore', skip: 1 });
		const { json, items, error } = await attemptAll(
			{
				...given,
				transactionName: '={{ $json.name }}',
				...toForm({
					...fieldsIn(given),
					external_id: 'order-17',
					...(given === CLOSING && { transaction_name: '={{ $json.name }}' }),
				}),
			},
			names.map((name) => ({ json: { name } })),
		);
		expect(error).toBeUndefined();
		// Both are sent at once, so either can be the second request.
		const lost = json.filter((one) => one.transaction_id === undefined);
		expect([items.length, lost.length]).toEqual([2, 1]);
		expect(String(lost[0].error)).toMatch(/, and it isn't there/);
	});
	test("of a document is not another item's, which the service shows as missing", async () => {
		const transactionId = await createClosing(credential());
		const add = { ...ADD_DOCUMENT, transactionId: id(transactionId) };
		const parameters = { ...add, additionalFields: { tracking_id: '7' } };
		const files = [
			await pdfItem('deed-of-trust', 'A.pdf'),
			await pdfItem('deed-of-trust', 'A.pdf'),
		];
		const path = /\/documents$/;
		sandbox.faults.add({ method: 'POST', path, kind: 'cutBefore', skip: 1 });
		const limits = { absentAfterMs: 0 };
		const first = await attempt(parameters, { items: files, executionId: '512', limits });
		expect(first.error?.message).not.toBeUndefined();
		const retried = { items: files, executionId: '513', retryOf: first, limits };
		const { items } = await run(parameters, retried);
		const ids = items.map(({ json }) => json.document_id);
		expect(new Set(ids).size).toBe(2);
		const own = held(transactionId).documents.filter(({ isConsentForm }) => !isConsentForm);
		expect(own.map((document) => document.id)).toEqual(ids);
	});
});

/** Runs several items, of which some may fail. */
async function attemptAll(parameters: IDataObject, items: Array<{ json: IDataObject }>) {
	const outcome = await attempt(parameters, { items, node: { onError: 'continueRegularOutput' } });
	return { ...outcome, json: outcome.items.map(({ json }) => json) };
}
