import { describe, expect, test } from '@jest/globals';

import { createClosing } from '../../support/closing.mts';
import { attempt, BUSINESS, run, transaction } from '../../support/operations.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** What a form does without being filled in. */

useSandbox();

describe('the transaction', () => {
	const GET = { resource: 'transaction', operation: 'get', platform: 'realEstate' };

	test('is that of the item', async () => {
		const made = [await createClosing(credential()), await createClosing(credential())];
		const items = made.map((transaction_id) => ({ json: { transaction_id } }));
		const outcome = await run(GET, { items });
		expect(outcome.items.map(({ json }) => json.transaction_id)).toEqual(made);
	});
	test('has to be chosen for a deletion', async () => {
		const items = [{ json: { transaction_id: await createClosing(credential()) } }];
		const deletion = { ...GET, operation: 'delete' };
		await expect(attempt(deletion, { items })).rejects.toThrow(/"Transaction" is required/);
	});
	test('that an item does not name is named in the failure', async () => {
		const { error } = await attempt(GET);
		expect(error?.message).toBe("'Transaction' is empty");
	});
});

// That a closing's signer can be chosen by it is with the lists.
test('the external ID of a signer of a new transaction is filled in', async () => {
	const signers = {
		row: [{ email: 'joe@example.com' }, { email: 'ann@example.com', external_id: 'a' }],
	};
	const { json } = await run({ ...BUSINESS, signers });
	const found = transaction(json.transaction_id).signers;
	expect(found.map(({ external_id: id }) => id)).toEqual(['signer-1', 'a']);
});
