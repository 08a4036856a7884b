import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import {
	CREDENTIAL_TYPE,
	itemsOf,
	PACKAGE,
	type N8nApi,
	type WorkflowJson,
} from '../../host/clients/n8nApi.mts';
import { makeClosing, sandboxCredential } from '../../host/demo/setUp.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { freePort } from '../../host/run/ports.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import type { Webhook } from '../../sandbox/state/world.mts';
import { TARBALL } from './support/host.mts';

/**
 * The table of the trigger's life: each situation in a real n8n, and after it the list of webhooks
 * at the service is exactly as stated. Somebody else's webhook stands there all the time and must
 * never be touched.
 */

const COMPLETED = ['transaction.completed', 'transaction.completed_with_rejections'];
const FOREIGN = 'https://other.example.com/hook';
const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
let sandbox: Sandbox;
let n8n: RunningN8n;
let port: number;
let credential: { id: string; name: string };

const start = async () => {
	n8n = await startN8n({
		userFolder: place,
		tarball: TARBALL,
		port,
		env: { SIGN_AND_CLOSE_OUTSIDE: 'closed' },
	});
};
const api = (): N8nApi => n8n.api;
/**
 * Stops n8n, as an update does or as a power cut does, lets something happen, and starts it again.
 */
async function restart({
	kill = false,
	meanwhile = () => undefined,
}: { kill?: boolean; meanwhile?: () => void } = {}): Promise<void> {
	await (kill ? n8n.kill() : n8n.stop());
	meanwhile();
	await start();
}
const own = (): Webhook[] =>
	[...sandbox.world.webhooks.values()].filter(({ url }) => url !== FOREIGN);
const seen = () =>
	own().map(({ url, subscriptions, enabled }) => ({
		at: new URL(url).origin + new URL(url).pathname.split('/').slice(0, 2).join('/'),
		subscriptions: [...subscriptions].sort(),
		enabled,
		secret: new URL(url).searchParams.get('key')?.length,
	}));
const one = (subscriptions = COMPLETED, at = 'webhook') => ({
	at: `${n8n.url}/${at}`,
	subscriptions,
	enabled: true,
	secret: 43,
});

/**
 * n8n sets up the triggers of a workflow side by side, so the order of their subscriptions is left
 * to chance.
 */
const sorted = (list: unknown[]): string[] => list.map((entry) => JSON.stringify(entry)).sort();
/**
 * Waits for what the first look after a start does; then the list has to be as stated, and stay so.
 */
async function becomes(stated: unknown[]): Promise<void> {
	const expected = sorted(stated);
	const end = Date.now() + 15_000;
	while (Date.now() < end && JSON.stringify(sorted(seen())) !== JSON.stringify(expected))
		await new Promise((wake) => setTimeout(wake, 100));
	expect(sorted(seen())).toEqual(expected);
	await new Promise((wake) => setTimeout(wake, 250));
	expect(sorted(seen())).toEqual(expected);
}

const flow = (name: string, events = COMPLETED, more: object = {}): WorkflowJson => ({
	name,
	nodes: [
		{
			id: randomUUID(),
			name: 'Events',
			type: `${PACKAGE}.signAndCloseTrigger`,
			typeVersion: 1,
			position: [0, 0],
			webhookId: randomUUID(),
			parameters: { events, ...more },
			credentials: { [CREDENTIAL_TYPE]: credential },
		} as never,
		{
			id: randomUUID(),
			name: 'Other',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			position: [0, 200],
			parameters: { rule: { interval: [{ field: 'days' }] } },
		},
	],
	connections: {},
	settings: { executionOrder: 'v1' },
});
let made = 0;
const publish = async (events?: string[], more?: object): Promise<string> => {
	const { id } = await api().saveWorkflow(flow(`Flow ${++made}`, events, more));
	await api().publish(id);
	return id;
};
/** Changes a flow that is published, and publishes the change. */
async function change(id: string, work: (node: any, workflow: any) => void): Promise<void> {
	const workflow = await api().workflow(id);
	work(workflow.nodes[0], workflow);
	await api().session.send('PATCH', `/rest/workflows/${id}`, {
		name: workflow.name,
		nodes: workflow.nodes,
		connections: workflow.connections,
		settings: workflow.settings,
		versionId: workflow.versionId,
	});
	await api().publish(id);
}

