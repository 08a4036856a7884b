import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { kept, newLoan, allKept, send, JANE } from '../../support/runAgain.mts';
import { attempt, complaint, run, transaction } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** A closing that was called off has ended, whichever field shows it (docs/service/states.md#canceled). */

useSandbox();

const on = (operation: string, closing: string, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation,
	platform: 'realEstate',
	transactionId: id(closing),
	...more,
});
const listed = async (state: string) => {
	const { items } = await run({
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		returnAll: true,
		filters: { detailed_status: [state] },
	});
	return items.map(({ json }) => json.transaction_id);
};
const writes = () => sandbox.requests.filter(({ method }) => method !== 'GET').length;

describe.each(['both', 'status', 'detailedStatus'] as const)('canceled in %s', (canceledIn) => {
	let closing: string;
	beforeEach(async () => {
		newLoan();
		await send({});
		sandbox.world.settings.canceledIn = canceledIn;
		closing = kept().id;
		await sandbox.act.cancel(closing);
		sandbox.requests.length = 0;
	});
	afterEach(() => void (sandbox.world.settings.canceledIn = 'both'));

	test('it is listed as canceled, and neither as open nor as waiting', async () => {
		expect(await listed('canceled')).toContain(closing);
		for (const state of ['open', 'waiting', 'unopened', 'sent_to_signer'])
			expect([state, (await listed(state)).includes(closing)]).toEqual([state, false]);
	});
	test('it has ended, waits for nobody, and no signer has anything to do', async () => {
		const { json } = await run(on('get', closing));
		expect(json).toMatchObject({ ended: true, waiting_for: '', never_opened: '' });
		const signers = { resource: 'signer', operation: 'getAll', platform: 'realEstate' };
		const open = { filters: { open_only: true }, returnAll: true, transactionId: id(closing) };
		expect((await run({ ...signers, ...open })).items).toEqual([]);
	});
	test('Check says that it can go out no more', async () => {
		const { items } = await run({ ...on('check', closing), checkOutput: 'findings' });
		expect(items.map(({ json }) => json)).toContainEqual(
			expect.objectContaining({
				code: 'draft',
				state: 'missing',
				text: expect.stringMatching(
					/has ended \(canceled\)\. To start over, use 'Transaction: Copy'/,
				),
			}),
		);
	});
	test.each([
		['send', {}],
		['send', { additionalFields: { ifAlreadySent: 'return' } }],
		['correctSigner', { signerId: id(JANE.email), corrections: { email: 'j@example.com' } }],
	])('%s with %j changes nothing', async (operation, more) => {
		const said = await complaint(on(operation, closing, more as IDataObject));
		expect(said).toMatch(/ended \(canceled\)/);
		expect(writes()).toBe(0);
	});
	test.each([
		['recall', { evenIfSent: true }],
		['resendEmail', {}],
		['resendToContacts', {}],
	])('%s is refused by the service', async (operation, more) => {
		const log = transaction(closing).auditLog.length;
		expect((await attempt(on(operation, closing, more))).error).toBeDefined();
		expect(transaction(closing).auditLog).toHaveLength(log);
	});
	test('it is not found as existing: its number makes a new one', async () => {
		const { said } = await send({});
		expect([said, allKept().length]).toEqual([undefined, 2]);
		expect(kept().id).not.toBe(closing);
	});
});
