import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';

import type { IDataObject } from 'n8n-workflow';
import { startChecks } from '../../../nodes/SignAndClose/trigger/schedule.ts';
import { eventLogSignal, triggerMemory } from '../../../nodes/SignAndClose/trigger/memory.ts';
import { checkSubscription } from '../../../nodes/SignAndClose/trigger/subscription/check.ts';
import { listening, nextNumber } from '../../support/delivery.mts';
import { hookContext, accounts, triggerContext } from '../../support/engine.mts';
import {
	EVENTS,
	known,
	ours,
	playing,
	type Played,
	type Scene,
} from '../../support/live/webhooks.mts';
import { until } from '../../support/until.mts';

/**
 * What the trigger does while its workflow is published. The jobs of the clock are in n8n's own
 * scheduler; a test lets them run instead of waiting for the clock.
 */

interface Job {
	job: { stop(): void; fireOnTick(): void };
	ctx: { targetId: string; expression: string };
}

const require = createRequire(import.meta.url);
const { InstanceSettings, ScheduledTaskManager } = require('n8n-core');
const { Container } = require('@n8n/di') as typeof import('@n8n/di');
const scheduler = Container.get<any>(ScheduledTaskManager);
const group = { type: 'workflow', id: 'test' };
/** The second is a random one. */
const CHECK = /^\d+ \*\/15 \* \* \* \*$/;
const PULL = /^\d+ \* \* \* \* \*$/;
const SAID = 'Sign and Close Trigger';
const REFUSAL = { status: 401, body: { errors: ['no'] } };
const NOT_ACCEPTED =
	"The service didn't accept the API key. Check 'API Key' in the credential: it must be a key of this platform (business or real estate) and of this 'Base URL'. The service said: no";
const WATCHED = { events: EVENTS, pull: false };
const running: Array<() => Promise<void>> = [];

// Only n8n's leader has the clock.
beforeAll(() => Container.get<any>(InstanceSettings).markAsLeader());
afterEach(async () => {
	for (const stop of running.splice(0)) await stop();
	scheduler.deregisterGroup(group);
	jest.restoreAllMocks();
	accounts.clear();
});

interface Stage extends Played {
	context: ReturnType<typeof triggerContext>;
	/** The context of the node's hook, with its own copy of what is stored. */
	hook: ReturnType<typeof hookContext>['context'];
	/** The answers to reads of the event records. */
	reads: ServerResponse[];
	warned: () => unknown[];
	start: () => {
		close: () => Promise<void>;
		tick: (e: string | RegExp) => void;
		expressions: string[];
	};
	/** Waits for several requests, so that one begun before has arrived. */
	quiet: () => Promise<void>;
}

interface Setting extends Scene {
	parameters?: IDataObject;
	stored?: IDataObject;
	/** Whether reads of the event records wait until the test answers them. */
	hold?: boolean;
	credentialError?: Error;
}

/** Runs a test with a published node and its service. */
async function staged(setting: Setting, work: (stage: Stage) => Promise<void>) {
	const { parameters = {}, hold = false, credentialError, ...scene } = setting;
	const { stored = known() } = setting;
	const reads: ServerResponse[] = [];
	const instead: Scene['instead'] = (request, hooks) =>
		scene.instead?.(request, hooks) ??
		(request.path.endsWith('/events')
			? { respond: (response) => void (reads.push(response), hold || answer(response)) }
			: undefined);
	await playing({ hooks: [ours()], ...scene, instead }, async (played) => {
		const id = `node-${nextNumber()}`;
		const options = {
			credential: played.credential,
			credentialError,
			parameters: listening({ events: EVENTS, ...parameters }),
			node: { id },
		};
		const copy = () => ({ 'node:Tested': { ...stored } });
		const context = triggerContext({ ...options, staticData: copy() });
		const { context: hook } = hookContext({ ...options, staticData: copy() }, id);
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		await work({
			...played,
			context,
			hook,
			reads,
			warned: () => warn.mock.calls.map(([text]) => text),
			start: () => start(context, id),
			quiet: async () => {
				for (let times = 0; times < 3; times++) await played.service.json('listWebhooks');
			},
		});
	});
}

