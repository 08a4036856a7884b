import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../../sandbox/index.mts';
import { checkSubscription } from '../../../../nodes/SignAndClose/trigger/subscription/check.ts';
import { REMOVAL } from '../../../../nodes/SignAndClose/trigger/subscription/webhookMethods.ts';
import { triggerMemory } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { nextNumber } from '../../../support/delivery.mts';
import {
	credentialFor,
	hookContext,
	triggerContext,
	useBinaryMode,
} from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { storedMemory } from '../../../support/live/webhooks.mts';
import { until } from '../../../support/until.mts';

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
		expect(await methods.create.call(context)).toBe(true);
		const [hook] = hooks();
		expect(hook.subscriptions).toEqual(EVENTS.events);
		expect(new URL(hook.url).searchParams.get('key')).toMatch(/^[\w-]{43}$/);
		expect(workflow.getStaticData('node', workflow.getNode('Tested')!)).toMatchObject({
			webhookId: hook.id,
			callback: hook.url,
		});
		expect(await methods.create.call(context)).toBe(true);
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
		expect(await changed.methods.create.call(changed.context)).toBe(true);
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
		expect(await after.methods.create.call(after.context)).toBe(true);
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
		expect(await after.methods.create.call(after.context)).toBe(true);
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
		expect(await restarted.methods.create.call(restarted.context)).toBe(true);
		expect(hooks()).toEqual([created]);
		expect(staticDataOf(restarted)).toMatchObject({ webhookId: created.id, callback: created.url });
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
			// The node of another test may still be looking after its own webhook.
			const own = () => warn.mock.calls.filter(([text]) => String(text).includes(hook.id));
			await until(() => own().length > 0);
			expect(own()).toEqual([
				[expect.stringMatching(new RegExp(`the webhook ${hook.id} stays in the service`))],
			]);
			expect(hooks()).toEqual([hook]);
			warn.mockRestore();
			sandbox.faults.clear();
			const again = hookContext(
				{ ...options(), staticData: { 'node:Tested': { ...staticDataOf({ context }) } } },
				`unreadable-${status}`,
			);
			expect(await again.methods.create.call(again.context)).toBe(true);
			expect(hooks()).toEqual([hook]);
		},
	);
	test('a credential that is gone: n8n is told, and the log names the webhook', async () => {
		const { context, methods } = hookContext(options(), 'credential-gone');
		await methods.create.call(context);
		const [hook] = hooks();
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		jest
			.spyOn(context, 'getCredentials')
			.mockRejectedValue(new Error('Credential with ID "1" does not exist'));
		await forEachCase(
			Array(3).keys(),
			async () => await expect(methods.delete.call(context)).rejects.toThrow(/does not exist/),
		);
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
		expect(await methods.create.call(context)).toBe(true);
		// Nothing can be removed there: what stays is known again, so that it is not doubled.
		expect(await methods.delete.call(context)).toBe(true);
		expect(documented.world.webhooks.size).toBe(1);
		expect(await methods.create.call(context)).toBe(true);
		await documented.close();
	});
});
