import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { fullSent, PLATFORMS } from '../../support/everyField/transactions.mts';
import { draftClosing, sentClosing } from '../../support/matrix/scene.mts';
import { complaint, run, transaction } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Force Complete, in a test environment and elsewhere. */

useSandbox();

const force = (transactionId: string, platform = 'realEstate') => ({
	resource: 'transaction',
	operation: 'forceComplete',
	platform,
	transactionId: id(transactionId),
});
const posts = () => sandbox.requests.filter(({ method }) => method === 'POST');

beforeEach(() => sandbox.clock.setSpeed(20));
afterEach(() => {
	sandbox.world.settings.switches.testEnvironment = true;
	sandbox.clock.setSpeed(1);
});

test.each(PLATFORMS)('a transaction on %s is completed when the node is done', async (platform) => {
	const { plainId } = await fullSent(sandbox, platform);
	sandbox.requests.length = 0;
	const { json } = await run(force(plainId, platform));
	expect(json).toMatchObject({ transaction_id: plainId, status: 'completed' });
	expect(posts()).toHaveLength(1);
});

test('a refusal is told with its remedy', async () => {
	const { transactionId } = await draftClosing(sandbox);
	expect(await complaint(force(transactionId))).toMatch(/'Transaction: Send' first/);
	const closing = await sentClosing(sandbox);
	sandbox.world.settings.switches.testEnvironment = false;
	expect(await complaint(force(closing))).toMatch(
		/only test environments can complete it by force/,
	);
	expect(transaction(closing).status).toBe('sent');
	sandbox.world.settings.switches.testEnvironment = true;
	await run(force(closing));
	expect(await complaint(force(closing))).toMatch(/leave one that has ended as it is/);
});

describe('a service that accepts it and then shows', () => {
	test.each<[IDataObject, RegExp]>([
		[{ status: 'sent' }, /^The service answered, but the transaction is still with its signers/],
		[{ status: 'started' }, /outcome is unknown/],
		[{ status: 'expired' }, /has ended \(expired\)/],
		[{ status: 'sent', detailed_status: 'declined' }, /has ended \(declined\)/],
		[{ status: 'sent', detailed_status: 'canceled' }, /has ended \(canceled\)/],
		[{ status: 'sparkling' }, /outcome is unknown/],
	])('%j has not completed it', async (state, expected) => {
		const closing = await sentClosing(sandbox);
		const body = { id: closing, ...state };
		sandbox.faults.add({ method: 'POST', path: /force_complete$/, status: 200, body });
		sandbox.faults.add({
			method: 'GET',
			path: new RegExp(`${closing}$`),
			status: 200,
			body,
			times: 9,
		});
		expect(await complaint(force(closing), { limits: { completionMs: 600 } })).toMatch(expected);
	});
});
