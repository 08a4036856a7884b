import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id, pdfItem, TITLE } from '../../support/closing.mts';
import { attempt, run, sendClosing } from '../../support/operations.mts';
import { draftClosing, sentClosing } from '../../support/matrix/scene.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What a person reads when a transaction isn't in the state that an operation needs. */

useSandbox();

const of = (operation: string, transactionId: string, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation,
	platform: 'realEstate',
	transactionId: id(transactionId),
	additionalFields: {},
	...more,
});

/** Runs an operation that has to fail, and gives what the person reads and which writes were sent. */
async function refused(parameters: IDataObject, more: Parameters<typeof attempt>[1] = {}) {
	sandbox.requests.length = 0;
	const { error } = await attempt(parameters, more);
	const writes = sandbox.requests.filter(({ method }) => method !== 'GET');
	return {
		message: error?.message,
		description: error?.description,
		writes: writes.map(({ method }) => method),
	};
}

/** The next look at a transaction shows a draft, whatever it is since. */
function showDraftOnce(transactionId: string): void {
	const body = { id: transactionId, status: 'started', documents: [], signers: [] };
	sandbox.faults.add({ method: 'GET', status: 200, body, times: 1 });
}

const INVITE = "To invite the signers again, use 'Transaction: Resend Email'";
const SENT = 'The transaction is already sent (sent to signer)';

