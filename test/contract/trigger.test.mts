import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { completedClosing, createClosing } from '../support/closing.mts';
import { tend } from '../../nodes/SignAndClose/trigger/lifecycle.ts';
import { credentialFor, hookContext, runNode, triggerContext, useBinaryMode, webhookContext } from '../support/engine.mts';

let sandbox: Sandbox;
const credential = () => credentialFor(sandbox.url);
const EVENTS = { events: ['transaction.completed', 'transaction.completed_with_rejections'], retrieveTransaction: true, simplify: true };
const options = (parameters: IDataObject = EVENTS) => ({ type: 'signAndCloseTrigger' as const, credential: credential(), parameters });
const hooks = () => [...sandbox.world.webhooks.values()];
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

describe('life cycle', () => {
	test('publishing registers one webhook with a secret in its address, unpublishing removes it', async () => {
		const { context, workflow, methods } = hookContext(options(), 'production');
		expect(await methods.checkExists.call(context)).toBe(false);
		expect(await methods.create.call(context)).toBe(true);
		const [hook] = hooks();
		expect(hook.subscriptions).toEqual(EVENTS.events);
		expect(new URL(hook.url).searchParams.get('key')).toMatch(/^[\w-]{43}$/);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({ webhookId: hook.id, callback: hook.url });
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(await methods.delete.call(context)).toBe(true);
		expect(hooks()).toEqual([]);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toEqual({});
	});

	test('two workflows do not touch each other, nor a webhook that is not ours', async () => {
		await fetch(`${sandbox.url}/v2/webhooks/`, { method: 'POST', headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' }, body: JSON.stringify({ url: 'https://other.example.com/hook', subscriptions: ['*'] }) });
		const [one, two] = [hookContext(options(), 'one'), hookContext(options(), 'two')];
		await one.methods.create.call(one.context);
		await two.methods.create.call(two.context);
		await one.methods.delete.call(one.context);
		expect(hooks().map(({ url }) => url.split('?')[0])).toEqual(['https://other.example.com/hook', expect.stringMatching(/two/)]);
	});

	test('what an earlier life left behind at this address is removed first', async () => {
		const first = hookContext(options(), 'again');
		await first.methods.create.call(first.context);
		// n8n lost its static data: the new one knows nothing of the old webhook.
		const second = hookContext(options(), 'again');
		expect(await second.methods.checkExists.call(second.context)).toBe(false);
		await second.methods.create.call(second.context);
		expect(hooks()).toHaveLength(1);
	});

	test('other events, another address or a disabled webhook count as not there', async () => {
		const { context, methods } = hookContext(options(), 'changed');
		await methods.create.call(context);
		const [hook] = hooks();
		for (const change of [{ subscriptions: ['transaction.sent'] }, { enabled: false }, { url: 'https://other.example.com/' }]) {
			const kept = { ...hook };
			Object.assign(hook, change);
			expect(await methods.checkExists.call(context)).toBe(false);
			Object.assign(hook, kept);
		}
		expect(await methods.checkExists.call(context)).toBe(true);
	});

	test('a webhook that is gone already counts as removed; when the service can not be asked nothing is forgotten', async () => {
		const { context, workflow, methods } = hookContext(options(), 'gone');
		await methods.create.call(context);
		sandbox.faults.add({ method: 'GET', path: '/v2/webhooks', status: 401, body: { error: 'no' } });
		await expect(methods.delete.call(context)).rejects.toThrow(/API key/);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toHaveProperty('webhookId');
		sandbox.world.webhooks.clear();
		expect(await methods.delete.call(context)).toBe(true);
	});

	test('works on the documented interface alone: identifiers in the list, an empty answer to the creation', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const { context, workflow, methods } = hookContext({ ...options(), credential: credentialFor(documented.url) }, 'documented');
		await methods.create.call(context);
		const [hook] = [...documented.world.webhooks.values()];
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({ webhookId: hook.id });
		expect(await methods.checkExists.call(context)).toBe(true);
		await documented.close();
	});

	test('an event the service does not offer is told with the remedy', async () => {
		const { context, methods } = hookContext(options({ ...EVENTS, events: ['transaction.renamed'] }), 'unknown');
		await expect(methods.create.call(context)).rejects.toMatchObject({ description: expect.stringMatching(/'Trigger On'/) });
	});
});

describe('looking after a published webhook', () => {
	const published = async () => {
		const { context, workflow, methods } = hookContext(options(), 'tended');
		await methods.create.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		return triggerContext({ ...options(), staticData: { 'node:Tested': { ...memory } } });
	};
	test('leaves an intact one alone', async () => {
		const context = await published();
		const before = sandbox.requests.length;
		await tend(context);
		expect(sandbox.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
	});
	test('brings back one that was changed at the service, under the same address and secret', async () => {
		const context = await published();
		const [hook] = hooks();
		const { url } = hook;
		Object.assign(hook, { enabled: false, subscriptions: ['transaction.sent'] });
		await tend(context);
		expect(hooks()).toHaveLength(1);
		expect(hooks()[0]).toMatchObject({ url, enabled: true, subscriptions: EVENTS.events });
	});
	test('creates one that was removed at the service anew, once', async () => {
		const context = await published();
		const [{ url }] = hooks();
		sandbox.world.webhooks.clear();
		await tend(context);
		await tend(context);
		expect(hooks().map((hook) => hook.url)).toEqual([url]);
	});
	test('a service that can not be asked harms nothing', async () => {
		const context = await published();
		sandbox.faults.add({ path: '/v2/webhooks', status: 401, times: 5, body: { error: 'no' } });
		await expect(tend(context)).resolves.toBeUndefined();
		expect(hooks()).toHaveLength(1);
	});
});

/** A delivery through a real HTTP server (express, as n8n's own) into n8n's webhook context. */
async function deliver(parameters: IDataObject, body: unknown, secret: string | undefined, staticData: IDataObject = { secret: 's'.repeat(43) }) {
	let result: IWebhookResponseData | undefined;
	const app = express();
	app.use(express.json());
	app.post('/webhook', async (request, response) => {
		const { context, webhook } = webhookContext({ ...options(parameters), staticData: { 'node:Tested': staticData } }, request, response);
		result = await webhook.call(context);
		if (!result.noWebhookResponse) response.json({});
	});
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const answer = await fetch(`http://127.0.0.1:${port}/webhook${secret === undefined ? '' : `?key=${secret}`}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	server.closeAllConnections();
	server.close();
	return { status: answer.status, result: result! };
}

describe('a delivery', () => {
	const event = { event: 'transaction.completed', data: { transaction_id: 'ot_1', date_occurred: '2026-01-02T03:04:05Z' } };
	const secret = 's'.repeat(43);

	test('with the right secret starts a run with the ids at top level', async () => {
		const { status, result } = await deliver(EVENTS, event, secret);
		expect(status).toBe(200);
		expect(result.workflowData).toEqual([[{ json: { event: 'transaction.completed', transaction_id: 'ot_1', data: event.data } }]]);
	});
	test.each([['no', undefined], ['a wrong', 'x'.repeat(43)], ['a shorter', 's'], ['an empty', '']])('with %s secret gets a real 401 and starts nothing', async (_name, given) => {
		const { status, result } = await deliver(EVENTS, event, given);
		expect(status).toBe(401);
		expect(result).toEqual({ noWebhookResponse: true });
	});
	test('without a secret on our side gets 401: nothing was registered', async () => {
		expect((await deliver(EVENTS, event, '', {})).status).toBe(401);
	});
	test('that was not chosen gets 200 and starts nothing', async () => {
		const { status, result } = await deliver(EVENTS, { ...event, event: 'transaction.sent' }, secret);
		expect(status).toBe(200);
		expect(result.workflowData).toBeUndefined();
	});
	test('of any event, when any is chosen', async () => {
		expect((await deliver({ ...EVENTS, events: ['*'] }, { ...event, event: 'transaction.renamed' }, secret)).result.workflowData).toHaveLength(1);
	});
	test('that is no event gets 400', async () => {
		expect((await deliver(EVENTS, { hello: 'world' }, secret)).status).toBe(400);
	});
});

describe('the transaction of an event', () => {
	const item = (transactionId: string, event = 'transaction.completed') => [{ json: { event, transaction_id: transactionId, data: { transaction_id: transactionId } } }];

	test('is retrieved, with the record and the documents for the next step', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { items, error } = await runNode({ ...options(), items: item(transactionId) });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ event: 'transaction.completed', transaction_id: transactionId, notarization_record_id: expect.stringMatching(/^me_/) });
		expect(items[0].json.transaction).toMatchObject({ detailed_status: 'complete', documents: [{ document_name: 'Deed of Trust' }] });
	});
	test('that was deleted is not looked for', async () => {
		const { items } = await runNode({ ...options(), items: item('ot_gone', 'transaction.deleted') });
		expect(items[0].json).toEqual({ event: 'transaction.deleted', transaction_id: 'ot_gone', data: { transaction_id: 'ot_gone' } });
	});
	test('is left out on request', async () => {
		const transactionId = await createClosing(credential());
		const before = sandbox.requests.length;
		const { items } = await runNode({ ...options({ ...EVENTS, retrieveTransaction: false }), items: item(transactionId) });
		expect(items[0].json.transaction).toBeUndefined();
		expect(sandbox.requests).toHaveLength(before);
	});
	test('that can not be retrieved stops the run, where a person sees it', async () => {
		const { error } = await runNode({ ...options(), items: item('ot_unknown') });
		expect(error?.message).toMatch(/'Transaction' ot_unknown was not found/);
	});
});
