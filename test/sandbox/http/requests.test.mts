/**
 * Which paths and bodies the API takes, which it refuses and in which shapes, and the log of
 * requests (docs/service/api.md#base-url-and-requests, docs/service/api.md#path-layouts,
 * docs/service/errors.md#statuses, docs/service/errors.md#error-bodies).
 */

import { request as httpRequest } from 'node:http';

import { refusalBody } from '../../../sandbox/domain/refusal.mts';
import { KEYS } from '../../../sandbox/index.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { B, CLOSING, newClosing, newDocument, R, reasonOf } from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

describe('paths', () => {
	test('both layouts, with and without a slash at the end, give the same answer', async () => {
		const id = await newClosing(client);
		await forEachCase(
			[
				['', '/v1'],
				['/mortgage/v1', '/mortgage/v2'],
			],
			async (paths) => {
				const answers = [];
				for (const path of paths)
					for (const slash of ['', '/'])
						answers.push(await client.ok('GET', `${path}/transactions/${id}${slash}`));
				expect(answers).toEqual(Array(4).fill(answers[0]));
			},
		);
		expect(await client.statuses('GET', ['/v2/webhooks', '/v2/webhooks/'])).toEqual([200, 200]);
	});
	test.each([
		'/v3/webhooks',
		'/v2/transactions',
		'/mortgage/v3/transactions',
		'/mortgage/transactions',
		'/mortgage/v1/webhooks',
		'/mortgage/v2/notaries',
		'/mortgage/v2/notaries/us_nora_notary',
		'/mortgage/v2/organization',
	])('%s does not exist', async (path) => {
		expect(await client.statuses('GET', [path])).toEqual([404]);
	});
});

describe('bodies', () => {
	test('a GET with a body is refused with 403', async () => {
		const { hostname, port } = new URL(sandbox.url);
		const headers = { ApiKey: KEYS.full, 'content-type': 'application/json', 'content-length': 2 };
		const status = await new Promise((resolve) => {
			httpRequest({ hostname, port, method: 'GET', path: B, headers }, (answer) =>
				resolve(answer.resume().statusCode),
			).end('{}');
		});
		expect(status).toBe(403);
		expect(sandbox.problems).toEqual(['GET /transactions: a GET has a body']);
	});
	test('what openapi.yaml does not know is refused and recorded as a problem', async () => {
		await client.refuses('POST', R, { ...CLOSING, colour: 'red' }, 422, /colour/);
		expect(sandbox.requests.at(-1)).toMatchObject({
			method: 'POST',
			valid: false,
			problem: expect.stringMatching(/colour/),
			status: 422,
		});
		await client.refuses('GET', `${B}?colour=red`, undefined, 422);
		await client.refuses('POST', `${B}/x/notarization_ready`, { colour: 'red' }, 422);
		expect(sandbox.problems).toHaveLength(3);
	});
	test('with the switch ignore, unknown fields of a body are left out, at any depth', async () => {
		sandbox.world.settings.switches.unknownFields = 'ignore';
		const signer = { ...CLOSING.signer, colour: 'red' };
		const made = await client.ok('POST', R, { ...CLOSING, colour: 'red', signer });
		expect(JSON.stringify(made)).not.toMatch(/colour/);
		expect(made.signer_info.email).toBe(CLOSING.signer.email);
		await client.refuses('GET', `${B}?colour=red`, undefined, 422);
		expect(sandbox.problems).toHaveLength(1);
	});
	test('texts, arrays and objects of another type are 400, on webhooks 422', async () => {
		const id = await newClosing(client);
		const document = await newDocument({ signing_designations: {} });
		const hook = { url: 'https://a.example/' };
		for (const [method, path, body, status, text] of [
			['PUT', `${R}/${id}`, { transaction_name: 7 }, 400, 'transaction_name - expected String'],
			['POST', B, { signers: { email: 'a@example.com' } }, 400, 'signers - expected Array'],
			['POST', B, { signers: [{ email: 7 }] }, 400, 'email - expected String'],
			['POST', `${B}/${id}/documents`, document, 400, 'signing_designations - expected Array'],
			['POST', '/v2/webhooks', { ...hook, subscriptions: '*' }, 422, 'expected Array'],
			['POST', '/v2/webhooks', hook, 422, 'required field subscriptions - expected Array'],
		] as const)
			await client.refuses(method, path, body, status, new RegExp(`^Invalid value.*${text}$`));
	});
	test('a body goes as JSON, and so does an answer', async () => {
		const send = async (type: string, body: string) => {
			const headers = { ApiKey: KEYS.full, 'content-type': type };
			const answer = await fetch(sandbox.url + R, { method: 'POST', headers, body });
			return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
		};
		const body = JSON.stringify(CLOSING);
		expect(await send('application/json', body)).toEqual([200, 'application/json']);
		expect(await send('text/plain', body)).toEqual([400, 'application/json']);
		expect(await send('application/json', '{"signers":')).toEqual([400, 'application/json']);
		expect(sandbox.problems).toHaveLength(2);
	});
});

describe('refusals', () => {
	test('come in six shapes, each with the text in it', () => {
		const shapes = new Set<string>();
		forEachCase(
			[
				'createTransaction',
				'createClosing',
				'addDocument',
				'sendTransaction',
				'sendClosing',
				'getTransaction',
				'addEnote',
				'createWebhook',
				'updateDocument',
				'recallTransaction',
				'deleteTransaction',
			],
			(operation) =>
				forEachCase([401, 404, 422], (status) => {
					const body = refusalBody(operation, status, 'the text');
					expect(reasonOf(body)).toContain('the text');
					shapes.add(JSON.stringify(body));
				}),
		);
		expect(shapes.size).toBe(6);
	});
	test('have the shape that is published, and a trace header', async () => {
		const wrong = await fetch(`${sandbox.url}/v2/webhooks`, { headers: { ApiKey: 'wrong' } });
		const text = 'Invalid authentication credentials';
		expect(await wrong.json()).toEqual({ message: text, errors: [text] });
		expect(wrong.headers.get('x-amz-trace-id')).toMatch(/^Root=1-/);
		await forEachCase(
			[
				[`${B}/ot_none`, ['Transaction Not Found']],
				['/v2/webhooks/wh1/events', { request: 'resource not found' }],
				['/templates?limit=0', { request: ['invalid request parameters'] }],
			] as const,
			async ([path, errors]) => expect((await client.call('GET', path)).body).toEqual({ errors }),
		);
	});
});
