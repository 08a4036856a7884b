import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { createService } from '../../../../nodes/SignAndClose/transport/client.ts';
import { listWebhooks } from '../../../../nodes/SignAndClose/resources/webhook/api.ts';
import { showsEvent } from '../../../../nodes/SignAndClose/resources/webhook/eventStates.ts';
import { emitMissedCompletions, noteGap } from '../../../../nodes/SignAndClose/trigger/gaps.ts';
import { emitRecorded } from '../../../../nodes/SignAndClose/trigger/eventLog.ts';
import { readTriggerParameters } from '../../../../nodes/SignAndClose/trigger/parameters.ts';
import {
	REMOVAL,
	checkSubscription,
} from '../../../../nodes/SignAndClose/trigger/webhookMethods.ts';
import {
	type SubscriptionMemory,
	triggerMemory,
} from '../../../../nodes/SignAndClose/trigger/memory.ts';
import {
	checkAccount,
	adopt,
	removeUnused,
	repair,
} from '../../../../nodes/SignAndClose/trigger/subscription.ts';
import { STATES } from '../../../../sandbox/domain/states.mts';
import { move } from '../../../../sandbox/domain/transitions.mts';
import { createClosing } from '../../../support/closing.mts';
import { CONFIRMING, deliver, event, listening, nextNumber } from '../../../support/delivery.mts';
import {
	accounts,
	hookContext,
	processed,
	runNode,
	triggerContext,
} from '../../../support/engine.mts';
import { liveClosing, liveRecord, liveWebhook } from '../../../support/live/answers.mts';
import type { AskedFor } from '../../../support/live/service.mts';
import {
	ADDRESS,
	CALLBACK,
	EVENTS,
	WANTED,
	known,
	ours,
	playing,
	storedMemory,
} from '../../../support/live/webhooks.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { until } from '../until.mts';

useSandbox();
beforeEach(() => accounts.clear());
afterEach(() => void jest.restoreAllMocks());

const ago = (age: number) => new Date(Date.now() - age).toISOString();
const MINUTE = 60_000;
const record = (id: string, age: number, more: IDataObject = {}, name = 'transaction.created') =>
	liveRecord(
		name,
		{ event: name, data: { transaction_id: id, date_occurred: ago(age), ...more } },
		{ code: 500, delivered: ago(age) },
	);

/** A published trigger with the event records of a played service. */
async function reading(
	{
		records,
		parameters,
		stored = known(),
		transaction = {},
	}: {
		records: IDataObject[];
		parameters?: IDataObject;
		stored?: IDataObject;
		transaction?: IDataObject;
	},
	work: (scene: {
		trigger: ReturnType<typeof triggerContext>;
		check: (handled?: Set<string>) => Promise<IDataObject[]>;
	}) => Promise<void>,
) {
	const instead = ({ path, query }: AskedFor) => {
		const id = /ot_\w+/.exec(path)?.[0];
		if (id !== undefined) return { body: liveClosing([], { id, ...transaction }) };
		if (!path.endsWith('/events')) return undefined;
		const [from, count] = [Number(query.offset), Number(query.limit)];
		return { body: records.slice(from, from + count) };
	};
	await playing({ instead }, async ({ credential: own }) => {
		const trigger = triggerContext({
			credential: own,
			parameters: listening({ events: ['*'], ...parameters }),
			node: { id: `hostile-${nextNumber()}` },
			staticData: { 'node:Tested': stored },
		});
		const emitted: IDataObject[] = [];
		trigger.emit = (
			[[{ json }]]: INodeExecutionData[][],
			_response: unknown,
			done?: { resolve(run: IRun): void },
		) => {
			emitted.push(json);
			done?.resolve({} as IRun);
		};
		await work({
			trigger,
			check: async (handled = new Set()) => {
				const before = emitted.length;
				const service = await createService(trigger);
				await emitRecorded(trigger, readTriggerParameters(trigger), service, handled);
				return emitted.slice(before);
			},
		});
	});
}

