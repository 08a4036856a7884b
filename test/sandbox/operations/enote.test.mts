/** Add eNote (docs/service/closings.md#enote). */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { addDocument, base64, Client, newClosing, newDraft } from '../support/client.mts';

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

describe('Add eNote', () => {
	const NOTE = '<SMART_DOCUMENT MISMOVersionIdentifier="1.02"><DATA/></SMART_DOCUMENT>';
	const add = async (file: string, type = 'ENOTE', more: object = {}) =>
		await client.call('POST', `/mortgage/v1/transactions/${await newClosing(client, more)}/enote`, {
			file: base64(file),
			type,
		});
	test('eNote, limits: it is XML, a SMART document of version 1.02 or a seed', async () => {
		expect((await add(NOTE)).body).toMatchObject({ is_enote: true });
		expect((await add('<seed/>', 'SCHEMA')).status).toBe(200);
		for (const wrong of ['no xml', '<a><b></a></b>', '<a>', '<a/><b/>'])
			expect((await add(wrong, 'SCHEMA')).status).toBe(422);
		expect((await add('<note/>')).status).toBe(422);
	});
	test('only once, only in a draft; it can be deleted', async () => {
		const id = await newClosing(client);
		const path = `/mortgage/v1/transactions/${id}/enote`;
		await client.ok('POST', path, { file: base64(NOTE), type: 'ENOTE' });
		expect((await client.refused('POST', path, { file: base64(NOTE), type: 'ENOTE' }))[0]).toBe(
			422,
		);
		expect(await client.ok('DELETE', path)).toEqual({ message: 'eNote deleted' });
		expect((await client.refused('DELETE', path))[0]).toBe(404);
		await addDocument(client, id);
		await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`);
		expect(await client.refused('POST', path, { file: base64(NOTE), type: 'ENOTE' })).toEqual([
			422,
			'Transaction cannot be edited at this time.',
		]);
	});
	test('a social security number is not in the request log', async () => {
		await client.ok('POST', `/mortgage/v1/transactions/${await newClosing(client)}/enote`, {
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
		const { status, body } = await client.call(
			'POST',
			`/mortgage/v1/transactions/${id}/place_order`,
		);
		expect(status).toBe(needed ? 422 : 200);
		if (needed) expect(JSON.stringify(body)).toMatch(/eNote Required/);
	});
	test('eNote: the XML file as a URL or as base64', async () => {
		for (const file of [`${sandbox.url}/samples/enote.xml`, base64(NOTE)]) {
			expect(
				(
					await client.call('POST', `/mortgage/v1/transactions/${await newClosing(client)}/enote`, {
						file,
						type: 'ENOTE',
					})
				).status,
			).toBe(200);
		}
	});
	test('eNote: real estate and lenders only', async () => {
		expect(
			(
				await client.refused('POST', `/mortgage/v1/transactions/${await newDraft(client)}/enote`, {
					file: base64(NOTE),
					type: 'ENOTE',
				})
			)[0],
		).toBe(404);
		const title = await startSandbox({ account: 'title' });
		const agency = new Client(title);
		expect(
			await agency.refused('POST', `/mortgage/v1/transactions/${await newClosing(agency)}/enote`, {
				file: base64(NOTE),
				type: 'ENOTE',
			}),
		).toEqual([403, 'Only a lender account may add an eNote']);
		await title.close();
	});
});
