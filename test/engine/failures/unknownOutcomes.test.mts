import { beforeEach, describe, expect, test } from '@jest/globals';

import { CLOSING, createClosing, id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { attempt, BUSINESS, complaint, run, UPDATE_CLOSING } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Writes whose answer was lost or unreadable: they are looked up, not done twice, and not reported as
 * done without proof.
 */

useSandbox();

const RETRY = { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 } };
const created = () => sandbox.requests.filter(({ operationId }) => operationId === 'createClosing');
beforeEach(() => void (sandbox.requests.length = 0));

describe('a create whose answer was lost', () => {
	test('is looked up by loan number and name, and not repeated', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutAfter' });
		const before = sandbox.world.transactions.size;
		const { items, error } = await runNode({
			credential: credential(),
			parameters: {
				...CLOSING,
				transactionName: 'Lost answer',
				additionalFields: { loan_number: '8800' },
			},
		});
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_name).toBe('Lost answer');
		expect(sandbox.world.transactions.size).toBe(before + 1);
		expect(created()).toHaveLength(1);
	});

	test('for an empty one is looked up by name as well', async () => {
		sandbox.faults.add({
			method: 'POST',
			path: /\/transactions$/,
			kind: 'respondAfter',
			status: 200,
			body: '',
		});
		const { items, error } = await attempt({ ...CLOSING, transactionName: 'Made all the same' });
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_name).toBe('Made all the same');
		expect(created()).toHaveLength(1);
	});

	test('that was not made is reported as in doubt, and Retry On Fail does not create blindly', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutBefore' });
		const { error } = await runNode({
			credential: credential(),
			parameters: { ...CLOSING, transactionName: 'Never arrived' },
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		expect(error?.message).toMatch(/outcome is unknown/);
		expect(error?.description).toMatch(/nothing is done twice/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	test('the same closing of another item is not taken for it', async () => {
		sandbox.faults.add({ method: 'POST', path: '/transactions', skip: 1, kind: 'cutBefore' });
		const { items } = await runNode({
			credential: credential(),
			parameters: { ...CLOSING, transactionName: 'Twins' },
			items: [{ json: {} }, { json: {} }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(items[0].json.transaction_name).toBe('Twins');
		expect(items[1].json.error).toMatch(/outcome is unknown/);
	});

	test('an older closing of the same name is not taken for it', async () => {
		await createClosing(credential(), { transactionName: 'Same name' });
		sandbox.clock.advance(60_000);
		sandbox.faults.add({ method: 'POST', path: '/transactions', kind: 'cutBefore' });
		const { error } = await runNode({
			credential: credential(),
			parameters: { ...CLOSING, transactionName: 'Same name' },
		});
		expect(error?.message).toMatch(/outcome is unknown/);
	});
});

describe('an unreadable answer, or none', () => {
	test.each([{ status: 200, body: '' }, { kind: 'notJson' as const }])(
		'a creation answered with nothing readable (%j) is not repeated',
		async (fault) => {
			const before = sandbox.requests.length;
			sandbox.faults.add({ method: 'POST', path: /\/transactions$/, ...fault } as never);
			const { error } = await attempt(
				{ ...CLOSING, transactionName: `Unreadable ${before}` },
				RETRY,
			);
			expect(error?.message).toMatch(/outcome is unknown/);
			expect(
				sandbox.requests
					.slice(before)
					.filter(({ method, path }) => method === 'POST' && path.endsWith('/transactions')),
			).toHaveLength(1);
		},
	);
	test.each(['realEstate', 'business'])(
		'an update (%s) answered with nothing, which can not be looked up: the outcome is unknown',
		async (platform) => {
			const transactionId =
				platform === 'realEstate'
					? await createClosing(credential())
					: String((await run(BUSINESS)).json.transaction_id);
			sandbox.faults.add({
				method: platform === 'realEstate' ? 'PUT' : 'PATCH',
				path: /\/transactions\//,
				status: 200,
				body: '',
			});
			sandbox.faults.add({
				method: 'GET',
				path: /\/transactions\//,
				status: 401,
				skip: 1,
				times: 9,
				body: { error: 'no' },
			});
			expect(
				await complaint({
					...UPDATE_CLOSING,
					platform,
					transactionId: id(transactionId),
					updateFields: { external_id: 'x1' },
				}),
			).toMatch(/outcome is unknown/);
		},
	);
	test('an update that removes a signer is not taken for done while the signer is there', async () => {
		const transactionId = await createClosing(credential(), {
			coSigners: { row: [{ email: 'joe@example.com', external_id: 'co' }] },
		});
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, kind: 'cutBefore' });
		expect(
			await complaint({
				...UPDATE_CLOSING,
				transactionId: id(transactionId),
				updateFields: {
					signers: { row: [{ email: 'jane.borrower@example.com', external_id: 'borrower-1' }] },
				},
			}),
		).toMatch(/was cut, and it shows no change of 'signers'/);
	});
	test('an older eNote is not taken for the new one', async () => {
		const transactionId = await createClosing(credential());
		const add = {
			resource: 'enote',
			operation: 'add',
			transactionId: id(transactionId),
			source: 'url',
			fileUrl: `${sandbox.url}/samples/enote.xml`,
			enoteType: 'ENOTE',
			borrowers: {},
		};
		await run(add);
		await sandbox.clock.advance(5000);
		sandbox.faults.add({ method: 'POST', path: /enote$/, status: 503 });
		expect(await complaint(add)).toMatch(/outcome is unknown/);
	});
});
