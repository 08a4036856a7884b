import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { LIMITS } from '../../nodes/SignAndClose/transport/service/limits.ts';
import { CLOSING, id } from '../support/closing.mts';
import {
	credentialFor,
	hookContext,
	listContext,
	NODE,
	runNode,
	useBinaryMode,
} from '../support/engine.mts';
import { startSmallService, type SmallAnswer } from '../support/smallService.mts';

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
				return { body: [NOTARY, { ...NOTARY, id: 'us_2', us_state_abbr: 'TX' }] };
			default:
				return { status: refusal, body: { errors: ['No'] } };
		}
	};

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

	test('the trigger registers there', async () => {
		const hooks = new Map<string, typeof HOOK>();
		await using service = await startSmallService((request) => {
			if (!request.includes(' /mortgage/v2/webhooks')) return { status: 403, body: {} };
			if (request.startsWith('POST')) hooks.set(HOOK.id, HOOK);
			return { body: request.startsWith('POST') ? { id: HOOK.id } : [...hooks.values()] };
		});
		const { context, methods } = hookContext(
			{
				credential: credentialFor(service.url),
				parameters: { events: HOOK.subscriptions, retrieveTransaction: true },
			},
			'production',
		);
		expect(await methods.create.call(context)).toBe(true);
		expect(hooks.size).toBe(1);
		expect(service.asked.filter((request) => request.includes(' /v2/'))).toHaveLength(1);
	});
});

describe('notaries', () => {
	const getAll = { resource: 'notary', operation: 'getAll', returnAll: true, filters: {} };
	const run = async (url: string, more: IDataObject = {}) =>
		await runNode({
			credential: credentialFor(url, { pathLayout: 'current' }),
			parameters: { ...getAll, ...more },
		});

	test('are those of the chosen platform', async () => {
		await using service = await startSmallService(realEstateOnly(401));
		const { items } = await run(service.url, {
			platform: 'realEstate',
			filters: { us_state_abbr: 'ma' },
		});
		expect(items.map(({ json }) => json.notary_id)).toEqual(['us_1']);
		expect(service.asked).toEqual(['GET /mortgage/v1/notaries']);
	});

	test('the list in the editor shows those of the platform of the node', async () => {
		await using service = await startSmallService(realEstateOnly(404));
		const names = async (parameters: IDataObject) => {
			const context = listContext({ credential: credentialFor(service.url), parameters });
			const methods = NODE.methods!.listSearch as unknown as Record<
				string,
				(this: unknown) => Promise<{ results: Array<{ name: string }> }>
			>;
			return (await methods.searchNotaries.call(context)).results.map(({ name }) => name);
		};
		const both = ['Nora Notary · MA', 'Nora Notary · TX'];
		expect(await names({ resource: 'transaction', operation: 'createClosing' })).toEqual(both);
		await expect(names({ resource: 'transaction', operation: 'create' })).rejects.toThrow();
		expect(service.asked).toEqual(['GET /mortgage/v1/notaries', 'GET /notaries']);
	});
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
