import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import FormData from 'form-data';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from './support/client.mts';

/** interface.md §4, Add Document to Download meeting video; gaps.md §4, §6, §7. */

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(async () => await sandbox.close());

describe('Add Document', () => {
	const add = async (more: object) => {
		const id = await newDraft(client);
		return await client.refused('POST', `/transactions/${id}/documents`, {
			resource: base64(await makePdf()),
			requirement: 'esign',
			...more,
		});
	};
	const designation = {
		signer_identifier: 'kim',
		type: 'signature',
		page_number: 0,
		x: 72,
		y: 100,
		width: 180,
		height: 24,
	};
	test('interface §4, §8: only PDF files', async () => {
		expect(await add({ resource: base64('hello') })).toEqual([422, 'Only PDF files are supported']);
		expect((await add({ resource: base64('%PDF-1.7 broken') }))[1]).toMatch(
			/can not be read|no pages/,
		);
		expect((await add({ resource: 'neither!' }))[1]).toMatch(/neither a URL nor base64/);
	});
	test('gaps §2: at most 30 MB', async () => {
		expect(
			await add({ resource: Buffer.alloc(30 * 1024 * 1024 + 3, 32).toString('base64') }),
		).toEqual([422, 'File is too big (max is 30MB)']);
	});
	test('interface §4: from a URL, with the authorization header given for it', async () => {
		const id = await newDraft(client);
		expect(
			(
				await addDocument(client, id, {
					resource: `${sandbox.url}/samples/deed-of-trust.pdf`,
					filename: undefined,
				})
			).document_name,
		).toBe('deed-of-trust.pdf');
		expect((await add({ resource: `${sandbox.url}/samples/absent.pdf` }))[1]).toMatch(/status 404/);
	});
	test('gaps §4: the permalink of a template', async () => {
		const { templates } = await client.ok('GET', '/templates');
		const id = await newDraft(client);
		expect((await addDocument(client, id, { resource: templates[0].permalink })).id).toMatch(
			/^do_/,
		);
	});
	test('as multipart, by an independent client', async () => {
		const id = await newClosing(client);
		const form = new FormData();
		for (const [name, value] of Object.entries({
			requirement: 'esign',
			filename: '123',
			witness_required: 'true',
			signing_designations: JSON.stringify([{ ...designation, signer_identifier: 'borrower-1' }]),
		}))
			form.append(name, value);
		form.append('resource', await makePdf(2), {
			filename: 'deed.pdf',
			contentType: 'application/pdf',
		});
		const answer = await fetch(`${sandbox.url}/mortgage/v1/transactions/${id}/documents`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, ...form.getHeaders() },
			body: new Uint8Array(form.getBuffer()),
		});
		expect(await answer.json()).toEqual([
			expect.objectContaining({
				document_name: '123',
				witness_required: true,
				signing_designations: [expect.objectContaining({ x: 72 })],
			}),
		]);
	});
	test('gaps §1: business answers a document, real estate a list', async () => {
		const resource = base64(await makePdf());
		expect(
			(
				await client.ok('POST', `/transactions/${await newDraft(client)}/documents`, {
					resource,
					requirement: 'esign',
				})
			).id,
		).toMatch(/^do_/);
		expect(
			await client.ok('POST', `/mortgage/v2/transactions/${await newClosing(client)}/documents`, {
				resource,
				requirement: 'esign',
			}),
		).toHaveLength(1);
	});
	test('gaps §4: pending at first, done soon; real estate answers 409 until then', async () => {
		const id = await newClosing(client);
		const [{ id: document, processing_state }] = await client.ok(
			'POST',
			`/mortgage/v1/transactions/${id}/documents`,
			{ resource: base64(await makePdf()), requirement: 'esign' },
		);
		expect(processing_state).toBe('pending');
		expect(
			(
				await client.refused(
					'GET',
					`/mortgage/v1/transactions/${id}/documents/${document}?encoding=base64`,
				)
			)[0],
		).toBe(409);
		await sandbox.clock.advance(1_000);
		expect(
			await client.ok(
				'GET',
				`/mortgage/v1/transactions/${id}/documents/${document}?encoding=base64`,
			),
		).toMatchObject({ processing_state: 'done', data: expect.any(String) });
	});
	test.each([
		[
			'interface §4.1: a designation of a stranger',
			[{ ...designation, signer_identifier: 'nobody' }],
			/external_id/,
		],
		[
			'interface §4.2: a dependent designation without its trigger',
			[{ ...designation, conditional_on_primary: 'c1' }],
			/conditional_on_primary c1/,
		],
		[
			'interface §4.2: a trigger that is not optional',
			[
				{ ...designation, primary_designation_identifier: 'c1' },
				{ ...designation, conditional_on_primary: 'c1' },
			],
			/conditional_on_primary c1/,
		],
		['a page that is not there', [{ ...designation, page_number: 1 }], /page_number 1/],
		['gaps §4: a seal of a signer', [{ ...designation, type: 'seal' }], /belongs to the notary/],
		['gaps §4: coordinates with a fraction', [{ ...designation, x: 72.5 }], /must be integer/],
		[
			'gaps §4: a group together with optional',
			[{ ...designation, signing_designation_group: 'g', optional: true }],
			/group g is not among/,
		],
	])('refuses %s', async (_name, signing_designations, expected) => {
		const [status, text] = await add({ signing_designations });
		expect(status).toBe(422);
		expect(text).toMatch(expected);
	});
	test('interface §4.1: a signer without external_id can not have designations, the notary always can', async () => {
		const id = await newDraft(client, { signers: [{ email: 'kim@example.com' }] });
		const resource = base64(await makePdf());
		expect(
			(
				await client.refused('POST', `/transactions/${id}/documents`, {
					resource,
					requirement: 'esign',
					signing_designations: [designation],
				})
			)[0],
		).toBe(422);
		expect(
			(
				await addDocument(client, id, {
					signing_designations: [{ ...designation, signer_identifier: 'notary', type: 'seal' }],
				})
			).signing_designations,
		).toHaveLength(1);
	});
	test('interface §4.2: a dependent designation is filled when its trigger was selected', async () => {
		const finished = async (select: string[]) => {
			const signing_designations = [
				{ ...designation, type: 'checkmark', optional: true, primary_designation_identifier: 'c1' },
				{ ...designation, y: 300, type: 'free_text', conditional_on_primary: 'c1' },
			];
			const id = await newSent(client, {}, { signing_designations });
			await sandbox.act.sign(id, { select });
			return sandbox.world.transactions.get(id)!.documents[0].final!.length;
		};
		expect(await finished(['c1'])).toBeGreaterThan(await finished([]));
	});
	test('gaps §4: esign_supervised is for wet_sign only', async () => {
		expect((await add({ requirement: 'esign_supervised' }))[1]).toBe(
			'esign_supervised is for wet_sign only',
		);
		expect((await add({ requirement: 'sing' }))[0]).toBe(422);
	});
});

