import { beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../sandbox/index.mts';
import { CLOSING, createClosing, id } from '../support/closing.mts';
import { runNode } from '../support/engine.mts';
import { credential, sandbox, useSandbox } from '../support/useSandbox.mts';

/** Answers and connections that go wrong: what is repeated, and what the person reads. */

useSandbox();

beforeEach(() => void (sandbox.requests.length = 0));

describe('a request that fails', () => {
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
		expect(error?.message).toMatch(/outcome is unknown/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('a wait of ten minutes is left to the person', async () => {
		const value = await createClosing(credential());
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 429,
			headers: { 'retry-after': '600' },
		});
		const { error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error?.message).toBe('The service is limiting requests');
		expect(error?.description).toMatch(/in 600 seconds/);
	});

	test("a body that isn't JSON points to the base URL", async () => {
		const value = await createClosing(credential());
		sandbox.faults.add({
			method: 'GET',
			path: value,
			status: 200,
			body: '<html>Sign in</html>',
			headers: { 'content-type': 'text/html' },
		});
		const { error } = await runNode({ credential: credential(), parameters: get(value) });
		expect(error?.message).toBe("The answer isn't the data that the service should send");
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
