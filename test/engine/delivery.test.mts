import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import type { IDataObject, INodeExecutionData, IWebhookResponseData } from 'n8n-workflow';

import { subscriptionStore } from '../../nodes/SignAndClose/trigger/subscription/subscriptionStore.ts';
import { emitRecorded } from '../../nodes/SignAndClose/trigger/events/eventRecords.ts';
import { readTriggerParameters } from '../../nodes/SignAndClose/trigger/parameters.ts';
import { signBody } from '../../nodes/SignAndClose/trigger/authenticity/signature.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { completedClosing, createClosing } from '../support/closing.mts';
import {
	credentialFor,
	hookContext,
	readFile,
	runNode,
	triggerContext,
	useBinaryMode,
	webhookContext,
} from '../support/engine.mts';

/**
 * Deliveries: whom the trigger believes, what it passes on, what it drops, and what it picks up
 * again.
 */

let sandbox: Sandbox;
const credential = (more: IDataObject = {}) => credentialFor(sandbox.url, more as never);
const SECRET = 's'.repeat(43);
const ANY = {
	events: ['*'],
	confirm: false,
	retrieveTransaction: true,
	simplify: true,
	filters: {},
	options: {},
	deliveryMode: 'push',
};
let count = 0;
/** How often a delivery opened the credential. */
let credentialsRead = 0;
/** An event that has not been seen before. */
const event = (more: IDataObject = {}, name = 'transaction.completed') => ({
	event: name,
	data: {
		transaction_id: 'ot_1',
		date_occurred: `2026-01-02T03:04:05.${String(++count).padStart(6, '0')}Z`,
		...more,
	},
});
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
afterEach(() => {
	expect(sandbox.problems).toEqual([]);
	sandbox.world.webhooks.clear();
	sandbox.faults.clear();
});

interface Sent {
	parameters?: IDataObject;
	secret?: string;
	headers?: Record<string, string>;
	staticData?: IDataObject;
	credential?: IDataObject;
	mode?: 'manual' | 'webhook';
}