describe('Update and Delete Document', () => {
	test('interface §4, Update Document: what is sent is what the document has afterwards', async () => {
		const id = await newDraft(client);
		const document = await addDocument(client, id);
		const changed = await client.ok('PATCH', `/documents/${document.id}`, {
			name: 'Renamed',
			requirement: 'readonly',
			signing_designations: [
				{
					signer_identifier: 'notary',
					type: 'seal',
					page_number: 1,
					x: 1,
					y: 1,
					width: 9,
					height: 9,
				},
			],
		});
		expect(changed).toMatchObject({
			id: document.id,
			document_name: 'Renamed',
			requirement: 'readonly',
			signing_designations: [{ type: 'seal' }],
		});
	});
	test('gaps §1: Delete takes it away; neither works once it is sent', async () => {
		const id = await newDraft(client);
		const [first, second] = [await addDocument(client, id), await addDocument(client, id)];
		expect(await client.ok('DELETE', `/documents/${first.id}`)).toEqual({
			message: 'Document deleted',
		});
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		expect(await client.refused('DELETE', `/documents/${second.id}`)).toEqual([
			422,
			'Transaction cannot be edited at this time.',
		]);
		expect(await client.refused('PUT', `/documents/${second.id}`, { name: 'x' })).toEqual([
			422,
			'Transaction cannot be edited at this time.',
		]);
		expect((await client.refused('DELETE', `/documents/${first.id}`))[0]).toBe(404);
	});
});

