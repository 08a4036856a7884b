import type { IDataObject } from 'n8n-workflow';

import {
	buildCreatedGoal,
	findWebhook,
	listEventTypes,
	retrieveWebhook,
	toRecordOutput,
	buildUpdatedGoal,
	pickWritableFields,
} from '../../../../nodes/SignAndClose/resources/webhook/api.ts';
import { UNCERTAIN, type Look } from '../../../../nodes/SignAndClose/run/goals.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { liveRecord } from '../../../support/live/answers.mts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';
import { AFTER_ERROR, AFTER_LOSS, AFTER_SUCCESS } from '../looks.mts';

/** What is read of webhooks, and when a write of one counts as done. */

const URL = 'https://n8n.example.com/hook';
const done = (shown: unknown) => ({ state: 'done', value: shown });

describe('a webhook', () => {
	const retrieve = async (answer: unknown) =>
		await withClient(
			inTurn(answer),
			async (service) => await retrieveWebhook(service, 'wh_1').catch((thrown: unknown) => thrown),
		);
	test('is known by its ID or by its URL', async () => {
		expect(await retrieve({ id: 'wh1', enabled: true })).toEqual({ id: 'wh1', enabled: true });
		expect(await retrieve({ url: URL })).toEqual({ id: 'wh_1', url: URL });
	});
	test('is none without both', async () => {
		await forEachCase([{}, '', { id: '', url: '' }, { enabled: true }], async (answer) =>
			expect(await retrieve(answer)).toMatchObject({ reason: { code: 'unexpectedAnswer' } }),
		);
	});
});

describe('in the list of webhooks', () => {
	const find = async (...hooks: unknown[]) =>
		await withClient(
			inTurn({ webhooks: hooks }),
			async (service) => await findWebhook(service, 'wh_1').catch((thrown: unknown) => thrown),
		);
	test('one is found, is missing when all say their IDs, and may be among those that do not', async () => {
		const found = { id: 'wh_1', url: URL };
		expect(await find({ url: URL }, { id: 'wh_2' }, found)).toEqual(found);
		expect(await find('wh_2', 'wh_3')).toBeUndefined();
		expect(await find({ id: 'wh_2' }, { url: URL })).toMatchObject({
			reason: { code: 'unexpectedAnswer' },
		});
	});
});

describe('a webhook is created', () => {
	const WANTED = { url: URL, subscriptions: ['transaction.sent'] };
	const NEW = { id: 'wh_new', url: URL };
	const FOREIGN = { id: 'wh_2', url: `${URL}/2` };
	test('when the answer has its ID', async () => {
		await withClient(inTurn([]), async (service) => {
			const { fromAnswer: told } = buildCreatedGoal(service, WANTED, undefined);
			expect(told(NEW)).toEqual(done(NEW));
			forEachCase([{ url: URL }, { id: '' }, undefined, 'created'], (answer) =>
				expect(told(answer)).toEqual(UNCERTAIN),
			);
		});
	});
	const seen = async (hooks: unknown[], before?: string[], how: Look = AFTER_SUCCESS) =>
		await withClient(
			inTurn(hooks),
			async (service) =>
				await buildCreatedGoal(
					service,
					WANTED,
					before?.map((id) => ({ id })),
				).look!(how),
		);
	test.each<[string, unknown[], string[] | undefined, object]>([
		['one new webhook', ['wh_old', NEW], ['wh_old'], done({ ...WANTED, ...NEW })],
		['one new ID', ['wh_old', 'wh_new'], ['wh_old'], done({ ...WANTED, id: 'wh_new' })],
		['a second one of somebody else', [FOREIGN, NEW], [], done({ ...WANTED, ...NEW })],
		['a new webhook of somebody else', [FOREIGN], [], UNCERTAIN],
		['none', [], [], UNCERTAIN],
		['two new webhooks', [NEW, { ...NEW, id: 'wh_2' }], [], UNCERTAIN],
		['only old ones', [{ id: 'wh_old', url: URL }], ['wh_old'], UNCERTAIN],
		['one, where those from before are not known', [NEW], undefined, UNCERTAIN],
	])('after a success, when the list has %s', async (_what, hooks, before, expected) => {
		expect(await seen(hooks, before)).toEqual(expected);
	});
	test('but nobody knows whose it is after a lost answer', async () => {
		await forEachCase([[NEW], ['wh_new'], [FOREIGN], []], async (hooks) =>
			expect(await seen(hooks, [], AFTER_LOSS)).toEqual(UNCERTAIN),
		);
	});
});

