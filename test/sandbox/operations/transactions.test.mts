/**
 * Updating, deleting, retrieving and listing transactions
 * (docs/service/transactions.md#retrieve-a-transaction and the sections after it).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import {
	addDocument,
	B,
	CLOSING,
	download,
	IAL2,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
	R,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withSandbox } from '../support/useSandbox.mts';

useSandbox();

const idsOf = ({ data }: any) => data.map(({ id }: any) => id);
const [A, Z] = [{ email: 'a@example.com' }, { email: 'z@example.com' }];

describe('update', () => {
	const NAMED = { transaction_name: 'First', external_id: 'x-1' };
	const INVALID = 'Invalid Value for transaction_type';
	test('PUT merges on both platforms: what was not sent stays', async () => {
		const id = await newDraft(client, NAMED);
		expect(await client.ok('PUT', `${B}/${id}`, { payer: 'signer' })).toMatchObject({
			...NAMED,
			payer: 'signer',
			signers: [{ email: 'kim@example.com' }],
		});
		const closing = await newClosing(client, { loan_number: '77' });
		expect(await client.ok('PUT', `${R}/${closing}`, { file_number: 'F-2' })).toMatchObject({
			file_number: 'F-2',
			loan_number: '77',
			transaction_type: 'refinance',
			title_agency: { name: 'Harbor Title & Escrow' },
		});
	});
	test('PUT with the switch replace: what was not sent is gone, but for the documents', async () => {
		await withSandbox({ switches: { put: 'replace' } }, async (other) => {
			const id = await newDraft(other, NAMED);
			await addDocument(other, id);
			const signers = [{ email: 'kim@example.com' }];
			const body = { signers, transaction_name: 'Third' };
			const replaced = await other.ok('PUT', `${B}/${id}`, body);
			expect(replaced).toMatchObject({ transaction_name: 'Third', documents: [{}] });
			forEachCase([replaced, replaced.signers[0]], (holder) =>
				expect(holder).not.toHaveProperty('external_id'),
			);
			await other.refuses('PUT', `${B}/${id}`, NAMED, 422, 'Need at least 1 signer');
			const contacts = [{ email: 'c@example.com', role: 'closer' }];
			const closing = await newClosing(other, { loan_number: '77', contacts });
			const path = `${R}/${closing}`;
			const { signer, transaction_type } = CLOSING;
			await other.refuses('PUT', path, { signer }, 422, INVALID);
			const changed = await other.ok('PUT', path, { signer, transaction_type });
			expect(changed.contacts).toEqual([]);
			forEachCase(
				[
					'loan_number',
					'recording_jurisdiction',
					'street_address',
					'title_agency',
					'transaction_name',
				],
				(name) => expect(changed).not.toHaveProperty(name),
			);
			// What no answer shows is gone as well: the consent to a paper note.
			await other.ok('PUT', path, { ...CLOSING, paper_note_consent: undefined });
			await addDocument(other, closing);
			await other.refuses('POST', `${path}/place_order`, undefined, 422, 'eNote Required');
		});
	});
	test('PATCH changes what is sent, whatever PUT does', async () => {
		sandbox.world.settings.switches.put = 'replace';
		const path = `${B}/${await newDraft(client, NAMED)}`;
		expect(await client.ok('PATCH', path, { transaction_name: 'Second' })).toMatchObject({
			...NAMED,
			transaction_name: 'Second',
		});
	});
	test('PUT of a closing does not take real_estate_esign and real_estate_proof', async () => {
		const type = { transaction_type: 'real_estate_proof' };
		const path = `${R}/${await newClosing(client, type)}`;
		await client.refuses('PUT', path, type, 422, INVALID);
		expect(await client.ok('PUT', path, { loan_number: '7' })).toMatchObject(type);
	});
	test('a signer who stays keeps the id, a corrected email is a new signer', async () => {
		const path = `${B}/${await newDraft(client)}`;
		const idWith = async (signer: object): Promise<string> =>
			(await client.ok('PATCH', path, { signers: [signer] })).signers[0].signer_id;
		const [{ signer_id }] = (await client.ok('GET', path)).signers;
		expect(await idWith({ email: 'kim@example.com', first_name: 'Kim' })).toBe(signer_id);
		expect(await idWith({ email: 'kim.doe@example.com' })).not.toBe(signer_id);
	});
	test.each(['merge', 'replace'] as const)(
		'what is not sent of a signer is lost, by PATCH and by PUT, with put %s',
		async (put) => {
			sandbox.world.settings.switches.put = put;
			const lost = {
				phone_number: '6175550123',
				external_id: 'kim',
				dob: '1980-05-17',
				order: 1,
				capacity: 'Trustee',
				entity: 'Harbor Trust',
				assurance_requirement: IAL2,
			};
			const email = { email: 'kim@example.com' };
			const signer = { ...email, first_name: 'Kim', signing_requirement: 'esign', ...lost };
			const draft = async () => `${B}/${await newDraft(client, { signers: [signer] })}`;
			const assured = { ...CLOSING, transaction_type: null, signer };
			const R2 = '/mortgage/v2/transactions';
			const closing = `${R2}/${(await client.ok('POST', R2, assured)).id}`;
			const type = { transaction_type: 'other' };
			await forEachCase(
				[
					['PATCH', await draft(), { signers: [email] }],
					['PUT', await draft(), { signers: [email] }],
					['PUT', closing, { ...type, signers: [email] }],
					['PUT', closing, { ...type, signer: email }],
				] as const,
				async ([method, path, body]) => {
					const changed = (await client.ok(method, path, body)).signers[0];
					forEachCase([...Object.keys(lost), 'phone'], (name) =>
						expect(changed).not.toHaveProperty(name),
					);
					expect(changed).toMatchObject({ ...email, first_name: '' });
				},
			);
		},
	);
	test('only a draft can be changed; a closing has no PATCH', async () => {
		const path = `${B}/${await newSent(client)}`;
		await client.refuses('PUT', path, NAMED, 422, 'Transaction cannot be edited at this time.');
		await client.refuses('PATCH', `${R}/${await newClosing(client)}`, {}, 404);
	});
});

test('delete works until a signer has completed', async () => {
	const sent = await newSent(client, { signers: [A, Z] });
	await sandbox.act.sign(sent);
	const text = 'Transaction has already been completed by at least 1 signer.';
	await client.refuses('DELETE', `${B}/${sent}`, undefined, 422, text);
	const draft = await newDraft(client);
	const message = `Deleted Transaction ${draft} successfully`;
	expect(await client.ok('DELETE', `${B}/${draft}`)).toEqual({ message });
	for (const method of ['GET', 'DELETE'])
		await client.refuses(method, `${B}/${draft}`, undefined, 404, 'Transaction Not Found');
});

describe('list', () => {
	test('newest first, by status, loan number, dates and organization', async () => {
		const { child } = sandbox.organizations;
		await sandbox.clock.advance(60_000);
		const start = new Date(sandbox.clock.now()).toISOString();
		const a = await newClosing(client, { loan_number: 'L-1' });
		await sandbox.clock.advance(60_000);
		const between = new Date(sandbox.clock.now()).toISOString();
		await sandbox.clock.advance(60_000);
		const b = await newClosing(client, { loan_number: 'L-2', organization_id: child });
		const list = async (query: string) => idsOf(await client.ok('GET', `${R}?${query}`));
		expect((await list('limit=2')).slice(0, 2)).toEqual([b, a]);
		expect(await list('loan_number=L-1')).toEqual([a]);
		expect(await list(`created_date_start=${between}`)).toEqual([b]);
		expect(await list(`created_date_end=${between}`)).toContain(a);
		expect(await list('transaction_status=completed')).toEqual([]);
		// An organization has its children's, and is named with or without the underscore.
		await forEachCase(
			[
				[sandbox.organizations.parent, [b, a]],
				[child, [b]],
				[child.replace('_', ''), [b]],
				['or_other', []],
			] as const,
			async ([organization, found]) =>
				expect(await list(`organization_id=${organization}&created_date_start=${start}`)).toEqual(
					found,
				),
		);
	});
	test('business, by status and times, and by nothing else', async () => {
		const before = new Date(sandbox.clock.now()).toISOString();
		await sandbox.clock.advance(60_000);
		const draft = await newDraft(client);
		const sent = await newSent(client);
		const list = async (query: string) => idsOf(await client.ok('GET', `${B}?${query}`));
		const since = `created_date_start=${before}`;
		expect(await list(since)).toEqual([sent, draft]);
		expect(await list(`${since}&transaction_status=started`)).toEqual([draft]);
		expect(await list(`last_updated_date_start=${before}&limit=1`)).toEqual([sent]);
		expect(await list(`${since}&last_updated_date_end=${before}`)).toEqual([]);
		expect(await list('transaction_status=open')).toEqual([]);
		for (const unknown of ['loan_number=1', 'organization_id=or_1', 'detailed_status=draft'])
			await client.refuses('GET', `${B}?${unknown}`, undefined, 422);
		await client.refuses('GET', `${B}?limit=1001`, undefined, 422);
	});
});

describe('retrieve', () => {
	test('the whole notarization record, and all in a list, when a notarization took place', async () => {
		const signed = await newSent(client);
		await sandbox.act.sign(signed);
		const without = await client.transaction(signed);
		expect(without.notarization_records).toEqual([]);
		expect(without).not.toHaveProperty('notarization_record');
		const { notarization_record, ...rest } = await client.transaction(await newCompleted(client));
		expect(notarization_record).toMatchObject({
			id: expect.stringMatching(/^me_/),
			notary_name: 'Nora Notary',
		});
		expect(rest.notarization_records).toMatchObject([{ id: notarization_record.id }]);
	});
	test('the audit trail as PDF and as base64, once it is there', async () => {
		const id = await newSent(client);
		const path = (wanted: string) => `${B}/${wanted}/assets/audit_trail`;
		for (const wanted of [id, 'ot_none'])
			await client.refuses('GET', path(wanted), undefined, 404, 'resource not found');
		await sandbox.act.sign(id);
		const { bytes } = await download(sandbox.url + path(id), { ApiKey: sandbox.keys.full });
		expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-');
		const { data } = await client.ok('GET', `${path(id)}?encoding=base64`);
		expect(data).toBe(bytes.toString('base64'));
	});
	test('ids are understood with and without their underscore, in paths and bodies', async () => {
		const more = { title_agency_id: 'oragency_harbor', organization_id: 'orharbor_branch' };
		const id = await newClosing(client, more);
		expect(await client.ok('GET', `${R}/${id.replace('_', '')}`)).toMatchObject({
			id,
			organization_id: 'or_harbor_branch',
			title_agency: { name: 'Harbor Title & Escrow' },
		});
		await client.refuses('GET', `${B}/${id}x`, undefined, 404);
	});
});