/** A delivery through a real HTTP server (express, as n8n's own) into n8n's webhook context. */
async function deliver(
	body: unknown,
	{
		parameters = {},
		secret = SECRET,
		headers = {},
		staticData = { secret: SECRET },
		credential: more = {},
		mode = 'webhook',
	}: Sent = {},
) {
	let result: IWebhookResponseData | undefined;
	const app = express();
	app.use(
		express.json({
			verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
		}),
	);
	app.post('/webhook', async (request, response) => {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(more),
			parameters: { ...ANY, ...parameters },
			staticData: { 'node:Tested': staticData },
			mode,
		};
		const { context, webhook } = webhookContext(options, request, response);
		const read = jest.spyOn(context, 'getCredentials');
		result = await webhook.call(context);
		credentialsRead += read.mock.calls.length;
		if (!result.noWebhookResponse) response.json({});
	});
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const answer = await fetch(`http://127.0.0.1:${port}/webhook?key=${secret}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: text,
	});
	const said = await answer.text();
	server.closeAllConnections();
	server.close();
	return { status: answer.status, said, item: result?.workflowData?.[0]?.[0]?.json };
}

/** The run of what a delivery gave. */
const runOf = async (
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	mode: 'manual' | 'webhook' = 'webhook',
) =>
	await runNode({
		type: 'signAndCloseTrigger',
		credential: credential(),
		parameters: { ...ANY, ...parameters },
		items,
		mode,
	});

describe('trust', () => {
	test.each([
		['a wrong', 'x'.repeat(43)],
		['a shorter', 's'],
		['an empty', ''],
	])('%s secret gets 401 and no word more', async (_name, secret) => {
		expect(await deliver(event(), { secret })).toEqual({ status: 401, said: '', item: undefined });
	});
	test('without a secret on our side nothing is believed', async () => {
		expect((await deliver(event(), { staticData: {} })).status).toBe(401);
		expect((await deliver(event(), { secret: '', staticData: {} })).status).toBe(401);
	});
	test('the secret before this one is believed for a grace time', async () => {
		const previous = { secret: 'p'.repeat(43), until: Date.now() + 1000 };
		expect(
			(
				await deliver(event(), {
					secret: previous.secret,
					staticData: { secret: SECRET, previous },
				})
			).status,
		).toBe(200);
		expect(
			(
				await deliver(event(), {
					secret: previous.secret,
					staticData: { secret: SECRET, previous: { ...previous, until: Date.now() - 1 } },
				})
			).status,
		).toBe(401);
	});
	test('a signature over the raw body is checked, whoever of ours holds the key', async () => {
		const body = `  ${JSON.stringify(event())} `;
		for (const [key, more] of [
			[SECRET, {}],
			['key of the credential', { webhookSigningSecret: 'key of the credential' }],
			['demo-full-access-key', {}],
		] as const) {
			expect(
				(await deliver(body, { headers: { 'x-signature': signBody(body, key) }, credential: more }))
					.status,
			).toBe(200);
		}
		expect(
			(await deliver(body, { headers: { 'x-signature': signBody(body, 'another key') } })).status,
		).toBe(401);
		expect(
			(await deliver(`${body} `, { headers: { 'x-signature': signBody(body, SECRET) } })).status,
		).toBe(401);
		expect(
			(
				await deliver(body, {
					headers: { 'x-brand-signature': signBody(body, SECRET) },
					credential: { webhookSignatureHeader: 'X-Brand-Signature' },
					parameters: { options: { signatureRequired: true } },
				})
			).status,
		).toBe(200);
	});
	test('a missing signature is refused where one is required', async () => {
		expect((await deliver(event())).status).toBe(200);
		expect(
			(await deliver(event(), { parameters: { options: { signatureRequired: true } } })).status,
		).toBe(401);
	});
	test('what the sandbox signs is believed', async () => {
		const { context, methods, workflow } = hookContext(
			{ credential: credential(), parameters: ANY },
			'signed',
		);
		await methods.create.call(context);
		const [hook] = sandbox.world.webhooks.values();
		const body = JSON.stringify(event());
		const staticData = workflow.getStaticData('node', workflow.getNode('Tested')!);
		expect(
			(
				await deliver(body, {
					secret: String(staticData.secret),
					staticData,
					headers: { 'x-signature': signBody(body, hook.signingKey!) },
					parameters: { options: { signatureRequired: true } },
				})
			).status,
		).toBe(200);
	});
	test('a body that is no event gets 400', async () => {
		expect((await deliver({ hello: 'world' })).status).toBe(400);
	});
});

describe('trust, when things have changed since', () => {
	test('the signature header is corrected in the credential: it counts at once, and a wrong signature under it is not believed', async () => {
		const body = event();
		const staticData = { secret: SECRET, signatureHeader: 'x-signature' };
		const credentialNow = { webhookSignatureHeader: 'X-Brand-Signature' };
		const required = { options: { signatureRequired: true } };
		expect(
			(
				await deliver(body, {
					headers: { 'x-brand-signature': signBody(JSON.stringify(body), SECRET) },
					staticData,
					credential: credentialNow,
					parameters: required,
				})
			).status,
		).toBe(200);
		expect(
			(
				await deliver(body, {
					headers: { 'x-brand-signature': signBody('other', SECRET) },
					staticData,
					credential: credentialNow,
				})
			).status,
		).toBe(401);
		expect(
			(await deliver(body, { staticData, credential: credentialNow, parameters: required })).status,
		).toBe(401);
	});
	test('what n8n stores for the workflow was set back by another trigger: what this process knows still counts', async () => {
		const { context } = hookContext({ credential: credential(), parameters: ANY }, 'set-back');
		const memory = subscriptionStore.register(context);
		try {
			Object.assign(memory, { secret: 'n'.repeat(43) });
			expect(
				(await deliver(event(), { secret: 'n'.repeat(43), staticData: { secret: 'o'.repeat(43) } }))
					.status,
			).toBe(200);
			expect(
				(await deliver(event(), { secret: 'z'.repeat(43), staticData: { secret: 'o'.repeat(43) } }))
					.status,
			).toBe(401);
		} finally {
			subscriptionStore.forget(context);
		}
	});
});

describe('confirmed at the service', () => {
	const confirm = { parameters: { confirm: true } };
	test('with the transaction, its ids at top level, and how it came', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { status, item } = await deliver(event({ transaction_id: transactionId }), {
			...confirm,
			headers: { 'x-case': '7', cookie: 'secret=1', authorization: 'Bearer x' },
		});
		expect(status).toBe(200);
		expect(item).toMatchObject({
			event: 'transaction.completed',
			transaction_id: transactionId,
			notarization_record_id: expect.stringMatching(/^me_/),
			confirmed: true,
			outdated: false,
			transaction: { detailed_status: 'complete' },
		});
		expect(item!.delivery).toEqual({
			by: 'delivery',
			at: expect.stringMatching(/Z$/),
			headers: expect.objectContaining({ 'x-case': '7' }),
		});
		expect(JSON.stringify(item)).not.toMatch(/secret=1|Bearer x|demo-full-access-key|s{43}/);
	});
	test.each([
		['an unknown transaction', event({ transaction_id: 'ot_unknown' }), {}, /was not found/],
		[
			'no transaction',
			event({ transaction_id: undefined, notary_id: 'us_1' }, 'notary.created'),
			{},
			/names no transaction/,
		],
		['a key that is no longer valid', event(), { apiKey: 'an-old-key' }, /API key/],
	])('%s is passed on, marked, with the reason', async (_name, body, more, reason) => {
		const { status, item } = await deliver(body, { ...confirm, credential: more });
		expect(status).toBe(200);
		expect(item).toMatchObject({
			confirmed: false,
			unconfirmed_reason: expect.stringMatching(reason),
		});
	});
	test('a credential edited between two deliveries counts from the next one on, and its key goes to no other host than its own', async () => {
		const transactionId = await createClosing(credential());
		expect((await deliver(event({ transaction_id: transactionId }), confirm)).item).toMatchObject({
			confirmed: true,
		});
		const other = await startSandbox();
		try {
			const moved = { baseUrl: other.url, apiKey: other.keys.full };
			const there = await createClosing(credentialFor(other.url, moved));
			const before = sandbox.requests.length;
			expect(
				(await deliver(event({ transaction_id: there }), { ...confirm, credential: moved })).item,
			).toMatchObject({ confirmed: true, transaction: { transaction_id: there } });
			expect(sandbox.requests.length).toBe(before);
			// Another layout at the same address: the paths of before are not there any more.
			const layout = {
				...moved,
				pathLayout: 'custom',
				businessPrefix: '/v1',
				realEstatePrefix: '/mortgage/v2',
				realEstateAssurancePrefix: '/mortgage/v2',
				webhooksPrefix: '/v2',
			};
			expect(
				(await deliver(event({ transaction_id: there }), { ...confirm, credential: layout })).item,
			).toMatchObject({ confirmed: true });
		} finally {
			await other.close();
		}
	});
	test('a delivery opens the credential once: when n8n puts the key on the question', async () => {
		const transactionId = await createClosing(credential());
		await deliver(event({ transaction_id: transactionId }), confirm);
		credentialsRead = 0;
		for (let round = 0; round < 3; round++) {
			const body = event({ transaction_id: transactionId });
			const signed = {
				headers: { 'x-signature': signBody(JSON.stringify(body), SECRET) },
				staticData: { secret: SECRET, signatureHeader: 'x-signature' },
			};
			expect((await deliver(body, { ...confirm, ...signed })).item).toMatchObject({
				confirmed: true,
			});
		}
		expect(credentialsRead).toBe(3);
	});
	test('the key of a business account confirms too, although it is refused on the real-estate side', async () => {
		const business = await startSandbox({ account: 'business' });
		try {
			const own = { baseUrl: business.url, apiKey: business.keys.full };
			const made = await runNode({
				credential: credentialFor(business.url, own),
				parameters: {
					resource: 'transaction',
					operation: 'create',
					signers: { row: [{ email: 'jane@example.com' }] },
					documents: {},
					draft: true,
					transactionName: 'Power of attorney',
					additionalFields: {},
					simplify: true,
				},
			});
			if (made.error) throw made.error;
			const id = made.items[0].json.transaction_id;
			expect(
				(await deliver(event({ transaction_id: id }), { ...confirm, credential: own })).item,
			).toMatchObject({ confirmed: true, transaction: { transaction_id: id } });
		} finally {
			await business.close();
		}
	});
	test('of a deleted transaction "not found" is the confirmation', async () => {
		expect(
			(await deliver(event({ transaction_id: 'ot_gone' }, 'transaction.deleted'), confirm)).item,
		).toMatchObject({ confirmed: true });
	});
	test('a service that can not be asked now gets 503, so that it delivers again, and then it passes', async () => {
		const transactionId = await createClosing(credential());
		const body = event({ transaction_id: transactionId });
		sandbox.faults.add({ method: 'GET', path: /\/transactions\//, status: 503, times: 50 });
		const began = Date.now();
		expect(await deliver(body, confirm)).toEqual({ status: 503, said: '', item: undefined });
		// The service waits 30 seconds for an answer.
		sandbox.faults.clear();
		sandbox.faults.add({
			method: 'GET',
			path: /\/transactions\//,
			status: 429,
			headers: { 'retry-after': '60' },
		});
		expect((await deliver(body, confirm)).status).toBe(503);
		expect(Date.now() - began).toBeLessThan(10_000);
		sandbox.faults.clear();
		expect((await deliver(body, confirm)).item).toMatchObject({ confirmed: true, outdated: true });
	}, 60_000);
});

describe('filters', () => {
	test.each([
		[{ external_id: 'case-*' }, true],
		[{ external_id: 'CASE-118' }, true],
		[{ external_id: 'case' }, false],
		[{ external_id: '*-118' }, true],
		[{ external_id: 'c*8*9' }, false],
		[{ platform: 'realEstate' }, true],
		[{ platform: 'business' }, false],
		[{ transaction_type: 'refinance' }, true],
		[{ transaction_type: 'heloc' }, false],
		[{ organization_id: 'or_harbor' }, true],
		[{ organization_id: 'or_harbor_branch' }, false],
	])('%j: %s; filtered out is 200', async (filters, passed) => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { external_id: 'case-118' },
		});
		const { status, item } = await deliver(event({ transaction_id: transactionId }), {
			parameters: { filters },
		});
		expect([status, item !== undefined]).toEqual([200, passed]);
	});
	test('an event that was not chosen is 200 and starts nothing; typed ones are chosen too', async () => {
		expect(await deliver(event(), { parameters: { events: ['transaction.sent'] } })).toMatchObject({
			status: 200,
			item: undefined,
		});
		expect(
			(
				await deliver(event({}, 'transaction.archived'), {
					parameters: { events: [], options: { otherEvents: [' transaction.archived '] } },
				})
			).item,
		).toBeDefined();
	});
});

describe('once', () => {
	test('a repeat is dropped in its run, and after that before a run is started', async () => {
		const body = event();
		const [first, second] = [await deliver(body), await deliver(body)];
		expect(first.item!.delivery_key).toBe(second.item!.delivery_key);
		const parameters = { retrieveTransaction: false };
		expect((await runOf([{ json: first.item! }], parameters)).items).toHaveLength(1);
		expect((await runOf([{ json: second.item! }], parameters)).items).toEqual([]);
		expect(await deliver(body)).toMatchObject({ status: 200, item: undefined });
	});
	test('a hundred runs at once of twenty events: each passes once', async () => {
		const keys = Array.from({ length: 100 }, (_, index) => `key-${index % 20}`);
		const runs = await Promise.all(
			keys.map(
				async (key) =>
					await runOf([{ json: { event: 'x', delivery_key: key } }], {
						retrieveTransaction: false,
					}),
			),
		);
		const passed = runs.flatMap(({ items }) => items.map(({ json }) => json.delivery_key));
		expect(passed).toHaveLength(20);
		expect(new Set(passed).size).toBe(20);
	});
	test('a run that fails gives its event back: the next delivery passes', async () => {
		const { item } = await deliver(event({ transaction_id: 'ot_unknown' }));
		expect((await runOf([{ json: item! }])).error?.message).toMatch(
			/'Transaction' ot_unknown was not found/,
		);
		expect((await runOf([{ json: item! }], { retrieveTransaction: false })).items).toHaveLength(1);
	});
	test('a run that fails and shall go on says why, with the event', async () => {
		const { item } = await deliver(event({ transaction_id: 'ot_unknown' }));
		const { items, errorItems } = await runNode({
			type: 'signAndCloseTrigger',
			credential: credential(),
			parameters: ANY,
			items: [{ json: item! }],
			mode: 'webhook',
			node: { onError: 'continueErrorOutput' },
		});
		expect(items).toEqual([]);
		expect(errorItems.map(({ json }) => json)).toEqual([
			{
				error: expect.stringMatching(/was not found/),
				details: expect.objectContaining({
					transaction_id: 'ot_unknown',
					event: 'transaction.completed',
				}),
			},
		]);
	});
	test('who listens for a test event gets it, although the published workflow has taken it', async () => {
		const body = event();
		const { item } = await deliver(body);
		expect((await runOf([{ json: item! }], { retrieveTransaction: false })).items).toHaveLength(1);
		expect((await deliver(body)).item).toBeUndefined();
		expect((await deliver(body, { mode: 'manual' })).item).toMatchObject({
			delivery_key: item!.delivery_key,
		});
	});
	test('by hand everything passes, as often as one likes', async () => {
		const { item } = await deliver(event());
		for (let tries = 0; tries < 3; tries++)
			expect(
				(await runOf([{ json: item! }], { retrieveTransaction: false }, 'manual')).items,
			).toHaveLength(1);
	});
});

describe('the run', () => {
	test('retrieves the transaction where that was not done before, and leaves it out on request', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { item } = await deliver(event({ transaction_id: transactionId }));
		expect(item!.transaction).toBeUndefined();
		const { items } = await runOf([{ json: item! }]);
		expect(items[0].json).toMatchObject({
			notarization_record_id: expect.stringMatching(/^me_/),
			transaction: { detailed_status: 'complete', documents: [{ document_name: 'Deed of Trust' }] },
		});
		const confirmed = await deliver(event({ transaction_id: transactionId }), {
			parameters: { confirm: true },
		});
		expect(
			(await runOf([{ json: confirmed.item! }], { retrieveTransaction: false })).items[0].json
				.transaction,
		).toBeUndefined();
	});
	test('adds the finished documents as files', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { item } = await deliver(event({ transaction_id: transactionId }));
		const { items } = await runOf([{ json: item! }], { options: { downloadDocuments: true } });
		const file = items[0].binary!.document_1;
		expect(file).toMatchObject({ fileName: 'Deed of Trust.pdf', mimeType: 'application/pdf' });
		expect(
			(await readFile(file)).equals(
				sandbox.world.transactions.get(transactionId)!.documents[0].final!,
			),
		).toBe(true);
	});
	test('does not look for a transaction that was deleted', async () => {
		const { item } = await deliver(event({ transaction_id: 'ot_gone' }, 'transaction.deleted'));
		expect((await runOf([{ json: item! }])).items[0].json).toMatchObject({
			event: 'transaction.deleted',
			transaction_id: 'ot_gone',
		});
	});
});

describe('the event records', () => {
	/** A published trigger whose deliveries all go wrong. */
	async function published(parameters: IDataObject = {}) {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: { ...ANY, events: ['transaction.created'], ...parameters },
		};
		const { context, methods, workflow } = hookContext(options, `records-${++count}`);
		await methods.create.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		const [hook] = [...sandbox.world.webhooks.values()].slice(-1);
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': { ...memory } } });
		const emitted: Array<{ json: IDataObject; key: string }> = [];
		// What n8n gives a published trigger; the context of n8n-core has only a place for it.
		trigger.emit = (
			[[{ json }]]: INodeExecutionData[][],
			_response: unknown,
			_done: unknown,
			key: string,
		) => emitted.push({ json, key });
		return { trigger, emitted, hook };
	}
	test('what no delivery has brought is emitted once, oldest first, with a key of its own', async () => {
		const { trigger, emitted, hook } = await published();
		const made = [await createClosing(credential()), await createClosing(credential())];
		await sandbox.clock.settled();
		expect(hook.events.every(({ response }) => response.code !== 200)).toBe(true);
		const handled = new Set<string>();
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(2);
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(0);
		expect(emitted.map(({ json }) => json.transaction_id)).toEqual(made);
		expect(emitted[0]).toMatchObject({
			json: { delivery: { by: 'recovery' }, delivery_key: expect.any(String) },
			key: expect.stringMatching(/^signAndClose:test:.+:[0-9a-f]{32}$/),
		});
	});
	test('what arrived after all is not emitted; in pull mode everything is', async () => {
		for (const [deliveryMode, wanted] of [
			['push', 0],
			['pull', 1],
		] as const) {
			const { trigger, emitted, hook } = await published({ deliveryMode });
			await createClosing(credential());
			await sandbox.clock.settled();
			hook.events.unshift({ ...hook.events[0], response: { code: 200, body: '', error: '' } });
			expect(await emitRecorded(trigger, readTriggerParameters(trigger), new Set())).toBe(wanted);
			expect(emitted.map(({ json }) => (json.delivery as IDataObject).by)).toEqual(
				wanted === 0 ? [] : ['pull'],
			);
		}
	});
	test('what can not be confirmed now is left for the next time', async () => {
		const { trigger, emitted } = await published({ confirm: true });
		await createClosing(credential());
		await sandbox.clock.settled();
		const handled = new Set<string>();
		sandbox.faults.add({ method: 'GET', path: /\/transactions\/ot_/, status: 503, times: 50 });
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(0);
		sandbox.faults.clear();
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(1);
		expect(emitted[0].json).toMatchObject({ confirmed: true });
	}, 60_000);
	test('a run that n8n could not store is tried again with the next look', async () => {
		const { trigger } = await published();
		await createClosing(credential());
		await sandbox.clock.settled();
		const handled = new Set<string>();
		const done: Array<{ reject: (thrown: Error) => void }> = [];
		trigger.emit = (_data: unknown, _response: unknown, promise: never) => void done.push(promise);
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(1);
		done[0].reject(new Error('database is locked'));
		await new Promise((wake) => setImmediate(wake));
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(1);
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(0);
	});
	test('a look goes back seven days and no further, asks for no page beyond, and remembers no keys it can not meet again', async () => {
		const { trigger, emitted, hook } = await published();
		await createClosing(credential());
		await sandbox.clock.settled();
		const [record] = hook.events;
		const week = 7 * 24 * 3_600_000;
		const now = Date.parse(record.delivered);
		const aged = (age: number, number: number) => ({
			...record,
			id: `aged-${number}`,
			delivered: new Date(now - age).toISOString(),
			payload: JSON.stringify({
				event: 'transaction.created',
				data: { transaction_id: `ot_${number}`, date_occurred: new Date(now - age).toISOString() },
			}),
		});
		hook.events.push(
			aged(week - 60_000, 1),
			...Array.from({ length: 500 }, (_, index) => aged(week + 60_000 + index, index + 2)),
		);
		const before = sandbox.requests.length;
		const handled = new Set(['a key of long ago']);
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(2);
		expect(emitted.map(({ json }) => json.transaction_id)).toContain('ot_1');
		expect(
			sandbox.requests.slice(before).filter(({ path }) => path.endsWith('/events')).length,
		).toBeLessThanOrEqual(2);
		expect(handled.size).toBe(2);
	});
	test('what had not arrived when the workflow was unpublished comes with the next publishing, once', async () => {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: { ...ANY, events: ['transaction.created'] },
		};
		const { context, methods, workflow } = hookContext(options, `again-${++count}`);
		await methods.create.call(context);
		const made = await createClosing(credential());
		await sandbox.clock.settled();
		await methods.delete.call(context);
		expect(sandbox.world.webhooks.size).toBe(0);
		await methods.create.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		const emitted: IDataObject[] = [];
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': memory } });
		trigger.emit = ([[{ json }]]: INodeExecutionData[][]) => void emitted.push(json);
		const handled = new Set<string>();
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(1);
		expect(await emitRecorded(trigger, readTriggerParameters(trigger), handled)).toBe(0);
		expect(emitted).toMatchObject([{ transaction_id: made, delivery: { by: 'recovery' } }]);
	});
	test('pull mode: a call is only acknowledged', async () => {
		expect(await deliver(event(), { parameters: { deliveryMode: 'pull' } })).toMatchObject({
			status: 200,
			item: undefined,
		});
	});
	test('as an operation: the events that were missed, each once', async () => {
		const { hook } = await published();
		const transactionId = await createClosing(credential());
		await sandbox.clock.settled();
		await sandbox.clock.advance(60_000);
		expect(hook.events.length).toBeGreaterThan(1);
		const { items } = await runNode({
			credential: credential(),
			parameters: {
				resource: 'webhook',
				operation: 'getMissedEvents',
				webhookId: { __rl: true, mode: 'id', value: hook.id },
				returnAll: true,
				filters: {},
			},
		});
		expect(items.map(({ json }) => [json.event, json.transaction_id])).toEqual([
			['transaction.created', transactionId],
		]);
	});
});
