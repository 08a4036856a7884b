/**
 * Accounts of one platform, services of one layout, and paths that belong to neither
 * (docs/service/errors.md#wrong-platform, docs/service/api.md#path-layouts).
 */

import { describe, expect, test } from '@jest/globals';

import { startSandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import { Client, CLOSING, IAL2, newClosing, newDraft } from '../support/client.mts';

async function withSandbox(
	options: SandboxOptions,
	work: (client: Client) => Promise<void>,
): Promise<void> {
	const sandbox = await startSandbox(options);
	try {
		await work(new Client(sandbox));
	} finally {
		await sandbox.close();
	}
}

const answerOf = async (client: Client, method: string, path: string, body?: object) => {
	const answer = await client.call(method, path, body);
	return [answer.status, answer.body];
};
const DRAFT = { draft: true, signers: [{ email: 'kim@example.com' }] };

describe('the wrong platform', () => {
	test('an account of business alone is 401 on real estate', async () => {
		await withSandbox({ account: 'business' }, async (client) => {
			const refused = [
				401,
				{ errors: ['Unauthorized: This organization must use the Business API for transactions'] },
			];
			expect(await answerOf(client, 'POST', '/mortgage/v2/transactions', CLOSING)).toEqual(refused);
			expect(await answerOf(client, 'GET', '/mortgage/v2/webhooks')).toEqual(refused);
			expect(await newDraft(client)).toMatch(/^ot_/);
			expect((await client.call('GET', '/v2/webhooks')).status).toBe(200);
		});
	});
	test('an account of real estate alone is 422 on business, and has webhooks of its own', async () => {
		await withSandbox({ platforms: 'realEstate' }, async (client) => {
			const refused = [
				422,
				{ errors: ['You must use the RealEstate API for real estate transactions'] },
			];
			expect(await answerOf(client, 'POST', '/v1/transactions', DRAFT)).toEqual(refused);
			expect(await answerOf(client, 'GET', '/v1/templates')).toEqual(refused);
			expect(await answerOf(client, 'GET', '/v2/webhooks')).toEqual([
				401,
				{ errors: ['Feature not available in current tier'] },
			]);
			expect((await client.call('GET', '/mortgage/v2/webhooks')).status).toBe(200);
			expect(await newClosing(client)).toMatch(/^ot_/);
		});
	});
	test('on a documented-only service the paths without prefix serve real estate, too', async () => {
		await withSandbox({ profile: 'documented', platforms: 'realEstate' }, async (client) => {
			const id = await newClosing(client);
			expect((await client.transaction(id)).id).toBe(id);
			expect((await client.call('POST', '/transactions', DRAFT)).status).toBe(422);
		});
	});
});

describe('a service of one layout', () => {
	const statuses = async (client: Client, paths: string[]) => {
		const found = [];
		for (const path of paths) found.push((await client.call('GET', path)).status);
		return found;
	};
	const [DOCUMENTED, CURRENT, FIXED] = [
		['/transactions', '/templates', '/mortgage/v1/transactions'],
		['/v1/transactions', '/v1/templates', '/mortgage/v2/transactions'],
		['/v2/webhooks', '/mortgage/v2/webhooks', '/mortgage/v1/notaries'],
	];
	test('answers 404 to the paths of the other one', async () => {
		await withSandbox({ layout: 'documented' }, async (client) => {
			expect(await statuses(client, DOCUMENTED)).toEqual([200, 200, 200]);
			expect(await statuses(client, CURRENT)).toEqual([404, 404, 404]);
			expect(await statuses(client, FIXED)).toEqual([200, 200, 200]);
		});
		await withSandbox({ layout: 'current' }, async (client) => {
			expect(await statuses(client, DOCUMENTED)).toEqual([404, 404, 404]);
			expect(await statuses(client, CURRENT)).toEqual([200, 200, 200]);
			expect(await statuses(client, FIXED)).toEqual([200, 200, 200]);
		});
	});
	test('takes a closing with identity assurance under version 2 in every layout', async () => {
		await withSandbox({ layout: 'documented' }, async (client) => {
			const signer = { email: 'jane@example.com', assurance_requirement: IAL2 };
			const assured = { ...CLOSING, transaction_type: null, signer };
			const { id } = await client.ok('POST', '/mortgage/v2/transactions', assured);
			await client.ok('PUT', `/mortgage/v2/transactions/${id}`, { loan_number: '7' });
			expect((await client.ok('GET', `/mortgage/v1/transactions/${id}`)).loan_number).toBe('7');
		});
	});
});

describe('paths with a version of their own', () => {
	test('notaries of real estate are under version 1 only, webhooks under version 2 only', async () => {
		await withSandbox({}, async (client) => {
			expect((await client.call('GET', '/mortgage/v1/notaries')).status).toBe(200);
			expect((await client.call('GET', '/mortgage/v2/notaries')).status).toBe(404);
			expect((await client.call('GET', '/mortgage/v2/webhooks')).status).toBe(200);
			expect((await client.call('GET', '/mortgage/v1/webhooks')).status).toBe(404);
		});
	});
	test('the layout of a path does not change the answer', async () => {
		await withSandbox({}, async (client) => {
			const id = await newClosing(client);
			for (const [documented, current] of [
				['', '/v1'],
				['/mortgage/v1', '/mortgage/v2'],
			])
				expect(await client.ok('GET', `${documented}/transactions/${id}`)).toEqual(
					await client.ok('GET', `${current}/transactions/${id}`),
				);
		});
	});
});