beforeAll(async () => {
	port = await freePort();
	sandbox = await startSandbox();
	await start();
}, 300_000);
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	rmSync(place, { recursive: true, force: true });
}, 60_000);
beforeEach(async () => {
	sandbox.faults.clear();
	sandbox.world.settings.profile = 'full';
	for (const { id, isArchived } of (await api().workflows()) as Array<{
		id: string;
		isArchived?: boolean;
	}>)
		if (isArchived !== true) await api().deleteWorkflow(id);
	sandbox.world.webhooks.clear();
	await fetch(`${sandbox.url}/v2/webhooks/`, {
		method: 'POST',
		headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
		body: JSON.stringify({ url: FOREIGN, subscriptions: ['*'] }),
	});
	credential = await api().saveCredential('Life', CREDENTIAL_TYPE, sandboxCredential(sandbox));
});
const foreignIsThere = () =>
	expect([...sandbox.world.webhooks.values()].filter(({ url }) => url === FOREIGN)).toMatchObject([
		{ subscriptions: ['*'], enabled: true },
	]);

const SITUATIONS: Array<[string, () => Promise<void>]> = [
	[
		'published',
		async () => {
			await publish();
			await becomes([one()]);
		},
	],
	[
		'published and unpublished',
		async () => {
			await api().unpublish(await publish());
			await becomes([]);
		},
	],
	[
		'published, unpublished, published',
		async () => {
			const id = await publish();
			const [{ url }] = own();
			await api().unpublish(id);
			await api().publish(id);
			await becomes([one()]);
			expect(own()[0].url).not.toBe(url);
		},
	],
	[
		'published again while it is published',
		async () => {
			const id = await publish();
			await api().publish(id);
			await becomes([one()]);
		},
	],
	[
		'events changed while it is live',
		async () => {
			await change(await publish(), (node) => (node.parameters.events = ['transaction.sent']));
			await becomes([one(['transaction.sent'])]);
		},
	],
	[
		'a wildcard added while it is live: what it covers is not asked for twice',
		async () => {
			await change(await publish(), (node) => node.parameters.events.push('transaction.*'));
			await becomes([one(['transaction.*'])]);
		},
	],
	[
		'an event typed by hand',
		async () => {
			await publish(['transaction.sent'], { options: { otherEvents: ['notary.created'] } });
			await becomes([one(['notary.created', 'transaction.sent'])]);
		},
	],
	[
		'an event that the service does not have: publishing is refused',
		async () => {
			await expect(
				publish([], { options: { otherEvents: ['transaction.renamed'] } }),
			).rejects.toThrow();
			await becomes([]);
		},
	],
	[
		'the trigger node disabled while it is live',
		async () => {
			await change(await publish(), (node) => (node.disabled = true));
			await becomes([]);
		},
	],
	[
		'the trigger node taken out while it is live',
		async () => {
			await change(await publish(), (_node, workflow) => workflow.nodes.shift());
			await becomes([]);
		},
	],
	[
		'the trigger node renamed while it is live',
		async () => {
			await change(await publish(), (node) => (node.name = 'Renamed'));
			await becomes([one()]);
		},
	],
	[
		'the workflow deleted while it is live',
		async () => {
			await api().deleteWorkflow(await publish());
			await becomes([]);
		},
	],
	[
		'two workflows on one credential, one of them unpublished',
		async () => {
			const first = await publish();
			await publish(['transaction.sent']);
			expect(seen()).toEqual([one(), one(['transaction.sent'])]);
			await api().unpublish(first);
			await becomes([one(['transaction.sent'])]);
		},
	],
	[
		'two triggers in one workflow',
		async () => {
			const workflow = flow(`Flow ${++made}`);
			workflow.nodes.push({ ...flow('x', ['transaction.sent']).nodes[0], name: 'More events' });
			const { id } = await api().saveWorkflow(workflow);
			await api().publish(id);
			await becomes([one(), one(['transaction.sent'])]);
			await api().unpublish(id);
			await becomes([]);
		},
	],
	[
		'a duplicated workflow, published beside the first and unpublished again',
		async () => {
			await publish();
			const [{ url }] = own();
			const copy = await publish();
			expect(seen()).toEqual([one(), one()]);
			await api().unpublish(copy);
			await becomes([one()]);
			expect(own()[0].url).toBe(url);
		},
	],
	[
		'a copy with the same address: n8n refuses to publish it, and the first stays',
		async () => {
			const workflow = flow(`Flow ${++made}`);
			const { id } = await api().saveWorkflow(workflow);
			await api().publish(id);
			const copy = await api().saveWorkflow({ ...workflow, name: `Flow ${++made}` });
			await api()
				.publish(copy.id)
				.catch(() => undefined);
			await becomes([one()]);
		},
	],
	[
		'an imported workflow that says it is active: n8n leaves it unpublished',
		async () => {
			await api().session.send('POST', '/rest/workflows', {
				...flow(`Flow ${++made}`),
				active: true,
			});
			await becomes([]);
		},
	],
	[
		"activated and deactivated through n8n's public API",
		async () => {
			const { rawApiKey } = await api().session.send<{ rawApiKey: string }>(
				'POST',
				'/rest/api-keys',
				{
					label: `Key ${++made}`,
					expiresAt: null,
					scopes: ['workflow:activate', 'workflow:deactivate', 'workflow:read', 'workflow:update'],
				},
			);
			const { id } = await api().saveWorkflow(flow(`Flow ${++made}`));
			const ask = async (step: 'activate' | 'deactivate') => {
				const answer = await fetch(`${n8n.url}/api/v1/workflows/${id}/${step}`, {
					method: 'POST',
					headers: { 'x-n8n-api-key': rawApiKey },
				});
				expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
			};
			await ask('activate');
			await becomes([one()]);
			await ask('deactivate');
			await becomes([]);
		},
	],
	[
		'test listening beside production, and ended',
		async () => {
			const id = await publish();
			await api().run(id, { trigger: 'Events' });
			expect(seen()).toEqual([one(), one(COMPLETED, 'webhook-test')]);
			await api().session.send('DELETE', `/rest/test-webhook/${id}`);
			await becomes([one()]);
		},
	],
	[
		'the service down while publishing: refused or repeated, and once it is back there is one',
		async () => {
			sandbox.faults.add({ path: '/v2/webhooks', status: 503, times: 1000 });
			const { id } = await api().saveWorkflow(flow(`Flow ${++made}`));
			await api()
				.publish(id, 20_000)
				.catch(() => undefined);
			expect(own()).toEqual([]);
			sandbox.faults.clear();
			await api()
				.unpublish(id)
				.catch(() => undefined);
			await api().publish(id);
			await becomes([one()]);
		},
	],
	[
		'the answer to the creation lost',
		async () => {
			sandbox.faults.add({ method: 'POST', path: '/v2/webhooks/', kind: 'cutAfter' });
			await publish();
			await becomes([one()]);
		},
	],
	[
		'the service down while unpublishing: what stays is removed when it is published again',
		async () => {
			const id = await publish();
			sandbox.faults.add({ path: '/v2/webhooks', status: 401, times: 1000, body: { error: 'no' } });
			await api()
				.unpublish(id)
				.catch(() => undefined);
			expect(own()).toHaveLength(1);
			sandbox.faults.clear();
			await api().publish(id);
			await becomes([one()]);
		},
	],
	[
		'removed at the service by hand, then unpublished',
		async () => {
			const id = await publish();
			sandbox.world.webhooks.delete(own()[0].id);
			await api().unpublish(id);
			await becomes([]);
		},
	],
	[
		'the key edited in the credential while it is live, then unpublished',
		async () => {
			const id = await publish();
			await api().saveCredential('Life', CREDENTIAL_TYPE, {
				...sandboxCredential(sandbox),
				apiKey: ` ${sandbox.keys.full} `,
			});
			await api().unpublish(id);
			await becomes([]);
		},
	],
	[
		'the credential deleted while it is live: what stays is removed when it is published with another',
		async () => {
			const id = await publish();
			await api().deleteCredential(credential.id);
			await api()
				.unpublish(id)
				.catch(() => undefined);
			expect(own()).toHaveLength(1);
			credential = await api().saveCredential(
				'Life 2',
				CREDENTIAL_TYPE,
				sandboxCredential(sandbox),
			);
			await change(id, (node) => (node.credentials = { [CREDENTIAL_TYPE]: credential }));
			await becomes([one()]);
		},
	],
	[
		'a documented-only service: nothing can be removed there, and nothing is doubled',
		async () => {
			sandbox.world.settings.profile = 'documented';
			const id = await publish();
			expect(own()).toHaveLength(1);
			await api().unpublish(id);
			expect(own()).toHaveLength(1);
			await api().publish(id);
			await becomes([one()]);
			expect(n8n.log()).toMatch(/does not offer removing webhooks/);
		},
	],
	[
		'n8n stopped and started',
		async () => {
			await publish();
			const [{ id, url }] = own();
			await restart();
			await becomes([one()]);
			expect(own()[0]).toMatchObject({ id, url });
		},
	],
	[
		'n8n killed and started',
		async () => {
			await publish();
			const [{ url }] = own();
			await restart({ kill: true });
			await becomes([one()]);
			expect(own()[0].url).toBe(url);
		},
	],
	[
		'disabled, and its events changed, at the service by hand: mended with the first look after a start',
		async () => {
			await publish();
			await restart({
				meanwhile: () =>
					void Object.assign(own()[0], { enabled: false, subscriptions: ['transaction.sent'] }),
			});
			await becomes([one()]);
		},
	],
	[
		'removed at the service by hand: made anew',
		async () => {
			await publish();
			await restart({ meanwhile: () => void sandbox.world.webhooks.delete(own()[0].id) });
			await becomes([one()]);
		},
	],
	[
		'pointed elsewhere by hand: that one is left alone, and another is made',
		async () => {
			await publish();
			await restart({
				meanwhile: () => void (own()[0].url = 'https://elsewhere.example.com/hook'),
			});
			await becomes([
				{
					at: 'https://elsewhere.example.com/hook',
					subscriptions: COMPLETED,
					enabled: true,
					secret: undefined,
				},
				one(),
			]);
		},
	],
	[
		'the signing key of the credential changed: handed over with the first look after a start',
		async () => {
			await publish();
			await api().saveCredential('Life', CREDENTIAL_TYPE, {
				...sandboxCredential(sandbox),
				webhookSigningSecret: 'a key of our own',
			});
			await restart();
			await becomes([one()]);
			expect(own()[0].signingKey).toBe('a key of our own');
		},
	],
	[
		'n8n moved to another address',
		async () => {
			await publish();
			await n8n.stop();
			port = await freePort();
			await start();
			await becomes([one()]);
		},
	],
];

