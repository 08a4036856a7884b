import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';
import type { IDataObject, INodeExecutionData, IWebhookResponseData } from 'n8n-workflow';

import { credentialCache } from '../../nodes/SignAndClose/trigger/delivery/confirmation.ts';
import { triggerMemory } from '../../nodes/SignAndClose/trigger/memory.ts';
import type { Webhook } from '../../sandbox/world/world.mts';
import { runNode, webhookContext } from './engine.mts';
import { credential, sandbox } from './useSandbox.mts';

/** Deliveries to the trigger, and the runs that they start. */

/** The secret in the address of the webhook. */
export const SECRET = 's'.repeat(43);
/** The key that the service signs with. */
export const SIGNING_KEY = 'k'.repeat(43);
/** Parameters of a trigger that takes every event and doesn't ask the service, unless they say otherwise. */
export const listening = ({ options, ...more }: IDataObject = {}): IDataObject => ({
	events: ['*'],
	...more,
	options: { confirm: false, ...(options as IDataObject) },
});
/** Parameters of a trigger that asks the service about each event. */
export const CONFIRMING = { options: { confirm: true } };
let count = 0;
/** A number that has not been used before in this test file. */
export const nextNumber = () => ++count;
/** How often deliveries have opened the credential. */
export const credentialReads = { count: 0 };
/** How many deliveries have reached the trigger. */
export const deliveries = { begun: 0 };
/** An event that has not been seen before. */
export const event = (more: IDataObject = {}, name = 'transaction.completed') => ({
	event: name,
	data: {
		transaction_id: 'ot_1',
		date_occurred: `2026-01-02T03:04:05.${String(nextNumber()).padStart(6, '0')}Z`,
		...more,
	},
});
/** Records that an event reached the webhook and wasn't answered with 200. */
export function recordUndelivered(
	webhook: Webhook,
	data: IDataObject,
	delivered = sandbox.clock.stamp(),
): void {
	webhook.events.unshift({
		event: 'transaction.completed',
		response: { code: 500, body: '', error: '' },
		delivered,
		payload: JSON.stringify(event(data)),
	});
}
export interface Sent {
	parameters?: IDataObject;
	secret?: string;
	headers?: Record<string, string>;
	staticData?: IDataObject;
	credential?: IDataObject;
	mode?: 'manual' | 'webhook';
	/** What keeps n8n from reading the credential. */
	credentialError?: Error;
	/** How long n8n reads the credential. */
	reading?: Promise<void>;
	/** It comes right after another one. Otherwise deliveries are some seconds apart. */
	soon?: boolean;
}

/** A delivery through a real HTTP server (express, as n8n's own) into n8n's webhook context. */
export async function deliver(
	body: unknown,
	{
		parameters = {},
		secret = SECRET,
		headers = {},
		staticData = { secret: SECRET, signingKey: SIGNING_KEY },
		credential: more = {},
		mode = 'webhook',
		credentialError,
		reading,
		soon = false,
	}: Sent = {},
) {
	if (!soon) {
		credentialCache.forget();
		triggerMemory.forget();
	}
	let result: IWebhookResponseData | undefined;
	let error: (Error & { description?: string }) | undefined;
	const app = express();
	app.use(
		express.json({
			// n8n's own limit.
			limit: '16mb',
			verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
		}),
	);
	app.post('/webhook', async (request, response) => {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: async () => {
				await reading;
				return credential(more as never);
			},
			parameters: listening(parameters),
			staticData: { 'node:Tested': staticData },
			mode,
			credentialError,
		};
		const { context, webhook } = webhookContext(options, request, response);
		const read = jest.spyOn(context, 'getCredentials');
		deliveries.begun++;
		try {
			result = await webhook.call(context);
		} catch (thrown) {
			error = thrown as typeof error;
			// As n8n answers, which also stores a failed run with the error.
			response.status(500).json({ message: 'Workflow could not be started!' });
			return;
		} finally {
			credentialReads.count += read.mock.calls.length;
		}
		if (!result.noWebhookResponse) response.json(result.webhookResponse ?? {});
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
	return { status: answer.status, said, item: result?.workflowData?.[0]?.[0]?.json, error };
}

/** Runs the trigger with what a delivery gave. */
export const runOf = async (
	items: INodeExecutionData[],
	parameters: IDataObject = {},
	mode: 'manual' | 'webhook' = 'webhook',
) =>
	await runNode({
		type: 'signAndCloseTrigger',
		credential: credential(),
		parameters: listening(parameters),
		items,
		mode,
	});
