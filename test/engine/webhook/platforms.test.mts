import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { LIMITS } from '../../../nodes/SignAndClose/transport/service/limits.ts';
import { CLOSING, id } from '../../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { startSmallService, type SmallAnswer } from '../../support/smallService.mts';

/** Accounts that are for one platform alone, and calls that belong to the other platform. */

beforeAll(async () => await useBinaryMode('filesystem'));

const HOOK = {
	id: 'wh1',
	url: 'https://n8n.example.com/webhook/a',
	subscriptions: ['transaction.completed'],
	enabled: true,
};
const NOTARY = { id: 'us_1', first_name: 'Nora', last_name: 'Notary', us_state_abbr: 'MA' };

/** The webhooks and notaries of an account that is for real estate alone. */
const realEstateOnly =
	(refusal: number) =>
	(request: string): SmallAnswer => {
		switch (request) {
			case 'GET /mortgage/v2/webhooks':
				return { body: [HOOK] };
			case 'POST /mortgage/v2/webhooks/':
			case 'GET /mortgage/v2/webhooks/wh1':
				return { body: HOOK };
			case 'PUT /mortgage/v2/webhooks/wh1':
				return { body: { updated: true } };
			case 'DELETE /mortgage/v2/webhooks/wh1':
				return { body: { deleted: true } };
			case 'GET /mortgage/v2/webhooks/wh1/events':
				return { body: [] };
			case 'GET /mortgage/v1/notaries':
				return { body: [NOTARY] };
			default:
				return { status: refusal, body: { errors: ['No'] } };
		}
	};

test('a webhook that is gone is not found, where the key is taken', async () => {
	await using service = await startSmallService((request) =>
		request.startsWith('DELETE /mortgage/')
			? { status: 404, body: { errors: ['Webhook not found'] } }
			: realEstateOnly(401)(request),
	);
	const { error } = await runNode({
		credential: credentialFor(service.url),
		parameters: { resource: 'webhook', operation: 'delete', webhookId: id('wh1') },
	});
	expect(error?.message).toBe("'Webhook' wh1 was not found: it may be gone already");
});

const WEBHOOK_CALLS: Array<[operation: string, parameters: IDataObject, asked: string[]]> = [
	[
		'create',
		{ url: HOOK.url, events: HOOK.subscriptions, additionalFields: {} },
		// Once the path is known, it is asked at once.
		['GET /v2/webhooks', 'GET /mortgage/v2/webhooks', 'POST /mortgage/v2/webhooks/'],
	],
	[
		'delete',
		{ webhookId: id('wh1') },
		['DELETE /v2/webhooks/wh1', 'DELETE /mortgage/v2/webhooks/wh1'],
	],
	[
		// Once the path is known, it is asked at once.
		'update',
		{ webhookId: id('wh1'), updateFields: { url: 'https://n8n.example.com/webhook/b' } },
		[
			'GET /v2/webhooks/wh1',
			'GET /mortgage/v2/webhooks/wh1',
			'PUT /mortgage/v2/webhooks/wh1',
			'GET /mortgage/v2/webhooks/wh1',
		],
	],
	[
		'getEvents',
		{ webhookId: id('wh1'), returnAll: true, filters: {} },
		['GET /v2/webhooks/wh1/events?limit=100&offset=0', 'GET /mortgage/v2/webhooks/wh1/events'],
	],
];

