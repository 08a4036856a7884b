import type { ICredentialDataDecryptedObject, IDataObject, ITriggerFunctions } from 'n8n-workflow';

import { createService, type ServiceClient } from '../../../nodes/SignAndClose/transport/client.ts';
import { hashKey } from '../../../nodes/SignAndClose/trigger/authenticity.ts';
import type { TriggerState } from '../../../nodes/SignAndClose/trigger/memory.ts';
import { hookContext } from '../engine.mts';
import { liveWebhook } from './answers.mts';
import { withService, type Answer, type AskedFor } from './service.mts';

/** A service that has webhooks, and what the trigger knows of its own one there. */

export const ADDRESS = 'https://n8n.example.com/webhook/a/webhook';
export const SECRET = 'the-secret-of-this-subscription';
export const SIGNING_KEY = 'the-key-of-this-subscription';
export const CALLBACK = `${ADDRESS}?key=${SECRET}`;
export const ELSEWHERE = 'https://other.example.com/hook';
export const EVENTS = ['transaction.created', 'transaction.sent'];
export const OWNER = { instanceId: 'instance-1', workflowId: 'workflow-1' };
export const WANTED = {
	address: ADDRESS,
	events: EVENTS,
	signatureHeader: 'x-signature',
	owner: OWNER,
	warn: () => undefined,
};
/** How long the secret before is believed. */
export const GRACE_MS = 48 * 3_600_000;

/** How the trigger names what it has written. */
export const written = (key = SIGNING_KEY, events = EVENTS) =>
	hashKey(JSON.stringify([CALLBACK, [...events].sort(), key]));
/** What is stored of a published subscription. */
export const known = (more: TriggerState = {}): TriggerState => ({
	webhookId: 'ours',
	callback: CALLBACK,
	secret: SECRET,
	signingKey: SIGNING_KEY,
	events: EVENTS,
	written: written(SIGNING_KEY, more.events),
	signatureHeader: 'x-signature',
	owner: OWNER,
	...more,
});
/** What n8n stores of a node, without when it was written. */
export function storedMemory(context: Pick<ITriggerFunctions, 'getWorkflowStaticData'>) {
	const memory: TriggerState = { ...context.getWorkflowStaticData('node') };
	delete memory.savedAt;
	return memory;
}
/** The webhook of that subscription, as the service shows it. */
export const ours = (more: IDataObject = {}) =>
	liveWebhook({ id: 'ours', url: CALLBACK, subscriptions: EVENTS, ...more });

/** What the service has, and what it can. */
export interface Scene {
	/** The webhooks of the service. */
	hooks?: IDataObject[];
	/** It lists identifiers, answers a creation with nothing and has no call for one webhook. */
	documented?: boolean;
	/** Answers instead, e.g. with a refusal. */
	instead?: (request: AskedFor, hooks: IDataObject[]) => Answer | undefined;
}

/** What a test works with. */
export interface Played {
	credential: ICredentialDataDecryptedObject;
	service: ServiceClient;
	hooks: IDataObject[];
	/** The requests so far, as method and ID; `list` is the list. */
	asked: () => string[];
	bodies: (method: string) => IDataObject[];
}

/** A service whose webhooks are a list, on every path for webhooks. */
export async function playing(
	{ hooks = [], documented, instead }: Scene,
	work: (p: Played) => Promise<void>,
) {
	const idOf = (path: string) => /\/webhooks\/([^/]+)$/.exec(path)?.[1];
	await withService(
		(request) => {
			const { method, path, body } = request;
			const answer = instead?.(request, hooks);
			if (answer !== undefined) return answer;
			const at = hooks.findIndex(({ id }) => id === idOf(path));
			if (method === 'POST') {
				hooks.push(liveWebhook({ ...(body as IDataObject), id: 'new' }));
				return { body: documented ? '' : hooks.at(-1) };
			}
			if (/\/webhooks\/?$/.test(path))
				return { body: documented ? hooks.map(({ id }) => id) : hooks };
			if (at < 0 || (documented && method === 'GET')) return undefined;
			if (method === 'DELETE') hooks.splice(at, 1);
			if (method === 'PUT') Object.assign(hooks[at], body);
			return { body: method === 'GET' ? hooks[at] : { updated: true } };
		},
		async ({ credential, requests, bodies }) => {
			const { context } = hookContext({ credential, parameters: {} }, 'a');
			await work({
				credential,
				service: await createService(context),
				hooks,
				asked: () =>
					requests
						.filter(({ path }) => !path.endsWith('/organization'))
						.map(({ method, path }) => `${method} ${idOf(path) ?? 'list'}`),
				bodies,
			});
		},
	);
}
