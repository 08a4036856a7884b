import { beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import {
	answerFor,
	attempt,
	complaint,
	run,
	sendClosing,
	shownClosing,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * A closing is written back as a whole. What is written was read whole and a moment ago; else
 * nothing is written. A correction says at each try where the transaction stands.
 */

useSandbox();
beforeAll(() => void (sandbox.world.settings.switches.put = 'replace'));

const CORRECT: IDataObject = {
	resource: 'transaction',
	operation: 'correctSigner',
	settingsNotShown: 'set',
	closingSettings: { paper_note_consent: true },
	platform: 'realEstate',
	signerId: id('borrower-1'),
	corrections: { email: 'right@example.com' },
	sendAgain: true,
	recallReason: '',
	additionalFields: {},
};
const correct = (transactionId: string, more: IDataObject = {}) => ({
	...CORRECT,
	transactionId: id(transactionId),
	...more,
});
async function sent(): Promise<string> {
	const transactionId = await createClosing(credential(), {
		additionalFields: { paper_note_consent: true, loan_number: '77' },
	});
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	await sandbox.clock.advance(60_000);
	await run(sendClosing(id(transactionId)));
	return transactionId;
}
const puts = () => sandbox.requests.filter(({ method }) => method === 'PUT');

describe('a short answer', () => {
	test('of Recall is not taken for the whole closing', async () => {
		const transactionId = await sent();
		const before = await shownClosing(transactionId);
		sandbox.faults.add({
			method: 'POST',
			path: /recall$/,
			kind: 'respondAfter',
			status: 200,
			body: { id: transactionId, status: 'started', detailed_status: 'recalled' },
		});
		const { json } = await run(correct(transactionId));
		expect(json.correction_steps).toEqual(['recalled', 'corrected', 'sent']);
		const { street_address: address, loan_number: loan } = await shownClosing(transactionId);
		expect({ address, loan }).toEqual({ address: before.street_address, loan: '77' });
	});
	test.each([
		['no signers', 'signers', undefined],
		['null for signers', 'signers', null],
		['no documents', 'documents', undefined],
		['no status', 'status', undefined],
	])('with %s: Update refuses before it writes', async (_, missing, value) => {
		const transactionId = await createClosing(credential());
		const short = { ...(await answerFor(transactionId)), [missing]: value };
		sandbox.faults.add({
			method: 'GET',
			path: new RegExp(`${transactionId}$`),
			status: 200,
			body: short,
		});
		sandbox.requests.length = 0;
		const said = await complaint({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(transactionId),
			updateFields: { loan_number: '99' },
			settingsNotShown: 'none',
		});
		expect(said).toMatch(new RegExp(`without '${missing}'.*Nothing was changed`));
		expect(puts()).toEqual([]);
	});
});

describe('a correction', () => {
	test('says in a later try, too, that the transaction is recalled', async () => {
		const transactionId = await sent();
		const refusal = { status: 422, body: { errors: ['Not now'] } };
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, ...refusal });
		// The first try reads once, so this is what the second one begins with.
		const path = new RegExp(`${transactionId}$`);
		sandbox.faults.add({ method: 'GET', path, skip: 1, ...refusal });
		const { error } = await attempt(correct(transactionId), {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 5 },
		});
		expect(error?.message).toMatch(/The transaction is recalled, and not sent again yet/);
	});
	test('goes on after a plain draft, and sends: each try knows that it had been sent', async () => {
		const transactionId = await sent();
		await sandbox.act.recall(transactionId);
		const plainDraft = { ...(await answerFor(transactionId)), detailed_status: 'draft' };
		await run(sendClosing(id(transactionId)));
		const refusal = { status: 422, body: { errors: ['Not now'] } };
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, ...refusal });
		// The first try reads once, so this is what the second one sees.
		sandbox.faults.add({
			method: 'GET',
			path: new RegExp(`${transactionId}$`),
			skip: 1,
			status: 200,
			body: plainDraft,
		});
		const { items, error } = await attempt(correct(transactionId), {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 5 },
		});
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['recalled', 'corrected', 'sent'],
		});
	});
	test('that is interrupted again says again that the transaction is recalled', async () => {
		const transactionId = await sent();
		const refusal = { status: 422, body: { errors: ['Not now'] }, times: 2 };
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, ...refusal });
		const { error } = await attempt(correct(transactionId), {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 5 },
		});
		expect(error?.message).toMatch(/The transaction is recalled, and not sent again yet/);
		expect(error?.description).not.toMatch(/nothing was changed/i);
	});
	test('of an external ID that designations refer to is refused before the recall', async () => {
		const transactionId = await createClosing(credential(), {
			additionalFields: { paper_note_consent: true },
		});
		await run(
			{
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				requirement: 'esign',
				designationsJson: JSON.stringify([
					{
						signer_identifier: 'borrower-1',
						type: 'signature',
						page_number: 0,
						x: 72,
						y: 72,
						width: 180,
						height: 24,
					},
				]),
			},
			{ items: [await pdfItem()] },
		);
		sandbox.requests.length = 0;
		const said = await complaint(correct(transactionId, { corrections: { external_id: 'b2' } }));
		expect(said).toMatch(/'Deed of Trust.*' refer to the external ID 'borrower-1'/);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
	});
});
