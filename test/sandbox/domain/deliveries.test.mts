/**
 * Deliveries of events: payload, signature, retries, records (docs/service/webhooks.md#deliveries
 * and the sections after it).
 */

import { createHmac } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	Client,
	newClosing,
	newDraft,
	newSent,
	Receiver,
	stopReceivers,
} from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
let receiver: Receiver;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
beforeEach(async () => {
	receiver = await Receiver.start();
});
afterEach(async () => {
	receiver.close();
	for (const { id } of await client.ok('GET', '/v2/webhooks'))
		await client.ok('DELETE', `/v2/webhooks/${id}`);
});
afterAll(async () => await sandbox.close());

describe('deliveries', () => {
	test('Deliveries: the payload is the event and the transaction id, on live services with the date', async () => {
		await receiver.subscribe(client, ['transaction.created']);
		const id = await newClosing(client);
		await sandbox.clock.settled();
		expect(receiver.received).toHaveLength(1);
		expect(receiver.received[0]).toMatchObject({
			event: 'transaction.created',
			data: { transaction_id: id, date_occurred: expect.stringMatching(/\.\d{6}Z$/) },
			headers: { 'content-type': 'application/json' },
		});
	});
	test('Events: the signer opens the email and completes signing', async () => {
		await receiver.subscribe(client, ['transaction.received', 'transaction.partially_completed']);
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
		});
		await sandbox.act.openEmail(id);
		await sandbox.act.sign(id);
		await sandbox.clock.settled();
		expect(receiver.events.sort()).toEqual([
			'transaction.partially_completed',
			'transaction.received',
		]);
	});
	test.each([
		['an own signing_key', { signing_key: 'shared secret' }, 'shared secret'],
		['the API key that made it', {}, 'demo-full-access-key'],
	])('signed over the raw body with %s', async (_name, more, key) => {
		await receiver.subscribe(client, ['transaction.created'], more);
		await newClosing(client);
		await sandbox.clock.settled();
		const [{ body, headers }] = receiver.received;
		expect(headers['x-signature']).toBe(createHmac('sha256', key).update(body).digest('hex'));
	});
	test("the subscription's own headers are sent", async () => {
		await receiver.subscribe(client, ['transaction.created'], {
			header: 'X-First: one',
			headers: ['X-Second:two:2'],
		});
		await newClosing(client);
		await sandbox.clock.settled();
		expect(receiver.received[0].headers).toMatchObject({ 'x-first': 'one', 'x-second': 'two:2' });
	});
	test('a wildcard subscribes to all events of its kind', async () => {
		await receiver.subscribe(client, ['transaction.*']);
		const notary = await Receiver.start();
		await notary.subscribe(client, ['notary.*']);
		const id = await newClosing(client);
		await addDocument(client, id, { requirement: 'notarization' });
		// A document is processed a moment after it was added, unless it is completed first.
		await sandbox.clock.advance(1000);
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		await sandbox.act.complete(id);
		await sandbox.clock.advance(1000);
		expect(new Set(receiver.events)).toEqual(
			new Set(
				'created document.upload document.processed sent_to_closing_ops sent sent_to_signer received partially_completed notary.assigned meeting.requested meeting.created meeting.video.processed completed released'
					.split(' ')
					.map((name) => `transaction.${name}`),
			),
		);
		expect(notary.events).toEqual(['notary.signer_ready']);
		notary.close();
	});
	test('documents and meetings are named in their events', async () => {
		await receiver.subscribe(client, ['transaction.document.upload']);
		const { id } = await addDocument(client, await newDraft(client));
		await sandbox.clock.settled();
		expect(receiver.received[0].data.document).toEqual({ document_id: id, name: 'Contract' });
	});
	test('Deliveries: an HTTP request goes to the url of the subscription, for the events that it names and no others', async () => {
		const receiver = await Receiver.start();
		const hook = await receiver.subscribe(client, ['transaction.recalled', 'transaction.deleted']);
		const id = await newSent(client);
		await client.ok('POST', `/transactions/${id}/recall`);
		await client.ok('DELETE', `/transactions/${id}`);
		await sandbox.clock.settled();
		expect(receiver.events.sort()).toEqual(['transaction.deleted', 'transaction.recalled']);
		await stopReceivers(client, [hook], receiver);
	});
	test('Deliveries: the payload carries the event name and the transaction id only; further detail needs Retrieve Transaction', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		const receiver = await Receiver.start();
		await other.ok('POST', '/v2/webhooks/', {
			url: receiver.url,
			subscriptions: ['transaction.completed', 'transaction.completed_with_rejections'],
		});
		const ids: string[] = [];
		for (const act of [documented.act.sign, documented.act.reject]) {
			const id = await newClosing(other);
			await addDocument(other, id);
			await documented.act.sendToSigner(id);
			await act(id);
			ids.push(id);
		}
		await documented.clock.settled();
		expect(
			receiver.received
				.map(({ body }) => JSON.parse(body))
				.sort((a, b) => a.event.length - b.event.length),
		).toEqual([
			{ event: 'transaction.completed', data: { transaction_id: ids[0] } },
			{ event: 'transaction.completed_with_rejections', data: { transaction_id: ids[1] } },
		]);
		for (const id of ids)
			expect(
				(await fetch((await other.transaction(id)).documents[0].final_document_url)).status,
			).toBe(200);
		receiver.close();
		await documented.close();
	});
	test('Find failed deliveries: what failed after retries is found with Get Webhook Events, by event name, response code and delivered time', async () => {
		const receiver = await Receiver.start();
		receiver.answers = Array.from({ length: 16 }, () => 500);
		const hook = await receiver.subscribe(client, ['transaction.created', 'transaction.deleted']);
		const since = new Date(sandbox.clock.now()).toISOString();
		const lost = await newClosing(client);
		await sandbox.clock.advance(3 * 86_400_000);
		await client.ok('DELETE', `/transactions/${await newDraft(client)}`);
		await sandbox.clock.settled();
		const events = await client.ok('GET', `/v2/webhooks/${hook}/events`);
		const failed = events.filter(
			({ event, response, delivered }: any) =>
				event === 'transaction.created' && response.code !== 200 && delivered >= since,
		);
		expect(failed).toHaveLength(16);
		expect(
			new Set(failed.map(({ payload }: any) => JSON.parse(payload).data.transaction_id)),
		).toEqual(new Set([lost]));
		await stopReceivers(client, [hook], receiver);
	});
});