describe('webhooks of an account that is for real estate alone', () => {
	test.each(WEBHOOK_CALLS)('%s', async (operation, parameters, asked) => {
		await using service = await startSmallService(realEstateOnly(403));
		const { error } = await runNode({
			credential: credentialFor(service.url),
			parameters: { resource: 'webhook', operation, ...parameters },
		});
		expect(error?.message).toBeUndefined();
		expect(service.asked).toEqual(asked);
	});

	test('a refused key is told when neither path answers', async () => {
		await using service = await startSmallService(() => ({
			status: 401,
			body: { errors: ['Invalid authentication credentials'] },
		}));
		const { error } = await runNode({
			credential: credentialFor(service.url),
			parameters: { resource: 'webhook', operation: 'get', webhookId: id('wh1') },
		});
		expect(error?.message).toBe("The service didn't accept the API key");
	});

	test('once the path is known, a webhook that is gone is not looked for elsewhere', async () => {
		await using service = await startSmallService((request) =>
			request === 'GET /v2/webhooks/wh1' ? { body: HOOK } : undefined,
		);
		const { error } = await runNode({
			credential: credentialFor(service.url),
			parameters: {
				resource: 'webhook',
				operation: 'update',
				webhookId: id('wh1'),
				updateFields: { url: 'https://n8n.example.com/webhook/b' },
			},
		});
		expect(error?.message).toBe("'Webhook' wh1 was not found");
		expect(service.asked).toEqual(['GET /v2/webhooks/wh1', 'PUT /v2/webhooks/wh1']);
	});

	test('a webhook of the other platform is found there, whatever was found before it', async () => {
		const known = ['GET /v2/webhooks/wh1', 'GET /v2/webhooks/wh3', 'GET /mortgage/v2/webhooks/wh2'];
		await using service = await startSmallService((request) =>
			known.includes(request) ? { body: { ...HOOK, id: request.slice(-3) } } : undefined,
		);
		const { items } = await runNode({
			credential: credentialFor(service.url),
			parameters: { resource: 'webhook', operation: 'get', webhookId: id('={{ $json.id }}') },
			items: ['wh1', 'wh2', 'wh3'].map((webhook) => ({ json: { id: webhook } })),
			limits: { pace: { ...LIMITS.pace, firstAtOnce: 1, mostAtOnce: 1 } },
		});
		expect(items.map(({ json }) => json.webhook_id)).toEqual(['wh1', 'wh2', 'wh3']);
		expect(service.asked).toEqual([
			'GET /v2/webhooks/wh1',
			'GET /v2/webhooks/wh2',
			'GET /mortgage/v2/webhooks/wh2',
			'GET /v2/webhooks/wh3',
		]);
	});
});

test('notaries are those of the chosen platform, and no others in their place', async () => {
	for (const [platform, asked] of [
		['realEstate', 'GET /mortgage/v1/notaries'],
		['business', 'GET /v1/notaries'],
	]) {
		await using service = await startSmallService(realEstateOnly(403));
		const { error } = await runNode({
			credential: credentialFor(service.url, { pathLayout: 'current' }),
			parameters: {
				resource: 'notary',
				operation: 'getAll',
				returnAll: true,
				filters: {},
				platform,
			},
		});
		expect(error === undefined).toBe(platform === 'realEstate');
		expect(service.asked).toEqual([asked]);
	}
});

describe('a call that belongs to the other platform', () => {
	const TRANSACTION = {
		id: 'ot_1',
		status: 'sent',
		detailed_status: 'sent_to_signer',
		documents: [{ id: 'do_1', document_name: 'Deed' }],
	};
	const USE_BUSINESS = 'Unauthorized: This organization must use the Business API for transactions';
	const USE_REAL_ESTATE = 'You must use the RealEstate API for real estate transactions';
	const refused = (status: number, text: string): SmallAnswer => ({
		status,
		body: { errors: [text] },
	});

	test.each([
		['business', 422, USE_REAL_ESTATE, "Set 'Platform' to Real Estate"],
		['realEstate', 401, USE_BUSINESS, "Set 'Platform' to Business"],
		['realEstate', 404, 'Transaction Not Found', "'Platform'"],
		// A service that offers only the documented calls has this one on business alone.
		['realEstate', 404, 'no such path', "'Platform'"],
	])('a read is not made there: %s, %i %s: %s', async (platform, status, text, remedy) => {
		await using service = await startSmallService(() => refused(status, text));
		const { error } = await runNode({
			credential: credentialFor(service.url),
			parameters: {
				resource: 'transaction',
				operation: 'get',
				platform,
				transactionId: id('ot_1'),
			},
		});
		expect(error?.description).toContain(remedy);
		expect(service.asked).toHaveLength(1);
	});

	test.each([
		[401, USE_BUSINESS, CLOSING, /use 'Transaction: Create'$/],
		// This form has no platform to choose.
		[401, 'Feature not available in current tier', CLOSING, /plan doesn't include this/],
		[
			422,
			USE_REAL_ESTATE,
			{
				resource: 'document',
				operation: 'delete',
				platform: 'business',
				transactionId: id('ot_1'),
				documentId: id('do_1'),
			},
			/'Platform' to Real Estate/,
		],
	])(
		'a write is not: %i %s is told with what the form can do about it',
		async (status, text, parameters, remedy) => {
			await using service = await startSmallService((request) =>
				request.startsWith('GET') ? { body: TRANSACTION } : refused(status, text),
			);
			const { error } = await runNode({ credential: credentialFor(service.url), parameters });
			expect(error?.message).toBe(`The service refused this: ${text}`);
			expect(error?.description).toMatch(remedy);
			expect(service.asked.filter((request) => !request.startsWith('GET'))).toHaveLength(1);
		},
	);
});
