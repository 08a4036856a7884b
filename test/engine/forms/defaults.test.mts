import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING, createClosing } from '../../support/closing.mts';
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
	test('that an item does not name is told', async () => {
		const { error } = await attempt(GET);
		expect(error?.message).toBe("'Transaction' is empty");
	});
});

describe('the external ID of a signer', () => {
	const signersOf = (json: IDataObject) =>
		transaction(json.transaction_id).signers.map(({ external_id: id }) => id);
	const others = {
		row: [{ email: 'joe@example.com' }, { email: 'ann@example.com', external_id: 'a' }],
	};

	test('of a new closing is filled in', async () => {
		const named = { first_name: 'Jane', last_name: 'Borrower' };
		const rows = { row: [{ email: 'jane@example.com', ...named }, ...others.row] };
		const { json } = await run({ ...CLOSING, signers: rows });
		expect(signersOf(json)).toEqual(['signer-1', 'signer-2', 'a']);
	});
	test('of a new transaction is filled in', async () => {
		const given = { ...BUSINESS, signers: others };
		expect(signersOf((await run(given)).json)).toEqual(['signer-1', 'a']);
	});
});
