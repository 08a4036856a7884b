import { describe, expect, test } from '@jest/globals';

import {
	completedGoal,
	forceComplete,
	recall,
	recalledGoal,
	remindedGoal,
	sendDraft,
	sentGoal,
} from '../../../../nodes/SignAndClose/resources/transaction/api.ts';
import { deletedGoal } from '../../../../nodes/SignAndClose/run/outcome/goals.ts';
import { retrieveTransaction } from '../../../../nodes/SignAndClose/transport/answers/retrieveTransaction.ts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';

/** When a write of a transaction counts as done, and what is looked at to see it. */

const DRAFT = { id: 'ot_1', status: 'started' };
const SENT = { id: 'ot_1', status: 'sent' };
const FINISHED = { id: 'ot_1', status: 'completed' };
const UNKNOWN = { state: 'unknown' };
const done = (shown: unknown) => ({ state: 'done', shown });
const still = (phase: string) => ({ state: 'notDone', why: { still: phase } });

test('an answer without a transaction is none', async () => {
	for (const body of [{}, [], '', { id: '' }, { status: 'sent' }])
		await withClient(inTurn(body), async (service) => {
			expect(await thrownBy(retrieveTransaction(service, 'ot_1'))).toMatchObject({
				reason: { code: 'unexpectedAnswer' },
			});
		});
});

describe('sending and recalling', () => {
	test.each<[string, typeof sentGoal, unknown, object]>([
		['sent', sentGoal, SENT, done(SENT)],
		['sent, once it is finished', sentGoal, FINISHED, done(FINISHED)],
		['not sent, as a draft', sentGoal, DRAFT, still('draft')],
		['recalled', recalledGoal, DRAFT, done(DRAFT)],
		['not recalled, as it is sent', recalledGoal, SENT, still('sent')],
		['neither recalled nor as before, once it is finished', recalledGoal, FINISHED, UNKNOWN],
		['not known to be sent', sentGoal, { id: 'ot_1', status: '?' }, UNKNOWN],
		['not known to be recalled, without an answer', recalledGoal, {}, UNKNOWN],
	])('a transaction is %s', async (_what, goalOf, answer, expected) => {
		await withClient(inTurn(answer), async (service, { requests }) => {
			const { told, look } = goalOf(service, 'ot_1', 'realEstate');
			expect(told(answer, true)).toEqual(expected);
			if ('id' in (answer as object)) expect(await look()).toEqual(expected);
			for (const { method, path } of requests)
				expect(`${method} ${path}`).toBe('GET /mortgage/v2/transactions/ot_1');
		});
	});
	test('options and a reason are sent when there are any, and nothing without them', async () => {
		await withClient(
			({ path }) => ({ body: path.endsWith('/recall') ? DRAFT : SENT }),
			async (service, { requests }) => {
				await sendDraft(service, 'ot_1', 'business');
				await sendDraft(service, 'ot_1', 'realEstate', { suppress_email: true });
				await recall(service, 'ot_1', 'business');
				await recall(service, 'ot_1', 'business', 'Typo');
				expect(requests.map(({ body, query }) => [body, query])).toEqual([
					['', {}],
					[{ suppress_email: true }, {}],
					['', {}],
					['', { recall_reason: 'Typo' }],
				]);
			},
		);
	});
});

describe('a deletion', () => {
	test('is done when the thing is no longer listed, and not while it is', async () => {
		expect(await deletedGoal(async () => undefined).look()).toEqual(done(true));
		const { told } = deletedGoal(async () => undefined);
		expect(told({ deleted: true }, true)).toEqual(done(true));
		expect(told({ deleted: true, errors: ['No'] }, false)).toEqual(UNKNOWN);
		expect(await deletedGoal(async () => DRAFT).look()).toEqual(still('there'));
	});
	test.each<[string, unknown, object]>([
		['the service itself says that it has none', { errors: ['Transaction Not Found'] }, done(true)],
		['something answers so', '<html>Not Found</html>', UNKNOWN],
	])('after a 404, with which %s', async (_what, body, expected) => {
		await withClient(
			() => ({ status: 404, body }),
			async (service) => {
				const find = async () => await retrieveTransaction(service, 'ot_1', 'business');
				expect(await deletedGoal(find).look()).toEqual(expected);
			},
		);
	});
});

test('a reminder is done when the answer is the transaction', () => {
	expect(remindedGoal.told(SENT, true)).toEqual(done(SENT));
	for (const answer of [{}, undefined]) expect(remindedGoal.told(answer, true)).toEqual(UNKNOWN);
	// With an error beside it, nobody knows.
	expect(remindedGoal.told({ ...SENT, errors: ['No'] }, false)).toEqual(UNKNOWN);
});

describe('completing by force', () => {
	test.each<[string, unknown, object]>([
		['completed', FINISHED, done(FINISHED)],
		[
			'completed, as its detailed status says',
			{ id: 'ot_1', detailed_status: 'complete' },
			done({ id: 'ot_1', detailed_status: 'complete' }),
		],
		['still with its signers', SENT, still('sent')],
		['a draft, which nobody can complete', DRAFT, UNKNOWN],
		['expired', { id: 'ot_1', status: 'expired' }, UNKNOWN],
		['declined', { id: 'ot_1', status: 'sent', detailed_status: 'declined' }, UNKNOWN],
		['in a state that nobody knows', { id: 'ot_1', status: '?' }, UNKNOWN],
		['not shown', {}, UNKNOWN],
	])('a transaction is %s', async (_what, answer, expected) => {
		await withClient(inTurn(answer), async (service) => {
			expect(completedGoal(service, 'ot_1', 'business').told(answer, true)).toEqual(expected);
		});
	});
	test('the answer comes before it is completed, so that it is looked at until it is', async () => {
		await withClient(inTurn(SENT, SENT, SENT, FINISHED), async (service, { requests }) => {
			expect(await forceComplete(service, 'ot_1', 'realEstate')).toEqual(FINISHED);
			expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
				'POST /mortgage/v2/transactions/ot_1/force_complete',
				...Array(3).fill('GET /mortgage/v2/transactions/ot_1'),
			]);
		});
	});
	test('one that stays with its signers is told as not done', async () => {
		await withClient(
			inTurn(SENT),
			async (service, { requests }) => {
				expect(await thrownBy(forceComplete(service, 'ot_1', 'business'))).toMatchObject({
					reason: { code: 'notDone', why: { still: 'sent' } },
				});
				expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
			},
			{ limits: { completionMs: 400 } },
		);
	});
	test('a canceled execution ends the wait', async () => {
		await withClient(inTurn(SENT), async (service) => {
			const began = Date.now();
			const look = completedGoal(service, 'ot_1', 'business', AbortSignal.abort()).look();
			expect(await thrownBy(look)).toBeInstanceOf(Error);
			expect(Date.now() - began).toBeLessThan(5_000);
		});
	});
});
