import { beforeEach, describe, expect, test } from '@jest/globals';

import { borrowers, CLOSING, createClosing, id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * The item loop, with n8n's own engine around it: three different items, the second of which can
 * fail.
 */

useSandbox();

const created = () => sandbox.requests.filter(({ operationId }) => operationId === 'createClosing');
beforeEach(() => void (sandbox.requests.length = 0));

const THREE = [
	{ json: { name: 'First', email: 'a@example.com' } },
	{ json: { name: 'Second', email: 'b@example.com' } },
	{ json: { name: 'Third', email: 'c@example.com' } },
];
const BROKEN = THREE.map((item, index) =>
	index === 1 ? { json: { ...item.json, email: 'nobody' } } : item,
);
const COMPLAINT =
	"'Signers, row 1: Email' is 'nobody', which isn't an email address (item 2 of 3). Enter one complete email address, e.g. jane@example.com";
const perItem = {
	...CLOSING,
	transactionName: '={{ $json.name }}',
	signers: borrowers({ email: '={{ $json.email }}' }),
};

test('three items make three different closings, in order and paired', async () => {
	const { items, error } = await runNode({
		credential: credential(),
		parameters: perItem,
		items: THREE,
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json, pairedItem }) => [json.transaction_name, pairedItem])).toEqual([
		['First', { item: 0 }],
		['Second', { item: 1 }],
		['Third', { item: 2 }],
	]);
	expect(created().map(({ body }) => (body as any).signer.email)).toEqual([
		'a@example.com',
		'b@example.com',
		'c@example.com',
	]);
});

test('reads of three items run side by side and come back in input order', async () => {
	const ids = [];
	for (const item of THREE)
		ids.push(await createClosing(credential(), { transactionName: item.json.name }));
	sandbox.faults.add({ path: ids[0], delayMs: 300 });
	const { items } = await runNode({
		credential: credential(),
		parameters: {
			resource: 'transaction',
			operation: 'get',
			platform: 'realEstate',
			transactionId: id('={{ $json.id }}'),
		},
		items: ids.map((value) => ({ json: { id: value } })),
	});
	expect(items.map(({ json }) => json.transaction_name)).toEqual(['First', 'Second', 'Third']);
	expect(items.map(({ json }) => json.transaction_id)).toEqual(ids);
});

describe('item 2 of 3 fails', () => {
	test('stop: the item before is done, the item after is not begun, the item is named', async () => {
		const { items, error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: BROKEN,
		});
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			"'Signers, row 1: Email' is 'nobody', which isn't an email address (item 2 of 3)",
		);
		expect(error?.description).toMatch(/complete email address/);
		expect(error?.context?.itemIndex).toBe(1);
		expect(created()).toHaveLength(1);
	});

	test('continue: the others are unharmed, the failed item says why', async () => {
		const { items, error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: BROKEN,
			node: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.transaction_name ?? json.error)).toEqual([
			'First',
			COMPLAINT,
			'Third',
		]);
		expect(items[1].pairedItem).toEqual({ item: 1 });
	});

	test('error output: the failed item goes there with sentence and remedy, the others to the first output', async () => {
		const { items, errorItems } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: BROKEN,
			node: { onError: 'continueErrorOutput' },
		});
		expect(items.map(({ json }) => json.transaction_name)).toEqual(['First', 'Third']);
		expect(errorItems.map(({ json }) => json.error)).toEqual([COMPLAINT]);
	});

	test('a refusal of the service is told with its own words', async () => {
		const items = THREE.map((item, index) => ({
			json: { ...item.json, email: index === 1 ? 'b@gmial.com' : item.json.email },
		}));
		const outcome = await runNode({
			credential: credential(),
			parameters: perItem,
			items,
			node: { onError: 'continueErrorOutput' },
		});
		expect(outcome.errorItems[0].json.error).toMatch(
			/Typo in domain name. Did you mean: b@gmail.com\? \(item 2 of 3\)\. Correct the 'Email'/,
		);
		expect(outcome.items).toHaveLength(2);
	});
});

describe('Retry On Fail', () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

	test('repeats the failed item only: finished writes are not made again', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: '/transactions',
			skip: 1,
			status: 422,
			body: { errors: ['Not now'] },
		});
		const { items, error } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: THREE,
			node: retry,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.transaction_name)).toEqual(['First', 'Second', 'Third']);
		// The first closing once, the second twice (refused, then made), the third once.
		expect(
			created()
				.map(({ body }) => (body as any).transaction_name)
				.sort(),
		).toEqual(['First', 'Second', 'Third']);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(4);
	});

	test('with "continue": a failed first item makes n8n run the node again, and no write is made twice', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: '/transactions',
			status: 422,
			body: { errors: ['Not now'] },
		});
		const { items } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: THREE,
			node: { ...retry, onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json }) => json.transaction_name)).toEqual(['First', 'Second', 'Third']);
		const names = created().map(({ body }) => (body as any).transaction_name);
		expect([...names].sort()).toEqual(['First', 'Second', 'Third']);
	});

	test('keeps nothing when all items went well', async () => {
		const { run } = await runNode({
			credential: credential(),
			parameters: perItem,
			items: THREE,
			node: retry,
		});
		expect(JSON.stringify(run.data.executionData?.contextData ?? {})).not.toContain(
			'signAndCloseWrites',
		);
	});
});