describe('foreign events', () => {
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
		const missed: IDataObject[] = [record('ot_foreign', MINUTE, {}, EVENTS[0])];
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
	test('an organization that could not be read for a moment is asked for again', async () => {
		let status = 503;
		const instead = ({ path }: AskedFor) =>
			path.endsWith('/organization')
				? status === 200
					? { body: { id: 'or_new', name: 'New' } }
					: { status, body: { errors: ['later'] } }
				: undefined;
		await playing({ instead }, async ({ service }) => {
			const memory = known({
				account: { key: 'another', organization: `${service.settings.origin} orold` },
			});
			await checkAccount(service, memory, () => undefined);
			status = 200;
			expect(await checkAccount(service, memory, () => undefined)).toBe(false);
		});
	}, 60_000);
	test('an organization that could not be read when first published is learned later', async () => {
		let status = 503;
		const instead = ({ path }: AskedFor) =>
			path.endsWith('/organization')
				? status === 200
					? { body: { id: 'or_one', name: 'One' } }
					: { status, body: { errors: ['later'] } }
				: undefined;
		await playing({ instead }, async ({ service }) => {
			const memory: SubscriptionMemory = {};
			await checkAccount(service, memory, () => undefined);
			status = 200;
			await checkAccount(service, memory, () => undefined);
			expect(memory.account!.organization).toBeDefined();
		});
	}, 60_000);
});

describe('replays', () => {
	async function published(parameters: IDataObject = {}, id = `gap-${nextNumber()}`) {
		const options = {
			type: 'signAndCloseTrigger' as const,
			credential: credential(),
			parameters: { events: ['group:finished'], ...parameters },
			node: { id },
		};
		const { context, methods, workflow } = hookContext(options, id);
		if (!(await methods.checkExists.call(context))) await methods.create.call(context);
		const stored = workflow.getStaticData('node', workflow.getNode('Tested')!);
		const trigger = triggerContext({ ...options, staticData: { 'node:Tested': stored } });
		const emitted: IDataObject[] = [];
		trigger.emit = (
			[[{ json }]]: INodeExecutionData[][],
			_response: unknown,
			done?: { resolve(run: IRun): void },
		) => {
			emitted.push(json);
			done?.resolve({} as IRun);
		};
		const look = async (gap = true) => {
			if (gap)
				triggerMemory.update(trigger, (memory) => {
					const since = sandbox.clock.now() - 60_000;
					memory.seenUntil = { business: since, realEstate: since };
					noteGap(memory);
				});
			const service = await createService(trigger);
			await listWebhooks(service);
			await emitMissedCompletions(
				trigger,
				readTriggerParameters(trigger),
				service,
				() => false,
				10,
			);
		};
		return { trigger, emitted, look, methods, context };
	}
	const complete = async () => {
		const id = await createClosing(credential());
		move(sandbox.world, sandbox.world.transactions.get(id)!, STATES.completed, 'by the test');
		return id;
	};
	test('completions from before they were selected are not passed on when they are', async () => {
		const node = `gap-${nextNumber()}`;
		const first = await published({ events: ['transaction.sent'] }, node);
		const id = await complete();
		await first.methods.delete.call(first.context);
		const { look, emitted } = await published({ events: ['transaction.completed'] }, node);
		await look(false);
		expect(emitted.map(({ transaction_id: own }) => own)).not.toContain(id);
	});
});

describe('growth', () => {
	test('what n8n can not store is kept once, however often it is tried', async () => {
		const records = Array.from({ length: 6 }, (_, at) => record(`ot_g${at}`, (at + 5) * MINUTE));
		await reading({ records, parameters: CONFIRMING }, async ({ trigger, check }) => {
			trigger.emit = (_data: unknown, _response: unknown, done: { reject(e: Error): void }) =>
				void setTimeout(() => done.reject(new Error('database is locked')), 1);
			const handled = new Set<string>();
			const sizes: number[] = [];
			for (let round = 0; round < 5; round++) {
				await check(handled);
				await new Promise((wake) => setTimeout(wake, 20));
				sizes.push(triggerMemory.read(trigger).undelivered?.length ?? 0);
			}
			expect(sizes).toEqual([6, 6, 6, 6, 6]);
		});
	});
	test('a documented-only service whose list is a moment behind gets one webhook', async () => {
		let visible: IDataObject[] = [];
		const made: IDataObject[] = [];
		const instead = ({ method, path, body }: AskedFor) => {
			if (method === 'POST') {
				made.push(body as IDataObject);
				return { body: '' };
			}
			return /\/webhooks\/?$/.test(path) ? { body: visible.map((_, at) => `wh_${at}`) } : undefined;
		};
		await playing({ instead, documented: true }, async ({ service }) => {
			const memory = known({ webhookId: undefined });
			for (let check = 0; check < 4; check++) {
				await repair(service, memory, WANTED);
				// The list has caught up by the next check.
				visible = [...made];
			}
			expect(made).toHaveLength(1);
		});
	});
	test('a webhook that the service disables, which its answer to the creation does not say, is replaced once', async () => {
		const hooks = [ours({ enabled: false })];
		let count = 0;
		const instead = ({ method, path, body }: AskedFor, all: IDataObject[]) => {
			if (path.endsWith('/events')) return { body: [] };
			if (method === 'PUT') return { body: { updated: true } };
			if (method !== 'POST') return undefined;
			const id = `new-${++count}`;
			all.push(liveWebhook({ ...(body as IDataObject), id, enabled: false }));
			const { url, subscriptions } = body as IDataObject;
			return { body: { id, url, subscriptions } };
		};
		await playing({ hooks, instead }, async ({ service }) => {
			const memory = known();
			for (let check = 0; check < 4; check++) await repair(service, memory, WANTED);
			expect(count).toBe(1);
		});
	});
});

