import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ChangeWatcher } from '../../../../nodes/SignAndClose/trigger/changes/changeWatcher.ts';
import { LookPace } from '../../../../nodes/SignAndClose/trigger/changes/lookPace.ts';
import { lookOnce } from '../../../../nodes/SignAndClose/trigger/changes/watching.ts';
import { startMaintenance } from '../../../../nodes/SignAndClose/trigger/maintenance.ts';
import { STATES } from '../../../../sandbox/domain/states.mts';
import { move } from '../../../../sandbox/domain/transitions.mts';
import { createClosing } from '../../../support/closing.mts';
import { recordUndelivered } from '../../../support/delivery.mts';
import { credentialFor, hookContext } from '../../../support/engine.mts';
import { withService } from '../../../support/live/service.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { KeptByN8n } from './watchedTrigger.mts';

/** The event source "Transaction Changes": what it sees without any webhook. */

useSandbox();
afterEach(() => void jest.restoreAllMocks());

const SOURCE = { eventSource: 'changes' };
const published = async (parameters: IDataObject = {}) => {
	const kept = new KeptByN8n({ events: ['transaction.*'], options: SOURCE, ...parameters });
	await kept.publish();
	return kept;
};
/** A process of n8n that looks when the test says so. */
const looking = (kept: KeptByN8n) => {
	const { context, settings } = kept.start();
	const watcher = new ChangeWatcher();
	const look = async () => await lookOnce(context, settings, watcher, { now: sandbox.clock.now() });
	return { look, context, watcher };
};
const change = (id: string, state: (typeof STATES)[keyof typeof STATES]) =>
	move(sandbox.world, sandbox.world.transactions.get(id)!, state, 'changed by the test');
const told = (kept: KeptByN8n) =>
	kept.executions.map(({ json }) => [json.event, json.transaction_id, json.previous_status]);