describe('Add eNote', () => {
	const NOTE = '<SMART_DOCUMENT MISMOVersionIdentifier="1.02"><DATA/></SMART_DOCUMENT>';
	const add = async (file: string, type = 'ENOTE', more: object = {}) =>
		await client.call('POST', `/mortgage/v1/transactions/${await newClosing(client, more)}/enote`, {
			file: base64(file),
			type,
		});
	test('interface §4, §8: an eNote is XML: a SMART document of version 1.02 or a seed', async () => {
		expect((await add(NOTE)).body).toMatchObject({ is_enote: true });
		expect((await add('<seed/>', 'SCHEMA')).status).toBe(200);
		for (const wrong of ['no xml', '<a><b></a></b>', '<a>', '<a/><b/>'])
			expect((await add(wrong, 'SCHEMA')).status).toBe(422);
		expect((await add('<note/>')).status).toBe(422);
	});
	test('gaps §6: only once, only in a draft; it can be deleted', async () => {
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
	test('gaps §6: a social security number is kept nowhere', async () => {
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
	])('gaps §3: %s needs an eNote: %s', async (transaction_type, needed) => {
		const id = await newClosing(client, { transaction_type, paper_note_consent: undefined });
		await addDocument(client, id);
		const { status, body } = await client.call(
			'POST',
			`/mortgage/v1/transactions/${id}/place_order`,
		);
		expect(status).toBe(needed ? 422 : 200);
		if (needed) expect(JSON.stringify(body)).toMatch(/eNote Required/);
	});
});

describe('Get Document, records, video', () => {
	test('interface §4: encoding=base64 answers the content, before and after completion', async () => {
		const uploaded = await makePdf(3);
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id, { resource: base64(uploaded) });
		const content = async () =>
			Buffer.from(
				(await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=base64`)).data,
				'base64',
			);
		expect((await content()).equals(uploaded)).toBe(true);
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		await sandbox.act.sign(id);
		expect((await content()).equals(sandbox.world.transactions.get(id)!.documents[0].final!)).toBe(
			true,
		);
		expect(
			(
				await fetch(
					(await client.ok('GET', `/transactions/${id}/documents/${document}?encoding=uri`)).uri,
				)
			).status,
		).toBe(200);
	});
	test('interface §2: the record of a notarization, with pictures and the video behind the key', async () => {
		const id = await newCompleted(client);
		const { notarization_record: record } = await client.transaction(id);
		const found = await client.ok('GET', `/notarization_records/${record}`);
		expect(found).toMatchObject({
			notary_name: 'Nora Notary',
			notarized_documents: [{ tracking_id: 1, notarial_acts: ['acknowledgement'] }],
			signer_info: { dob: '1980-05-17', address: { postal: '02110' } },
		});
		expect(found.video_url).toBe(
			`${sandbox.url}/v1/transactions/${id}/notarization_records/${record}/download_asset/generic_video_session`,
		);
		expect((await fetch(found.video_url)).status).toBe(401);
		const video = await fetch(found.video_url, { headers: { ApiKey: sandbox.keys.full } });
		expect([
			video.headers.get('content-type'),
			Buffer.from(await video.arrayBuffer()).toString('latin1', 4, 8),
		]).toEqual(['video/mp4', 'ftyp']);
		const picture = await fetch(found.signers[0].primary_front);
		expect([
			picture.headers.get('content-type'),
			Buffer.from(await picture.arrayBuffer()).readUInt32BE(16),
		]).toEqual(['image/png', 320]);
	});
	test('gaps §7: the current layout has an object, a list, another spelling and another video address', async () => {
		const id = await newCompleted(client);
		const { notarization_record: record, notarization_records } = await client.ok(
			'GET',
			`/v1/transactions/${id}`,
		);
		expect(notarization_records).toEqual([record]);
		const found = await client.ok('GET', `/v1/notarization_records/${record.id}`);
		expect(found.notarized_documents[0].notorial_acts).toEqual(['acknowledgement']);
		expect(found.video_url).toMatch(/download_asset\?asset_key=generic_video_session$/);
		expect((await fetch(found.video_url, { headers: { ApiKey: sandbox.keys.full } })).status).toBe(
			200,
		);
		expect((await client.ok('GET', '/notarization_records?limit=1')).records[0].id).toBe(record.id);
	});
	test('gaps §7: the recording can lag the meeting', async () => {
		const lagging = await startSandbox({ videoLagSeconds: 600 });
		const other = new Client(lagging);
		const { video_url } = await other.ok(
			'GET',
			`/notarization_records/${(await other.transaction(await newCompleted(other))).notarization_record}`,
		);
		const ask = async () =>
			(await fetch(video_url, { headers: { ApiKey: lagging.keys.full } })).status;
		expect(await ask()).toBe(409);
		await lagging.clock.advance(600_000);
		expect(await ask()).toBe(200);
		await lagging.close();
	});
});
