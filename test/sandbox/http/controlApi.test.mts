/** The console and the paths that its buttons call. */

import { describe, expect, test } from '@jest/globals';

import { ACTION_NAMES } from '../../../sandbox/actors/actionNames.mts';
import { PROCESSING_MS } from '../../../sandbox/world/config.mts';
import { base64, makePdf, newCompleted, newDraft, newSent } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('control paths', () => {
	const control = async (
		method: string,
		path: string,
		body?: object,
		headers: Record<string, string> = {},
	) => {
		const answer = await fetch(sandbox.url + path, {
			method,
			headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
			body: body && JSON.stringify(body),
		});
		return { status: answer.status, body: (await answer.json()) as any };
	};
	test('actions by path, refused ones with the reason; state and files', async () => {
		const id = await newSent(client);
		expect((await control('POST', `/sandbox/transactions/${id}/notarize`)).body.message).toBe(
			'No document needs a notary',
		);
		expect((await control('POST', `/sandbox/transactions/${id}/openEmail`)).status).toBe(200);
		expect((await control('POST', `/sandbox/transactions/${id}/sign`)).body.status).toBe(
			'completed',
		);
		expect((await control('POST', `/sandbox/transactions/${id}/dance`)).status).toBe(404);
		const { transactions } = (await control('GET', '/sandbox/state')).body;
		expect(transactions[0]).toMatchObject({
			id,
			status: 'completed',
			why_not: { sign: 'The transaction is completed' },
		});
		const files = (await control('GET', `/sandbox/files/${await newCompleted(client)}`)).body;
		expect(files.map(({ kind }: any) => kind)).toEqual([
			// The consent form of the signer, and the deed.
			'document',
			'document',
			'auditTrail',
			'video',
			'identityImage',
			'identityImage',
			'identityImage',
		]);
		expect(files[1]).toMatchObject({
			name: 'Deed',
			bytes: expect.any(Number),
			sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
	});
	test('a document that is being processed can be made to fail', async () => {
		sandbox.world.settings.processingMs = Infinity;
		const id = await newDraft(client);
		await client.ok('POST', `/transactions/${id}/documents`, {
			resource: base64(await makePdf()),
			requirement: 'esign',
		});
		const fail = async () =>
			await control('POST', `/sandbox/transactions/${id}/failProcessing`, { reason: 'No fonts' });
		expect((await fail()).body).toMatchObject({
			documents: [{ state: 'failed', processing_error: 'No fonts' }],
			why_not: { failProcessing: 'No document is being processed' },
		});
		expect((await fail()).status).toBe(409);
		sandbox.world.settings.processingMs = PROCESSING_MS;
	});
	test('clock, speed, faults and the request log by path', async () => {
		const before = sandbox.clock.now();
		await control('POST', '/sandbox/clock/advance', { seconds: 3600 });
		expect(sandbox.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
		await control('POST', '/sandbox/clock/speed', { speed: 60 });
		expect(sandbox.clock.speed).toBe(60);
		await control('POST', '/sandbox/clock/speed', { speed: 1 });
		await control('POST', '/sandbox/faults', { status: 503 });
		expect((await client.call('GET', '/v2/webhooks')).status).toBe(503);
		await control('POST', '/sandbox/faults', { status: 503 });
		await control('DELETE', '/sandbox/faults');
		expect((await client.call('GET', '/v2/webhooks')).status).toBe(200);
		expect((await control('GET', '/sandbox/requests')).body.at(-1)).toMatchObject({
			path: '/v2/webhooks',
			status: 200,
		});
	});
	test('notaries are added and reviewed, a transaction is held and reviewed', async () => {
		const { body: joined } = await control('POST', '/sandbox/notaries', {
			name: 'Ada Attest',
			state: 'TX',
		});
		expect(joined).toMatchObject({ name: 'Ada Attest', compliance: 'created' });
		expect((await control('POST', '/sandbox/notaries')).status).toBe(200);
		for (const compliance of ['needs_review', 'non_compliant', 'compliant']) {
			expect(
				(await control('POST', `/sandbox/notaries/${joined.id}/${compliance}`)).body.compliance,
			).toBe(compliance);
		}
		expect((await control('POST', `/sandbox/notaries/${joined.id}/famous`)).status).toBe(404);
		expect((await control('POST', '/sandbox/notaries/us_nobody/compliant')).status).toBe(404);
		expect(
			(await control('GET', '/sandbox/state')).body.notaries.map(({ name }: any) => name),
		).toContain('Ada Attest');
		const id = await newSent(client);
		expect(
			(await control('POST', `/sandbox/transactions/${id}/holdForReview`, { reason: 'a doubt' }))
				.body,
		).toMatchObject({
			detailed_status: 'held_for_review',
			why_not: { sign: 'The transaction is held for review', review: null },
		});
		expect((await control('POST', `/sandbox/transactions/${id}/review`)).body.detailed_status).toBe(
			'sent_to_signer',
		);
	});
	test('the console names every action', async () => {
		const script = await (await fetch(`${sandbox.url}/console/actions.mjs`)).text();
		expect(ACTION_NAMES.filter((name) => !new RegExp(`\\b${name}(:|')`).test(script))).toEqual([]);
	});
	test('the console is served; a page of another site can not use its paths', async () => {
		expect(await (await fetch(`${sandbox.url}/console`)).text()).toMatch(/Sandbox console/);
		for (const file of ['page.css', 'cards.css', 'console.mjs', 'transactions.mjs'])
			expect((await fetch(`${sandbox.url}/console/${file}`)).status).toBe(200);
		expect(
			(
				await control(
					'POST',
					'/sandbox/clock/advance',
					{ seconds: 1 },
					{ 'sec-fetch-site': 'cross-site' },
				)
			).status,
		).toBe(403);
	});
});
