/**
 * Updating, deleting, retrieving and listing transactions
 * (docs/service/transactions.md#retrieve-a-transaction and the sections after it).
 */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	Client,
	CLOSING,
	IAL2,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

/** A closing of a documented-only service that a notary has completed. @returns its id */
async function newNotarized(documented: Client): Promise<string> {
	const id = await newClosing(documented);
	await addDocument(documented, id, { requirement: 'notarization' });
	await documented.sandbox.act.sendToSigner(id);
	await documented.sandbox.act.complete(id);
	return id;
}

describe('update', () => {
	const R = (id: string) => `/mortgage/v1/transactions/${id}`;
	test('PUT merges on both platforms: signers, payer and what else was not sent stays', async () => {
		const id = await newDraft(client, { transaction_name: 'First', external_id: 'x-1' });
		expect(await client.ok('PUT', `/transactions/${id}`, { payer: 'signer' })).toMatchObject({
			transaction_name: 'First',
			external_id: 'x-1',
			payer: 'signer',
			signers: [{ email: 'kim@example.com' }],
		});
		const closing = await newClosing(client, { loan_number: '77' });
		expect(await client.ok('PUT', R(closing), { file_number: 'F-2' })).toMatchObject({
			file_number: 'F-2',
			loan_number: '77',
			transaction_type: 'refinance',
			title_agency: { name: 'Harbor Title & Escrow' },
		});
	});
	test('PUT with the switch replace: what was not sent is gone, but for the documents', async () => {
		const strict = await startSandbox({ switches: { put: 'replace' } });
		const other = new Client(strict);
		try {
			const id = await newDraft(other, { transaction_name: 'First', external_id: 'x-1' });
			await addDocument(other, id);
			const replaced = await other.ok('PUT', `/transactions/${id}`, {
				signers: [{ email: 'kim@example.com' }],
				transaction_name: 'Third',
			});
			expect(replaced).toMatchObject({ transaction_name: 'Third', documents: [{}] });
			expect(replaced).not.toHaveProperty('external_id');
			expect(replaced.signers[0]).not.toHaveProperty('external_id');
			expect(
				await other.refused('PUT', `/transactions/${id}`, { transaction_name: 'No signer' }),
			).toEqual([422, 'Need at least 1 signer']);
			const closing = await newClosing(other, {
				loan_number: '77',
				contacts: [{ email: 'c@example.com', role: 'closer' }],
			});
			const { signer, transaction_type } = CLOSING;
			expect(await other.refused('PUT', R(closing), { signer })).toEqual([
				422,
				'Invalid Value for transaction_type',
			]);
			const changed = await other.ok('PUT', R(closing), { signer, transaction_type });
			expect(changed).toMatchObject({ contacts: [] });
			for (const name of [
				'loan_number',
				'recording_jurisdiction',
				'street_address',
				'title_agency',
				'transaction_name',
			])
				expect(changed).not.toHaveProperty(name);
			// What no answer shows is gone as well: the consent to a paper note.
			await other.ok('PUT', R(closing), { ...CLOSING, paper_note_consent: undefined });
			await addDocument(other, closing);
			expect(await other.refused('POST', `${R(closing)}/place_order`)).toEqual([
				422,
				'eNote Required',
			]);
		} finally {
			await strict.close();
		}
	});
	test('PATCH changes what is sent, whatever PUT does', async () => {
		sandbox.world.settings.switches.put = 'replace';
		const id = await newDraft(client, { transaction_name: 'First', external_id: 'x-1' });
		expect(
			await client.ok('PATCH', `/transactions/${id}`, { transaction_name: 'Second' }),
		).toMatchObject({ transaction_name: 'Second', external_id: 'x-1' });
	});
	test('PUT of a closing does not take real_estate_esign and real_estate_proof', async () => {
		const id = await newClosing(client, { transaction_type: 'real_estate_proof' });
		expect(await client.refused('PUT', R(id), { transaction_type: 'real_estate_proof' })).toEqual([
			422,
			'Invalid Value for transaction_type',
		]);
		expect(await client.ok('PUT', R(id), { loan_number: '7' })).toMatchObject({
			transaction_type: 'real_estate_proof',
		});
	});
	test('a signer who stays keeps the id, a corrected email is a new signer', async () => {
		const id = await newDraft(client);
		const [{ signer_id }] = (await client.transaction(id)).signers;
		expect(
			(
				await client.ok('PATCH', `/transactions/${id}`, {
					signers: [{ email: 'kim@example.com', first_name: 'Kim' }],
				})
			).signers[0],
		).toMatchObject({ signer_id, first_name: 'Kim' });
		expect(
			(
				await client.ok('PATCH', `/transactions/${id}`, {
					signers: [{ email: 'kim.doe@example.com' }],
				})
			).signers[0].signer_id,
		).not.toBe(signer_id);
	});
	test('what is not sent of a signer is lost: by PATCH with signers, and by PUT on both platforms', async () => {
		const signer = {
			email: 'kim@example.com',
			first_name: 'Kim',
			phone_number: '6175550123',
			external_id: 'kim',
			dob: '1980-05-17',
			order: 1,
			capacity: 'Trustee',
			entity: 'Harbor Trust',
			signing_requirement: 'esign',
			assurance_requirement: IAL2,
		};
		const lost = ['phone', 'external_id', 'dob', 'order', 'capacity', 'assurance_requirement'];
		const type = { transaction_type: 'other' };
		const assured = { ...CLOSING, transaction_type: null, signer };
		for (const put of ['merge', 'replace'] as const) {
			sandbox.world.settings.switches.put = put;
			const draft = async () => `/transactions/${await newDraft(client, { signers: [signer] })}`;
			const { id } = await client.ok('POST', '/mortgage/v2/transactions', assured);
			const closing = `/mortgage/v2/transactions/${id}`;
			const [email] = [{ email: signer.email }];
			for (const [method, path, body] of [
				['PATCH', await draft(), { signers: [email] }],
				['PUT', await draft(), { signers: [email] }],
				['PUT', closing, { ...type, signers: [email] }],
				['PUT', closing, { ...type, signer: email }],
			] as const) {
				const changed = (await client.ok(method, path, body)).signers[0];
				for (const name of lost) expect(changed).not.toHaveProperty(name);
				expect(changed).toMatchObject({ email: signer.email, first_name: '' });
			}
		}
	});
	test('config_id stays as it was first set', async () => {
		const id = await newDraft(client, { config_id: 'sign' });
		expect(
			(await client.ok('PATCH', `/transactions/${id}`, { config_id: 'verify' })).config_id,
		).toBe('sign');
	});
	test('documents are put in another order', async () => {
		const id = await newDraft(client);
		const [a, b] = [await addDocument(client, id), await addDocument(client, id)];
		const { documents } = await client.ok('PATCH', `/transactions/${id}`, {
			documents: [
				{ id: a.id, bundle_position: 1 },
				{ id: b.id, bundle_position: 0 },
			],
		});
		expect(documents.map((document: any) => document.id)).toEqual([b.id, a.id]);
	});
	test('only a draft can be changed, and an expired transaction is none; a closing has no PATCH', async () => {
		const change = { transaction_name: 'x' };
		for (const id of [await newSent(client), await newSent(client)]) {
			expect((await client.call('PUT', `/transactions/${id}`, change)).body).toEqual({
				errors: ['Transaction cannot be edited at this time.'],
			});
			await sandbox.act.expire(id);
			expect(await client.refused('PATCH', `/transactions/${id}`, change)).toEqual([
				422,
				'Transaction cannot be edited at this time.',
			]);
		}
		const closing = await newClosing(client);
		expect((await client.call('PATCH', R(closing), {})).status).toBe(404);
		sandbox.problems.length = 0;
	});
});

