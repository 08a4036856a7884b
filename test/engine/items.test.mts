import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { CLOSING, createClosing, id } from '../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../support/engine.mts';

/**
 * The item loop, with n8n's own engine around it: three different items, the second of which can
 * fail.
 */

let sandbox: Sandbox;
const credential = () => credentialFor(sandbox.url);
const created = () => sandbox.requests.filter(({ operationId }) => operationId === 'createClosing');
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
afterEach(() => {
	expect(sandbox.problems).toEqual([]);
	sandbox.requests.length = 0;
	sandbox.faults.clear();
});

const THREE = [
	{ json: { name: 'First', email: 'a@example.com' } },
	{ json: { name: 'Second', email: 'b@example.com' } },
	{ json: { name: 'Third', email: 'c@example.com' } },
];
const BROKEN = THREE.map((item, index) =>
	index === 1 ? { json: { ...item.json, email: 'nobody' } } : item,
);
const COMPLAINT =
	"'Signer Email' is 'nobody' (item 2 of 3). Enter one complete e-mail address, e.g. jane@example.com";
const perItem = {
	...CLOSING,
	transactionName: '={{ $json.name }}',
	signerEmail: '={{ $json.email }}',
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
			simplify: true,
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
		expect(error?.message).toBe("'Signer Email' is 'nobody' (item 2 of 3)");
		expect(error?.description).toMatch(/complete e-mail address/);
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
			/Typo in domain name. Did you mean b@gmail.com\? \(item 2 of 3\)\. Correct the signer's 'Email'/,
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
		expect(created().map(({ body }) => (body as any).transaction_name)).toEqual([
			'First',
			'Second',
			'Third',
		]);
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

describe('a create whose answer was lost', () => {
	test('is looked up by loan number and name, and not repeated', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutAfter' });
		const before = sandbox.world.transactions.size;
		const { items, error } = await runNode({
			credential: credential(),
			parameters: {
				...CLOSING,
				transactionName: 'Lost answer',
				additionalFields: { loan_number: '8800' },
			},
		});
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_name).toBe('Lost answer');
		expect(sandbox.world.transactions.size).toBe(before + 1);
		expect(created()).toHaveLength(1);
	});

	test('that was not made is reported as in doubt, and Retry On Fail does not create blindly', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutBefore' });
		const { error } = await runNode({
			credential: credential(),
			parameters: { ...CLOSING, transactionName: 'Never arrived' },
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		expect(error?.message).toMatch(/not known whether/);
		expect(error?.description).toMatch(/nothing is done twice/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('the same closing of another item is not taken for it', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', skip: 1, kind: 'cutBefore' });
		const { items } = await runNode({
			credential: credential(),
			parameters: { ...CLOSING, transactionName: 'Twins' },
			items: [{ json: {} }, { json: {} }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(items[0].json.transaction_name).toBe('Twins');
		expect(items[1].json.error).toMatch(/not known whether/);
	});

	test('an older closing of the same name is not taken for it', async () => {
		await createClosing(credential(), { transactionName: 'Same name' });
		sandbox.clock.advance(60_000);
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutBefore' });
		const { error } = await runNode({
			credential: credential(),
			parameters: { ...CLOSING, transactionName: 'Same name' },
		});
		expect(error?.message).toMatch(/not known whether/);
	});
});

describe('the service has a bad day', () => {
	const get = (value: string) => ({
		resource: 'transaction',
		operation: 'get',
		platform: 'realEstate',
		transactionId: id(value),
		simplify: true,
	});

	test('a read is repeated after 503, 429 with Retry-After and a cut connection', async () => {
		const value = await createClosing(credential());
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'GET', path: value, status: 503 });
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 429,
			headers: { 'retry-after': '1' },
		});
		sandbox.faults.add({ method: 'GET', path: value, kind: 'cutBefore' });
		const began = Date.now();
		const { items, error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_id).toBe(value);
		expect(sandbox.requests).toHaveLength(4);
		expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
	});

	test('a write is repeated after 429, since nothing was done', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: '/transactions',
			status: 429,
			headers: { 'retry-after': '0' },
		});
		const { items } = await runNode({ credential: credential(), parameters: CLOSING });
		expect(items).toHaveLength(1);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
	});

	test('a write is not repeated after 503', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', status: 503 });
		const { error } = await runNode({ credential: credential(), parameters: CLOSING });
		expect(error?.message).toMatch(/not known whether/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('a longer wait than two minutes is handed to the person', async () => {
		const value = await createClosing(credential());
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 429,
			headers: { 'retry-after': '600' },
		});
		const { error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error?.message).toBe('The service asks for fewer requests');
		expect(error?.description).toMatch(/in 600 seconds/);
	});

	test("a body that is no JSON is told as a web page in the service's place", async () => {
		const value = await createClosing(credential());
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 200,
			body: '<html>Sign in</html>',
			headers: { 'content-type': 'text/html' },
		});
		const { error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error?.message).toBe('The answer is not the data the service should send');
		expect(error?.description).toMatch(/'Base URL'/);
	});

	test('a redirect is not followed with the key', async () => {
		const value = await createClosing(credential());
		const other = await startSandbox();
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 302,
			headers: { location: `${other.url}/elsewhere` },
		});
		const { error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error?.message).toBe('The service answered with a redirect');
		expect(other.requests).toEqual([]);
		await other.close();
	});
});
