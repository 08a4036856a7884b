import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	CLOSING,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from './support/client.mts';

/**
 * interface.md §4, Add eNote to Download meeting video, where no other file has a test;
 * rules.test.mts has the whole list.
 */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

const NOTE = '<SMART_DOCUMENT MISMOVersionIdentifier="1.02"><DATA/></SMART_DOCUMENT>';

describe('Add eNote', () => {
	test('interface §4, Add eNote: the XML file as a URL or as base64', async () => {
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
	test('interface §4, Add eNote: real estate and lenders only', async () => {
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
	test('interface §1: real estate needs a lender or title account', async () => {
		const business = await startSandbox({ account: 'business' });
		const other = new Client(business);
		expect((await other.refused('POST', '/mortgage/v1/transactions', CLOSING))[0]).toBe(401);
		expect(await newDraft(other)).toMatch(/^ot_/);
		await business.close();
	});
});

describe('Retrieve', () => {
	test('interface §4, Retrieve Transaction: links to each finished document and to the audit trail', async () => {
		const id = await newDraft(client);
		for (const filename of ['One', 'Two']) await addDocument(client, id, { filename });
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		expect(await client.transaction(id)).toMatchObject({
			audit_trail_url: null,
			documents: [{ final_document_url: null }, { final_document_url: null }],
		});
		await sandbox.act.sign(id);
		const { audit_trail_url, documents } = await client.transaction(id);
		const links = [
			audit_trail_url,
			...documents.map((document: any) => document.final_document_url),
		];
		expect(new Set(links).size).toBe(3);
		for (const link of links)
			expect(Buffer.from(await (await fetch(link)).arrayBuffer()).toString('latin1', 0, 5)).toBe(
				'%PDF-',
			);
	});
	test('interface §4, Retrieve Transaction: notarization_record when a notarization took place, not otherwise', async () => {
		const signed = await newSent(client);
		await sandbox.act.sign(signed);
		expect((await client.transaction(signed)).notarization_record).toBeNull();
		expect((await client.transaction(await newCompleted(client))).notarization_record).toMatch(
			/^me_/,
		);
	});
	test('interface §4, Retrieve Document: the binary content of one document', async () => {
		const id = await newCompleted(client);
		const answer = await fetch((await client.transaction(id)).documents[0].final_document_url);
		expect(answer.headers.get('content-type')).toBe('application/pdf');
		expect(
			Buffer.from(await answer.arrayBuffer()).equals(
				sandbox.world.transactions.get(id)!.documents[0].final!,
			),
		).toBe(true);
	});
	test('interface §4, Get Document: one document, by the id in the transaction', async () => {
		const id = await newDraft(client);
		for (const filename of ['One', 'Two']) await addDocument(client, id, { filename });
		for (const { id: document, document_name } of (await client.transaction(id)).documents)
			expect(await client.ok('GET', `/transactions/${id}/documents/${document}`)).toMatchObject({
				id: document,
				document_name,
			});
		expect((await client.refused('GET', `/transactions/${id}/documents/do_none`))[0]).toBe(404);
	});
	test('interface §4, Retrieve Meeting Record: every field of the notarization record', async () => {
		const id = (await client.transaction(await newCompleted(client))).notarization_record;
		const found = await client.ok('GET', `/notarization_records/${id}`);
		const person = {
			email: 'jane@example.com',
			first_name: 'Jane',
			middle_name: null,
			last_name: 'Borrower',
			dob: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			address: {
				city: 'Boston',
				line1: expect.any(String),
				line2: '',
				state: 'MA',
				postal: '02110',
				country: 'US',
			},
		};
		const link = expect.stringMatching(/^http/);
		const pictures = { primary_front: link, primary_back: link, secondary_front: link };
		const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);
		expect(found).toMatchObject({
			...{
				id,
				meeting_start: time,
				meeting_end: time,
				notary_name: expect.any(String),
				notary_county_city: expect.any(String),
				notary_registration: expect.any(String),
			},
			...{
				signer_info: person,
				signers: [{ ...person, ...pictures }],
				signer_photo_identification: pictures,
			},
			notarized_documents: [
				{
					tracking_id: expect.any(Number),
					notarial_acts: [expect.any(String)],
					document_url: link,
				},
			],
			verification_credentials: {
				retrieval_id: expect.any(String),
				retrieval_pin: expect.any(String),
				last_name: 'Borrower',
				date_completed: expect.stringMatching(/^[1-9]\d?\/[1-9]\d?\/\d{4}$/),
			},
		});
		expect((await client.refused('GET', '/notarization_records/me_none'))[0]).toBe(404);
	});
	test('interface §4, Download meeting video: the video_url has the documented shape and returns the recording', async () => {
		const id = await newCompleted(client);
		const record = (await client.transaction(id)).notarization_record;
		const { video_url } = await client.ok('GET', `/notarization_records/${record}`);
		expect(video_url).toBe(
			`${sandbox.url}/v1/transactions/${id}/notarization_records/${record}/download_asset/generic_video_session`,
		);
		const answer = await fetch(video_url, { headers: { ApiKey: sandbox.keys.full } });
		expect(answer.headers.get('content-type')).toBe('video/mp4');
		expect(
			Buffer.from(await answer.arrayBuffer()).equals(sandbox.world.records.get(record)!.video!),
		).toBe(true);
	});
});
