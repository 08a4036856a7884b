/** Add and Delete eNote (docs/service/closings.md#enote). */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../../sandbox/index.mts';
import { addDocument, base64, Client, newClosing, newDraft } from '../../support/client.mts';
import { client, sandbox, useSandbox } from '../../support/useSandbox.mts';

useSandbox();

const NOTE = '<SMART_DOCUMENT MISMOVersionIdentifier="1.02"><DATA/></SMART_DOCUMENT>';
const CONTAINER = {
	document_id: 'vault-1',
	transaction_id: 'vault-2',
	transaction_name: 'Refinance of Jane Borrower',
};
const pathOf = (id: string) => `/mortgage/v1/transactions/${id}/enote`;

/** Adds an eNote to a new closing. */
const addTo = async (closing: object, body: object) =>
	await client.call('POST', pathOf(await newClosing(client, closing)), body);
const add = async (body: object) => await addTo({}, body);

describe('Add eNote', () => {
	test('eNote, limits: it is XML, a SMART document of version 1.02 or a seed', async () => {
		const ask = async (file: string, type: string) => await add({ file: base64(file), type });
		expect((await ask(NOTE, 'ENOTE')).status).toBe(200);
		expect((await ask('<seed/>', 'SCHEMA')).status).toBe(200);
		for (const wrong of ['no xml', '<a><b></a></b>', '<a>', '<a/><b/>'])
			expect((await ask(wrong, 'SCHEMA')).status).toBe(422);
		expect((await ask('<note/>', 'ENOTE')).status).toBe(422);
	});
	test('the answer is a document named enote.xml, readonly, done at once, with two designations', async () => {
		const { body } = await add({ file: base64(NOTE), type: 'ENOTE' });
		expect(body).toMatchObject({
			document_name: 'enote.xml',
			requirement: 'readonly',
			processing_state: 'done',
			is_enote: true,
			signing_designations: [{ id: expect.stringMatching(/^ad/) }, {}],
			allowed_actions: ['COLLATERAL_DOCUMENT'],
		});
	});
	test('eNote: the XML file as a URL or as base64', async () => {
		for (const file of [`${sandbox.url}/samples/enote.xml`, base64(NOTE)])
			expect((await add({ file, type: 'ENOTE' })).status).toBe(200);
	});
	test('a copy from an outside vault needs no file, but all three fields of the container', async () => {
		const type = 'EORIGINAL_CONTAINER';
		expect((await add({ type, container: CONTAINER })).body).toMatchObject({ is_enote: true });
		for (const name of Object.keys(CONTAINER))
			expect((await add({ type, container: { ...CONTAINER, [name]: undefined } })).status).toBe(
				422,
			);
		expect((await add({ type })).status).toBe(422);
		for (const other of ['SCHEMA', 'ENOTE']) expect((await add({ type: other })).status).toBe(422);
	});
	test('an integration takes the place of a type: its file is the URL of a PDF', async () => {
		const integration = 'DOCUTECH';
		const file = `${sandbox.url}/samples/deed-of-trust.pdf`;
		expect((await add({ integration, file })).body).toMatchObject({
			document_name: 'enote.xml',
			is_enote: true,
		});
		expect((await add({ integration, file: base64(NOTE) })).status).toBe(422);
		expect((await add({ integration, file: `${sandbox.url}/samples/enote.xml` })).status).toBe(422);
		expect((await add({ integration, type: 'ENOTE', file })).status).toBe(422);
		expect((await add({ file })).status).toBe(422);
	});
	test('not in hybrid closings (403) and not in those on paper (422)', async () => {
		const body = { file: base64(NOTE), type: 'ENOTE' };
		for (const [transaction_type, answer] of [
			['hybrid_refinance', [403, 'Cannot add enotes to hybrid transactions.']],
			['wet_sign', [422, 'Cannot add enotes to wet sign transactions.']],
		] as const)
			expect(
				await client.refused('POST', pathOf(await newClosing(client, { transaction_type })), body),
			).toEqual(answer);
	});
	test('borrowers must be a list', async () => {
		expect(
			await client.refused('POST', pathOf(await newClosing(client)), {
				file: base64(NOTE),
				type: 'ENOTE',
				borrowers: { first_name: 'Jane' },
			}),
		).toEqual([400, 'borrowers argument must be array']);
	});
	test('only once, only in a draft; it can be deleted', async () => {
		const id = await newClosing(client);
		const path = pathOf(id);
		const body = { file: base64(NOTE), type: 'ENOTE' };
		await client.ok('POST', path, body);
		expect((await client.refused('POST', path, body))[0]).toBe(422);
		expect(await client.ok('DELETE', path)).toEqual({ message: 'Deleted enote successfully' });
		expect((await client.refused('DELETE', path))[0]).toBe(404);
		await client.ok('POST', path, body);
		await addDocument(client, id);
		await sandbox.clock.advance(1_000);
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		const sent = [422, 'Transaction cannot be modified from sent state'];
		expect(await client.refused('POST', path, body)).toEqual(sent);
		expect(await client.refused('DELETE', path)).toEqual(sent);
	});
	test('a social security number is not in the request log', async () => {
		await add({
			file: base64(NOTE),
			type: 'ENOTE',
			borrowers: [{ first_name: 'J', last_name: 'B', ssn: '078-05-1120' }],
		});
		expect(JSON.stringify(sandbox.requests.at(-1))).toMatch(/\[secret\]/);
		expect(JSON.stringify(sandbox.requests)).not.toContain('078-05-1120');
	});
	test.each([
		['refinance', true],
		['purchase_buyer_loan', true],
		['purchase_seller', false],
	])('%s needs an eNote: %s', async (transaction_type, needed) => {
		const id = await newClosing(client, { transaction_type, paper_note_consent: undefined });
		await addDocument(client, id);
		await sandbox.clock.advance(1_000);
		const { status, body } = await client.call(
			'POST',
			`/mortgage/v1/transactions/${id}/place_order`,
		);
		expect(status).toBe(needed ? 422 : 200);
		if (needed) expect(JSON.stringify(body)).toMatch(/eNote Required/);
	});
	test('eNote: real estate and lenders only', async () => {
		const body = { file: base64(NOTE), type: 'ENOTE' };
		expect((await client.refused('POST', pathOf(await newDraft(client)), body))[0]).toBe(404);
		const title = await startSandbox({ account: 'title' });
		const agency = new Client(title);
		expect(await agency.refused('POST', pathOf(await newClosing(agency)), body)).toEqual([
			403,
			'Only a lender account may add an eNote',
		]);
		await title.close();
	});
});
