import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

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

test('its documents can be downloaded by the next node', async () => {
	const { transactionId, documentId } = await draftClosing(sandbox);
	await run({
		resource: 'transaction',
		operation: 'send',
		platform: 'realEstate',
		transactionId: id(transactionId),
		additionalFields: {},
	});
	await run(force(transactionId));
	const { json } = await run({
		resource: 'document',
		operation: 'download',
		platform: 'realEstate',
		transactionId: id(transactionId),
		documentId: id(documentId),
		version: 'final',
		binaryPropertyName: 'data',
	});
	expect(json.version).toBe('final');
});

describe('what the service refuses is told with its remedy', () => {
	test('outside of a test environment', async () => {
		const closing = await sentClosing(sandbox);
		sandbox.world.settings.switches.testEnvironment = false;
		expect(await complaint(force(closing))).toMatch(
			/Not allowed to Force Complete.*only test environments can complete it by force/,
		);
		expect(transaction(closing).status).toBe('sent');
	});
	test('a draft, and a transaction that is completed', async () => {
		const { transactionId } = await draftClosing(sandbox);
		const done = await sentClosing(sandbox);
		await run(force(done));
		expect(await complaint(force(transactionId))).toMatch(
			/Unable to force complete.*'Transaction: Send' first/,
		);
		expect(await complaint(force(done))).toMatch(
			/Unable to force complete.*There is nothing left to complete/,
		);
	});
});

test('a lost answer is looked up, and it is not sent again', async () => {
	const closing = await sentClosing(sandbox);
	sandbox.requests.length = 0;
	sandbox.faults.add({ method: 'POST', path: /force_complete$/, kind: 'cutAfter' });
	expect((await run(force(closing))).json).toMatchObject({ status: 'completed' });
	expect(posts()).toHaveLength(1);
});

test('a service that accepts it and does nothing has not done it', async () => {
	const closing = await sentClosing(sandbox);
	sandbox.faults.add({
		method: 'POST',
		path: /force_complete$/,
		status: 200,
		body: { id: closing, status: 'sent' },
	});
	expect(await complaint(force(closing), { limits: { completionMs: 600 } })).toMatch(
		/^The service answered, but the transaction is still with its signers\. Run the node again/,
	);
});