describe('a published workflow', () => {
	test('registers no webhook, and passes only what changes from then on', async () => {
		const old = await createClosing(credential());
		const kept = await published();
		const { look } = looking(kept);
		expect(await look()).toMatchObject({ emitted: 0 });
		expect(sandbox.world.webhooks.size).toBe(0);
		const fresh = await createClosing(credential());
		change(old, STATES.sentToSigner);
		expect(await look()).toMatchObject({ emitted: 2, moved: true });
		expect(await look()).toMatchObject({ emitted: 0, moved: false });
		expect(told(kept).sort()).toEqual(
			[
				['transaction.created', fresh, null],
				['transaction.sent', old, 'started'],
			].sort(),
		);
		const { json } = kept.executions.find(({ json: { event } }) => event === 'transaction.sent')!;
		expect(json).toMatchObject({
			status: 'sent',
			loan_number: '7001234',
			signers_open: 1,
			confirmed: true,
			data: { transaction_id: old, previous_status: 'started', status: 'sent' },
			transaction: { transaction_id: old, status: 'sent' },
			delivery: { by: 'change' },
		});
	});
	test('a change that is no change of the status, or of an event that is not selected, starts nothing', async () => {
		const id = await createClosing(credential());
		const kept = await published({ events: ['group:finished'] });
		const { look } = looking(kept);
		await look();
		sandbox.world.transactions.get(id)!.updated = sandbox.clock.stamp();
		expect(await look()).toMatchObject({ emitted: 0, moved: true });
		change(id, STATES.sentToSigner);
		expect(await look()).toMatchObject({ emitted: 0 });
		change(id, STATES.completed);
		expect(await look()).toMatchObject({ emitted: 1 });
		expect(told(kept)).toEqual([['transaction.completed', id, 'sent']]);
	});
	test('that had a webhook passes nothing of what happened meanwhile if completions are not selected', async () => {
		const kept = new KeptByN8n({ events: ['transaction.updated'], options: {} });
		await kept.publish();
		await kept.unpublish();
		change(await createClosing(credential()), STATES.completed);
		kept.parameters = { events: ['transaction.updated'], options: SOURCE };
		await kept.publish();
		expect(await looking(kept).look()).toMatchObject({ emitted: 0 });
	});
	test('that had a webhook until a moment ago passes completions since then, and those that had not arrived', async () => {
		const minutesAgo = (minutes: number) =>
			new Date(sandbox.clock.now() - minutes * 60_000).toISOString();
		const completed = async (minutes: number) => {
			const id = await createClosing(credential());
			change(id, STATES.completed);
			sandbox.world.transactions.get(id)!.updated = minutesAgo(minutes);
			return id;
		};
		const known = await completed(60);
		const unarrived = await completed(30);
		const sent = await createClosing(credential());
		const kept = new KeptByN8n({ events: ['transaction.*'], options: {} });
		await kept.publish();
		const [hook] = sandbox.world.webhooks.values();
		const data = { transaction_id: unarrived, date_occurred: minutesAgo(30) };
		recordUndelivered(hook, data, minutesAgo(29));
		await kept.unpublish();
		const meanwhile = await completed(0);
		change(sent, STATES.sentToSigner);
		kept.parameters = { events: ['transaction.*'], options: SOURCE };
		await kept.publish();
		const { look } = looking(kept);
		await look();
		// The service has more transactions, from other tests.
		const own = told(kept).filter(([, id]) =>
			[known, unarrived, sent, meanwhile].includes(`${id}`),
		);
		expect(own.sort()).toEqual(
			[meanwhile, unarrived].map((id) => ['transaction.completed', id, null]).sort(),
		);
		expect(await look()).toMatchObject({ emitted: 0 });
	});
	test('only runs for what meets the conditions', async () => {
		const [one, other] = [await createClosing(credential()), await createClosing(credential())];
		sandbox.world.transactions.get(other)!.fields.loan_number = '8';
		const row = [{ field: 'loan_number', comparison: 'startsWith', value: '700' }];
		const kept = await published({ onlyRunIf: { row } });
		const { look } = looking(kept);
		for (const id of [one, other]) change(id, STATES.sentToSigner);
		await look();
		expect(told(kept)).toEqual([['transaction.sent', one, 'started']]);
	});
	test('declined and held for review are told by the detailed status', async () => {
		const id = await createClosing(credential());
		const kept = await published({ events: ['group:attention'] });
		const { look } = looking(kept);
		for (const state of [STATES.sentToSigner, STATES.heldForReview, STATES.declined]) {
			change(id, state);
			await look();
		}
		expect(told(kept)).toEqual([
			['transaction.held_for_review', id, 'sent'],
			['transaction.declined', id, 'held_for_review'],
		]);
	});
	test('what n8n could not store is passed by the next look, also after a restart', async () => {
		const id = await createClosing(credential());
		const kept = await published();
		const { look, context } = looking(kept);
		await look();
		const { emit } = context;
		context.emit = (_data: unknown, _response: unknown, done: { reject(thrown: Error): void }) =>
			done.reject(new Error('database is locked'));
		change(id, STATES.sentToSigner);
		await look();
		context.emit = emit;
		await look();
		expect(told(kept)).toEqual([['transaction.sent', id, 'started']]);
		await looking(kept).look();
		expect(kept.executions).toHaveLength(1);
	});
	test('of many changes, those that wait are left for the next publishing if it is unpublished', async () => {
		const ids: string[] = [];
		for (let count = 0; count < 7; count++) ids.push(await createClosing(credential()));
		const kept = await published();
		const { context, settings } = kept.start();
		const { emit } = context;
		let isClosed = false;
		const ended: Array<() => void> = [];
		context.emit = (data: unknown, response: unknown, done: { resolve(): void }, key: string) => {
			ended.push(() => done.resolve());
			emit(data, response, { resolve: () => undefined }, key);
			if (ended.length < 5) return;
			isClosed = true;
			ended[0]();
		};
		for (const id of ids) change(id, STATES.sentToSigner);
		const now = sandbox.clock.now();
		await lookOnce(context, settings, new ChangeWatcher(), { now, isClosed: () => isClosed });
		expect(kept.executions).toHaveLength(5);
		await kept.unpublish();
		await kept.publish();
		await looking(kept).look();
		expect(
			told(kept)
				.map(([, id]) => id)
				.sort(),
		).toEqual([...ids].sort());
	});
	test('an outage of the service loses nothing', async () => {
		const id = await createClosing(credential());
		const kept = await published();
		const { look } = looking(kept);
		await look();
		sandbox.faults.add({ method: 'GET', path: /transactions/, status: 403, times: 100 });
		change(id, STATES.sentToSigner);
		await expect(look()).rejects.toThrow();
		sandbox.faults.clear();
		expect(await look()).toMatchObject({ emitted: 1 });
	});
});

