import { buildPhaseGoal } from '../../../../nodes/SignAndClose/resources/transaction/api.ts';
import { inTurn, withClient } from '../../../support/live/client.mts';
import { AFTER_ERROR, AFTER_LOSS } from '../looks.mts';

/** When a write that moves a transaction into another phase counts as done. */

const [SEND, RECALL] = ['sendTransaction', 'recallTransaction'] as const;
const target = { transactionId: 'ot_1', platform: 'realEstate' } as const;
const still = (phase: string) => ({ state: 'notDone', reason: { still: phase } });

const ended = (status: string) => ({
	state: 'ended',
	failure: { reason: { code: 'wrongState', step: 'ended', current: { status } } },
});

test.each<[string, typeof SEND | typeof RECALL, object, object]>([
	['sent', SEND, { status: 'sent' }, { state: 'done' }],
	['sent, as it is finished', SEND, { status: 'completed' }, { state: 'done' }],
	['not sent, as a draft', SEND, { status: 'started' }, still('draft')],
	['not known to be sent', SEND, { status: '?' }, { state: 'unknown' }],
	['ended since, as it has expired', SEND, { status: 'expired' }, ended('expired')],
	['recalled', RECALL, { detailed_status: 'recalled' }, { state: 'done' }],
	['not recalled, as it is sent', RECALL, { status: 'sent' }, still('sent')],
	['ended instead of recalled', RECALL, { status: 'expired' }, ended('expired')],
	['neither, as it is finished', RECALL, { status: 'completed' }, { state: 'unknown' }],
])('a transaction is %s', async (_what, move, shown, expected) => {
	const answer = { id: 'ot_1', ...shown };
	await withClient(inTurn(answer), async (service, { requests }) => {
		const goal = buildPhaseGoal(service, move, target);
		expect(goal.fromAnswer(answer)).toMatchObject(expected);
		expect(goal.fromAnswer(shown)).toEqual({ state: 'unknown' });
		expect(await goal.look(AFTER_ERROR)).toMatchObject(expected);
		expect(requests.map(({ method }) => method)).toEqual(['GET']);
	});
});

test('a later look may tell after a lost answer what this one does not', async () => {
	await withClient(inTurn({ id: 'ot_1', status: '?' }), async (service) => {
		expect(await buildPhaseGoal(service, SEND, target).look(AFTER_LOSS)).toBeUndefined();
	});
});

test.each<[string, unknown, object]>([
	['says', { errors: ['Transaction not found'] }, { state: 'ended' }],
	['does not say', 'Not found', { message: expect.anything() }],
])('a transaction that is gone has ended if the service %s so', async (_how, body, expected) => {
	await withClient(
		() => ({ status: 404, body }),
		async (service) => {
			const look = buildPhaseGoal(service, SEND, target).look(AFTER_LOSS);
			expect(await look.catch((thrown: unknown) => thrown)).toMatchObject(expected);
		},
	);
});