describe('delete', () => {
	test('delete works until a signer has completed', async () => {
		const id = await newSent(client, {
			signers: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
		});
		await sandbox.act.sign(id);
		expect((await client.call('DELETE', `/transactions/${id}`)).body).toEqual({
			errors: ['Transaction has already been completed by at least 1 signer.'],
		});
		const draft = await newDraft(client);
		expect(await client.ok('DELETE', `/transactions/${draft}`)).toEqual({
			message: `Deleted Transaction ${draft} successfully`,
		});
		for (const method of ['GET', 'DELETE']) {
			const { status, body } = await client.call(method, `/transactions/${draft}`);
			expect([status, body]).toEqual([404, { errors: ['Transaction Not Found'] }]);
		}
	});
});

describe('list', () => {
	test('newest first, by status, loan number, dates and organization', async () => {
		const a = await newClosing(client, { loan_number: 'L-1' });
		await sandbox.clock.advance(60_000);
		const between = new Date(sandbox.clock.now()).toISOString();
		await sandbox.clock.advance(60_000);
		const b = await newClosing(client, {
			loan_number: 'L-2',
			organization_id: sandbox.organizations.child,
		});
		const ids = async (query: string) =>
			(await client.ok('GET', `/mortgage/v1/transactions?${query}`)).data.map(({ id }: any) => id);
		expect((await ids('limit=2')).slice(0, 2)).toEqual([b, a]);
		expect(await ids('loan_number=L-1')).toEqual([a]);
		expect(await ids(`created_date_start=${between}`)).toEqual([b]);
		expect(await ids(`created_date_end=${between}`)).toContain(a);
		expect(await ids(`organization_id=${sandbox.organizations.child}`)).toEqual([b]);
		expect(await ids('transaction_status=completed')).toEqual([]);
		expect((await client.refused('GET', '/transactions?limit=1001'))[0]).toBe(422);
	});
	test('an organization with its children, named with or without the underscore', async () => {
		const { parent, child } = sandbox.organizations;
		const inParent = await newClosing(client, { loan_number: 'O-1' });
		const inChild = await newClosing(client, { loan_number: 'O-1', organization_id: child });
		const ids = async (organization: string) =>
			(
				await client.ok(
					'GET',
					`/mortgage/v1/transactions?loan_number=O-1&organization_id=${organization}`,
				)
			).data.map(({ id }: any) => id);
		expect(await ids(parent)).toEqual([inChild, inParent]);
		expect(await ids(child)).toEqual([inChild]);
		expect(await ids(child.replace('_', ''))).toEqual([inChild]);
		expect(await ids('or_other')).toEqual([]);
	});
	test('business, by status and times; ten a page, of which the total tells how many there are', async () => {
		const before = new Date(sandbox.clock.now()).toISOString();
		await sandbox.clock.advance(60_000);
		const drafts: string[] = [];
		for (let count = 0; count < 12; count++) drafts.unshift(await newDraft(client));
		const sent = await newSent(client);
		const list = async (query: string) => await client.ok('GET', `/transactions?${query}`);
		const since = `created_date_start=${before}`;
		const first = await list(`${since}&transaction_status=started`);
		expect(first).toMatchObject({ total_count: 12, count: 10 });
		const rest = await list(`${since}&transaction_status=started&offset=10&limit=1000`);
		expect(rest).toMatchObject({ total_count: 12, count: 2 });
		expect([...first.data, ...rest.data].map(({ id }: any) => id)).toEqual(drafts);
		expect((await list(`last_updated_date_start=${before}&limit=1`)).data[0].id).toBe(sent);
		expect((await list(`${since}&last_updated_date_end=${before}`)).total_count).toBe(0);
		expect((await list('transaction_status=open')).total_count).toBe(0);
		for (const unknown of ['loan_number=1', 'organization_id=or_1', 'detailed_status=draft']) {
			expect((await client.call('GET', `/transactions?${unknown}`)).status).not.toBe(200);
			sandbox.problems.length = 0;
		}
	});
});

