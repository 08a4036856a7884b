import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	addDocument,
	Client,
	CLOSING,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
	Receiver,
} from './support/client.mts';

/**
 * interface.md §3 to §8, sentence by sentence: webhooks, links, errors, limits, where no other file
 * has a test; rules.test.mts has the list.
 */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

describe('states', () => {
	test('interface §3: the named states are completed, completed_with_rejections, complete and draft', async () => {
		const draft = await newDraft(client);
		expect((await client.transaction(draft)).detailed_status).toBe('draft');
		const [signed, rejected] = [await newSent(client), await newSent(client)];
		await sandbox.act.sign(signed);
		await sandbox.act.reject(rejected);
		expect(await client.transaction(signed)).toMatchObject({
			status: 'completed',
			detailed_status: 'complete',
			signer_info: { signing_status: 'complete' },
			signers: [{ signing_status: 'complete' }],
		});
		expect((await client.transaction(rejected)).status).toBe('completed_with_rejections');
	});
});

describe('webhooks', () => {
	test('interface §4, Create Webhook: POST /v2/webhooks/ with url and subscriptions', async () => {
		const body = { url: 'https://flows.example/hook', subscriptions: ['transaction.completed'] };
		for (const name of ['url', 'subscriptions'])
			expect(
				(await client.refused('POST', '/v2/webhooks/', { ...body, [name]: undefined }))[0],
			).toBe(422);
		const { id, ...made } = await client.ok('POST', '/v2/webhooks/', body);
		expect(made).toMatchObject(body);
		await client.ok('DELETE', `/v2/webhooks/${id}`);
	});
	test('interface §4, List Webhooks: the identifiers of the webhooks that are set up', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		expect(await other.ok('GET', '/v2/webhooks')).toEqual([]);
		for (const path of ['a', 'b'])
			await other.call('POST', '/v2/webhooks/', {
				url: `https://flows.example/${path}`,
				subscriptions: ['*'],
			});
		expect(await other.ok('GET', '/v2/webhooks')).toEqual([...documented.world.webhooks.keys()]);
		await documented.close();
	});
	test('interface §4, Get Webhook Events: for one webhook an array of event records with their delivery result', async () => {
		const [one, two] = [await Receiver.start(), await Receiver.start()];
		const hooks = [
			await one.subscribe(client, ['transaction.created']),
			await two.subscribe(client, ['transaction.deleted']),
		];
		await newClosing(client);
		await sandbox.clock.settled();
		const record = {
			event: 'transaction.created',
			response: { code: 200, body: 'seen', error: '' },
			delivered: expect.stringMatching(/Z$/),
			payload: one.received[0].body,
		};
		expect(await client.ok('GET', `/v2/webhooks/${hooks[0]}/events`)).toMatchObject([record]);
		expect(await client.ok('GET', `/v2/webhooks/${hooks[1]}/events`)).toEqual([]);
		await stop(hooks, one, two);
	});
	test('interface §6: an HTTP request goes to the url of the subscription, for the events that it names and no others', async () => {
		const receiver = await Receiver.start();
		const hook = await receiver.subscribe(client, ['transaction.recalled', 'transaction.deleted']);
		const id = await newSent(client);
		await client.ok('POST', `/transactions/${id}/recall`);
		await client.ok('DELETE', `/transactions/${id}`);
		await sandbox.clock.settled();
		expect(receiver.events.sort()).toEqual(['transaction.deleted', 'transaction.recalled']);
		await stop([hook], receiver);
	});
	test('interface §6: the payload carries the event name and the transaction id only; further detail needs Retrieve Transaction', async () => {
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
	test('interface §6: what failed after retries is found with Get Webhook Events, by event name, response code and delivered time', async () => {
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
		await stop([hook], receiver);
	});
});

async function stop(hooks: string[], ...receivers: Receiver[]): Promise<void> {
	for (const hook of hooks) await client.ok('DELETE', `/v2/webhooks/${hook}`);
	for (const receiver of receivers) receiver.close();
}

describe('keys and links', () => {
	test('interface §5.1: a body goes with Content-Type application/json', async () => {
		const send = async (type: string) =>
			(
				await fetch(`${sandbox.url}/mortgage/v1/transactions`, {
					method: 'POST',
					headers: { ApiKey: sandbox.keys.full, 'content-type': type },
					body: JSON.stringify(CLOSING),
				})
			).status;
		expect(await send('application/json')).toBe(200);
		expect(await send('text/plain')).toBe(400);
		sandbox.problems.length = 0;
	});
	test('interface §5.2: a full access key retrieves and archives', async () => {
		const id = await newCompleted(client);
		const limited = new Client(sandbox, sandbox.keys.clientOnly);
		for (const path of [
			`/transactions/${id}`,
			`/transactions/${id}/documents/${(await client.transaction(id)).documents[0].id}?encoding=base64`,
			`/notarization_records/${(await client.transaction(id)).notarization_record}`,
		]) {
			expect((await client.call('GET', path)).status).toBe(200);
			expect((await limited.call('GET', path)).status).toBe(403);
		}
	});
	test('interface §5.4: links of audit trail, final documents, identification images and notarized documents end after 900 seconds', async () => {
		const id = await newCompleted(client);
		const { audit_trail_url, documents, notarization_record } = await client.transaction(id);
		const {
			signers,
			signer_photo_identification: photos,
			notarized_documents,
		} = await client.ok('GET', `/notarization_records/${notarization_record}`);
		const links: string[] = [
			audit_trail_url,
			documents[0].final_document_url,
			signers[0].primary_front,
			photos.primary_back,
			photos.secondary_front,
			notarized_documents[0].document_url,
		];
		const statuses = async () =>
			await Promise.all(links.map(async (link) => (await fetch(link)).status));
		expect(links.map((link) => new URL(link).searchParams.get('lifetime'))).toEqual(
			links.map(() => '900'),
		);
		expect(await statuses()).toEqual(links.map(() => 200));
		await sandbox.clock.advance(901_000);
		expect(await statuses()).toEqual(links.map(() => 403));
	});
});

test('interface §7: errors are indicated by HTTP status codes', async () => {
	const id = await newSent(client);
	const statuses = [
		(await new Client(sandbox, 'wrong').call('GET', '/v2/webhooks')).status,
		(await new Client(sandbox, sandbox.keys.clientOnly).call('GET', '/v2/webhooks')).status,
		(await client.call('GET', '/transactions/ot_none')).status,
		(await client.call('POST', `/transactions/${id}/send_sms`, { phone: { number: 'later' } }))
			.status,
		(
			await client.call('POST', `/transactions/${id}/documents`, {
				resource: 'x',
				requirement: 'esign',
			})
		).status,
	];
	expect(statuses).toEqual([401, 403, 404, 400, 422]);
});
