/**
 * Update, Delete, Get and Retrieve Document, and how documents look in answers
 * (docs/service/documents.md#update-a-document and the sections after it,
 * docs/service/documents.md#document-answer).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import {
	addDocument,
	B,
	base64,
	download,
	makePdf,
	newClosing,
	newDocument,
	newDraft,
	newSent,
	PLACE,
	R,
	SIGNATURE,
} from '../support/client.mts';
import { client, sandbox, useSandbox, withDocumented } from '../support/useSandbox.mts';

useSandbox({ filesOrigin: 'separate' });

const SEAL = { ...PLACE, page_number: 1, signer_identifier: 'notary', type: 'seal' };
const fieldsOf = (found: object) => Object.keys(found).sort();

/** Adds a document on the paths of real estate, and waits until it is processed. */
async function addToClosing(id: string, more: object = {}): Promise<any> {
	const body = await newDocument({ filename: 'Contract', ...more });
	const [document] = await client.ok('POST', `${R}/${id}/documents`, body);
	await client.processed();
	return document;
}

/** A business transaction that is signed. @returns its id and its document */
async function newSigned(): Promise<[string, any]> {
	const id = await newSent(client);
	await sandbox.act.sign(id);
	return [id, (await client.transaction(id)).documents[0]];
}

describe('update and delete', () => {
	test('an update ignores what only Add Document takes, and what only the other platform takes', async () => {
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id);
		const [{ uploaded, pages }] = client.stored(id).documents;
		expect(
			await client.ok('PATCH', `/documents/${document}`, {
				resource: base64(await makePdf(5)),
				signing_designations: [SEAL],
				filename: 'Other',
				bundle_position: 7,
				esign_required: false,
				vaulted: true,
				name: 'Renamed',
			}),
		).toMatchObject({
			document_name: 'Renamed',
			bundle_position: 0,
			signing_designations: [],
			esign_required: true,
			vaulted: false,
		});
		expect(client.stored(id).documents[0]).toMatchObject({ uploaded, pages });
		const closing = await newClosing(client);
		const { id: other } = await addToClosing(closing);
		await client.ok('PUT', `/mortgage/v1/documents/${other}`, { pdf_bookmarked: true });
		expect(client.stored(closing).splitting).toBe(0);
	});
	test('delete takes it away; neither works once it is sent', async () => {
		const id = await newDraft(client);
		const [first, second] = [await addDocument(client, id), await addDocument(client, id)];
		const message = `Deleted document ${first.id} successfully`;
		expect(await client.ok('DELETE', `/documents/${first.id}`)).toEqual({ message });
		await client.refuses('DELETE', `/documents/${first.id}`, undefined, 404, 'Document Not Found');
		await client.ok('POST', `${B}/${id}/notarization_ready`);
		const text = 'Transaction Cannot Be Modified';
		await client.refuses('DELETE', `/documents/${second.id}`, undefined, 422, text);
		await client.refuses('PUT', `/documents/${second.id}`, { name: 'x' }, 422, text);
	});
	test('each platform deletes its own documents', async () => {
		const { id } = await addToClosing(await newClosing(client));
		const text = 'You must use the RealEstate API for real estate transactions';
		await client.refuses('DELETE', `/documents/${id}`, undefined, 422, text);
		await client.ok('DELETE', `/mortgage/v1/documents/${id}`);
		const { id: other } = await addDocument(client, await newDraft(client));
		const path = `/mortgage/v1/documents/${other}`;
		await client.refuses('DELETE', path, undefined, 404, 'Document Not Found');
	});
});

describe('get and retrieve', () => {
	test('encoding=base64 answers the content: the upload, and what is finished after completion', async () => {
		const uploaded = await makePdf(3);
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id, { resource: base64(uploaded) });
		const content = async () => (await client.document(id, document, '?encoding=base64')).data;
		expect(await content()).toBe(base64(uploaded));
		await client.ok('POST', `${B}/${id}/notarization_ready`);
		await sandbox.act.sign(id);
		expect(await content()).toBe(base64(client.stored(id).documents[0].final!));
	});
	test('encoding=uri answers the link to the finished document and no content', async () => {
		const id = await newSent(client);
		const [{ id: document }] = (await client.transaction(id)).documents;
		const get = async () => await client.document(id, document, '?encoding=uri');
		expect((await get()).final_document_url).toBeNull();
		await sandbox.act.sign(id);
		const found = await get();
		expect((await download(found.final_document_url)).status).toBe(200);
		forEachCase(['data', 'uri'], (name) => expect(found).not.toHaveProperty(name));
	});
	test('without encoding real estate sends the whole file, business sends none', async () => {
		const resource = base64(await makePdf());
		const id = await newClosing(client);
		const path = `${R}/${id}/documents/${(await addToClosing(id, { resource })).id}`;
		expect((await client.ok('GET', path)).data).toBe(resource);
		expect(await client.ok('GET', `${path}?encoding=uri`)).not.toHaveProperty('data');
		const draft = await newDraft(client);
		const { id: other } = await addDocument(client, draft);
		expect(await client.document(draft, other)).not.toHaveProperty('data');
		const hex = `${B}/${draft}/documents/${other}?encoding=hex`;
		await client.refuses('GET', hex, undefined, 400, 'Invalid encoding');
	});
	test.each(['final_document_url', 'signed_url'] as const)(
		'the link %s leads to the bytes of the finished document, as often as it is asked for',
		async (finalLink) => {
			sandbox.world.settings.switches.finalLink = finalLink;
			const [id, document] = await newSigned();
			const other = finalLink === 'signed_url' ? 'final_document_url' : 'signed_url';
			expect(document).not.toHaveProperty(other);
			await forEachCase(Array(2).keys(), async () => {
				const { type, bytes } = await download(document[finalLink]);
				expect(type).toBe('application/pdf');
				expect(bytes.equals(client.stored(id).documents[0].final!)).toBe(true);
			});
		},
	);
	test('v1 links lead to a storage, v2 links to an origin of their own, in every answer', async () => {
		const id = await newSent(client, {}, { requirement: 'notarization' });
		await sandbox.act.complete(id);
		const origins: string[][] = [];
		await forEachCase(
			['', '?document_url_version=v1', '?document_url_version=v2'],
			async (query) => {
				const { documents, notarization_records } = await client.ok('GET', `${B}/${id}${query}`);
				const [{ id: record, signers }] = notarization_records;
				const found = await client.ok('GET', `/notarization_records/${record}${query}`);
				const links: string[] = [
					documents[0].final_document_url,
					signers[0].primary_front,
					(await client.document(id, documents[0].id, query)).final_document_url,
					found.notarized_documents[0].document_url,
				];
				await forEachCase(links, async (link) => expect((await download(link)).status).toBe(200));
				const all = new Set(links.map((link) => new URL(link).origin));
				origins.push([...all]);
			},
		);
		const { url, filesUrl, serviceFilesUrl } = sandbox;
		expect(origins).toEqual([[filesUrl], [filesUrl], [serviceFilesUrl]]);
		expect(new Set([url, filesUrl, serviceFilesUrl]).size).toBe(3);
		expect(sandbox.problems).toEqual([]);
	});
});