describe('publishing', () => {
	test('again at once continues where it was; after a longer time it begins anew', async () => {
		const id = await createClosing(credential());
		const kept = await published();
		await looking(kept).look();
		await kept.unpublish();
		change(id, STATES.sentToSigner);
		await kept.publish();
		expect(await looking(kept).look()).toMatchObject({ emitted: 1 });
		await kept.unpublish();
		change(id, STATES.viewed);
		const later = Date.now() + 2 * 3_600_000;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		await kept.publish();
		expect(await looking(kept).look()).toMatchObject({ emitted: 0 });
	});
	test('under another name continues where it was', async () => {
		const id = await createClosing(credential());
		const kept = await published();
		await kept.unpublish();
		change(id, STATES.sentToSigner);
		kept.rename();
		await kept.publish();
		expect(await looking(kept).look()).toMatchObject({ emitted: 1 });
	});
	test('with another source in between begins anew', async () => {
		const id = await createClosing(credential());
		const kept = await published();
		await looking(kept).look();
		await kept.unpublish();
		const { parameters } = kept;
		kept.parameters = { ...parameters, options: { eventSource: 'pull' } };
		await kept.publish();
		expect(sandbox.world.webhooks.size).toBe(1);
		await kept.unpublish();
		change(id, STATES.sentToSigner);
		kept.parameters = parameters;
		await kept.publish();
		await looking(kept).look();
		expect(told(kept).flat()).not.toContain(id);
	});
	const publishing = async (parameters: IDataObject, used = credential()) => {
		const options = { credential: used, parameters: { options: SOURCE, ...parameters } };
		const { context, methods } = hookContext(options, 'watching');
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation(() => undefined);
		await methods.create.call(context);
		return warn.mock.calls.map(([text]) => text);
	};
	test('events that no state shows are refused; some of them are named in the log', async () => {
		await expect(publishing({ events: ['group:notaries'] })).rejects.toThrow(
			/only has events that 'Transaction Changes' can't see: 'notary\.compliant'/,
		);
		expect(await publishing({ events: ['group:finished', 'transaction.released'] })).toEqual([
			expect.stringMatching(/can't see 'transaction\.released'/),
		]);
	});
	test('a service that does not list transactions is refused with what to do', async () => {
		await withService(
			() => undefined,
			async ({ url }) => {
				await expect(publishing({}, credentialFor(url))).rejects.toMatchObject({
					message: expect.stringMatching(/doesn't list transactions/),
					description: expect.stringMatching(/'Webhook Calls' in 'Event Source'/),
				});
			},
		);
	});
	test('a condition that nothing can meet is refused', async () => {
		const row = [{ field: 'other', otherField: 'cost', comparison: 'gt', value: 'much' }];
		await expect(publishing({ onlyRunIf: { row } })).rejects.toThrow(
			/'Only Run If' has 'much' in row 1, which isn't a number/,
		);
	});
});

describe('an account of one platform', () => {
	test('is not asked on the other one at each look', async () => {
		await withService(
			({ path }) =>
				path.startsWith('/mortgage')
					? { status: 403, body: { errors: ['Forbidden'] } }
					: { body: { total_count: 0, count: 0, data: [] } },
			async ({ credential: used, requests }) => {
				const { context } = hookContext({ credential: used, parameters: {} }, 'one-platform');
				const { createService } = await import('../../../../nodes/SignAndClose/service/client.ts');
				const service = await createService(context);
				const watcher = new ChangeWatcher();
				const memory = { since: new Date().toISOString(), states: {} };
				for (let looks = 0; looks < 3; looks++) await watcher.look(service, memory, Date.now());
				const asked = requests.filter(({ path }) => path.startsWith('/mortgage'));
				expect([asked.length, requests.length]).toEqual([1, 4]);
			},
		);
	});
});

describe('the pace', () => {
	test('is seconds while something moves, minutes while nothing does, and never the same for all', () => {
		const pace = new LookPace();
		const pauses = Array.from({ length: 12 }, () => pace.next(false));
		expect(pauses[0]).toBeLessThanOrEqual(5_500);
		expect(pauses.at(-1)).toBeGreaterThanOrEqual(162_000);
		expect(pauses.at(-1)).toBeLessThanOrEqual(198_000);
		expect(pace.next(true)).toBeLessThanOrEqual(5_500);
		expect(pace.next(false)).toBeLessThanOrEqual(11_000);
		expect(new Set(Array.from({ length: 20 }, () => pace.next(true))).size).toBeGreaterThan(1);
	});
});

describe("n8n's trigger()", () => {
	test('looks right away, tells an outage once, and ends with the workflow', async () => {
		const id = await createClosing(credential());
		const kept = await published();
		change(id, STATES.sentToSigner);
		const { context } = kept.start();
		const { closeFunction } = startMaintenance(context);
		for (const end = Date.now() + 10_000; kept.executions.length === 0 && Date.now() < end;)
			await new Promise((wake) => setTimeout(wake, 5));
		await closeFunction!();
		expect(told(kept)).toEqual([['transaction.sent', id, 'started']]);
	});
});