describe('retries', () => {
	test('up to 16 attempts within 48 hours with growing pauses', async () => {
		receiver.answers = Array.from({ length: 99 }, () => 503);
		const hook = await receiver.subscribe(client, ['transaction.created']);
		const start = sandbox.clock.now();
		await newClosing(client);
		await sandbox.clock.advance(3 * 86_400_000);
		expect(receiver.received).toHaveLength(16);
		const times = sandbox.world.webhooks
			.get(hook)!
			.events.map(({ delivered }) => Date.parse(delivered))
			.reverse();
		const pauses = times.slice(1).map((time, index) => time - times[index]);
		expect(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1] - 1000)).toBe(
			true,
		);
		expect(times.at(-1)! - start).toBeLessThan(48 * 3_600_000);
	});
	test('a delivery is repeated with the same body until the answer is 200', async () => {
		receiver.answers = [500, 301];
		await receiver.subscribe(client, ['transaction.created']);
		await newClosing(client);
		await sandbox.clock.advance(86_400_000);
		expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
		expect(receiver.received).toHaveLength(3);
	});
	test('Failed deliveries: each attempt is recorded with code, body, error and the payload as a string', async () => {
		receiver.answers = [500];
		const hook = await receiver.subscribe(client, ['transaction.created']);
		const id = await newClosing(client);
		await sandbox.clock.advance(60_000);
		const events = await client.ok('GET', `/v2/webhooks/${hook}/events`);
		expect(
			events.map(({ response }: any) => [response.code, response.body, response.error]),
		).toEqual([
			[200, 'seen', ''],
			[500, 'seen', 'The endpoint answered 500'],
		]);
		expect(JSON.parse(events[0].payload)).toMatchObject({
			event: 'transaction.created',
			data: { transaction_id: id },
		});
	});
	test('an endpoint that does not answer is recorded without a code', async () => {
		// Nothing listens on the discard port.
		const { id: hook } = await client.ok('POST', '/v2/webhooks/', {
			url: 'http://127.0.0.1:9/',
			subscriptions: ['transaction.created'],
		});
		await newClosing(client);
		await sandbox.clock.settled();
		const [event] = await client.ok('GET', `/v2/webhooks/${hook}/events`);
		expect(event.response).toMatchObject({ code: 0, body: '' });
		expect(event.response.error).not.toBe('');
	});
	test('some payloads are objects', async () => {
		const hook = await receiver.subscribe(client, ['transaction.document.upload']);
		await addDocument(client, await newDraft(client));
		await sandbox.clock.settled();
		expect(
			(await client.ok('GET', `/v2/webhooks/${hook}/events?limit=1`))[0].payload,
		).toMatchObject({ event: 'transaction.document.upload' });
	});
	test('at least once: a delivery can be repeated', async () => {
		await receiver.subscribe(client, ['transaction.created']);
		await newClosing(client);
		await sandbox.clock.settled();
		await sandbox.act.redeliver(sandbox.deliveries[0].id);
		expect(receiver.received.map(({ body }) => body)).toEqual([
			receiver.received[0].body,
			receiver.received[0].body,
		]);
	});
});
