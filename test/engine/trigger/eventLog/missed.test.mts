import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { emitRecordedEvents } from '../../../../nodes/SignAndClose/trigger/missed/eventLog.ts';
import { REMOVAL } from '../../../../nodes/SignAndClose/trigger/subscription/webhookMethods.ts';
import { triggerMemory } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { createService } from '../../../../nodes/SignAndClose/transport/client.ts';
import { parseTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import { N8N_DIR } from '../../../../scripts/runtime.mjs';
import { createClosing } from '../../../support/closing.mts';
import { deliver, listening, nextNumber } from '../../../support/delivery.mts';
import { hookContext, runNode, triggerContext } from '../../../support/engine.mts';
import { until } from '../../../support/until.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';

/** Events taken from the service's event log: missed ones, or all in pull mode. */

useSandbox();

/** A check of the event records. Returns how many events it has emitted. */
async function check(trigger: ReturnType<typeof triggerContext>, handled = new Set<string>()) {
	const emit = jest.spyOn(trigger as { emit: (...given: unknown[]) => void }, 'emit');
	const service = await createService(trigger);
	const settings = parseTriggerParameters(trigger);
	await emitRecordedEvents({ context: trigger, settings, service, handled, isClosed: () => false });
	const emitted = emit.mock.calls.length;
	emit.mockRestore();
	return emitted;
}

describe('the event records', () => {
	beforeEach(() => triggerMemory.forget());
	/** A published trigger whose deliveries all go wrong. */
	async function published(parameters: IDataObject = {}) {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: listening({ events: ['transaction.created'], ...parameters }),
		};
		const { context, methods, workflow } = hookContext(options, `records-${nextNumber()}`);
		await methods.create.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		const [hook] = [...sandbox.world.webhooks.values()].slice(-1);
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': { ...memory } } });
		const emitted: Array<{ json: IDataObject; key: string }> = [];
		// What n8n gives a published trigger; the context of n8n-core has only a place for it.
		trigger.emit = (
			[[{ json }]]: INodeExecutionData[][],
			_response: unknown,
			_done: unknown,
			key: string,
		) => emitted.push({ json, key });
		return { trigger, emitted, hook };
	}
	test('events that were not delivered are emitted once, oldest first, with a deduplication key', async () => {
		const { trigger, emitted, hook } = await published();
		const made = [await createClosing(credential()), await createClosing(credential())];
		await sandbox.clock.settled();
		expect(hook.events.every(({ response }) => response.code !== 200)).toBe(true);
		const handled = new Set<string>();
		expect(await check(trigger, handled)).toBe(2);
		expect(await check(trigger, handled)).toBe(0);
		expect(emitted.map(({ json }) => json.transaction_id)).toEqual(made);
		expect(emitted[0]).toMatchObject({
			json: { delivery: { by: 'recovery' }, delivery_key: expect.any(String) },
			key: expect.stringMatching(/^signAndClose:test:.+:[0-9a-f]{32}$/),
		});
	});
	describe('a call that was answered with 200', () => {
		const listed = async (operation: string, webhookId: string) => {
			const { items } = await runNode({
				credential: credential(),
				parameters: {
					resource: 'webhook',
					operation,
					webhookId: { __rl: true, mode: 'id', value: webhookId },
					returnAll: true,
					filters: operation === 'getEvents' ? { failedOnly: true } : {},
				},
			});
			return items.length > 0;
		};
		/** What n8n answers to every call before it knows any workflow. */
		const atStart = () => {
			const server = join(N8N_DIR, 'node_modules/n8n/dist/abstract-server.js');
			return /res\.send\('([^']*starting up[^']*)'\)/.exec(readFileSync(server, 'utf8'))![1];
		};
		test.each<[string, () => unknown, boolean]>([
			['by n8n while it starts', atStart, true],
			['by a proxy', () => '<html><body>Back in a minute</body></html>', true],
			['by something else', () => '{"message":"Workflow was started"}', true],
			['with nothing', () => '', true],
			['by the trigger', async () => (await deliver({ event: 'transaction.created' })).said, false],
			['with what the service does not show', () => null, false],
		])('%s: whether it is missed', async (_what, body, isMissed) => {
			const { trigger, emitted, hook } = await published();
			const made = await createClosing(credential());
			await sandbox.clock.settled();
			const response = { code: 200, body: (await body()) as string, error: '' };
			for (const record of hook.events) record.response = response;
			await check(trigger);
			expect(emitted.map(({ json }) => json.transaction_id)).toEqual(isMissed ? [made] : []);
			expect(await listed('getMissedEvents', hook.id)).toBe(isMissed);
			expect(await listed('getEvents', hook.id)).toBe(isMissed);
		});
		test.each<[string, () => string, boolean]>([
			['by n8n while it starts', atStart, true],
			['with a page', () => '<p>Thanks</p>', false],
			['with nothing', () => '', false],
		])(
			'%s, of a webhook that calls no trigger: whether it is missed',
			async (_what, body, isMissed) => {
				const { hook } = await published();
				await createClosing(credential());
				await sandbox.clock.settled();
				// From then on, so that nothing is delivered there.
				hook.url = 'https://files.example.com/events';
				for (const record of hook.events) record.response = { code: 200, body: body(), error: '' };
				expect(await listed('getMissedEvents', hook.id)).toBe(isMissed);
				expect(await listed('getEvents', hook.id)).toBe(isMissed);
			},
		);
	});
	test('an event that was missed before the workflow was unpublished is emitted once after it is published again', async () => {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: listening({ events: ['transaction.created'] }),
		};
		const { context, methods, workflow } = hookContext(options, `again-${nextNumber()}`);
		await methods.create.call(context);
		const made = await createClosing(credential());
		await sandbox.clock.settled();
		REMOVAL.pauseMs = 50;
		await methods.delete.call(context);
		await until(() => sandbox.world.webhooks.size === 0);
		await methods.create.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		const emitted: IDataObject[] = [];
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': memory } });
		trigger.emit = ([[{ json }]]: INodeExecutionData[][]) => void emitted.push(json);
		const handled = new Set<string>();
		expect(await check(trigger, handled)).toBe(1);
		expect(await check(trigger, handled)).toBe(0);
		expect(emitted).toMatchObject([{ transaction_id: made, delivery: { by: 'recovery' } }]);
	});
	test('a publishing that fails, after which n8n unpublishes, loses nothing that was kept', async () => {
		const missed = { delivery: { event: 'transaction.created', data: {}, key: 'kept' } };
		const undelivered = [{ ...missed, at: new Date().toISOString(), arrived: false }];
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: listening({ events: ['transaction.created'] }),
			staticData: { 'node:Tested': { undelivered } },
		};
		const { context, methods, workflow } = hookContext(options, `failing-${nextNumber()}`);
		sandbox.faults.add({ method: 'POST', path: /webhooks/, status: 422, times: 1 });
		await expect(methods.create.call(context)).rejects.toThrow();
		await methods.delete.call(context);
		const memory = workflow.getStaticData('node', workflow.getNode('Tested')!);
		expect(memory).toMatchObject({ undelivered });
	});
});