describe('answers', () => {
	const BOTH = [
		'allowed_actions',
		'bundle_position',
		'completion_state',
		'date_created',
		'date_updated',
		'document_name',
		'id',
		'processing_state',
		'requirement',
		'signing_designation_groups',
		'signing_designations',
	];
	const FLAGS = {
		esign_required: true,
		identity_confirmation_required: false,
		notarization_required: false,
		vaulted: false,
	};
	const NULLS = {
		final_document_url: null,
		is_enote: false,
		permissions: [],
		processing_error: null,
		rejection_anecdote: null,
		rejection_reason: null,
		signing_type: 'ESIGN',
		tracking_id: null,
	};
	const withNulls = [...BOTH, ...Object.keys(NULLS)].sort();
	test('business has flags and nothing else, whichever call; tracking_id when set', async () => {
		const id = await newDraft(client);
		const added = await addDocument(client, id);
		const fields = [...BOTH, ...Object.keys(FLAGS)].sort();
		forEachCase([added, (await client.transaction(id)).documents[0]], (found) => {
			expect(fieldsOf(found)).toEqual(fields);
			expect(found).toMatchObject(FLAGS);
		});
		const tracked = await client.ok('PATCH', `/documents/${added.id}`, { tracking_id: 'T-7' });
		expect(fieldsOf(tracked)).toEqual([...fields, 'tracking_id'].sort());
	});
	test('real estate, and Get Document of business, have explicit nulls and no flags', async () => {
		const id = await newClosing(client);
		const added = await addToClosing(id);
		expect(added).toMatchObject(NULLS);
		const { documents } = await client.ok('GET', `${R}/${id}`);
		const draft = await newDraft(client);
		const { id: other } = await addDocument(client, draft);
		forEachCase(
			[
				added,
				documents.at(-1),
				await client.ok('PUT', `/mortgage/v2/documents/${added.id}`, { name: 'Deed' }),
				await client.document(draft, other),
			],
			(found) => expect(fieldsOf(found)).toEqual(withNulls),
		);
	});
	test('a documented-only service has the documented fields', async () => {
		await withDocumented(async (other) => {
			expect(fieldsOf(await addDocument(other, await newDraft(other)))).toEqual([
				'date_created',
				'date_updated',
				'document_name',
				'final_document_url',
				'id',
				'notarization_required',
				'requirement',
				'witness_required',
			]);
		});
	});
	test('designations: business answers them as sent, real estate ids, group and trigger', async () => {
		const group = { name: 'choice', min_required: 1, max_required: 1 };
		const sent = [
			{ type: 'checkmark', optional: true, primary_designation_identifier: 'c1' },
			{ y: 200, type: 'free_text', conditional_on_primary: 'c1' },
			{ y: 300, type: 'radio_checkmark', signing_designation_group: group },
		].map((more) => ({ ...SIGNATURE, ...more }));
		const added = await addDocument(client, await newDraft(client), { signing_designations: sent });
		expect(added.signing_designations).toEqual(sent);
		expect(added.signing_designation_groups).toEqual([group]);
		const document = await addToClosing(await newClosing(client), {
			signing_designations: sent.map((more) => ({ ...more, signer_identifier: 'borrower-1' })),
		});
		const id = expect.stringMatching(/^ad[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		const [{ id: trigger }] = document.signing_designations;
		const [{ id: groupId }] = document.signing_designation_groups;
		expect(document.signing_designations).toEqual([
			{ id, designation_group_id: null, primary_designation: null },
			{ id, designation_group_id: null, primary_designation: { id: trigger } },
			{ id, designation_group_id: groupId, primary_designation: null },
		]);
		expect(document.signing_designation_groups).toEqual([{ id: groupId, ...group }]);
	});
});
