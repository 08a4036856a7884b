import { expect, test } from '@jest/globals';

import { phaseGoal } from '../../../../nodes/SignAndClose/resources/transaction/api.ts';
import { inTurn, withClient } from '../../../support/live/client.mts';

/** When a write that moves a transaction into another phase counts as done. */

const SEND = { reached: ['sent', 'finished'], missed: 'draft' } as const;
const RECALL = { reached: ['draft'], missed: 'sent' } as const;
const still = (phase: string) => ({ state: 'notDone', why: { still: phase } });

test.each<[string, typeof SEND | typeof RECALL, object, object]>([
	['sent', SEND, { status: 'sent' }, { state: 'done' }],
	['sent, as it is finished', SEND, { status: 'completed' }, { state: 'done' }],
	['not sent, as a draft', SEND, { status: 'started' }, still('draft')],
	['not known to be sent', SEND, { status: '?' }, { state: 'unknown' }],
	['recalled', RECALL, { detailed_status: 'recalled' }, { state: 'done' }],
	['not recalled, as it is sent', RECALL, { status: 'sent' }, still('sent')],
	['neither, as it is finished', RECALL, { status: 'completed' }, { state: 'unknown' }],
])('a transaction is %s', async (_what, { reached, missed }, shown, expected) => {
	const answer = { id: 'ot_1', ...shown };
	await withClient(inTurn(answer), async (service, { requests }) => {
		const goal = phaseGoal(service, 'ot_1', 'realEstate', { reached: [...reached], missed });
		expect(goal.fromAnswer(answer)).toMatchObject(expected);
		expect(goal.fromAnswer(shown)).toEqual({ state: 'unknown' });
		expect(await goal.fromService()).toMatchObject(expected);
		expect(requests.map(({ method }) => method)).toEqual(['GET']);
	});
});
