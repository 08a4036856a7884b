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

/** The webhooks and notaries of an account that is for real estate alone. */
const ANSWERS: Record<string, unknown> = {
	'GET /mortgage/v2/webhooks': [HOOK],
	'POST /mortgage/v2/webhooks/': HOOK,
	'GET /mortgage/v2/webhooks/wh1': HOOK,
	'PUT /mortgage/v2/webhooks/wh1': { updated: true },
	'GET /mortgage/v1/notaries': [{ id: 'us_1', us_state_abbr: 'MA' }],
};
const realEstateOnly = (request: string): SmallAnswer =>
	request in ANSWERS ? { body: ANSWERS[request] } : { status: 403, body: { errors: ['No'] } };

const run = async (url: string, resource: string, operation: string, more: IDataObject) =>
	await runNode({ credential: credentialFor(url), parameters: { resource, operation, ...more } });
const UPDATE = { webhookId: id('wh1'), updateFields: { url: 'https://n8n.example.com/webhook/b' } };

test.each<[operation: string, parameters: IDataObject, asked: string[]]>([
	[
		'create',
		{ url: HOOK.url, events: HOOK.subscriptions, additionalFields: {} },
		// Once the path is known, it is asked at once.
		['GET /v2/webhooks', 'GET /mortgage/v2/webhooks', 'POST /mortgage/v2/webhooks/'],
	],
	[
		'update',
		UPDATE,
		[
			'GET /v2/webhooks/wh1',
			'GET /mortgage/v2/webhooks/wh1',
			'PUT /mortgage/v2/webhooks/wh1',
			'GET /mortgage/v2/webhooks/wh1',
		],
	],
])('a webhook of an account for real estate alone: %s', async (operation, parameters, asked) => {
	await using service = await startSmallService(realEstateOnly);
	const { error } = await run(service.url, 'webhook', operation, parameters);
	expect(error?.message).toBeUndefined();
	expect(service.asked).toEqual(asked);
});
test('a webhook that is gone is not looked for elsewhere, once the path is known', async () => {
	await using service = await startSmallService((request) =>
		request === 'GET /v2/webhooks/wh1' ? { body: HOOK } : undefined,
	);
	const { error } = await run(service.url, 'webhook', 'update', UPDATE);
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

test.each([
	['realEstate', 'GET /mortgage/v1/notaries', undefined],
	['business', 'GET /notaries', /doesn't allow this/],
])('notaries of %s are asked for there alone', async (platform, asked, refusal) => {
	await using service = await startSmallService(realEstateOnly);
	const list = { returnAll: true, filters: {}, platform };
	const { error } = await run(service.url, 'notary', 'getAll', list);
	expect(error?.message).toEqual(refusal && expect.stringMatching(refusal));
	expect(service.asked).toEqual([asked]);
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
		// What is set already is no remedy.
		['realEstate', 422, USE_REAL_ESTATE, 'This is for the business platform only'],
		['business', 401, USE_BUSINESS, 'This is for closings only'],
		// A service that offers only the documented calls has this one on business alone.
		['realEstate', 404, 'no such path', "'Platform'"],
	])('a read is not made there: %s, %i %s: %s', async (platform, status, text, remedy) => {
		await using service = await startSmallService(() => refused(status, text));
		const chosen = { platform, transactionId: id('ot_1') };
		const { error } = await run(service.url, 'transaction', 'get', chosen);
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
			expect(error?.message).toBe(`The service rejected the request: ${text}`);
			expect(error?.description).toMatch(remedy);
			expect(service.asked.filter((request) => !request.startsWith('GET'))).toHaveLength(1);
		},
	);
});
