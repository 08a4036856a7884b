import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, borrowers, createClosing, id, toForm } from '../../../support/closing.mts';
import { runNode, storeFile } from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { liveClosing, liveDocument } from '../../../support/live/answers.mts';
import { withService } from '../../../support/live/service.mts';
import { complaint, hints, run, transaction } from '../../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../../support/useSandbox.mts';
import { drawPaper, expectPlaces, readPlaces } from './papers.mts';
import { COUPLE, DEED } from './planted.mts';
import { emailOf, signedBy } from './workflow.mts';

/** Document: Add for people by their roles, in a closing that is there. */

useSandbox();

const [JANE, JOHN] = COUPLE.map(([role, name]): IDataObject => {
	const [first, last] = name.split(' ');
	return { role, first_name: first, last_name: last, email: emailOf(name) };
});
const TEXTS = {
	row: [
		...signedBy('Borrower'),
		...signedBy('Co-Borrower'),
		...signedBy('notary', 'Notary Signature').slice(0, 1),
	],
};
const add = (transactionId: string, more: IDataObject = {}): IDataObject => ({
	...ADD_DOCUMENT,
	documentName: DEED.name,
	transactionId: id(transactionId),
	whereToSign: 'text',
	texts: TEXTS,
	additionalFields: { ifExists: 'add', ifSignerMissing: 'leaveOut', ifTextMissing: 'leaveOut' },
	...more,
});
const item = async () => {
	const data = await storeFile(await drawPaper(DEED), 'Deed of Trust.pdf', 'application/pdf');
	return { items: [{ json: {}, binary: { data } }] };
};
const create = async (...row: IDataObject[]) =>
	await createClosing(credential(), { signers: { row } });
const added = () =>
	sandbox.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/documents'));
beforeEach(() => void sandbox.requests.splice(0));

test('the external IDs that Create Closing has made of roles are found by the roles', async () => {
	const transactionId = await create(JANE, JOHN);
	await run(add(transactionId), await item());
	expect(readPlaces(transaction(transactionId), DEED)).toEqual(
		expectPlaces(DEED, { Borrower: String(JANE.email), 'Co-Borrower': String(JOHN.email) }),
	);
});

test('a role that is not there is left out, and told', async () => {
	const transactionId = await create(JANE);
	const outcome = await run(add(transactionId), await item());
	expect(readPlaces(transaction(transactionId), DEED)).toEqual(
		expectPlaces(DEED, { Borrower: String(JANE.email) }),
	);
	expect(hints(outcome)).toContain(
		'No Co-Borrower in this closing: 2 places left out, though the texts are there',
	);
});

test("of another's external IDs none is a role: it stops, and names those that are there", async () => {
	const transactionId = await createClosing(credential(), {
		signers: borrowers({ external_id: 'c-118' }),
		...toForm({ loan_number: '5502' }),
	});
	const said = await complaint(add(transactionId), await item());
	expect(said).toMatch(/'Borrower'/);
	expect(said).toContain('c-118');
	expect(added()).toEqual([]);
});

const HIDDEN: Array<[string, IDataObject]> = [
	['no signers', { signers: undefined }],
	['signers without external IDs', { signers: [{ ...JANE, role: undefined }] }],
];
test.each(HIDDEN)('an answer with %s never means that somebody is absent', async (_name, more) => {
	await withService(
		({ method }) =>
			method === 'POST' ? { body: [liveDocument()] } : { body: liveClosing([], more) },
		async ({ credential: live, requests }) => {
			const { error } = await runNode({
				credential: live,
				parameters: add('ot_od4kenk'),
				...(await item()),
			});
			expect(`${error?.message} ${error?.description}`).toMatch(/Borrower/);
			forEachCase(requests, ({ method }) => expect(method).toBe('GET'));
		},
	);
});
