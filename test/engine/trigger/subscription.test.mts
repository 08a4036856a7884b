import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { REMOVAL, checkSubscription } from '../../../nodes/SignAndClose/trigger/webhookMethods.ts';
import { triggerMemory } from '../../../nodes/SignAndClose/trigger/memory.ts';
import { nextNumber } from '../../support/delivery.mts';
import {
	credentialFor,
	hookContext,
	triggerContext,
	useBinaryMode,
} from '../../support/engine.mts';
import { liveWebhook } from '../../support/live/answers.mts';
import { withService } from '../../support/live/service.mts';
import { storedMemory } from '../../support/live/webhooks.mts';
import { until } from './until.mts';

let sandbox: Sandbox;
const credential = () => credentialFor(sandbox.url);
const EVENTS = {
	events: ['transaction.completed', 'transaction.completed_with_rejections'],
};
const WATCHED = { ...EVENTS, pull: false };
const options = (parameters: IDataObject = EVENTS) => ({
	type: 'signAndCloseTrigger' as const,
	credential: credential(),
	parameters,
});
const hooks = () => [...sandbox.world.webhooks.values()];
const staticDataOf = ({ context }: { context: ReturnType<typeof hookContext>['context'] }) =>
	storedMemory(context);
/** Waits until a webhook that was to be removed meanwhile would have been. */
async function outlasted(): Promise<void> {
	const { context, methods } = hookContext(
		{ ...options(), node: { id: `outlasted-${nextNumber()}` } },
		`outlasted-${nextNumber()}`,
	);
	const count = hooks().length;
	await methods.create.call(context);
	await methods.delete.call(context);
	await until(() => hooks().length === count);
}
beforeAll(async () => {
	REMOVAL.pauseMs = 100;
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
afterEach(() => {
	expect(sandbox.problems).toEqual([]);
	sandbox.world.webhooks.clear();
	sandbox.faults.clear();
	triggerMemory.forget();
});

describe('life cycle', () => {
	test('publishing registers one webhook with a secret in its address, unpublishing removes it', async () => {
		const { context, workflow, methods } = hookContext(options(), 'production');
		expect(await methods.checkExists.call(context)).toBe(false);
		expect(await methods.create.call(context)).toBe(true);
		const [hook] = hooks();
		expect(hook.subscriptions).toEqual(EVENTS.events);
		expect(new URL(hook.url).searchParams.get('key')).toMatch(/^[\w-]{43}$/);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
			webhookId: hook.id,
			callback: hook.url,
		});
		expect(await methods.checkExists.call(context)).toBe(true);
		expect(await methods.delete.call(context)).toBe(true);
		expect(hooks()).toEqual([hook]);
		await until(() => hooks().length === 0);
	});
	test('a changed trigger, which n8n unpublishes and publishes again, keeps its webhook and its event records', async () => {
		const { context, workflow, methods } = hookContext(options(), 'republished');
		await methods.create.call(context);
		const [hook] = hooks();
		const { url } = hook;
		await methods.delete.call(context);
		const stored = { ...workflow.getStaticData('node', workflow.getNode('Tested')!) };
		expect(stored).toMatchObject({ webhookId: hook.id, unpublishedAt: expect.any(Number) });
		const changed = hookContext(
			{
				...options({ ...EVENTS, events: ['transaction.sent'] }),
				staticData: { 'node:Tested': stored },
			},
			'republished',
		);
		expect(await changed.methods.checkExists.call(changed.context)).toBe(true);
		expect(hooks()).toEqual([hook]);
		// With a new secret, so that who wants to remove it sees that it's in use.
		expect(hook).toMatchObject({
			url: staticDataOf(changed).callback,
			subscriptions: ['transaction.sent'],
		});
		expect(hook.url).not.toBe(url);
		await outlasted();
		expect(hooks()).toEqual([hook]);
	});
	test('a renamed trigger keeps its webhook, although n8n has stored nothing under the new name', async () => {
		const before = hookContext(options(), 'renamed');
		await before.methods.create.call(before.context);
		const [hook] = hooks();
		const { url } = hook;
		await before.methods.delete.call(before.context);
		const after = hookContext(options(), 'renamed');
		expect(await after.methods.checkExists.call(after.context)).toBe(true);
		await outlasted();
		expect(hooks()).toMatchObject([{ id: hook.id }]);
		expect(hooks()[0].url.split('?')[0]).toBe(url.split('?')[0]);
	});
	test('n8n was killed in the seconds before the removal: the next publishing uses what stands', async () => {
		const before = hookContext(options(), 'killed');
		await before.methods.create.call(before.context);
		const [hook] = hooks();
		const stored = { ...staticDataOf(before), unpublishedAt: Date.now() - 60_000 };
		const after = hookContext({ ...options(), staticData: { 'node:Tested': stored } }, 'killed');
		expect(await after.methods.checkExists.call(after.context)).toBe(true);
		expect(hooks()).toEqual([hook]);
		expect(staticDataOf(after)).not.toHaveProperty('unpublishedAt');
	});
	test('a trigger with another credential gets a webhook there; the former one is removed with its own key', async () => {
		const other = await startSandbox();
		try {
			const before = hookContext(options(), 'another-account');
			await before.methods.create.call(before.context);
			await before.methods.delete.call(before.context);
			const after = hookContext(
				{
					...options(),
					credential: credentialFor(other.url, { apiKey: other.keys.full }),
					staticData: { 'node:Tested': { ...staticDataOf(before) } },
				},
				'another-account',
			);
			expect(await after.methods.checkExists.call(after.context)).toBe(false);
			await after.methods.create.call(after.context);
			expect(other.world.webhooks.size).toBe(1);
			await until(() => hooks().length === 0);
			expect(other.world.webhooks.size).toBe(1);
		} finally {
			await other.close();
		}
	});

	test('two workflows do not touch each other, nor a webhook that is not ours', async () => {
		await fetch(`${sandbox.url}/v2/webhooks/`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
			body: JSON.stringify({ url: 'https://other.example.com/hook', subscriptions: ['*'] }),
		});
		const [one, two] = ['one', 'two'].map((id) => hookContext({ ...options(), node: { id } }, id));
		await one.methods.create.call(one.context);
		await two.methods.create.call(two.context);
		await one.methods.delete.call(one.context);
		await until(() => hooks().length === 2);
		expect(hooks().map(({ url }) => url.split('?')[0])).toEqual([
			'https://other.example.com/hook',
			expect.stringMatching(/two/),
		]);
	});

	test('what an earlier life left behind at this address is used further on', async () => {
		const first = hookContext(options(), 'again');
		await first.methods.create.call(first.context);
		// n8n lost its static data: the new one knows nothing of the old webhook.
		const second = hookContext(options(), 'again');
		const [{ id }] = hooks();
		expect(await second.methods.checkExists.call(second.context)).toBe(true);
		expect(hooks()).toMatchObject([{ id, url: staticDataOf(second).callback }]);
	});
	test('a webhook that a look has created stays with its records when n8n starts and has stored the one before', async () => {
		const first = hookContext(options(), 'mended');
		await first.methods.create.call(first.context);
		const stored = { ...staticDataOf(first) };
		sandbox.world.webhooks.clear();
		// n8n saves no static data after a look.
		const trigger = triggerContext({
			...options(),
			staticData: { 'node:Tested': { ...stored } },
		});
		triggerMemory.forget();
		await checkSubscription(trigger, WATCHED);
		const [created] = hooks();
		expect(created.id).not.toBe(stored.webhookId);
		const restarted = hookContext(
			{ ...options(), staticData: { 'node:Tested': stored } },
			'mended',
		);
		expect(await restarted.methods.checkExists.call(restarted.context)).toBe(true);
		expect(hooks()).toEqual([created]);
		expect(staticDataOf(restarted)).toMatchObject({ webhookId: created.id, callback: created.url });
	});

	test.each(['byField', 'never'] as const)(
		'a webhook that was disabled delivers again, where a service enables %s',
		async (enableWebhook) => {
			sandbox.world.settings.switches.enableWebhook = enableWebhook;
			const { context, methods } = hookContext(options(), `disabled-${enableWebhook}`);
			await methods.create.call(context);
			const [hook] = hooks();
			hook.enabled = false;
			expect(await methods.checkExists.call(context)).toBe(true);
			expect(hooks()).toMatchObject([{ url: hook.url, enabled: true }]);
			expect(hooks()[0].id === hook.id).toBe(enableWebhook !== 'never');
			sandbox.world.settings.switches.enableWebhook = 'byField';
		},
	);

	test('other events or a disabled webhook are mended by an update', async () => {
		const { context, methods } = hookContext(options(), 'changed');
		await methods.create.call(context);
		const [hook] = hooks();
		for (const change of [{ subscriptions: ['transaction.sent'] }, { enabled: false }]) {
			Object.assign(hook, change);
			expect(await methods.checkExists.call(context)).toBe(true);
			expect(hooks()).toEqual([hook]);
			expect(hook).toMatchObject({ enabled: true, subscriptions: EVENTS.events });
		}
	});

	test('one that somebody has pointed elsewhere is not ours any more: left alone, and another is made', async () => {
		const { context, methods } = hookContext(options(), 'pointed');
		await methods.create.call(context);
		const [hook] = hooks();
		hook.url = 'https://other.example.com/';
		expect(await methods.checkExists.call(context)).toBe(false);
		await methods.create.call(context);
		expect(hooks().map(({ url }) => url.split('?')[0])).toEqual([
			'https://other.example.com/',
			expect.stringMatching(/pointed/),
		]);
		await methods.delete.call(context);
		await until(() => hooks().length === 1);
		expect(hooks()).toEqual([hook]);
	});

	test('an answer that was lost leaves one webhook, found again by its address', async () => {
		const { context, methods } = hookContext(options(), 'lost');
		sandbox.faults.add({ method: 'POST', path: '/v2/webhooks/', kind: 'cutAfter' });
		await methods.create.call(context);
		expect(hooks()).toHaveLength(1);
		expect(await methods.checkExists.call(context)).toBe(true);
	});

	test('an address that the service can not call is refused with the remedy', async () => {
		const { context, methods } = hookContext(
			{ ...options(), credential: credentialFor('https://api.example.com') },
			'local',
		);
		await expect(methods.create.call(context)).rejects.toMatchObject({
			message: expect.stringMatching(
				/can't reach this workflow: 127\.0\.0\.1 is only reachable from this machine/,
			),
			description: expect.stringMatching(/WEBHOOK_URL/),
		});
	});

	test('the event log as the source needs no address that the service can call', async () => {
		const { context, methods } = hookContext(
			{
				...options({ ...EVENTS, options: { eventSource: 'pull' } }),
				credential: credentialFor('https://service.invalid'),
			},
			'behind-a-firewall',
		);
		// Nothing but the service itself, which isn't there, keeps it from being published.
		await expect(methods.create.call(context)).rejects.toMatchObject({
			message: expect.not.stringMatching(/can't reach this workflow/),
		});
	}, 60_000);

	test('the service gets a key that says nothing about the secret; the key of the credential wins', async () => {
		const { context, methods } = hookContext(options(), 'key');
		await methods.create.call(context);
		const secret = new URL(hooks()[0].url).searchParams.get('key');
		expect(hooks()[0].signingKey).toMatch(/^[\w-]{43}$/);
		expect(hooks()[0].signingKey).not.toBe(secret);
		const own = hookContext(
			{
				...options(),
				credential: credentialFor(sandbox.url, { webhookSigningSecret: 'a key of our own' }),
			},
			'own',
		);
		await own.methods.create.call(own.context);
		expect(hooks()[1].signingKey).toBe('a key of our own');
	});

	test('a webhook that is gone already counts as removed', async () => {
		const { context, methods } = hookContext(options(), 'gone');
		await methods.create.call(context);
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		sandbox.world.webhooks.clear();
		expect(await methods.delete.call(context)).toBe(true);
		await outlasted();
		expect(warn.mock.calls).toEqual([]);
		warn.mockRestore();
	});
	test.each([401, 500])(
		'with event records that answer %i, the webhook is not removed, and the log names it',
		async (status) => {
			const { context, methods } = hookContext(options(), `unreadable-${status}`);
			await methods.create.call(context);
			const [hook] = hooks();
			const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
			sandbox.faults.add({
				method: 'GET',
				path: /\/events/,
				status,
				body: { error: 'no' },
				times: Infinity,
			});
			expect(await methods.delete.call(context)).toBe(true);
			await until(() => warn.mock.calls.length > 0);
			expect(warn.mock.calls).toEqual([
				[expect.stringMatching(new RegExp(`the webhook ${hook.id} stays in the service`))],
			]);
			expect(hooks()).toEqual([hook]);
			warn.mockRestore();
			sandbox.faults.clear();
			const again = hookContext(
				{ ...options(), staticData: { 'node:Tested': { ...staticDataOf({ context }) } } },
				`unreadable-${status}`,
			);
			expect(await again.methods.checkExists.call(again.context)).toBe(true);
			expect(hooks()).toEqual([hook]);
		},
		120_000,
	);
	test('a credential that is gone: n8n is told, and the log names the webhook', async () => {
		const { context, methods } = hookContext(options(), 'credential-gone');
		await methods.create.call(context);
		const [hook] = hooks();
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		jest
			.spyOn(context, 'getCredentials')
			.mockRejectedValue(new Error('Credential with ID "1" does not exist'));
		for (let attempt = 0; attempt < 3; attempt++)
			await expect(methods.delete.call(context)).rejects.toThrow(/does not exist/);
		expect(warn.mock.calls).toEqual([
			[expect.stringMatching(new RegExp(`the webhook ${hook.id} stays`))],
		]);
		warn.mockRestore();
	});

	test('works on the documented interface alone: identifiers in the list, an empty answer to the creation', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const { context, workflow, methods } = hookContext(
			{ ...options(), credential: credentialFor(documented.url) },
			'documented',
		);
		await methods.create.call(context);
		const [hook] = [...documented.world.webhooks.values()];
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
			webhookId: hook.id,
		});
		expect(await methods.checkExists.call(context)).toBe(true);
		// Nothing can be removed there: what stays is known again, so that it is not doubled.
		expect(await methods.delete.call(context)).toBe(true);
		expect(documented.world.webhooks.size).toBe(1);
		expect(await methods.checkExists.call(context)).toBe(true);
		await documented.close();
	});

	test('the header of the request ID is the one that the service names, and an update keeps it and the headers', async () => {
		const kept = { headers: ['X-Team:closings'], request_id_header_name: 'X-Trace' };
		let hook: IDataObject | undefined;
		await withService(
			({ method, path, body }) => {
				if (method === 'POST') hook = liveWebhook({ ...(body as IDataObject), ...kept });
				if (method === 'PUT') hook = { ...hook, ...(body as IDataObject) };
				if (path.endsWith('/webhooks')) return { body: hook === undefined ? [] : [hook] };
				return { body: method === 'PUT' ? { updated: true } : hook };
			},
			async ({ credential: own, bodies }) => {
				const { context, workflow, methods } = hookContext(
					{ ...options(), credential: own },
					'traced',
				);
				await methods.create.call(context);
				expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
					requestIdHeader: 'x-trace',
				});
				hook = { ...hook, enabled: false };
				expect(await methods.checkExists.call(context)).toBe(true);
				expect(bodies('PUT')).toEqual([{ ...bodies('POST')[0], ...kept, enabled: true }]);
			},
		);
	});

	test('an event the service does not offer is told with the remedy', async () => {
		const { context, methods } = hookContext(
			options({ ...EVENTS, events: ['transaction.renamed'] }),
			'unknown',
		);
		await expect(methods.create.call(context)).rejects.toMatchObject({
			message: expect.stringMatching(
				/^'Event Names or IDs' has '[^']+', which the service doesn't offer/,
			),
			description: expect.stringMatching(/^Remove it/),
		});
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
		await checkSubscription(context, WATCHED);
		expect(sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
		expect(sandbox.requests.length).toBeGreaterThan(before);
	});
	test('brings back one that was changed at the service, under the same address and secret', async () => {
		const context = await published();
		const [hook] = hooks();
		const { url } = hook;
		Object.assign(hook, { enabled: false, subscriptions: ['transaction.sent'] });
		await checkSubscription(context, WATCHED);
		expect(hooks()).toHaveLength(1);
		expect(hooks()[0]).toMatchObject({ url, enabled: true, subscriptions: EVENTS.events });
	});
	test('creates one that was removed at the service anew, once', async () => {
		const context = await published();
		const [{ url }] = hooks();
		sandbox.world.webhooks.clear();
		await checkSubscription(context, WATCHED);
		await checkSubscription(context, WATCHED);
		expect(hooks().map((hook) => hook.url)).toEqual([url]);
	});
	test('a service that can not be asked harms nothing', async () => {
		const context = await published();
		sandbox.faults.add({ path: '/v2/webhooks', status: 401, times: 5, body: { error: 'no' } });
		await checkSubscription(context, WATCHED);
		expect(hooks()).toHaveLength(1);
	});
});