function answer(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
}

function start(context: Stage['context'], id: string) {
	const { closeFunction } = startChecks(context);
	const close = async () => await closeFunction!();
	running.push(close);
	const jobs = [...(scheduler.getGroupCrons(group)?.values() ?? [])] as Job[];
	const own = jobs.filter(({ ctx }) => ctx.targetId === id);
	for (const { job } of own) job.stop();
	const expressions = own.map(({ ctx }) => ctx.expression);
	const tick = (wanted: string | RegExp) =>
		own[
			expressions.findIndex((expression) =>
				typeof wanted === 'string' ? expression === wanted : wanted.test(expression),
			)
		].job.fireOnTick();
	return { close, tick, expressions };
}

describe('the checks of a published workflow', () => {
	test('begin at once: the webhook first, then its event records, once', async () => {
		await staged({}, async ({ start, reads, quiet, asked, warned }) => {
			const { expressions } = start();
			await until(() => reads.length === 1);
			// The list of webhooks, and the event records.
			expect(asked()).toEqual(['GET list', 'GET list']);
			await quiet();
			expect(reads).toHaveLength(1);
			expect(expressions).toEqual([expect.stringMatching(CHECK)]);
			expect(warned()).toEqual([]);
		});
	});
	test('are done again by the clock every 15 minutes', async () => {
		await staged({}, async ({ start, reads, quiet }) => {
			const { tick } = start();
			await until(() => reads.length === 1);
			await quiet();
			tick(CHECK);
			await until(() => reads.length === 2);
		});
	});
	test('in pull mode, the event records alone are read every minute, too', async () => {
		await staged({ parameters: { options: { eventSource: 'pull' } } }, async (stage) => {
			const { tick, expressions } = stage.start();
			expect(expressions).toEqual([expect.stringMatching(CHECK), expect.stringMatching(PULL)]);
			await until(() => stage.reads.length === 1);
			await stage.quiet();
			const before = stage.asked().length;
			tick(PULL);
			await until(() => stage.reads.length === 2);
			expect(stage.asked().slice(before)).toHaveLength(1);
		});
	});
	test('leave a workflow that is just published again to its publishing, which gives it a new secret', async () => {
		const setting = { hooks: [], stored: known({ unpublishedAt: Date.now() }) };
		await staged(setting, async ({ start, reads, hook, hooks, bodies }) => {
			start();
			await until(() => reads.length === 1);
			expect(bodies('POST')).toEqual([]);
			triggerMemory.update(hook, (memory) => delete memory.unpublishedAt);
			await checkSubscription(hook as never, WATCHED);
			expect(hooks).toHaveLength(1);
		});
	});
	/** A trigger of completions whose webhook was missing for a minute. */
	const inGap = () => {
		const events = ['transaction.completed', 'transaction.completed_with_rejections'];
		return {
			parameters: { events },
			hooks: [ours({ subscriptions: events })],
			stored: known({
				events,
				seenUntil: Date.now() - 60_000,
				unseen: 1,
			}),
		};
	};
	test('look among the transactions, once, after a time without a webhook', async () => {
		const lists: string[] = [];
		const instead: Scene['instead'] = ({ path }) => {
			if (!path.endsWith('/transactions')) return undefined;
			lists.push(path);
			return { body: { total_count: 0, count: 0, data: [] } };
		};
		const setting = { ...inGap(), instead };
		await staged(setting, async ({ start, context, reads, quiet }) => {
			const { tick } = start();
			await until(() => triggerMemory.readState(context).unseen === undefined);
			expect(lists).toHaveLength(2);
			tick(CHECK);
			await until(() => reads.length === 2);
			await quiet();
			expect(lists).toHaveLength(2);
		});
	});
	test('read the event records a moment after a call, when the service has our answer', async () => {
		await staged(
			{ parameters: { options: { eventSource: 'pull' } } },
			async ({ start, hook, reads, quiet }) => {
				start();
				await until(() => reads.length === 1);
				const began = Date.now();
				for (let calls = 0; calls < 5; calls++) eventLogSignal.send(hook);
				await quiet();
				expect(reads).toHaveLength(1);
				await until(() => reads.length === 2);
				expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
			},
		);
	});
	test('never run at the same time; calls that arrive during one start one more afterwards', async () => {
		await staged({ hold: true }, async ({ start, hook, reads, quiet }) => {
			start();
			await until(() => reads.length === 1);
			for (let calls = 0; calls < 3; calls++) eventLogSignal.send(hook);
			await quiet();
			expect(reads).toHaveLength(1);
			answer(reads[0]);
			await until(() => reads.length === 2);
			answer(reads[1]);
			await quiet();
			expect(reads).toHaveLength(2);
			eventLogSignal.send(hook);
			await until(() => reads.length === 3);
			answer(reads[2]);
		});
	});
	test('log event records that can not be read, and go on', async () => {
		let refused = true;
		const instead = ({ path }: { path: string }) =>
			refused && path.endsWith('/events') ? REFUSAL : undefined;
		await staged({ instead }, async ({ start, hook, reads, warned }) => {
			start();
			await until(() => warned().length === 1);
			expect(warned()).toEqual([
				`${SAID}: couldn't read the event records of its webhook. ${NOT_ACCEPTED}`,
			]);
			refused = false;
			eventLogSignal.send(hook);
			await until(() => reads.length === 1);
		});
	});
});