test.each(SITUATIONS)(
	'%s',
	async (_name, situation) => {
		await situation();
		foreignIsThere();
		expect(sandbox.problems).toEqual([]);
	},
	120_000,
);

const eventsOf = async (id: string): Promise<unknown[]> =>
	(await api().waitForExecutions(id, 1, { waitMs: 40_000 })).flatMap((run) =>
		itemsOf(run, 'Events').map(({ json }) => json),
	);

test('pull mode with expressions in the parameters: n8n evaluates them only while a trigger starts, and events come all the same', async () => {
	const id = await publish(['transaction.created'], {
		deliveryMode: 'pull',
		filters: { external_id: "={{ 'case' }}-*" },
	});
	await makeClosing(sandbox, { external_id: 'other-1' });
	const wanted = await makeClosing(sandbox, { external_id: 'case-1' });
	expect(await eventsOf(id)).toMatchObject([{ transaction_id: wanted, delivery: { by: 'pull' } }]);
}, 120_000);

test('an event that could not be delivered before the changed workflow was published again comes afterwards', async () => {
	const id = await publish(['transaction.created']);
	sandbox.faults.add({ method: 'GET', path: '/transactions/', status: 503, times: Infinity });
	const made = await makeClosing(sandbox, { external_id: 'case-2' });
	const end = Date.now() + 30_000;
	while (
		Date.now() < end &&
		!sandbox.deliveries.some(({ transactionId, code }) => transactionId === made && code === 503)
	)
		await new Promise((wake) => setTimeout(wake, 50));
	sandbox.faults.clear();
	await change(id, (node) => (node.parameters.simplify = false));
	expect(await eventsOf(id)).toMatchObject([
		{ transaction_id: made, confirmed: true, delivery: { by: 'recovery' } },
	]);
}, 120_000);

test('at least 25 situations', () => {
	expect(SITUATIONS.length).toBeGreaterThanOrEqual(25);
});
