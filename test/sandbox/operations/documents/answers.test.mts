/** How documents look in answers (docs/service/documents.md#document-answer). */

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	makePdf,
	newClosing,
	newCompleted,
	newDraft,
	newSent,
} from '../../support/client.mts';
import { client, sandbox, useSandbox } from '../../support/useSandbox.mts';

useSandbox({ filesOrigin: 'separate' });

const IN_BOTH_FORMS = [
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
const FLAGS = [
	'esign_required',
	'identity_confirmation_required',
	'notarization_required',
	'vaulted',
];
const NULLS = [
	'final_document_url',
	'is_enote',
	'permissions',
	'processing_error',
	'rejection_anecdote',
	'rejection_reason',
	'signing_type',
	'tracking_id',
];
const PLACE = { page_number: 0, x: 72, y: 100, width: 180, height: 24 };

const named = (documents: any[], name: string) =>
	documents.find(({ document_name }) => document_name === name);

/** Adds a document named Contract on the paths of real estate. */
async function addToClosing(id: string, more: object = {}): Promise<any> {
	const [document] = await client.ok('POST', `/mortgage/v2/transactions/${id}/documents`, {
		resource: base64(await makePdf()),
		requirement: 'esign',
		filename: 'Contract',
		...more,
	});
	return document;
}

describe('two forms of the answer', () => {
	test('business answers with flags and nothing else, whichever call; tracking_id when set', async () => {
		const id = await newDraft(client);
		const added = await addDocument(client, id);
		const fields = [...IN_BOTH_FORMS, ...FLAGS].sort();
		expect(Object.keys(added).sort()).toEqual(fields);
		expect(Object.keys((await client.transaction(id)).documents[0]).sort()).toEqual(fields);
		const tracked = await client.ok('PATCH', `/documents/${added.id}`, { tracking_id: 'T-7' });
		expect(Object.keys(tracked).sort()).toEqual([...fields, 'tracking_id'].sort());
		expect(tracked).toMatchObject({
			tracking_id: 'T-7',
			esign_required: true,
			identity_confirmation_required: false,
			notarization_required: false,
			vaulted: false,
		});
	});
	test('real estate answers with explicit nulls and no flags', async () => {
		const id = await newClosing(client);
		const added = await addToClosing(id);
		const fields = [...IN_BOTH_FORMS, ...NULLS].sort();
		expect(Object.keys(added).sort()).toEqual(fields);
		expect(added).toMatchObject({
			is_enote: false,
			processing_error: null,
			rejection_reason: null,
			signing_type: 'ESIGN',
			tracking_id: null,
			final_document_url: null,
		});
		const { documents } = await client.ok('GET', `/mortgage/v2/transactions/${id}`);
		expect(Object.keys(named(documents, 'Contract')).sort()).toEqual(fields);
		expect(
			Object.keys(
				await client.ok('PUT', `/mortgage/v2/documents/${added.id}`, { name: 'Deed' }),
			).sort(),
		).toEqual(fields);
	});
	test('Get Document of business has the form with nulls', async () => {
		const id = await newDraft(client);
		const { id: document } = await addDocument(client, id, { requirement: 'notarization' });
		const found = await client.ok('GET', `/transactions/${id}/documents/${document}`);
		expect(Object.keys(found).sort()).toEqual([...IN_BOTH_FORMS, ...NULLS].sort());
		expect(found.signing_type).toBe('NOTARIZATION');
	});
	test('the path layout changes nothing', async () => {
		const id = await newDraft(client);
		await addDocument(client, id);
		const [documented, current] = [
			await client.ok('GET', `/transactions/${id}`),
			await client.ok('GET', `/v1/transactions/${id}`),
		];
		expect(current.documents).toEqual(documented.documents);
	});
	test('a documented-only service answers the documented fields', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const other = new Client(documented);
		const id = await newDraft(other);
		expect(Object.keys(await addDocument(other, id)).sort()).toEqual([
			'date_created',
			'date_updated',
			'document_name',
			'final_document_url',
			'id',
			'notarization_required',
			'requirement',
			'witness_required',
		]);
		await documented.close();
	});
});

describe('allowed actions', () => {
	test('flags that no answer has are words of allowed_actions and permissions', async () => {
		const id = await newClosing(client);
		const flags = { witness_required: true, customer_can_annotate: true };
		const document = await addToClosing(id, { requirement: 'notarization', ...flags });
		expect(document.permissions).toEqual([
			'NOTARIZATION_REQUIRED',
			'WITNESS_REQUIRED',
			'CUSTOMER_CAN_ANNOTATE',
		]);
		expect(document.allowed_actions).toEqual(document.permissions);
		for (const name of ['witness_required', 'customer_can_annotate', 'notarization_required'])
			expect(document).not.toHaveProperty(name);
		const draft = await newDraft(client);
		const added = await addDocument(client, draft, flags);
		expect(added.allowed_actions).toEqual(['WITNESS_REQUIRED', 'CUSTOMER_CAN_ANNOTATE']);
		expect(added).not.toHaveProperty('witness_required');
		expect(
			(await client.ok('PATCH', `/documents/${added.id}`, { witness_required: false }))
				.allowed_actions,
		).toEqual(['CUSTOMER_CAN_ANNOTATE']);
	});
	test('what goes to the vault is collateral', async () => {
		const added = await addDocument(client, await newDraft(client), { vaulted: true });
		expect(added).toMatchObject({ vaulted: true, allowed_actions: ['COLLATERAL_DOCUMENT'] });
	});
});

