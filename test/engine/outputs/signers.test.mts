import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { borrowers, ADD_DOCUMENT, createClosing, id, pdfItem } from '../../support/closing.mts';
import { attempt, complaint, run, sendClosing, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Signer: Get Many, after what signers really do. */

useSandbox();

const SIGNERS: IDataObject = {
	resource: 'signer',
	operation: 'getAll',
	platform: 'realEstate',
	returnAll: true,
	filters: {},
};
const listOf = async (transactionId: unknown, more: IDataObject = {}) => {
	const { items } = await run({ ...SIGNERS, transactionId: id(String(transactionId)), ...more });
	return items.map(({ json }) => json);
};

/** A closing of a couple, sent, with an eNote or without its consent. */
async function sentCouple(): Promise<string> {
	const transactionId = await createClosing(credential(), {
		signers: borrowers(
			{},
			{
				email: 'joe@example.com',
				first_name: 'Joe',
				last_name: 'Borrower',
				external_id: 'borrower-2',
			},
		),
		additionalFields: { loan_number: '7001234', file_number: 'F-7', paper_note_consent: true },
	});
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	await run(sendClosing(id(transactionId)));
	return transactionId;
}

describe('Signer: Get Many', () => {
	test('one item for each signer, with what tells the closing', async () => {
		const transactionId = await sentCouple();
		const listed = await listOf(transactionId);
		const { fields, status } = transaction(transactionId);
		for (const item of listed)
			expect(item).toMatchObject({
				transaction_id: transactionId,
				transaction_name: fields.transaction_name,
				loan_number: '7001234',
				file_number: 'F-7',
				external_id: null,
				status,
			});
		expect(listed.map(({ name, email, signer_external_id: own }) => [name, email, own])).toEqual([
			['Jane Borrower', 'jane.borrower@example.com', 'borrower-1'],
			['Joe Borrower', 'joe@example.com', 'borrower-2'],
		]);
		expect(JSON.stringify(listed)).not.toMatch(/https?:|token/);
	});

	test('Open Only: who signed is left out, and after the end nobody is left', async () => {
		const transactionId = await sentCouple();
		const open = async () =>
			(await listOf(transactionId, { filters: { open_only: true } })).map(({ name }) => name);
		expect(await open()).toEqual(['Jane Borrower', 'Joe Borrower']);
		await sandbox.act.sign(transactionId);
		expect(await open()).toEqual(['Joe Borrower']);
		expect((await listOf(transactionId)).map((item) => [item.signing_status, item.open])).toEqual([
			['complete', false],
			['incomplete', true],
		]);
		await sandbox.act.expire(transactionId);
		expect(await open()).toEqual([]);
		expect(await listOf(transactionId)).toHaveLength(2);
	});

	test('a limit, and several transactions by several items', async () => {
		const made = [await sentCouple(), await sentCouple()];
		const { items } = await run(
			{
				...SIGNERS,
				transactionId: id('={{ $json.id }}'),
				returnAll: false,
				limit: 1,
			},
			{ items: made.map((value) => ({ json: { id: value } })) },
		);
		expect(
			items.map(({ json, pairedItem }) => [json.transaction_id, json.name, pairedItem]),
		).toEqual(made.map((value, item) => [value, 'Jane Borrower', { item }]));
	});

	test('selected fields hand out the access link, simplified ones and raw signers do as they say', async () => {
		const transactionId = await sentCouple();
		const [picked] = await listOf(transactionId, {
			output: 'fields',
			fields: ['name', 'transaction_access_link'],
		});
		expect(picked).toEqual({
			transaction_id: transactionId,
			signer_id: expect.any(String),
			name: 'Jane Borrower',
			transaction_access_link: expect.stringMatching(/^http/),
		});
		const [raw] = await listOf(transactionId, { output: 'raw' });
		expect(raw).toMatchObject({
			open: true,
			signatory_capacities: [],
			signer_external_id: 'borrower-1',
			transaction_access_link: picked.transaction_access_link,
		});
	});

	test('a service that offers only the documented endpoints shows no IDs of signers', async () => {
		const transactionId = await sentCouple();
		sandbox.world.settings.profile = 'documented';
		try {
			expect(await listOf(transactionId, { platform: 'business' })).toMatchObject([
				{ signer_id: null, name: 'Jane Borrower', open: true },
				{ signer_id: null, name: 'Joe Borrower', open: true },
			]);
		} finally {
			sandbox.world.settings.profile = 'full';
		}
	});

	test.each<[string, IDataObject, RegExp]>([
		['Output', { output: '={{ "all" }}' }, /'Output' is 'all'/],
		['Open Only', { filters: { open_only: 'perhaps' } }, /'Open Only' is 'perhaps'/],
		['Limit', { returnAll: false, limit: 0 }, /'Limit'/],
	])("a value that can't be used in %s: nothing is asked", async (_name, more, expected) => {
		const before = sandbox.requests.length;
		expect(await complaint({ ...SIGNERS, transactionId: id('ot_1'), ...more })).toMatch(expected);
		expect(sandbox.requests).toHaveLength(before);
	});

	test("an answer without signers isn't taken for a transaction without signers", async () => {
		sandbox.faults.add({
			method: 'GET',
			path: /\/transactions\//,
			status: 200,
			body: { id: 'ot_1', status: 'sent' },
		});
		const { error } = await attempt({ ...SIGNERS, transactionId: id('ot_1') });
		expect(error?.message).toMatch(/without 'signers'/);
	});
});
