import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { addNotary } from '../../../sandbox/domain/notaries.mts';
import { id } from '../../support/closing.mts';
import { listContext, NODE } from '../../support/engine.mts';
import { fullDraft } from '../../support/everyField/transactions.mts';
import { complaint, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Who can meet the signers of a transaction: as items, and in the list of a transaction's fields. */

useSandbox();

const NORA = 'us_nora_notary';
const OSCAR = 'us_oscar_oath';
let chosen: IDataObject;
beforeEach(async () => {
	chosen = (await fullDraft(sandbox, 'business')).chosen;
	sandbox.world.notaries.splice(2);
	// Nobody has found her compliant yet.
	addNotary(sandbox.world, { name: 'Vera Vow' });
});

const GET_ELIGIBLE = { resource: 'notary', operation: 'getEligible', returnAll: true };

describe('Notary: Get Eligible', () => {
	test('gives those who are compliant, with the IDs that a next step needs', async () => {
		const { items } = await run({ ...GET_ELIGIBLE, ...chosen });
		expect(items.map(({ json }) => json.notary_id)).toEqual([NORA, OSCAR]);
		expect(items[0].json).toMatchObject({
			transaction_id: (chosen.transactionId as IDataObject).value,
			status: 'compliant',
			us_state_abbr: 'MA',
		});
	});
});

test('Notary: Get shows one who can not take meetings yet', async () => {
	const { id: notaryId } = sandbox.world.notaries[2];
	const get = { resource: 'notary', operation: 'get', platform: 'business' };
	expect((await run({ ...get, notaryId: id(notaryId) })).json).toMatchObject({
		notary_id: notaryId,
		status: 'not_compliant',
	});
	expect(await complaint({ ...get, notaryId: id('={{ "" }}') })).toMatch(/^'Notary' is empty/);
	expect(await complaint({ ...get, notaryId: id('us_nobody') })).toMatch(
		/^'Notary' us_nobody was not found/,
	);
});

describe('the list of notaries', () => {
	const listed = async (parameters: IDataObject) => {
		const search = NODE.methods!.listSearch!.searchNotaries as (
			this: unknown,
		) => Promise<{ results: Array<{ value: string }> }>;
		const context = listContext({ credential: credential(), parameters });
		return (await search.call(context)).results.map(({ value }) => value);
	};
	const update = () => ({
		resource: 'transaction',
		operation: 'update',
		...chosen,
		updateFields: {},
	});

	test('has those who can meet the signers of the transaction that is updated', async () => {
		expect(await listed(update())).toEqual([NORA, OSCAR]);
	});
	test('has all of them where no transaction is known', async () => {
		for (const parameters of [
			{ ...update(), transactionId: id('') },
			{ resource: 'transaction', operation: 'create', additionalFields: {} },
			{ resource: 'notary', operation: 'get', platform: 'business' },
		])
			expect(await listed(parameters)).toHaveLength(3);
	});
	test('has all of them at a service that does not know the call', async () => {
		sandbox.faults.add({ path: /\/transactions\/.*\/notaries$/, status: 404, body: 'Not found' });
		expect(await listed(update())).toHaveLength(3);
	});
	test('says that nobody can, and what to do', async () => {
		sandbox.faults.add({ path: /\/transactions\/.*\/notaries$/, status: 200, body: [] });
		await expect(listed(update())).rejects.toThrow(/names no notary .* 'Notary: Get Many'/);
	});
	test('says that the transaction is not there', async () => {
		await expect(listed({ ...update(), transactionId: id('ot_none') })).rejects.toThrow(
			/'Transaction' ot_none was not found/,
		);
	});
});
