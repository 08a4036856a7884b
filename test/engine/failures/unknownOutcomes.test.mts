import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import {
	borrowers,
	ADD_DOCUMENT,
	CLOSING,
	createClosing,
	id,
	pdfItem,
} from '../../support/closing.mts';
import { processed, runNode, type RunOptions, type RunOutcome } from '../../support/engine.mts';
import {
	attempt,
	BUSINESS,
	complaint,
	run,
	sendClosing,
	UPDATE_CLOSING,
} from '../../support/operations.mts';
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
			signers: borrowers({}, { email: 'joe@example.com', external_id: 'co' }),
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
		).toMatch(/was cut, and it shows no change of 'Signers'/);
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

describe('a write that a person has looked at', () => {
	beforeEach(async () => await processed.clearAllProcessedItems());

	const count = (method: string, path: RegExp) =>
		sandbox.requests.filter((request) => request.method === method && path.test(request.path))
			.length;
	/** Runs a write whose answer is lost and which can't be looked up, as execution 512. */
	async function inDoubt(
		parameters: IDataObject,
		{ reads = 0, ...more }: Partial<RunOptions> & { reads?: number } = {},
	): Promise<RunOutcome> {
		sandbox.faults.add({ method: 'GET', status: 403, skip: reads, times: Infinity });
		for (const method of ['POST', 'DELETE']) sandbox.faults.add({ method, kind: 'cutAfter' });
		const outcome = await attempt(parameters, { executionId: '512', ...more });
		expect(outcome.error?.message).toMatch(/outcome is unknown/);
		expect(outcome.error?.description).toMatch(/Check whether .*enter the outcome of 512-1 /);
		sandbox.faults.clear();
		return outcome;
	}
	/** Retries it with what the person has entered. */
	const retry = async (
		retryOf: RunOutcome,
		parameters: IDataObject,
		row: IDataObject,
		more: Partial<RunOptions> = {},
	) =>
		await attempt(
			{ ...parameters, unknownOutcomes: { row: [{ item: '512-1', ...row }] } },
			{ executionId: '513', retryOf, ...more },
		);

	test.each([
		['createClosing', CLOSING],
		['create', BUSINESS],
	])('%s goes on with the transaction that the person has found', async (_name, given) => {
		const parameters = { ...given, transactionName: 'Found by a person' };
		const first = await inDoubt(parameters);
		const made = [...sandbox.world.transactions.keys()].at(-1)!;
		const { items, error } = await retry(first, parameters, { outcome: 'done', id: made });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			transaction_id: made,
			transaction_name: 'Found by a person',
		});
		expect(count('POST', /transactions$/)).toBe(1);
		const wrong = await retry(first, parameters, { outcome: 'done', id: 'ot_elsewhere' });
		expect(wrong.error?.message).toMatch(/was not found|doesn't know/);
	});
	test('a closing that was not made is created, once', async () => {
		sandbox.faults.add({ method: 'POST', path: /transactions$/, kind: 'cutBefore' });
		const parameters = { ...CLOSING, transactionName: 'Made in the end' };
		const first = await attempt(parameters, { executionId: '512' });
		expect(first.error?.description).toMatch(
			/Check whether the service has a new closing with this name or loan number/,
		);
		const { items, error } = await retry(first, parameters, { outcome: 'notDone' });
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_name).toBe('Made in the end');
		expect(count('POST', /transactions$/)).toBe(2);
		// A second retry of the first execution finds what the first retry has made.
		const again = await retry(first, parameters, { outcome: 'notDone' }, { executionId: '514' });
		expect(again.items[0].json.transaction_id).toBe(items[0].json.transaction_id);
		expect(count('POST', /transactions$/)).toBe(2);
	});
	test('a document goes on with its ID', async () => {
		const transactionId = await createClosing(credential());
		const parameters = { ...ADD_DOCUMENT, transactionId: id(transactionId) };
		const items = [await pdfItem()];
		const first = await inDoubt(parameters, { items, reads: 1 });
		const [document] = sandbox.world.transactions.get(transactionId)!.documents.slice(-1);
		const row = { outcome: 'done', id: document.id };
		const second = await retry(first, parameters, row, { items });
		expect(second.items[0].json).toMatchObject({
			transaction_id: transactionId,
			document_id: document.id,
		});
		const wrong = await retry(first, parameters, { outcome: 'done', id: 'do_other' }, { items });
		expect(wrong.error?.message).toMatch(/do_other isn't in this transaction/);
	});
	test('an eNote goes on with its ID, without its borrowers', async () => {
		const transactionId = await createClosing(credential());
		const parameters = {
			resource: 'enote',
			operation: 'add',
			transactionId: id(transactionId),
			source: 'url',
			fileUrl: `${sandbox.url}/samples/enote.xml`,
			enoteType: 'ENOTE',
			borrowers: {},
		};
		// The sandbox gets the file from itself.
		sandbox.faults.add({ method: 'POST', path: /enote$/, kind: 'cutAfter' });
		sandbox.faults.add({ method: 'GET', path: /transactions/, status: 403, skip: 1, times: 99 });
		const first = await attempt(parameters, { executionId: '512' });
		sandbox.faults.clear();
		const enote = sandbox.world.transactions
			.get(transactionId)!
			.documents.find(({ isEnote }) => isEnote)!;
		const { items, error } = await retry(first, parameters, { outcome: 'done', id: enote.id });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ transaction_id: transactionId, document_id: enote.id });
	});
	test('a webhook goes on with its ID', async () => {
		const parameters = {
			resource: 'webhook',
			operation: 'create',
			url: 'https://example.com/hook',
			events: ['*'],
			additionalFields: {},
		};
		const first = await inDoubt(parameters);
		const [made] = sandbox.world.webhooks.keys();
		const { items } = await retry(first, parameters, { outcome: 'done', id: made });
		expect(items[0].json).toMatchObject({ webhook_id: made, url: 'https://example.com/hook' });
		const wrong = await retry(first, parameters, { outcome: 'done', id: 'wh_other' });
		expect(wrong.error?.message).toMatch(/names wh_other, which the service doesn't have/);
	});
	test.each([
		['done', 1],
		['notDone', 2],
	])('an email that was sent again: %s', async (outcome, sent) => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { paper_note_consent: true },
		});
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		await run(sendClosing(id(transactionId)));
		const parameters = {
			resource: 'transaction',
			operation: 'resendEmail',
			platform: 'realEstate',
			transactionId: id(transactionId),
		};
		const first = await inDoubt(parameters);
		expect(first.error?.description).toMatch(/Check whether the signer has received another email/);
		const { items, error } = await retry(first, parameters, { outcome });
		expect(error).toBeUndefined();
		expect(items[0].json.transaction_id).toBe(transactionId);
		expect(count('POST', /send_email/)).toBe(sent);
	});
	test('a deletion that the service does not show counts as done', async () => {
		const transactionId = await createClosing(credential());
		const parameters = {
			resource: 'transaction',
			operation: 'delete',
			platform: 'realEstate',
			transactionId: id(transactionId),
			evenIfSent: true,
		};
		const first = await inDoubt(parameters);
		sandbox.faults.add({ method: 'GET', status: 403, times: Infinity });
		const { items } = await retry(first, parameters, { outcome: 'done' });
		expect(items[0].json).toEqual({ deleted: true, transaction_id: transactionId });
		expect(count('DELETE', /transactions/)).toBe(1);
	});
});