describe('Send, of what is sent already,', () => {
	test('looks first, and sends nothing', async () => {
		expect(await refused(sendClosing(id(await sentClosing(sandbox))))).toEqual({
			message: SENT,
			description: `Nothing was changed. ${INVITE}`,
			writes: [],
		});
	});
	test('asks the service if it was sent since the look, and says how to invite again', async () => {
		const transactionId = await sentClosing(sandbox);
		showDraftOnce(transactionId);
		expect(await refused(sendClosing(id(transactionId)))).toEqual({
			message: 'The service refused this: Transaction cannot be edited at this time',
			description: `${SENT}. ${INVITE}`,
			writes: ['POST'],
		});
	});
	test('says so also where the state can not be asked for any more', async () => {
		const transactionId = await sentClosing(sandbox);
		// The look before it passes, the one after it doesn't.
		showDraftOnce(transactionId);
		sandbox.faults.add({ method: 'GET', status: 500, times: 9 });
		expect((await refused(sendClosing(id(transactionId)))).description).toBe(
			`It may be sent already: see its state with 'Transaction: Get'. ${INVITE}`,
		);
	});
	test('in the error of an item, too', async () => {
		const { items } = await attempt(sendClosing(id(await sentClosing(sandbox))), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(items[0].json.error).toBe(`${SENT}. Nothing was changed. ${INVITE}`);
	});
});

test('an eNote that is missing names the consent where it is', async () => {
	const transactionId = await createClosing(credential());
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	expect((await refused(sendClosing(id(transactionId)))).description).toMatch(
		/^Add the eNote with 'eNote: Add' before sending, or set 'Paper Note Consent' with 'Transaction: Update'/,
	);
});

test('what a lender lacks is told at once, and that nothing has to be created again', async () => {
	const needs =
		/'Paper Note Consent' with 'Transaction: Update'.*closing is still a draft.*execute this node alone/;
	const draft = await createClosing(credential(), {
		additionalFields: { ...TITLE, titleAgencyId: id('') },
	});
	await run({ ...ADD_DOCUMENT, transactionId: id(draft) }, { items: [await pdfItem()] });
	const first = await refused(sendClosing(id(draft)));
	expect(first.description).toMatch(needs);
	expect(first.description).toMatch(/'Title Agency' with 'Transaction: Update'/);
	const paper = { updateFields: { paper_note_consent: true }, settingsNotShown: 'none' };
	await run({ ...of('update', draft), ...paper });
	const second = await refused(sendClosing(id(draft)));
	expect(second.message).toMatch(/needs title_agency_id/);
	expect(second.description).toMatch(/^Set 'Title Agency' with 'Transaction: Update', or add/);
	expect(second.description).toMatch(needs);
});

test('a document for what is sent is told what a recall would do', async () => {
	const parameters = { ...ADD_DOCUMENT, transactionId: id(await sentClosing(sandbox)) };
	expect((await refused(parameters, { items: [await pdfItem()] })).description).toBe(
		`${SENT}. Only a draft can be changed. If the change has to be made, 'Transaction: Recall' takes the transaction back from its signers, and 'Transaction: Send' sends it again after the change`,
	);
});

describe('Delete', () => {
	const SWITCHED_OFF = {
		message: SENT,
		description:
			"Nothing was changed. To delete it all the same, turn on 'Delete Even if Sent': its signers lose it, with everything they have filled in",
		writes: [],
	};

	test('of what is sent needs a switch', async () => {
		const transactionId = await sentClosing(sandbox);
		expect(await refused(of('delete', transactionId))).toEqual(SWITCHED_OFF);
		expect(sandbox.world.transactions.has(transactionId)).toBe(true);
		const { json } = await run(of('delete', transactionId, { evenIfSent: true }));
		expect(json).toEqual({ deleted: true, transaction_id: transactionId });
		expect(sandbox.world.transactions.has(transactionId)).toBe(false);
	});
	test('is not done because a message has the word', async () => {
		const { transactionId } = await draftClosing(sandbox);
		const body = { message: 'Transaction cannot be deleted' };
		sandbox.faults.add({ method: 'DELETE', status: 200, body });
		expect(await refused(of('delete', transactionId))).toMatchObject({
			message: "The service answered, but it's still there",
			description: expect.stringContaining('The service said: Transaction cannot be deleted'),
		});
	});
	test('of a draft needs none', async () => {
		const { transactionId } = await draftClosing(sandbox);
		expect((await run(of('delete', transactionId))).json).toMatchObject({ deleted: true });
	});
	test('of a transaction that does not say whether it is sent needs it, too', async () => {
		const { transactionId } = await draftClosing(sandbox);
		const body = { id: transactionId, documents: [], signers: [] };
		sandbox.faults.add({ method: 'GET', status: 200, body });
		expect(await refused(of('delete', transactionId))).toEqual({
			...SWITCHED_OFF,
			message: "The transaction doesn't show whether it's sent",
		});
	});
	test('of what is gone says so', async () => {
		const { transactionId } = await draftClosing(sandbox);
		await run(of('delete', transactionId));
		expect(await refused(of('delete', transactionId))).toMatchObject({
			message: `'Transaction' ${transactionId} was not found: it may be gone already`,
			description: expect.stringMatching(
				/^If it was deleted before, there is nothing left to do\. Otherwise, check the ID/,
			),
		});
	});
	test('of a document that is gone says so, too', async () => {
		const { transactionId, documentId } = await draftClosing(sandbox);
		const gone = {
			resource: 'document',
			operation: 'delete',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(documentId),
		};
		await run(gone);
		expect((await refused(gone)).description).toMatch(/^If it was deleted before, it's gone/);
	});
});

describe('Recall', () => {
	test('needs a switch', async () => {
		const transactionId = await sentClosing(sandbox);
		expect(await refused(of('recall', transactionId))).toEqual({
			message: SENT,
			description:
				"Nothing was changed. To take it back from its signers, turn on 'Recall from Signers': until it's sent again, they can't sign. To correct a signer, use 'Transaction: Correct Signer'",
			writes: [],
		});
		const { json } = await run(of('recall', transactionId, { evenIfSent: true }));
		expect(json).toMatchObject({ detailed_status: 'recalled' });
	});
	test('of a draft says that there is nothing to recall', async () => {
		const { transactionId } = await draftClosing(sandbox);
		const description = "There is nothing to recall: change it with 'Transaction: Update'";
		expect(await refused(of('recall', transactionId))).toEqual({
			message: 'The transaction is a draft',
			description: `Nothing was changed. ${description}`,
			writes: [],
		});
	});
});

describe('a page that the document does not have', () => {
	const place = { signer_identifier: 'borrower-1', type: 'signature' };
	const where = { x: 72, y: 72, width: 180, height: 24 };
	const adding = async (more: IDataObject) =>
		await refused(
			{ ...ADD_DOCUMENT, transactionId: id(await createClosing(credential())), ...more },
			{ items: [await pdfItem()] },
		);

	test('is told in the numbers of the rows', async () => {
		const row = [
			{ ...place, ...where, page: 1 },
			{ ...place, ...where, page: 9 },
		];
		const { message, description } = await adding({
			specifyDesignations: 'fields',
			designations: { row },
		});
		expect(message).toBe("'Designations', designation 2: the document has no page 9");
		expect(description).toMatch(/^Correct 'Page': the first page is 1/);
	});
	test('is told in the numbers of JSON', async () => {
		const designationsJson = JSON.stringify([{ ...place, ...where, page_number: 8 }]);
		const { message, description } = await adding({
			specifyDesignations: 'json',
			designationsJson,
		});
		expect(message).toMatch(/page_number 8 does not exist/);
		expect(description).toMatch(/'Designations \(JSON\)', where the first page is 0/);
	});
});

test('a place beyond the usual page is said after the run', async () => {
	const row = [
		{
			signer_identifier: 'borrower-1',
			type: 'signature',
			page: 1,
			x: 72,
			y: 72,
			width: 180,
			height: 24,
		},
		{
			signer_identifier: 'borrower-1',
			type: 'signature',
			page: 1,
			x: 800,
			y: 72,
			width: 180,
			height: 24,
		},
	];
	const outcome = await run(
		{
			...ADD_DOCUMENT,
			transactionId: id(await createClosing(credential())),
			specifyDesignations: 'fields',
			designations: { row },
		},
		{ items: [await pdfItem()] },
	);
	const [{ message }] = outcome.run.data.resultData.runData.Tested[0].hints!;
	expect(message).toBe(
		"On a page of letter or legal size, these designations end beyond its edge: 2 ('From Left'). Check whether the signer sees them",
	);
});
