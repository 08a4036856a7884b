import type { IDataObject } from 'n8n-workflow';
import { parseTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import { checkSubscription } from '../../../../nodes/SignAndClose/trigger/subscription/check.ts';
import { nextNumber } from '../../../support/delivery.mts';
import { hookContext, triggerContext } from '../../../support/engine.mts';
import { playing, type Scene } from '../../../support/live/webhooks.mts';

/** The selected events are compared with what the service offers when the workflow is published. */

const OFFERED = ['transaction.completed', 'transaction.declined', 'transaction.sent'];
const offering =
	(answer: object = { body: { transaction: OFFERED, notary: ['notary.created'] } }) =>
	({ path }: { path: string }) =>
		path.endsWith('/webhooks/subscriptions') ? answer : undefined;

async function publishing(parameters: IDataObject, scene: Scene = {}) {
	let created: unknown;
	let warned: unknown[] = [];
	let after: string[] = [];
	await playing({ instead: offering(), ...scene }, async ({ credential, bodies, asked }) => {
		const node = { id: `offered-${nextNumber()}` };
		const options = { credential, parameters, node };
		const { context, methods, workflow } = hookContext(options, node.id);
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		await methods.create.call(context);
		[created] = bodies('POST').map(({ subscriptions }) => subscriptions);
		warned = warn.mock.calls.map(([text]) => text);
		// The check of the published workflow wants the same events, and changes nothing.
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': memory } });
		const before = asked().length;
		await checkSubscription(trigger, parseTriggerParameters(trigger));
		after = asked().slice(before);
	});
	return { created, warned, after };
}

describe('a webhook that stands already', () => {
	/** Publishes, perhaps unpublishes, and calls what n8n calls next, with other parameters. */
	const next = async (isPublished: boolean, parameters: IDataObject) => {
		let isOffered = true;
		let isUsed: boolean | undefined;
		const instead: Scene['instead'] = (request) =>
			offering(
				isOffered ? undefined : { body: { transaction: ['transaction.declined'], notary: [] } },
			)(request);
		await playing({ instead }, async ({ credential }) => {
			const node = { id: `standing-${nextNumber()}` };
			const chosen = { events: ['transaction.sent'] };
			const before = hookContext({ credential, parameters: chosen, node }, node.id);
			await before.methods.create.call(before.context);
			if (!isPublished) await before.methods.delete.call(before.context);
			const memory = before.workflow.getStaticData('node', before.workflow.getNode('Tested')!);
			isOffered = false;
			const staticData = { 'node:Tested': { ...memory } };
			const options = { credential, parameters: { ...chosen, ...parameters }, node, staticData };
			const after = hookContext(options, node.id);
			isUsed = await after.methods.create.call(after.context);
		});
		return isUsed;
	};
	const noNumber = { onlyRunIf: { row: [{ field: 'status', comparison: 'gt', value: 'much' }] } };
	test('is not used for conditions that nothing can meet, or for events that are not offered', async () => {
		await expect(next(false, noNumber)).rejects.toThrow(/which isn't a number/);
		await expect(next(false, {})).rejects.toThrow(/which the service doesn't offer/);
	});
	test('is used after a restart of n8n, whatever has changed since', async () => {
		expect(await next(true, noNumber)).toBe(true);
	});
});

describe('publishing', () => {
	test('an event that the service does not offer is named', async () => {
		await expect(
			publishing({ events: ['transaction.sent', 'transaction.snt'] }),
		).rejects.toMatchObject({
			message: "'Event Names or IDs' has 'transaction.snt', which the service doesn't offer",
			description: expect.stringMatching(/Webhook: Get Event Types/),
		});
	});
	test('an event of a group that the service does not have is left out, also of later checks', async () => {
		const { created, after } = await publishing({ events: ['group:attention'] });
		expect(created).toEqual(['transaction.declined']);
		expect(after.some((request) => request.startsWith('PUT'))).toBe(false);
	});
	test('a group of which the service has nothing is refused', async () => {
		await expect(publishing({ events: ['group:documents'] })).rejects.toThrow(
			/'Event Names or IDs' is empty/,
		);
	});
	test('wildcards need no comparison', async () => {
		expect((await publishing({ events: ['transaction.*'] })).created).toEqual(['transaction.*']);
	});
	test.each([
		['does not list its events', undefined],
		['lists them in a way nobody can read', { body: { text: 'see our website' } }],
	])('a service that %s decides by itself', async (_name, answer) => {
		const scene = { instead: answer && offering(answer) };
		const { created } = await publishing({ events: ['transaction.archived'] }, scene);
		expect(created).toEqual(['transaction.archived']);
	});
});

test('a service that refuses the webhook is explained', async () => {
	const instead: Scene['instead'] = ({ method, path }) =>
		method === 'POST'
			? { status: 422, body: { errors: ['Invalid subscription passed'] } }
			: offering()({ path });
	await expect(publishing({ events: ['transaction.sent'] }, { instead })).rejects.toMatchObject({
		description: expect.stringMatching(/that this service offers/),
	});
});

describe('a URL that the service can not reach', () => {
	const publish = async (options: IDataObject) =>
		await playing({ instead: offering() }, async ({ credential }) => {
			const remote = { ...credential, baseUrl: 'https://service.invalid' };
			const parameters = { events: ['transaction.*'], options };
			const { context, methods } = hookContext({ credential: remote, parameters }, 'local');
			await methods.create.call(context);
		});
	test('is refused for calls', async () => {
		await expect(publish({})).rejects.toMatchObject({
			message: expect.stringMatching(/can't reach this workflow: 127\.0\.0\.1/),
			description: expect.stringMatching(
				/WEBHOOK_URL environment variable.*choose 'Event Log' in 'Event Source'/,
			),
		});
	});
	test('does not matter to the event log', async () => {
		// The made-up service isn't there, which is what it fails for.
		await expect(publish({ eventSource: 'pull' })).rejects.not.toMatchObject({
			message: expect.stringMatching(/can't reach this workflow/),
		});
	});
});
