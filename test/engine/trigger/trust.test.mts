import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import type { IDataObject, IWebhookResponseData } from 'n8n-workflow';

import { signBody } from '../../../nodes/SignAndClose/trigger/authenticity.ts';
import { eventLogSignal } from '../../../nodes/SignAndClose/trigger/eventLog.ts';
import { listening, event, SECRET, type Sent, SIGNING_KEY } from '../../support/delivery.mts';
import { credentialFor, webhookContext } from '../../support/engine.mts';

/** What the trigger's webhook trusts, and what exactly it gives back to n8n. */

const REFUSED = { noWebhookResponse: true };
const required = { options: { signatureRequired: true } };
const signed = (body: unknown, key: string, header = 'x-signature') => ({
	[header]: signBody(JSON.stringify(body), key),
});

interface Arrived extends Sent {
	/** Whether n8n has kept the bytes of the body. */
	raw?: boolean;
}

/** A delivery through express into n8n's webhook context, with what the trigger gave back. */
async function deliver(
	body: IDataObject,
	{ parameters, secret = SECRET, headers, staticData, raw = true, ...more }: Arrived = {},
) {
	let result: IWebhookResponseData | undefined;
	let error: (Error & { description?: string }) | undefined;
	const app = express();
	const keepRaw = (request: object, _response: object, bytes: Buffer) =>
		Object.assign(request, raw && { rawBody: bytes });
	app.use(express.json({ verify: keepRaw }));
	app.post('/webhook', async (request, response) => {
		const { context, webhook } = webhookContext(
			{
				type: 'signAndCloseTrigger',
				credential: { ...credentialFor('http://127.0.0.1:9'), ...more.credential } as never,
				credentialError: more.credentialError,
				parameters: listening(parameters),
				staticData: { 'node:Tested': { secret: SECRET, signingKey: SIGNING_KEY, ...staticData } },
				mode: more.mode ?? 'webhook',
			},
			request,
			response,
		);
		try {
			result = await webhook.call(context);
		} catch (thrown) {
			error = thrown as typeof error;
		}
		if (!response.writableEnded) response.status(error ? 500 : 200).end();
	});
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const { status } = await fetch(`http://127.0.0.1:${port}/webhook?key=${secret}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	server.closeAllConnections();
	server.close();
	return { status, result, error };
}

describe('a refusal has been answered already, which n8n is told', () => {
	test.each([
		['without the secret', event(), { secret: 'x'.repeat(43) }, 401],
		['that is no event', { hello: 'world' }, {}, 400],
		['while n8n is busy', event(), { credentialError: new Error('timeout exceeded') }, 503],
	])('a call %s', async (_name, body, sent, status) => {
		expect(await deliver(body, sent)).toEqual({ status, result: REFUSED });
	});
	test('and a log of n8n says why it was too busy, without the secret', async () => {
		const { context } = webhookContext({ credential: {}, parameters: listening() }, {}, {});
		const warn = jest.spyOn(context.logger, 'warn');
		await deliver(event(), { credentialError: new Error(`timeout of ${SECRET}`) });
		const said = warn.mock.calls.map(([message]) => message);
		warn.mockRestore();
		expect(said).toEqual([
			expect.stringMatching(
				/^Sign and Close Trigger: n8n stopped the request, so nothing was sent: timeout of \*\*\*/,
			),
		]);
	});
});

test('what a person has to mend in the node is a failed run in its own words', async () => {
	const { status, error } = await deliver(event(), {
		parameters: { events: "={{ $('Nowhere').item.json.events }}" },
	});
	expect([status, error?.constructor.name]).toEqual([500, 'NodeOperationError']);
	expect(error?.message).toMatch(/Nowhere|node/i);
});

test('a call while the workflow is being published has to come again: account and source may have changed', async () => {
	const staticData = { secret: SECRET, unpublishedAt: Date.now() };
	const { status, result } = await deliver(event(), { staticData });
	expect([status, result?.workflowData]).toEqual([503, undefined]);
	const { result: tested } = await deliver(event(), { staticData, mode: 'manual' });
	expect(tested?.workflowData?.[0]).toHaveLength(1);
});

describe('the secret in the address', () => {
	test('that was replaced is valid until its grace time ends, and not in that millisecond any more', async () => {
		const secret = 'p'.repeat(43);
		const until = Date.now() + 60_000;
		const statusAt = async (now: number) => {
			const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
			const { status } = await deliver(event(), {
				secret,
				staticData: { former: [{ secret, key: '', until }] },
			});
			clock.mockRestore();
			return status;
		};
		expect(await statusAt(until - 1)).toBe(200);
		expect(await statusAt(until)).toBe(401);
	});
});

describe('a signature', () => {
	test('in a header that nobody has named is none', async () => {
		const body = event();
		for (const header of ['undefined', 'x-other-signature'])
			expect(
				await deliver(body, { headers: signed(body, SECRET, header), parameters: required }),
			).toEqual({ status: 401, result: REFUSED });
	});
	test('with the registered key needs no credential, with another key it does', async () => {
		const body = event();
		const sent = {
			staticData: { signatureHeader: 'x-signature' },
			parameters: required,
			credentialError: new Error('timeout exceeded'),
		};
		const known = await deliver(body, { ...sent, headers: signed(body, SIGNING_KEY) });
		expect([known.status, known.error]).toEqual([200, undefined]);
		expect(known.result).toMatchObject({ workflowData: [[{ json: { event: body.event } }]] });
		expect(await deliver(body, { ...sent, headers: signed(body, 'other') })).toEqual({
			status: 503,
			result: REFUSED,
		});
	});
	test.each([
		['with spaces around it', ' the-key \n', 'the-key', 200],
		['that is empty', '', 'the-key', 401],
		['that is no text', null, 'null', 401],
	])('by an API key %s', async (_name, apiKey, key, status) => {
		const body = event();
		const answer = await deliver(body, {
			headers: signed(body, key),
			credential: { apiKey },
			parameters: required,
		});
		expect([answer.status, answer.error]).toEqual([status, undefined]);
	});
	test('counts for the bytes of the body, and where n8n has kept none for no bytes', async () => {
		const body = event();
		const statusOf = async (header: string, raw: boolean) =>
			(await deliver(body, { headers: { 'x-signature': header }, raw, parameters: required }))
				.status;
		const [whole, nothing] = [
			signBody(JSON.stringify(body), SIGNING_KEY),
			signBody('', SIGNING_KEY),
		];
		expect(await statusOf(whole, true)).toBe(200);
		expect(await statusOf(nothing, true)).toBe(401);
		expect(await statusOf(whole, false)).toBe(401);
		expect(await statusOf(nothing, false)).toBe(200);
	});
});

describe('a call where events come from the event records', () => {
	test('starts nothing but the reading of the records, if it comes from the service', async () => {
		let read = 0;
		const { context } = webhookContext({ credential: {}, parameters: listening() }, {}, {});
		const stop = eventLogSignal.listen(context, () => void (read += 1));
		try {
			const pull = { options: { eventSource: 'pull' } };
			expect(await deliver(event(), { parameters: pull })).toEqual({ status: 200, result: {} });
			expect(read).toBe(1);
			expect((await deliver({ no: 'event' }, { parameters: pull })).status).toBe(400);
			await deliver(event(), { parameters: pull, secret: 'x'.repeat(43) });
			await deliver(event());
			expect(read).toBe(1);
			// A test listener waits for the event itself.
			const { result } = await deliver(event(), { parameters: pull, mode: 'manual' });
			expect([result?.workflowData?.[0].length, read]).toEqual([1, 1]);
		} finally {
			stop();
		}
	});
});