describe('a webhook is changed', () => {
	/** What a look shows after a success and after an answer that is none. A proof is just `done`. */
	const judge = async (changes: IDataObject, after: IDataObject, before?: IDataObject) =>
		await withClient(
			() => ({ body: { id: 'wh_1', ...after } }),
			async (service) => {
				const { fromAnswer: told, look } = buildUpdatedGoal(service, 'wh_1', changes, before);
				expect(told({ updated: true })).toEqual(done({ differing: [] }));
				forEachCase([{ updated: false }, {}, after], (answer) =>
					expect(told(answer)).toEqual(UNCERTAIN),
				);
				const plain = async (how: Look) => {
					const seen = await look!(how);
					if (seen?.state !== 'done') return seen;
					const { differing } = seen.value;
					return differing.length === 0 ? 'done' : { differing };
				};
				const lost = await plain(AFTER_ERROR);
				// A later look may show what this one doesn't.
				expect(await plain(AFTER_LOSS)).toEqual(lost === UNCERTAIN ? undefined : lost);
				return { answered: await plain(AFTER_SUCCESS), lost };
			},
		);
	const unchanged = (...names: string[]) =>
		always({ state: 'notDone', reason: { unchanged: names } });
	/** However the service answered the write. */
	const always = (verdict: unknown) => ({ answered: verdict, lost: verdict });
	/** After a success only. */
	const TRUSTED = { answered: 'done', lost: UNCERTAIN };
	const instead = (field: string, wanted: unknown, shown: unknown) => ({
		answered: { differing: [{ field, expected: wanted, actual: shown }] },
		lost: UNCERTAIN,
	});
	const OLD = 'https://old.example.com';
	const KEY = { signing_key: 'secret' };

	test.each<[string, IDataObject, IDataObject, IDataObject | undefined, unknown]>([
		['all of it is shown', { url: URL }, { url: URL }, undefined, always('done')],
		['it is shown as before', { url: URL }, { url: URL }, { url: URL }, always('done')],
		['something cannot be seen', { url: URL, ...KEY }, { url: URL }, undefined, TRUSTED],
		['nothing can be seen', KEY, { url: URL }, { url: URL }, TRUSTED],
		['something changed with it', { url: URL, ...KEY }, { url: URL }, { url: OLD }, TRUSTED],
		['nothing changed with it', { url: URL, ...KEY }, { url: URL }, { url: URL }, TRUSTED],
		[
			'one of two changed',
			{ url: URL, subscriptions: ['a'] },
			{ url: URL, subscriptions: ['a'] },
			{ url: OLD, subscriptions: ['a'] },
			always('done'),
		],
		['it is as before', { url: URL }, { url: OLD }, { url: OLD }, unchanged('url')],
		[
			'it is another one, as nobody knows since when',
			{ url: URL },
			{ url: OLD },
			undefined,
			instead('url', URL, OLD),
		],
		[
			'it was changed to something else',
			{ url: URL },
			{ url: `${URL}/2` },
			{ url: OLD },
			instead('url', URL, `${URL}/2`),
		],
		[
			'one is as before, and another is something else',
			{ url: URL, subscriptions: ['a'] },
			{ url: OLD, subscriptions: ['b'] },
			{ url: OLD, subscriptions: ['c'] },
			unchanged('url'),
		],
		[
			'headers are as before',
			{ headers: ['X-A:2'] },
			{ headers: [{ name: 'X-A', value: '1' }] },
			{ headers: [{ name: 'X-A', value: '1' }] },
			unchanged('headers'),
		],
		[
			'headers have other values',
			{ headers: ['X-A:2'] },
			{ headers: ['X-A:1'] },
			undefined,
			instead('headers', ['X-A:2'], ['X-A:1']),
		],
		[
			'headers come in another order, with spaces',
			{ headers: ['X-A:1', 'X-B:2'] },
			{ headers: ['X-B:  2', 'X-A: 1'] },
			undefined,
			always('done'),
		],
		[
			'events come in another order',
			{ subscriptions: ['a', 'b'] },
			{ subscriptions: ['b', 'a'] },
			undefined,
			always('done'),
		],
		[
			'events are missing',
			{ subscriptions: ['a', 'b'] },
			{ subscriptions: ['a'] },
			undefined,
			instead('subscriptions', ['a', 'b'], ['a']),
		],
	])('when %s', async (_when, changes, after, before, expected) => {
		expect(await judge(changes, after, before)).toEqual(expected);
	});
});

