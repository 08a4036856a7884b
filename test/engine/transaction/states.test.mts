import type { IDataObject } from 'n8n-workflow';

import {
	ADD_DOCUMENT,
	completedClosing,
	createClosing,
	id,
	pdfItem,
	TITLE,
	toForm,
} from '../../support/closing.mts';
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

const SENT = 'The transaction is already sent (sent to signer)';
const INVITE = /'Transaction: Resend Email'$/;

describe('Send, of what is sent already,', () => {
	test('retrieves the state first, and sends nothing', async () => {
		expect(await refused(sendClosing(id(await sentClosing(sandbox))))).toEqual({
			message: SENT,
			description: expect.stringMatching(INVITE),
			writes: [],
		});
	});
	test('and what was sent meanwhile is refused, with what to do', async () => {
		const transactionId = await sentClosing(sandbox);
		const body = { id: transactionId, status: 'started', documents: [], signers: [] };
		sandbox.faults.add({ method: 'GET', status: 200, body, times: 1 });
		expect(await refused(sendClosing(id(transactionId)))).toEqual({
			message: 'The service rejected the request: Transaction cannot be edited at this time',
			description: expect.stringMatching(INVITE),
			writes: ['POST'],
		});
	});
});

test('what a lender lacks is named with its operation, and nothing has to be created again', async () => {
	const needs =
		/eNote or paper note\? .*'Paper Note Consent' with 'Transaction: Update'.*execute this node alone: the closing is still a draft/;
	const draft = await createClosing(credential(), {
		...toForm({ ...TITLE, titleAgencyId: id('') }),
	});
	await run({ ...ADD_DOCUMENT, transactionId: id(draft) }, { items: [await pdfItem()] });
	expect((await refused(sendClosing(id(draft)))).description).toMatch(needs);
	const paper = { updateFields: { paper_note_consent: true }, settingsNotShown: 'none' };
	await run({ ...of('update', draft), ...paper });
	const second = await refused(sendClosing(id(draft)));
	expect(second.message).toMatch(
		/^Not sent: the closing has no title agency, which a lender needs \(the service said: .*needs 'Title Agency'/,
	);
	expect(second.description).toMatch(
		/^Set 'Title Agency' with 'Transaction: Update'\. One that isn't in the list/,
	);
	expect(second.description).toMatch(needs);
});

describe('Delete', () => {
	const SWITCHED_OFF = {
		message: SENT,
		description: expect.stringMatching(/^Nothing was changed\. .*'Delete Even if Sent'/),
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
	test('of what is completed says that it is too late, and of no switch', async () => {
		const transactionId = await completedClosing(sandbox, credential());
		const { message, description, writes } = await refused(of('delete', transactionId));
		expect([message, writes]).toEqual(['The transaction has ended (completed)', []]);
		expect(description).toMatch(/^Nothing was changed\. Once a signer has completed, .* deleted$/);
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
	test('of a transaction that does not say whether it is sent needs it, too', async () => {
		const { transactionId } = await draftClosing(sandbox);
		const body = { id: transactionId, documents: [], signers: [] };
		sandbox.faults.add({ method: 'GET', status: 200, body });
		expect(await refused(of('delete', transactionId))).toEqual({
			...SWITCHED_OFF,
			message: "The transaction doesn't show whether it's sent",
		});
	});
	test('of a draft needs none, and of what is gone says so', async () => {
		const { transactionId } = await draftClosing(sandbox);
		expect((await run(of('delete', transactionId))).json).toMatchObject({ deleted: true });
		expect(await refused(of('delete', transactionId))).toMatchObject({
			message: `'Transaction' ${transactionId} was not found: it may be gone already`,
			description: expect.stringMatching(/^If it was deleted before/),
		});
	});
	test('of a document that is gone says so, too', async () => {
		const { transactionId, documentId } = await draftClosing(sandbox);
		const gone = {
			...of('delete', transactionId),
			resource: 'document',
			documentId: id(documentId),
		};
		await run(gone);
		expect((await refused(gone)).description).toMatch(/^If it was deleted before/);
	});
});

describe('Recall', () => {
	test('of what is sent needs a switch', async () => {
		const transactionId = await sentClosing(sandbox);
		expect(await refused(of('recall', transactionId))).toEqual({
			message: SENT,
			description: expect.stringMatching(/^Nothing was changed\. .*'Recall from Signers'/),
			writes: [],
		});
		const { json } = await run(of('recall', transactionId, { evenIfSent: true }));
		expect(json).toMatchObject({ detailed_status: 'recalled' });
	});
	test('of a draft says that there is nothing to recall', async () => {
		const { transactionId } = await draftClosing(sandbox);
		expect(await refused(of('recall', transactionId))).toEqual({
			message: 'The transaction is a draft',
			description: expect.stringMatching(/^Nothing was changed\. There is nothing to recall/),
			writes: [],
		});
	});
});

test('a designation on a page that a file behind a URL lacks is told in the numbers of rows and of JSON', async () => {
	const place = { signer_identifier: 'borrower-1', type: 'signature', page: 9, x: 72, y: 72 };
	const { description } = await refused({
		...ADD_DOCUMENT,
		transactionId: id(await createClosing(credential())),
		source: 'url',
		fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
		whereToSign: 'rows',
		designations: { row: [{ ...place, width: 180, height: 24 }] },
	});
	expect(description).toMatch(/no page 9: 'Page' counts from 1, and "page_number" .* from 0/);
});
