/**
 * Deliveries of events: payload, signature, retries, records (docs/service/webhooks.md#deliveries
 * and the sections after it).
 */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	Client,
	IAL2,
	newClosing,
	newDraft,
	newSent,
	Receiver,
	stopReceivers,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

let receiver: Receiver;
beforeEach(async () => {
	receiver = await Receiver.start();
});
afterEach(async () => {
	receiver.close();
	for (const { id } of await client.ok('GET', '/v2/webhooks'))
		await client.ok('DELETE', `/v2/webhooks/${id}`);
});

describe('deliveries', () => {
	test('Deliveries: the payload is the event and the transaction id, on live services with the date', async () => {
		await receiver.subscribe(client, ['transaction.created']);
		const id = await newClosing(client);
		await sandbox.clock.settled();
		expect(receiver.received).toHaveLength(1);
		expect(receiver.received[0]).toMatchObject({
			event: 'transaction.created',
			data: {
				transaction_id: id,
				date_occurred: expect.stringMatching(/\.\d{6}Z$/),
				organization_name: 'Harbor Lending',
			},
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
	test("the subscription's own headers are sent; several disable the single one", async () => {
		const [single, several] = [receiver, await Receiver.start()];
		await single.subscribe(client, ['transaction.created'], { header: 'X-First: one' });
		await several.subscribe(client, ['transaction.created'], {
			header: 'X-First: one',
			headers: ['X-Second:two:2', 'X-Third: three'],
		});
		await newClosing(client);
		await sandbox.clock.settled();
		expect(single.received[0].headers).toMatchObject({ 'x-first': 'one' });
		expect(several.received[0].headers).toMatchObject({ 'x-second': 'two:2', 'x-third': 'three' });
		expect(several.received[0].headers).not.toHaveProperty('x-first');
		several.close();
	});
	test('a token of the receiver takes the place of signature and headers', async () => {
		const tokens: string[] = [];
		const issuer = createServer(async (request, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			tokens.push(`${request.headers.authorization} ${Buffer.concat(chunks).toString()}`);
			response.end(JSON.stringify({ access_token: 'token-1', token_type: 'bearer' }));
		}).listen(0, '127.0.0.1');
		await once(issuer, 'listening');
		const { port } = issuer.address() as AddressInfo;
		await receiver.subscribe(client, ['transaction.created'], {
			header: 'X-First:one',
			oauth_config: {
				oauth_token_url: `http://127.0.0.1:${port}/token`,
				client_id: 'flows',
				client_secret: 'secret',
			},
		});
		await newClosing(client);
		await sandbox.clock.settled();
		issuer.close();
		expect(tokens).toEqual([
			`Basic ${Buffer.from('flows:secret').toString('base64')} grant_type=client_credentials`,
		]);
		const [{ headers }] = receiver.received;
		expect(headers.authorization).toBe('Bearer token-1');
		for (const name of ['x-signature', 'x-first']) expect(headers).not.toHaveProperty(name);
	});
	test('where no token can be had, the delivery fails and is repeated', async () => {
		const hook = await receiver.subscribe(client, ['transaction.created'], {
			// Nothing listens on the discard port.
			oauth_config: {
				oauth_token_url: 'http://127.0.0.1:9/',
				client_id: 'flows',
				client_secret: 'secret',
			},
		});
		await newClosing(client);
		await sandbox.clock.settled();
		expect(receiver.received).toEqual([]);
		expect(await client.ok('GET', `/v2/webhooks/${hook}/events`)).toMatchObject([
			{ response: { code: 0 } },
		]);
		expect(sandbox.deliveries[0].next).not.toBeNull();
	});
	test('each delivery has a request id of its own, in the header that the webhook names', async () => {
		const other = await Receiver.start();
		await receiver.subscribe(client, ['transaction.created']);
		await other.subscribe(client, ['transaction.created'], {
			request_id_header_name: 'X-Delivery',
		});
		await newClosing(client);
		await newClosing(client);
		await sandbox.clock.settled();
		const ids = [
			...receiver.received.map(({ headers }) => headers['x-request-id']),
			...other.received.map(({ headers }) => headers['x-delivery']),
		];
		expect(ids).toHaveLength(4);
		expect(new Set(ids).size).toBe(4);
		for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
		expect(other.received[0].headers).not.toHaveProperty('x-request-id');
		other.close();
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
				'created document.upload document.processed sent_to_closing_ops sent sent_to_signer received notary.assigned meeting.requested meeting.created meeting.video.processed completed released'
					.split(' ')
					.map((name) => `transaction.${name}`),
			),
		);
		expect(notary.events).toEqual(['notary.signer_ready']);
		notary.close();
	});
	test('documents and meetings are named in their events, and where the recording is', async () => {
		await receiver.subscribe(client, [
			'transaction.document.upload',
			'transaction.meeting.video.processed',
		]);
		const id = await newSent(client, {}, { requirement: 'notarization' });
		await sandbox.act.complete(id);
		await sandbox.clock.settled();
		const { documents, recordId } = sandbox.world.transactions.get(id)!;
		const [upload, video] = receiver.received.map(({ data }) => data);
		expect(upload.document).toEqual({ document_id: documents[0].id, name: 'Contract' });
		expect(video).toMatchObject({
			meeting: {
				meeting_id: recordId,
				api_url: (await client.ok('GET', `/notarization_records/${recordId}`)).video_url,
			},
			notary_id: 'us_nora_notary',
		});
	});
	test('the link of the signer comes with the events of sending', async () => {
		await receiver.subscribe(client, ['transaction.sent_to_signer']);
		const id = await newSent(client);
		await sandbox.clock.settled();
		expect(receiver.received[0].data.transaction_access_link).toBe(
			(await client.transaction(id)).signers[0].transaction_access_link,
		);
	});
	test('signers come with their id and names, and with what the identity checks have shown', async () => {
		await receiver.subscribe(client, ['transaction.received', 'transaction.completed']);
		const id = await newSent(client, {
			signers: [
				{
					email: 'kim@example.com',
					external_id: 'kim',
					first_name: 'Kim',
					assurance_requirement: IAL2,
				},
			],
		});
		await sandbox.act.openEmail(id);
		await sandbox.act.sign(id);
		await sandbox.clock.settled();
		const [{ signer_id }] = (await client.transaction(id)).signers;
		const names = {
			signer_id,
			external_id: 'kim',
			first_name: 'Kim',
			middle_name: null,
			last_name: null,
		};
		const checks = (passed: boolean) => ({
			kba_passed: passed,
			full_verification_process_passed: passed,
			credential_analysis_passed: passed,
			selfie_passed: passed,
		});
		expect(receiver.received.map(({ data }) => data.signers)).toEqual([
			[{ ...names, ...checks(false) }],
			[{ ...names, ...checks(true) }],
		]);
	});
	test('six events carry how far each signer has come, and nothing else', async () => {
		await receiver.subscribe(client, ['transaction.*']);
		const signers = [
			{ email: 'a@example.com', assurance_requirement: IAL2 },
			{ email: 'b@example.com' },
		];
		// Who signs before a notary is asked no questions.
		const online = await newSent(client, { signers });
		await sandbox.act.failKnowledge(online);
		await sandbox.act.sign(online);
		const notarized = await newSent(client, { signers }, { requirement: 'notarization' });
		for (const act of ['sign', 'sign', 'failMeeting', 'notarize'] as const)
			await sandbox.act[act](notarized);
		await sandbox.clock.settled();
		const events = new Map(receiver.received.map(({ event, data }) => [event, data]));
		const names = ['signer_id', 'external_id', 'first_name', 'middle_name', 'last_name'];
		for (const name of [
			'meeting.requested',
			'meeting.created',
			'meeting.failed',
			'signer.kba_passed',
			'signer.kba_failed',
			'partially_completed',
		]) {
			const data = events.get(`transaction.${name}`);
			expect([name, Object.keys(data)]).toEqual([
				name,
				['transaction_id', 'transaction_detailed_status', 'date_occurred', 'signers'],
			]);
			for (const signer of data.signers)
				expect(Object.keys(signer)).toEqual([...names, 'signing_status']);
		}
		expect(events.get('transaction.meeting.created').signers).toMatchObject([
			{ signing_status: 'complete' },
			{ signing_status: 'complete' },
		]);
	});
	test('the notarization of a single signer emits no partially_completed', async () => {
		await receiver.subscribe(client, ['transaction.partially_completed', 'transaction.completed']);
		const id = await newSent(client, {}, { requirement: 'notarization' });
		await sandbox.act.complete(id);
		await sandbox.clock.settled();
		expect(receiver.events).toEqual(['transaction.completed']);
	});
	test('a canceled transaction has no event', async () => {
		const id = await newSent(client);
		await receiver.subscribe(client, ['*']);
		await sandbox.act.cancel(id);
		await sandbox.clock.settled();
		expect(receiver.events).toEqual([]);
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
	test.each([
		['new', 3],
		['same', 1],
	] as const)('the request id of a repeat is %s', async (retryRequestId, ids) => {
		sandbox.world.settings.switches.retryRequestId = retryRequestId;
		receiver.answers = [500, 500];
		await receiver.subscribe(client, ['transaction.created']);
		await newClosing(client);
		await sandbox.clock.advance(86_400_000);
		sandbox.world.settings.switches.retryRequestId = 'new';
		expect(receiver.received).toHaveLength(3);
		expect(new Set(receiver.received.map(({ headers }) => headers['x-request-id'])).size).toBe(ids);
	});
	test('Failed deliveries: each attempt is recorded with code, body, error and the payload as a string', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		receiver.answers = [500];
		await other.call('POST', '/v2/webhooks/', {
			url: receiver.url,
			subscriptions: ['transaction.created'],
		});
		const id = await newClosing(other);
		await documented.clock.advance(60_000);
		const [hook] = await other.ok('GET', '/v2/webhooks');
		const events = await other.ok('GET', `/v2/webhooks/${hook}/events`);
		await documented.close();
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
		expect(event.response).toEqual({ code: 0, body: '', headers: {} });
		// The console tells people why.
		expect(sandbox.deliveries[0].error).not.toBe('');
	});
	test('the payload of a signing status is an object in the records, any other is a string of JSON', async () => {
		const hook = await receiver.subscribe(client, [
			'transaction.document.upload',
			'transaction.partially_completed',
		]);
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
		});
		await sandbox.act.sign(id);
		await sandbox.clock.settled();
		const events = await client.ok('GET', `/v2/webhooks/${hook}/events`);
		const [signed, upload] = receiver.received.map(({ body }) => body).reverse();
		expect(events.map(({ payload }: any) => payload)).toEqual([JSON.parse(signed), upload]);
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