describe('what an update of a webhook writes back', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['header lines', { headers: ['X-A: 1'] }, { headers: ['X-A: 1'] }],
		[
			'headers that are shown by their parts',
			{ headers: [{ name: 'X-A', value: '1' }, { name: 'X-B' }, { value: '2' }], header: 'X-A:1' },
			{ headers: ['X-A:1', 'X-B:', ':2'] },
		],
		['a single header', { header: 'X-A:1', headers: [] }, { header: 'X-A:1' }],
		['a single header alone', { header: 'X-A:1' }, { header: 'X-A:1' }],
		['nothing that is empty', { url: '', header: '', headers: null, subscriptions: null }, {}],
		[
			'nothing that it does not take',
			{ id: 'wh_1', enabled: true, url: URL, request_id_header_name: 'X-Id' },
			{ url: URL, request_id_header_name: 'X-Id' },
		],
	])('%s', (_what, webhook, expected) => {
		expect(pickWritableFields(webhook)).toEqual(expected);
	});
});

describe('the events that can be subscribed to', () => {
	const list = async (answer: unknown) =>
		await withClient(
			inTurn(answer),
			async (service) => await listEventTypes(service).catch((thrown: unknown) => thrown),
		);
	test('are listed by their groups', async () => {
		expect(
			await list({
				transaction: ['transaction.sent', '', null, 7],
				document: ['document.completed'],
				version: 'v2',
				errors: ['Old version'],
				data: ['transaction.old'],
			}),
		).toEqual([
			{ group: 'transaction', event: 'transaction.sent' },
			{ group: 'document', event: 'document.completed' },
		]);
	});
	test('are never none', async () => {
		await forEachCase(
			[{}, { errors: ['Not now'] }, { transaction: [] }, { transaction: [{}] }],
			async (answer) =>
				expect(await thrownBy(Promise.reject(await list(answer)))).toMatchObject({
					reason: { code: 'unexpectedList' },
				}),
		);
	});
});

test('an event record has what a workflow needs at top level, whether it holds an event or not', () => {
	const data = { transaction_id: 'ot_1', date_occurred: 'x' };
	const event = 'transaction.completed_with_rejection';
	const payload = { event, data };
	expect(toRecordOutput('wh_1', liveRecord(event, JSON.stringify(payload)), true)).toMatchObject({
		webhook_id: 'wh_1',
		transaction_id: 'ot_1',
		delivered_successfully: true,
		event: 'transaction.completed_with_rejections',
		payload,
	});
	expect(toRecordOutput('wh_1', liveRecord('ping', 'gone', { code: '500' }), true)).toMatchObject({
		transaction_id: null,
		delivered_successfully: false,
		event: 'ping',
		payload: 'gone',
	});
});
