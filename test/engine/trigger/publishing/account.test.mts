import { afterEach, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { parseTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import {
	REMOVAL,
	checkSubscription,
} from '../../../../nodes/SignAndClose/trigger/webhookMethods.ts';
import { triggerMemory } from '../../../../nodes/SignAndClose/trigger/memory.ts';
import { listening, nextNumber } from '../../../support/delivery.mts';
import { hookContext, triggerContext } from '../../../support/engine.mts';
import { liveRecord } from '../../../support/live/answers.mts';
import type { AskedFor } from '../../../support/live/service.mts';
import { EVENTS, known, playing, storedMemory } from '../../../support/live/webhooks.mts';
import { until } from '../until.mts';

afterEach(() => void jest.restoreAllMocks());

const ago = (age: number) => new Date(Date.now() - age).toISOString();

test('events of the organization before are not passed on by the trigger of the new one', async () => {
	REMOVAL.pauseMs = 1_500;
	const id = `node-${nextNumber()}`;
	const serve =
		(organization: string, records: IDataObject[]) =>
		({ path }: AskedFor) =>
			path.endsWith('/organization')
				? { body: { id: organization, name: organization } }
				: path.endsWith('/events')
					? { body: records }
					: undefined;
	const missed: IDataObject[] = [
		liveRecord(
			EVENTS[0],
			{ event: EVENTS[0], data: { transaction_id: 'ot_foreign', date_occurred: ago(60_000) } },
			{ code: 500, delivered: ago(60_000) },
		),
	];
	await playing({ instead: serve('or_a', missed) }, async (a) => {
		await playing({ instead: serve('or_b', []) }, async (b) => {
			const of = (own: typeof a, stored: IDataObject = {}) => {
				const scene = hookContext(
					{
						credential: own.credential,
						parameters: listening({ events: EVENTS }),
						node: { id },
						staticData: { 'node:Tested': stored },
					},
					id,
				);
				jest.spyOn(scene.context.logger, 'warn').mockImplementation(() => undefined);
				return scene;
			};
			const first = of(a);
			await first.methods.create.call(first.context);
			await first.methods.delete.call(first.context);
			const second = of(b, { ...first.context.getWorkflowStaticData('node') });
			if (!(await second.methods.checkExists.call(second.context)))
				await second.methods.create.call(second.context);
			expect(triggerMemory.read(second.context).undelivered).toBeUndefined();
			await until(() => a.hooks.length === 0);
			await new Promise((wake) => setTimeout(wake, 300));
			const { account, undelivered } = triggerMemory.read(second.context);
			expect(account!.organization).toMatch(/orb|or_b/);
			expect(undelivered?.map(({ delivery }) => delivery.transactionId)).toBeUndefined();
		});
	});
});

test('a check that begins anew for another organization keeps whose subscription it is', async () => {
	const instead = ({ path }: AskedFor) =>
		path.endsWith('/organization') ? { body: { id: 'or_b', name: 'B' } } : undefined;
	await playing({ instead }, async (own) => {
		const trigger = triggerContext({
			credential: own.credential,
			parameters: listening({ events: EVENTS }),
			node: { id: `hostile-${nextNumber()}` },
			staticData: {
				'node:Tested': known({ account: { key: 'x', organization: 'https://x ora' } }),
			},
		});
		jest.spyOn(trigger.logger, 'warn').mockImplementation(() => undefined);
		await checkSubscription(trigger, parseTriggerParameters(trigger));
		expect(storedMemory(trigger).owner).toBeDefined();
	});
});

test('unpublishing does not wait for one request of a check that hangs', async () => {
	let hang = false;
	const instead = ({ method, path }: AskedFor) => {
		if (path.endsWith('/events')) return { body: [] };
		if (!hang || method !== 'GET' || !/\/webhooks\/?$/.test(path)) return undefined;
		hang = false;
		return { respond: () => undefined };
	};
	REMOVAL.pauseMs = 60_000;
	await playing({ instead }, async (own) => {
		const id = `hostile-${nextNumber()}`;
		const options = {
			credential: own.credential,
			parameters: listening({ events: EVENTS }),
			node: { id },
		};
		const { context, methods } = hookContext(options, id);
		await methods.create.call(context);
		const trigger = triggerContext(options);
		jest.spyOn(trigger.logger, 'warn').mockImplementation(() => undefined);
		hang = true;
		const checking = checkSubscription(trigger, parseTriggerParameters(trigger));
		await new Promise((wake) => setTimeout(wake, 300));
		const before = Date.now();
		await methods.delete.call(context);
		expect(Date.now() - before).toBeLessThan(20_000);
		await checking;
	});
}, 120_000);
