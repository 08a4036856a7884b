import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import {
	borrowers,
	ADD_DOCUMENT,
	completedClosing,
	createClosing,
	id,
	pdfItem,
} from '../../support/closing.mts';
import {
	attempt,
	complaint,
	ownDocuments,
	run,
	sendClosing,
	shownClosing,
	transaction,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Correct Signer. */

useSandbox();

describe('correcting a signer', () => {
	const correct = (transactionId: string, more: IDataObject = {}) => ({
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'set',
		closingSettings: { paper_note_consent: true },
		platform: 'realEstate',
		transactionId: id(transactionId),
		signerId: id('borrower-1'),
		corrections: { email: 'right@example.com' },
		sendAgain: true,
		recallReason: 'Typo',
		...more,
	});
	async function sentOne(): Promise<string> {
		const transactionId = await createClosing(credential(), {
			signers: borrowers({}, { email: 'joe@example.com', external_id: 'co' }),
			additionalFields: { paper_note_consent: true, loan_number: '77' },
		});
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		await run(sendClosing(id(transactionId)));
		return transactionId;
	}
	test('after sending: recalled, changed, sent again; the rest is as it was', async () => {
		const transactionId = await sentOne();
		const before = await shownClosing(transactionId);
		const { json } = await run(correct(transactionId));
		expect(json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['recalled', 'corrected', 'sent'],
		});
		expect(
			transaction(transactionId).signers.map(({ email, external_id: external }) => [
				email,
				external,
			]),
		).toEqual([
			['right@example.com', 'borrower-1'],
			['joe@example.com', 'co'],
		]);
		const after = await shownClosing(transactionId);
		expect(after.signers).toHaveLength(2);
		// Signers have changed, as they should.
		for (const answer of [before, after])
			for (const name of ['signers', 'signer_info', 'cosigner_info']) delete answer[name];
		expect(after).toEqual({ ...before, recall_reason: 'Typo' });
		expect(ownDocuments(transactionId)).toHaveLength(1);
	});
	test('a draft stays a draft; without "Send Again" a recalled one too', async () => {
		const draft = await createClosing(credential());
		expect((await run(correct(draft))).json).toMatchObject({
			detailed_status: 'draft',
			correction_steps: ['corrected'],
		});
		const recalled = await sentOne();
		expect((await run(correct(recalled, { sendAgain: false }))).json).toMatchObject({
			detailed_status: 'recalled',
			correction_steps: ['recalled', 'corrected'],
		});
	});
	test('cut off half-way it says where it stands, and continues from there', async () => {
		const transactionId = await sentOne();
		const refusal = { status: 422, body: { errors: ['Not now'] } };
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, ...refusal });
		sandbox.faults.add({ method: 'POST', path: /place_order$/, ...refusal });
		const { error } = await attempt(correct(transactionId));
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/Not now.*The transaction is recalled, and not sent again yet.*goes on from here/,
		);
		expect((await run(correct(transactionId))).json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['corrected', 'sent'],
		});
		const again = sandbox.requests.length;
		expect((await run(correct(transactionId))).json.correction_steps).toEqual([]);
		expect(sandbox.requests.slice(again).map(({ method }) => method)).toEqual(['GET']);
	});
	test.each(['recall', 'place_order'])(
		'an answer lost at %s is looked up, and nothing is done twice',
		async (last) => {
			const transactionId = await sentOne();
			const before = sandbox.requests.length;
			sandbox.faults.add({ method: 'POST', path: new RegExp(`/${last}$`), kind: 'cutAfter' });
			expect((await run(correct(transactionId))).json.detailed_status).toBe('sent_to_signer');
			expect(sandbox.requests.slice(before).filter(({ path }) => path.endsWith(last))).toHaveLength(
				1,
			);
		},
	);
	test('once a signer has completed, a correction is refused', async () => {
		const transactionId = await sentOne();
		await sandbox.act.sign(transactionId);
		const { error } = await attempt(correct(transactionId));
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/Signers can no longer be changed: .* has completed.*Create a new transaction/,
		);
		const finished = await completedClosing(sandbox, credential());
		expect((await attempt(correct(finished))).error?.message).toMatch(/can no longer be changed/);
	});
	test('an unknown signer is reported with those there are', async () => {
		const { error } = await attempt(
			correct(await sentOne(), { signerId: id('nobody@example.com') }),
		);
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Signer' nobody@example.com isn't in this transaction.*jane\.borrower@example\.com; .*joe@example\.com/,
		);
	});
});

describe('what a correction keeps', () => {
	const correct = (transactionId: string, corrections: IDataObject, more: IDataObject = {}) => ({
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'set',
		closingSettings: { paper_note_consent: true },
		platform: 'realEstate',
		transactionId: id(transactionId),
		signerId: id('borrower-1'),
		corrections,
		sendAgain: true,
		recallReason: '',
		...more,
	});
	const make = async () =>
		await createClosing(credential(), {
			signers: borrowers({
				details: {
					country_code: '1',
					address_line1: '12 Elm Street',
					address_city: 'Boston',
					address_state: 'MA',
					address_postal: '02110',
				},
			}),
			additionalFields: { paper_note_consent: true },
		});
	test('a new number keeps its country, a new city the rest of the address', async () => {
		const transactionId = await make();
		await run(
			correct(transactionId, {
				phone_number: '617 555 9999',
				details: { address_city: 'Cambridge' },
			}),
		);
		expect(transaction(transactionId).signers[0]).toMatchObject({
			phone_number: '6175559999',
			phone: { country_code: '1', number: '6175559999' },
			address: { line1: '12 Elm Street', city: 'Cambridge', state: 'MA', postal: '02110' },
		});
	});
	test('a new external ID: cut off before sending it says so, and continues from there', async () => {
		const transactionId = await make();
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		await run(sendClosing(id(transactionId)));
		sandbox.faults.add({
			method: 'POST',
			path: /place_order$/,
			status: 422,
			body: { errors: ['Not now'] },
		});
		const said = await complaint(correct(transactionId, { external_id: 'b2' }));
		expect(said).toMatch(/recalled and corrected, and not sent again yet/);
		expect(said).not.toMatch(/nothing was changed/);
		expect(
			(
				await run(
					correct(
						transactionId,
						{ external_id: 'b2' },
						{ additionalFields: { suppress_email: 'yes' } },
					),
				)
			).json,
		).toMatchObject({ detailed_status: 'sent_to_signer', correction_steps: ['sent'] });
		expect(sandbox.requests.at(-1)!.body).toEqual({ suppress_email: true });
	});
});