describe('losses', () => {
	test('a failed execution is run again by Retry On Fail, even if n8n can not release its event at once', async () => {
		const transactionId = await createClosing(credential());
		const { item } = await deliver(event({ transaction_id: transactionId }));
		sandbox.faults.add({ method: 'GET', path: /\/transactions\//, status: 403, times: 2 });
		jest.spyOn(processed, 'removeProcessed').mockRejectedValueOnce(new Error('database is locked'));
		const { items, error } = await runNode({
			type: 'signAndCloseTrigger',
			credential: credential(),
			parameters: listening(CONFIRMING),
			items: [{ json: item! }],
			mode: 'webhook',
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		});
		expect([items.length, error?.message]).toEqual([1, undefined]);
	});
	test('one record with a time in the future does not hide what comes after it', async () => {
		const records = [record('ot_f1', -30 * 24 * 60 * MINUTE)];
		await reading({ records }, async ({ check }) => {
			const handled = new Set<string>();
			expect(await check(handled)).toHaveLength(1);
			records.push(record('ot_f2', 0));
			expect((await check(handled)).map(({ transaction_id: id }) => id)).toEqual(['ot_f2']);
		});
	});
	test('where the service only documents its webhooks, a changed signing secret of the credential does not make the node reject all deliveries', async () => {
		const hooks = [ours()];
		await playing({ hooks, documented: true }, async ({ service }) => {
			const memory = known();
			await adopt(service, memory, { ...WANTED, signingKey: 'secret-of-the-credential-1' });
			const before = memory.written;
			const done = await adopt(service, memory, {
				...WANTED,
				signingKey: 'secret-of-the-credential-2',
				renew: true,
			});
			// Either a new webhook, or the key that it signs with is known still.
			expect([done, before === memory.written]).not.toEqual(['intact', true]);
		});
	});
	test('a webhook that is published again while its events are being kept is not removed', async () => {
		const hooks = [ours()];
		await playing({ hooks }, async ({ service }) => {
			const keep = async () => {
				// Another process publishes.
				hooks[0].url = `${ADDRESS}?key=renewed`;
				await Promise.resolve();
			};
			await removeUnused(service, known(), keep);
			expect(hooks).toHaveLength(1);
		});
	});
});

describe('secrets and belief', () => {
	test('a pulled item shows no secret of the subscription', async () => {
		const stored = known({ pulled: [{ from: 0 }] });
		const records = [record('ot_s1', MINUTE, { webhook_url: CALLBACK })];
		const parameters = { options: { confirm: false, eventSource: 'pull' } };
		await reading({ records, stored, parameters }, async ({ check }) => {
			const [item] = await check();
			expect(JSON.stringify(item)).not.toContain('the-secret-of-this-subscription');
		});
	});
	test.each(['payment_required', 'awaiting_payment'])(
		'an unsigned "released" is not confirmed while the signer has not paid (%s)',
		(detailed) => {
			const transaction = { status: 'completed', detailed_status: detailed };
			expect(showsEvent('transaction.released', transaction, false).is).not.toBe('shown');
		},
	);
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
			await checkSubscription(trigger, readTriggerParameters(trigger));
			expect(storedMemory(trigger).owner).toBeDefined();
		});
	});
});

describe('more', () => {
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
			const checking = checkSubscription(trigger, readTriggerParameters(trigger));
			await new Promise((wake) => setTimeout(wake, 300));
			const before = Date.now();
			await methods.delete.call(context);
			expect(Date.now() - before).toBeLessThan(20_000);
			await checking;
		});
	}, 120_000);
});
