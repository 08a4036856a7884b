import type { IDataObject } from 'n8n-workflow';

import {
	ADD_DOCUMENT,
	borrowers,
	createClosing,
	id,
	pdfItem,
	toForm,
} from '../../support/closing.mts';
import { run, sendClosing, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Signer: Get Many, after what signers really do. */

useSandbox();

let transactionId: string;
/** A closing of a couple, sent. */
beforeAll(async () => {
	const joe = { email: 'joe@example.com', first_name: 'Joe', last_name: 'Borrower' };
	transactionId = await createClosing(credential(), {
		signers: borrowers({}, { ...joe, external_id: 'borrower-2' }),
		...toForm({ loan_number: '7001234', paper_note_consent: true }),
	});
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	await run(sendClosing(id(transactionId)));
});

const list = async (more: IDataObject = {}) => {
	const { items } = await run({
		resource: 'signer',
		operation: 'getAll',
		platform: 'realEstate',
		returnAll: true,
		filters: {},
		transactionId: id(transactionId),
		...more,
	});
	return items.map(({ json }) => json);
};

test('one item for each signer, with what tells the closing and without links', async () => {
	const listed = await list();
	const { fields, status } = transaction(transactionId);
	expect(listed).toMatchObject(
		['borrower-1', 'borrower-2'].map((signer_external_id) => ({
			signer_external_id,
			transaction_id: transactionId,
			transaction_name: fields.transaction_name,
			loan_number: '7001234',
			status,
		})),
	);
	expect(JSON.stringify(listed)).not.toMatch(/https?:|token/);
});
test('selected fields hand out the signing link, raw signers everything', async () => {
	const [picked] = await list({ output: 'fields', fields: ['name', 'transaction_access_link'] });
	expect(picked).toEqual({
		transaction_id: transactionId,
		signer_id: expect.any(String),
		name: 'Jane Borrower',
		transaction_access_link: expect.stringMatching(/^http/),
	});
	const [raw] = await list({ output: 'raw' });
	expect(raw).toMatchObject({ open: true, signatory_capacities: [] });
	expect(raw.transaction_access_link).toBe(picked.transaction_access_link);
});
test('Open Only: who signed is left out, and after the end nobody is left', async () => {
	const open = async () => (await list({ filters: { open_only: true } })).map(({ name }) => name);
	expect(await open()).toEqual(['Jane Borrower', 'Joe Borrower']);
	await sandbox.act.sign(transactionId);
	expect(await open()).toEqual(['Joe Borrower']);
	expect((await list()).map((item) => [item.signing_status, item.open])).toEqual([
		['complete', false],
		['incomplete', true],
	]);
	await sandbox.act.expire(transactionId);
	expect(await open()).toEqual([]);
	expect(await list()).toHaveLength(2);
});