describe('designations in answers', () => {
	const group = { name: 'choice', min_required: 1, max_required: 1 };
	const designations = (who: string) => [
		{
			...PLACE,
			signer_identifier: who,
			type: 'checkmark',
			optional: true,
			primary_designation_identifier: 'c1',
		},
		{ ...PLACE, y: 200, signer_identifier: who, type: 'free_text', conditional_on_primary: 'c1' },
		{
			...PLACE,
			y: 300,
			signer_identifier: who,
			type: 'radio_checkmark',
			signing_designation_group: group,
		},
	];
	test('real estate answers ids, group and trigger, and nothing that was sent', async () => {
		const document = await addToClosing(await newClosing(client), {
			signing_designations: designations('borrower-1'),
		});
		const id = expect.stringMatching(/^ad[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		const [trigger] = document.signing_designations;
		const [{ id: groupId }] = document.signing_designation_groups;
		expect(document.signing_designations).toEqual([
			{ id, designation_group_id: null, primary_designation: null },
			{ id, designation_group_id: null, primary_designation: { id: trigger.id } },
			{ id, designation_group_id: groupId, primary_designation: null },
		]);
		expect(document.signing_designation_groups).toEqual([{ id: groupId, ...group }]);
	});
	test('business answers them as they were sent', async () => {
		const sent = designations('kim');
		const document = await addDocument(client, await newDraft(client), {
			signing_designations: sent,
		});
		expect(document.signing_designations).toEqual(sent);
		expect(document.signing_designation_groups).toEqual([group]);
	});
});

describe('completion', () => {
	test('completion_state is incomplete, then complete; a rejected document stays incomplete and says why', async () => {
		const id = await newSent(client);
		expect((await client.transaction(id)).documents[0]).toMatchObject({
			completion_state: 'incomplete',
		});
		await sandbox.act.sign(id);
		expect((await client.transaction(id)).documents[0].completion_state).toBe('complete');
		const rejected = await newSent(client);
		await sandbox.act.reject(rejected, { reason: 'Wrong name' });
		const [{ id: document, completion_state }] = (await client.transaction(rejected)).documents;
		expect(completion_state).toBe('incomplete');
		expect(
			(await client.ok('GET', `/transactions/${rejected}/documents/${document}`)).rejection_reason,
		).toBe('Wrong name');
	});
	test('final_document_url or signed_url leads to the finished PDF', async () => {
		const id = await newSent(client);
		await sandbox.act.sign(id);
		const [found] = (await client.transaction(id)).documents;
		expect(found).not.toHaveProperty('signed_url');
		expect((await fetch(found.final_document_url)).status).toBe(200);
		sandbox.world.settings.switches.finalLink = 'signed_url';
		const [other] = (await client.transaction(id)).documents;
		sandbox.world.settings.switches.finalLink = 'final_document_url';
		expect(other).not.toHaveProperty('final_document_url');
		expect((await fetch(other.signed_url)).status).toBe(200);
	});
});

describe('versions of links', () => {
	test('v1 links lead to a storage, v2 links to an origin of their own, and neither needs the key', async () => {
		const id = await newCompleted(client);
		const linkOf = async (query: string) =>
			named((await client.ok('GET', `/mortgage/v2/transactions/${id}${query}`)).documents, 'Deed')
				.final_document_url;
		const { origin } = new URL(await linkOf(''));
		expect(origin).toBe(sandbox.filesUrl);
		expect(new URL(await linkOf('?document_url_version=v1')).origin).toBe(origin);
		const link = await linkOf('?document_url_version=v2');
		expect(new URL(link).origin).toBe(sandbox.serviceFilesUrl);
		expect(new Set([sandbox.url, sandbox.filesUrl, sandbox.serviceFilesUrl]).size).toBe(3);
		expect((await fetch(link)).headers.get('content-type')).toBe('application/pdf');
	});
	test('each call that answers documents or records takes the version', async () => {
		const id = await newSent(client, {}, { requirement: 'notarization' });
		await sandbox.act.complete(id);
		const { documents, notarization_records } = await client.ok(
			'GET',
			`/transactions/${id}?document_url_version=v2`,
		);
		const answers = [
			documents[0].final_document_url,
			notarization_records[0].signers[0].primary_front,
			(
				await client.ok(
					'GET',
					`/transactions/${id}/documents/${documents[0].id}?document_url_version=v2`,
				)
			).final_document_url,
			(
				await client.ok(
					'GET',
					`/notarization_records/${notarization_records[0].id}?document_url_version=v2`,
				)
			).notarized_documents[0].document_url,
		];
		for (const link of answers) {
			expect(new URL(link).origin).toBe(sandbox.serviceFilesUrl);
			expect((await fetch(link)).status).toBe(200);
		}
		expect(sandbox.problems).toEqual([]);
	});
});
