import type { IDataObject } from 'n8n-workflow';

import { eventLogSignal, triggerMemory } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { parseTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import { checkSubscription } from '../../../../nodes/SignAndClose/trigger/subscription/check.ts';
import { REMOVAL } from '../../../../nodes/SignAndClose/trigger/subscription/webhookMethods.ts';
import { listening, nextNumber } from '../../../support/delivery.mts';
import { waitFor } from '../../../support/faultMatrix/rounds.mts';
import { hookContext, triggerContext } from '../../../support/engine.mts';
import { liveRecord } from '../../../support/live/answers.mts';
import type { AskedFor } from '../../../support/live/service.mts';
import {
	EVENTS,
	known,
	playing,
	storedMemory,
	type Played,
} from '../../../support/live/webhooks.mts';
import { until } from '../../../support/until.mts';

/** What stays of a subscription when its workflow is unpublished, or a test ends. */

afterEach(() => void jest.restoreAllMocks());

/** The hooks of a node at the service of a scene. */
function nodeAt({ credential }: Pick<Played, 'credential'>, id: string, stored: IDataObject = {}) {
	const options = {
		credential,
		parameters: listening({ events: EVENTS }),
		node: { id },
		staticData: { 'node:Tested': stored },
	};
	const hook = hookContext(options, id);
	const warn = jest.spyOn(hook.context.logger, 'warn').mockImplementation(() => undefined);
	return { ...hook, options, warned: () => warn.mock.calls.map(([text]) => text) };
}
const newId = () => `node-${nextNumber()}`;
/** When a delivery was tried. */
const at = new Date(Date.now() - 60_000).toISOString();
/** An event log with one event that hasn't arrived, of an organization. */
const missing =
	(organization = 'or_a') =>
	({ path }: AskedFor) => {
		const payload = { event: EVENTS[0], data: { transaction_id: 'ot_1', date_occurred: at } };
		if (path.endsWith('/organization')) return { body: { id: organization, name: 'A' } };
		return path.endsWith('/events')
			? { body: [liveRecord(EVENTS[0], payload, { code: 500, delivered: at })] }
			: undefined;
	};

test('events of the organization before are not passed on by the trigger of the new one', async () => {
	REMOVAL.pauseMs = 500;
	const id = newId();
	await playing({ instead: missing() }, async (a) => {
		const instead = ({ path }: AskedFor) =>
			path.endsWith('/events') ? { body: [] } : missing('or_b')({ path } as AskedFor);
		await playing({ instead }, async (b) => {
			const first = nodeAt(a, id);
			await first.methods.create.call(first.context);
			await first.methods.delete.call(first.context);
			const second = nodeAt(b, id, { ...first.context.getWorkflowStaticData('node') });
			await second.methods.create.call(second.context);
			expect(triggerMemory.readState(second.context).undelivered).toBeUndefined();
			await until(() => a.hooks.length === 0);
			// The removal is over when its turn is.
			await triggerMemory.runInTurn(second.context, async () => await Promise.resolve());
			const { account, undelivered } = triggerMemory.readState(second.context);
			expect(account!.organization).toMatch(/orb/);
			expect(undelivered).toBeUndefined();
		});
	});
});

test('a check that begins anew for another organization keeps whose subscription it is', async () => {
	await playing({ instead: missing('or_b') }, async (own) => {
		const account = { key: 'x', organization: 'https://x ora' };
		const { options } = nodeAt(own, newId(), known({ account }));
		const trigger = triggerContext(options);
		await checkSubscription(trigger, parseTriggerParameters(trigger));
		expect(storedMemory(trigger).owner).toBeDefined();
	});
});

test('unpublishing does not wait for one request of a check that hangs', async () => {
	REMOVAL.pauseMs = 500;
	let hang = false;
	let isHanging = false;
	const instead = ({ method, path }: AskedFor) => {
		if (path.endsWith('/events')) return { body: [] };
		if (!hang || method !== 'GET' || !/\/webhooks\/?$/.test(path)) return undefined;
		[hang, isHanging] = [false, true];
		return { respond: () => undefined };
	};
	await playing({ instead }, async (own) => {
		const { options, context, methods } = nodeAt(own, newId());
		await methods.create.call(context);
		const trigger = triggerContext(options);
		hang = true;
		const checking = checkSubscription(trigger, parseTriggerParameters(trigger));
		await until(() => isHanging);
		const { result: removed } = await waitFor(methods.delete.call(context), 2_000);
		expect(removed).toBe(true);
		await checking;
		await until(() => own.hooks.length === 0);
		await triggerMemory.runInTurn(trigger, async () => await Promise.resolve());
	});
});

describe('publishing and unpublishing', () => {
	test('a webhook that is registered starts a check', async () => {
		await playing({}, async (own) => {
			const { context, methods, warned } = nodeAt(own, newId());
			const heard: string[] = [];
			const stop = eventLogSignal.listen(context, () => heard.push('read'));
			expect(await methods.checkExists.call(context)).toBe(false);
			expect([await methods.create.call(context), heard]).toEqual([true, ['read']]);
			expect(warned()).toEqual([]);
			stop();
		});
	});
	test('the end of a test, which n8n tells like unpublishing, leaves what is known of the published node', async () => {
		REMOVAL.pauseMs = 50;
		await playing({ instead: missing() }, async (own) => {
			const { options, context, methods } = nodeAt(own, newId());
			await methods.create.call(context);
			await methods.delete.call(context);
			await until(() => own.hooks.length === 0);
			await triggerMemory.runInTurn(context, async () => await Promise.resolve());
			const kept = storedMemory(context).undelivered;
			expect(kept).toHaveLength(1);
			// n8n keeps the static data of tests apart.
			const { context: tested } = nodeAt(own, options.node.id);
			Object.assign(tested, { mode: 'manual' });
			await methods.create.call(tested);
			expect(own.hooks).toHaveLength(1);
			Object.assign(tested, { mode: 'internal' });
			expect(await methods.delete.call(tested)).toBe(true);
			expect(own.hooks).toHaveLength(0);
			expect(storedMemory(tested)).not.toHaveProperty('undelivered');
			// Published again: what was missed then, and nothing of the test.
			const again = nodeAt(own, options.node.id, { ...storedMemory(context) }).context;
			triggerMemory.forget();
			expect(triggerMemory.readState(again).undelivered).toEqual(kept);
		});
	});
	test('a webhook that the service can not remove is named in the log', async () => {
		const instead = ({ method }: AskedFor) =>
			method === 'DELETE' ? { status: 404, body: { errors: ['Not Found'] } } : undefined;
		await playing({ documented: true, instead }, async (own) => {
			const { context, methods, warned } = nodeAt(own, newId());
			await methods.create.call(context);
			expect(await methods.delete.call(context)).toBe(true);
			await until(() => warned().length > 0);
			expect(warned()).toEqual([expect.stringMatching(/new stays until you delete it/)]);
		});
	});
});
