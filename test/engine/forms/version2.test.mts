import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING, createClosing } from '../../support/closing.mts';
import { attempt, BUSINESS, run, transaction } from '../../support/operations.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** What a form does in version 2 of the node without being filled in, and in version 1 as before. */

useSandbox();

const V2 = { node: { typeVersion: 2 } };

describe('the transaction', () => {
	const GET = { resource: 'transaction', operation: 'get', platform: 'realEstate' };

	test('is that of the item in version 2', async () => {
		const made = [await createClosing(credential()), await createClosing(credential())];
		const items = made.map((transaction_id) => ({ json: { transaction_id } }));
		const outcome = await run(GET, { ...V2, items });
		expect(outcome.items.map(({ json }) => json.transaction_id)).toEqual(made);
	});
	test('has to be chosen in version 1, and for a deletion', async () => {
		const items = [{ json: { transaction_id: await createClosing(credential()) } }];
		await expect(attempt(GET, { items })).rejects.toThrow(/"Transaction" is required/);
		const deletion = { ...GET, operation: 'delete' };
		await expect(attempt(deletion, { ...V2, items })).rejects.toThrow(/"Transaction" is required/);
	});
	test('that an item does not name is told', async () => {
		const { error } = await attempt(GET, V2);
		expect(error?.message).toBe("'Transaction' is empty");
	});
});

describe('the external ID of a signer', () => {
	const signersOf = (json: IDataObject) =>
		transaction(json.transaction_id).signers.map(({ external_id: id }) => id);
	const others = {
		row: [{ email: 'joe@example.com' }, { email: 'ann@example.com', external_id: 'a' }],
	};

	test('of a new closing is filled in, in version 2', async () => {
		const named = { first_name: 'Jane', last_name: 'Borrower' };
		const rows = { row: [{ email: 'jane@example.com', ...named }, ...others.row] };
		const version2 = await run({ ...CLOSING, signers: rows }, V2);
		expect(signersOf(version2.json)).toEqual(['signer-1', 'signer-2', 'a']);
		const version1 = await run({ ...CLOSING, signerExternalId: '', coSigners: others });
		expect(signersOf(version1.json)).toEqual([undefined, undefined, 'a']);
	});
	test('of a new transaction is filled in, in version 2', async () => {
		const given = { ...BUSINESS, signers: others };
		expect(signersOf((await run(given, V2)).json)).toEqual(['signer-1', 'a']);
		expect(signersOf((await run(given)).json)).toEqual([undefined, 'a']);
	});
});
