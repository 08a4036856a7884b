import { phaseGoal } from '../../../../nodes/SignAndClose/resources/transaction/api.ts';
import { inTurn, withClient } from '../../../support/live/client.mts';

/** When a write that moves a transaction into another phase counts as done. */

const [SEND, RECALL] = ['sendTransaction', 'recallTransaction'] as const;
const target = { transactionId: 'ot_1', platform: 'realEstate' } as const;
const still = (phase: string) => ({ state: 'notDone', why: { still: phase } });

test.each<[string, typeof SEND | typeof RECALL, object, object]>([
	['sent', SEND, { status: 'sent' }, { state: 'done' }],
	['sent, as it is finished', SEND, { status: 'completed' }, { state: 'done' }],
	['not sent, as a draft', SEND, { status: 'started' }, still('draft')],
	['not known to be sent', SEND, { status: '?' }, { state: 'unknown' }],
	['recalled', RECALL, { detailed_status: 'recalled' }, { state: 'done' }],
	['not recalled, as it is sent', RECALL, { status: 'sent' }, still('sent')],
	['neither, as it is finished', RECALL, { status: 'completed' }, { state: 'unknown' }],
])('a transaction is %s', async (_what, move, shown, expected) => {
	const answer = { id: 'ot_1', ...shown };
	await withClient(inTurn(answer), async (service, { requests }) => {
		const goal = phaseGoal(service, move, target);
		expect(goal.fromAnswer(answer)).toMatchObject(expected);
		expect(goal.fromAnswer(shown)).toEqual({ state: 'unknown' });
		expect(await goal.fromService()).toMatchObject(expected);
		expect(requests.map(({ method }) => method)).toEqual(['GET']);
	});
});