describe('after the workflow was unpublished', () => {
	test('nothing is asked any more, neither by the clock nor by a call', async () => {
		await staged({ parameters: { options: { eventSource: 'pull' } } }, async (stage) => {
			const { tick, close } = stage.start();
			await until(() => stage.reads.length === 1);
			await stage.quiet();
			await close();
			const before = stage.asked().length;
			tick(CHECK);
			tick(PULL);
			eventLogSignal.send(stage.hook);
			await stage.quiet();
			expect(stage.asked().slice(before)).toEqual(['GET list', 'GET list', 'GET list']);
		});
	});
	test('a check that was under way is not followed by another one', async () => {
		await staged({ hold: true }, async ({ start, hook, reads, quiet }) => {
			const { close } = start();
			await until(() => reads.length === 1);
			eventLogSignal.send(hook);
			await close();
			answer(reads[0]);
			await quiet();
			expect(reads).toHaveLength(1);
		});
	});
	test('a check that waits for its turn asks for nothing', async () => {
		await staged({}, async ({ start, hook, asked, quiet }) => {
			const held = Promise.withResolvers<void>();
			const turn = triggerMemory.runInTurn(hook, async () => await held.promise);
			const { close } = start();
			await close();
			held.resolve();
			await turn;
			await quiet();
			expect(asked()).toEqual(['GET list', 'GET list', 'GET list']);
		});
	});
});

describe('what a check of the webhook logs', () => {
	test.each([
		['updated', [ours({ enabled: false })]],
		['created', []],
	])('one that was %s', async (done, hooks) => {
		await staged({ hooks }, async ({ context, warned }) => {
			await checkSubscription(context, WATCHED);
			expect(warned()).toEqual([
				`${SAID}: the webhook was changed in the service and has been ${done} again`,
			]);
		});
	});
	test('nothing for one that is intact, or that is not there yet', async () => {
		await staged({}, async ({ context, warned }) => {
			await checkSubscription(context, WATCHED);
			expect(warned()).toEqual([]);
		});
		const credentialError = new Error('must not be read');
		await staged({ stored: {}, credentialError }, async ({ context, warned }) => {
			await checkSubscription(context, WATCHED);
			expect(warned()).toEqual([]);
		});
	});
});