describe('retrieve', () => {
	test('Retrieve a transaction: links to each finished document and to the audit trail', async () => {
		const id = await newDraft(client);
		for (const filename of ['One', 'Two']) await addDocument(client, id, { filename });
		await client.ok('POST', `/transactions/${id}/notarization_ready`);
		const before = await client.transaction(id);
		for (const holder of [before, ...before.documents]) {
			expect(holder).not.toHaveProperty('audit_trail_url');
			expect(holder).not.toHaveProperty('final_document_url');
		}
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
	test('Retrieve a transaction: notarization_record when a notarization took place, not otherwise', async () => {
		const signed = await newSent(client);
		await sandbox.act.sign(signed);
		const { notarization_records, ...rest } = await client.transaction(signed);
		expect(notarization_records).toEqual([]);
		expect(rest).not.toHaveProperty('notarization_record');
		const documented = await startSandbox({ profile: 'documented' });
		try {
			const id = await newNotarized(new Client(documented));
			expect((await new Client(documented).transaction(id)).notarization_record).toMatch(/^me_/);
		} finally {
			await documented.close();
		}
	});
	test('live services answer the whole record, and all records in a list', async () => {
		const id = await newCompleted(client);
		const { notarization_record, notarization_records } = await client.transaction(id);
		expect(notarization_record.id).toMatch(/^me_/);
		expect(notarization_record.notary_name).toBe('Nora Notary');
		expect(notarization_records.map((record: any) => record.id)).toEqual([notarization_record.id]);
	});
	test('the audit trail as PDF and as base64', async () => {
		const id = await newSent(client);
		for (const wanted of [id, 'ot_none']) {
			const { status, body } = await client.call(
				'GET',
				`/transactions/${wanted}/assets/audit_trail`,
			);
			expect([status, body]).toEqual([404, { errors: { request: 'resource not found' } }]);
		}
		await sandbox.act.sign(id);
		const bytes = Buffer.from(
			await (
				await fetch(`${sandbox.url}/v1/transactions/${id}/assets/audit_trail`, {
					headers: { ApiKey: sandbox.keys.full },
				})
			).arrayBuffer(),
		);
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(
			(await client.ok('GET', `/transactions/${id}/assets/audit_trail?encoding=base64`)).data,
		).toBe(bytes.toString('base64'));
	});
});
