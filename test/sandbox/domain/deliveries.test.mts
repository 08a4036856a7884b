/**
 * Deliveries of events: payload, signature, retries, records (docs/service/webhooks.md#deliveries
 * and the sections after it).
 */

import { createHmac } from 'node:crypto';
import { forEachCase } from '../../support/forEachCase.mts';

import {
	addDocument,
	B,
	IAL2,
	newClosing,
	newDraft,
	newOrdered,
	newSent,
	Receiver,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox();

const CREATED = ['transaction.created'];
const TWO = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
const NOTARIZED = { requirement: 'notarization' };
const CANCELED = 'transaction.canceled';
const WEBHOOKS = '/v2/webhooks';
const DAY_MS = 86_400_000;
/** Nothing listens on the discard port. */
const NOBODY = 'http://127.0.0.1:9/';

describe('which events', () => {
	test('a wildcard subscribes to all of its kind', async () => {
		const transactions = await Receiver.on(client, ['transaction.*']);
		const notaries = await Receiver.on(client, ['notary.*']);
		await sandbox.act.complete(await newOrdered(client));
		const names =
			'created document.upload document.processed sent_to_closing_ops sent sent_to_signer received notary.assigned meeting.requested meeting.created meeting.video.processed completed released';
		expect(new Set(await transactions.events())).toEqual(
			new Set(names.split(' ').map((name) => `transaction.${name}`)),
		);
		expect(await notaries.events()).toEqual(['notary.signer_ready']);
	});
	test.each([
		['unlisted', false, 422],
		['refused', true, 422],
		['offered', true, 200],
	] as const)(
		'the end of a canceled one, by a wildcard, where its name is %s',
		async (canceledEvent, isListed, status) => {
			const { settings } = sandbox.world;
			settings.canceledEvent = canceledEvent;
			const id = await newSent(client);
			const receiver = await Receiver.on(client, ['transaction.*']);
			await sandbox.act.cancel(id);
			expect(await receiver.events()).toEqual([CANCELED]);
			const { transaction: listed } = await client.ok('GET', `${WEBHOOKS}/subscriptions`);
			expect(listed.includes(CANCELED)).toBe(isListed);
			const body = { url: NOBODY, subscriptions: [CANCELED] };
			expect(await client.call('POST', WEBHOOKS, body)).toMatchObject({ status });
			settings.canceledEvent = 'offered';
		},
	);
});

describe('what a delivery carries', () => {
	test('the transaction id, on live services with the date and the organization', async () => {
		const receiver = await Receiver.on(client, CREATED);
		const transaction_id = await newClosing(client);
		expect(await receiver.all()).toMatchObject([
			{
				event: 'transaction.created',
				data: {
					transaction_id,
					date_occurred: expect.stringMatching(/\.\d{6}Z$/),
					organization_name: 'Harbor Lending',
				},
				headers: { 'content-type': 'application/json' },
			},
		]);
	});
	test('on a documented-only service nothing else, no signature, and no event without such an id', async () => {
		await withDocumented(async (other, { act }) => {
			const receiver = await Receiver.on(other, ['*']);
			act.addNotary();
			const id = await newClosing(other);
			const [{ body, headers }, ...rest] = await receiver.all();
			expect(body).toBe(`{"event":"transaction.created","data":{"transaction_id":"${id}"}}`);
			expect(headers).not.toHaveProperty('x-signature');
			expect(rest).toEqual([]);
		});
	});
	test('in six events how far each signer has come, and nothing else', async () => {
		const receiver = await Receiver.on(client, ['transaction.*']);
		const signers = [{ ...TWO[0], assurance_requirement: IAL2 }, TWO[1]];
		// Who signs before a notary is asked no questions.
		const online = await newSent(client, { signers });
		await sandbox.act.failKnowledge(online);
		await sandbox.act.failKnowledge(online);
		await sandbox.clock.advance(DAY_MS);
		await sandbox.act.sign(online);
		const notarized = await newSent(client, { signers }, NOTARIZED);
		for (const act of ['sign', 'sign', 'failMeeting', 'notarize'] as const)
			await sandbox.act[act](notarized);
		const events = new Map((await receiver.all()).map(({ event, data }) => [event, data]));
		const names = ['signer_id', 'external_id', 'first_name', 'middle_name', 'last_name'];
		forEachCase(
			[
				'meeting.requested',
				'meeting.created',
				'meeting.failed',
				'signer.kba_passed',
				'signer.kba_failed',
				'partially_completed',
			],
			(name) => {
				const data = events.get(`transaction.${name}`);
				const fields = [
					'transaction_id',
					'transaction_detailed_status',
					'date_occurred',
					'signers',
				];
				expect([name, Object.keys(data)]).toEqual([name, fields]);
				forEachCase(data.signers as object[], (signer) =>
					expect(Object.keys(signer)).toEqual([...names, 'signing_status']),
				);
			},
		);
		expect(events.get('transaction.meeting.created').signers).toMatchObject(
			TWO.map(() => ({ signing_status: 'complete' })),
		);
	});
});

describe('headers', () => {
	test.each([
		['an own signing_key', { signing_key: 'shared secret' }, 'shared secret'],
		['the API key that made it', {}, 'demo-full-access-key'],
	])('a signature over the raw body with %s', async (_name, more, key) => {
		const receiver = await Receiver.on(client, CREATED, more);
		await newClosing(client);
		const [{ body, headers }] = await receiver.all();
		expect(headers['x-signature']).toBe(createHmac('sha256', key).update(body).digest('hex'));
	});
	test("the subscription's own; several disable the single one", async () => {
		const header = 'X-First: one';
		const single = await Receiver.on(client, CREATED, { header });
		const headers = ['X-Second:two:2', 'X-Third: three'];
		const several = await Receiver.on(client, CREATED, { header, headers });
		await newClosing(client);
		expect(await single.all()).toMatchObject([{ headers: { 'x-first': 'one' } }]);
		const [found] = await several.all();
		expect(found.headers).toMatchObject({ 'x-second': 'two:2', 'x-third': 'three' });
		expect(found.headers).not.toHaveProperty('x-first');
	});
	test('a request id for each delivery, in the header that the webhook names', async () => {
		const one = await Receiver.on(client, CREATED);
		const two = await Receiver.on(client, CREATED, { request_id_header_name: 'X-Delivery' });
		for (let made = 0; made < 2; made++) await newClosing(client);
		const ids = [
			...(await one.all()).map(({ headers }) => headers['x-request-id']),
			...(await two.all()).map(({ headers }) => headers['x-delivery']),
		];
		expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
		forEachCase(ids, (id) => expect(id).toMatch(/^[0-9a-f-]{36}$/));
		expect(two.received[0].headers).not.toHaveProperty('x-request-id');
	});
});

describe('repeats', () => {
	test('up to 16 attempts within 48 hours with growing pauses, all in the event records', async () => {
		const receiver = await Receiver.on(client, ['transaction.created', 'transaction.deleted']);
		receiver.answers = Array(16).fill(503);
		const start = sandbox.clock.now();
		const transaction_id = await newClosing(client);
		await sandbox.clock.advance(3 * DAY_MS);
		expect(receiver.received).toHaveLength(16);
		await client.ok('DELETE', `${B}/${await newDraft(client)}`);
		const failed = (await receiver.records()).filter(({ response }) => response.code !== 200);
		expect(failed).toHaveLength(16);
		forEachCase(failed, ({ event, payload }) =>
			expect(JSON.parse(payload)).toMatchObject({ event, data: { transaction_id } }),
		);
		const times = failed.map(({ delivered }) => Date.parse(delivered)).reverse();
		const pauses = times.slice(1).map((time, index) => time - times[index]);
		forEachCase(pauses.entries(), ([index, pause]) =>
			expect(pause).toBeGreaterThanOrEqual((pauses[index - 1] ?? 0) - 1000),
		);
		expect(times.at(-1)! - start).toBeLessThan(2 * DAY_MS);
	});
	test.each([
		['new', 3],
		['same', 1],
	] as const)(
		'have the same body until the answer is 200, and a %s request id',
		async (retryRequestId, ids) => {
			sandbox.world.settings.switches.retryRequestId = retryRequestId;
			const receiver = await Receiver.on(client, CREATED);
			receiver.answers = [500, 301];
			await newClosing(client);
			await sandbox.clock.advance(DAY_MS);
			expect(receiver.received).toHaveLength(3);
			expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
			expect(new Set(receiver.received.map(({ headers }) => headers['x-request-id'])).size).toBe(
				ids,
			);
		},
	);
	test('at least once: what has succeeded can come again', async () => {
		const receiver = await Receiver.on(client, CREATED);
		await newClosing(client);
		const [{ body }] = await receiver.all();
		await sandbox.act.redeliver(sandbox.deliveries[0].id);
		expect(receiver.received).toMatchObject([{ body }, { body }]);
	});
});

describe('event records', () => {
	test('of a documented-only service have code, body, error and the payload as a string', async () => {
		await withDocumented(async (other, { clock }) => {
			const receiver = await Receiver.on(other, CREATED);
			receiver.answers = [500];
			await newClosing(other);
			await clock.advance(60_000);
			const [{ body }] = receiver.received;
			const record = { event: CREATED[0], delivered: expect.any(String), payload: body };
			expect(await receiver.records()).toEqual([
				{ ...record, response: { code: 200, body: 'seen', error: '' } },
				{ ...record, response: { code: 500, body: 'seen', error: 'The endpoint answered 500' } },
			]);
		});
	});
	test('an endpoint that does not answer is recorded without a code', async () => {
		const body = { url: NOBODY, subscriptions: CREATED };
		const { id } = await client.ok('POST', '/v2/webhooks/', body);
		await newClosing(client);
		await sandbox.clock.settled();
		const [{ response }] = await client.ok('GET', `/v2/webhooks/${id}/events`);
		expect(response).toEqual({ code: 0, body: '', headers: {} });
		// The console tells people why.
		expect(sandbox.deliveries[0].error).not.toBe('');
	});
	test('the payload of a signing status is an object, any other is a string of JSON', async () => {
		const names = ['transaction.document.upload', 'transaction.partially_completed'];
		const receiver = await Receiver.on(client, names);
		const id = await newDraft(client, { signers: TWO });
		await addDocument(client, id);
		await client.ok('POST', `${B}/${id}/notarization_ready`);
		await sandbox.act.sign(id);
		const [upload, signed] = (await receiver.all()).map(({ body }) => body);
		const payloads = (await receiver.records()).map(({ payload }) => payload);
		expect(payloads).toEqual([JSON.parse(signed), upload]);
	});
});
