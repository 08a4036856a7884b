import { expect, test } from '@jest/globals';

import { searchTransactions } from '../../../../nodes/SignAndClose/resources/transaction/lists.ts';
import { listContext } from '../../../support/engine.mts';
import { withService } from '../../../support/live/service.mts';

/** How transactions are named in a list to choose from. */

test("a person's External ID tells which one it is, a reference of the node's own is left out", async () => {
	const transactions = ['order-7', 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427'].map(
		(reference, index) => ({
			id: `ot_${index}`,
			transaction_name: 'Order',
			external_id: reference,
		}),
	);
	await withService(
		() => ({ body: { transactions } }),
		async ({ credential }) => {
			const context = listContext({ credential, parameters: { platform: 'business' } });
			const { results } = await searchTransactions.call(context as never);
			expect(results.map(({ name }) => name)).toEqual(['Order · order-7', 'Order']);
		},
	);
});
