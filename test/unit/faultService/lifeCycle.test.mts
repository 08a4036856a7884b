import { describe, expect, test } from '@jest/globals';

import { samplePdf } from '../../support/faultService/state/pdf.mts';
import { call, service, useFaultService } from './support/useFaultService.mts';

useFaultService();

const SIGNERS = [
	{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Able', external_id: 'a' },
	{ email: 'bob@example.com', first_name: 'Bob', last_name: 'Baker', phone_number: '5551234567' },
];
const PDF = samplePdf('a deed').toString('base64');
const kinds = () => service.effects.map(({ kind, marker }) => `${kind} ${marker}`);

describe('a closing', () => {
	test('is created, filled, sent, recalled, corrected and deleted', async () => {
		const R = '/mortgage/v1';
		const created = await call('POST', `${R}/transactions`, {
			transaction_name: 'Closing 1',
			signers: SIGNERS,
			street_address: { line1: '1 Main', city: 'Fairfax', state: 'VA', zip_code: '22030' },
			expiration_time: '2030-01-02T03:04:05Z',
			require_secondary_photo_id: 'true',
		});
		expect(created.status).toBe(200);
		const { id } = created.json;
		expect(created.json).toMatchObject({
			id: expect.stringMatching(/^ot_\w{7}$/),
			status: 'started',
			detailed_status: 'draft',
			require_secondary_photo_id: true,
			expiration_time: '2030-01-02T23:59:59Z',
			street_address: { postal: '22030', full_address: '1 Main, Fairfax, VA 22030' },
			signer_info: { email: 'ann@example.com', link_expired: true, transaction_access_link: '' },
			cosigner_info: { phone: { country_code: '1', number: '5551234567' } },
			documents: [
				{ document_name: 'eSign Consent Form - Signer 1', requirement: 'esign' },
				{ document_name: 'eSign Consent Form - Signer 2' },
			],
		});
		expect(created.json.signer_info).not.toHaveProperty('signing_status');
		const added = await call('POST', `${R}/transactions/${id}/documents`, {
			resource: PDF,
			filename: 'Deed.pdf',
			requirement: 'notarization',
			notarization_required: true,
			witness_required: true,
			signing_designations: [
				{ signer_identifier: 'a', type: 'dob', page_number: 0, x: 1, y: 2, width: 3, height: 4 },
				{
					signer_identifier: 'notary',
					type: 'seal',
					page_number: 0,
					x: 1,
					y: 2,
					width: 3,
					height: 4,
				},
			],
		});
		expect(added.json).toEqual([
			expect.objectContaining({
				document_name: 'Deed.pdf',
				processing_state: 'pending',
				allowed_actions: ['WITNESS_REQUIRED', 'NOTARIZATION_REQUIRED'],
				signing_designations: [expect.anything(), expect.anything()],
				final_document_url: null,
			}),
		]);
		expect(added.json[0]).not.toHaveProperty('notarization_required');
		const documentId = added.json[0].id;
		const got = await call('GET', `/mortgage/v2/transactions/${id}/documents/${documentId}`);
		expect(got.json).toMatchObject({ data: PDF, processing_state: 'done' });
		const sent = await call('POST', `${R}/transactions/${id}/place_order`);
		expect(sent.json).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
		expect(sent.json.signer_info.signing_status).toBe('incomplete');
		const refused = await call('PUT', `${R}/transactions/${id}`, { file_number: '7' });
		expect(refused).toEqual({
			status: 422,
			json: { errors: ['Transaction cannot be edited at this time.'] },
		});
		const recalled = await call('POST', `${R}/transactions/${id}/recall?recall_reason=wrong`);
		expect(recalled.json).toMatchObject({ detailed_status: 'recalled', recall_reason: 'wrong' });
		const corrected = await call('PUT', `${R}/transactions/${id}/`, {
			signers: [{ ...SIGNERS[0], email: 'anne@example.com' }, SIGNERS[1]],
		});
		expect(corrected.json.signers).toMatchObject([
			{ email: 'anne@example.com', signer_id: created.json.signers[0].signer_id },
			{ signer_id: created.json.signers[1].signer_id },
		]);
		const renamed = await call('PATCH', `${R}/documents/${documentId}`, { name: 'Deed 2.pdf' });
		expect(renamed.json).toMatchObject({ document_name: 'Deed 2.pdf' });
		expect((await call('DELETE', `${R}/documents/${documentId}`)).json).toEqual({
			message: `Deleted document ${documentId} successfully`,
		});
		expect((await call('DELETE', `${R}/transactions/${id.replace('_', '')}`)).json).toEqual({
			message: `Deleted Transaction ${id} successfully`,
		});
		expect(await call('GET', `${R}/transactions/${id}`)).toEqual({
			status: 404,
			json: { errors: ['Transaction Not Found'] },
		});
		expect(kinds()).toEqual([
			'transaction.created Closing 1',
			'document.added Deed.pdf',
			'transaction.sent Closing 1',
			'transaction.recalled Closing 1',
			'transaction.updated Closing 1',
			'document.updated Deed 2.pdf',
			'document.deleted Deed 2.pdf',
			'transaction.deleted Closing 1',
		]);
	});
	test('has an eNote, external documents and places', async () => {
		const R = '/mortgage/v2';
		const { json } = await call('POST', `${R}/transactions`, { transaction_type: 'refinance' });
		const file = Buffer.from('<SMART_DOCUMENT/>').toString('base64');
		const enote = await call('POST', `${R}/transactions/${json.id}/enote`, { type: 'ENOTE', file });
		expect(enote.json).toMatchObject({ is_enote: true, document_name: 'enote.xml' });
		const gone = await call('DELETE', `${R}/transactions/${json.id}/enote`);
		expect(gone.json).toEqual({ message: 'Deleted enote successfully' });
		const imported = { document_code: 'X', external_source: 'docmagic' };
		expect(
			(await call('POST', `${R}/transactions/${json.id}/documents/external`, imported)).json,
		).toEqual({ response: 'processing' });
		const address = ['line1', 'city', 'state', 'postal'].map(
			(part) => `street_address[${part}]=VA`,
		);
		const query = `transaction_type=refinance&${address.join('&')}`;
		for (const path of ['transactions/verify_address', 'recording_locations'])
			expect((await call('GET', `${R}/${path}?${query}`)).json[0]).toHaveProperty('eligible', true);
		service.options.verifyAddress = 'documented';
		expect((await call('GET', `${R}/transactions/verify_address?${query}`)).json).toHaveProperty(
			'supported',
			true,
		);
		expect((await call('GET', `${R}/title_agencies?email=example.com`)).json).toHaveLength(2);
		const state = 'transaction_type=refinance&state_abbreviation=VA';
		expect((await call('GET', `${R}/transactions/title_underwriters?${state}`)).json).toEqual({
			title_agent_found: false,
			eligible_title_underwriters: [expect.anything(), expect.anything()],
		});
		expect((await call('GET', '/mortgage/v1/notaries/')).json).toHaveLength(2);
		expect((await call('GET', '/mortgage/v2/notaries')).status).toBe(404);
	});
});

describe('a business transaction', () => {
	test('is sent at once, completed, and retrieved with its files', async () => {
		const made = await call('POST', '/v1/transactions/', {
			external_id: 'order 7',
			signers: [SIGNERS[0]],
			documents: [PDF, { resource: 'https://example.com/a/lease.pdf', requirement: 'esign' }],
		});
		expect(made.json).toMatchObject({
			status: 'sent',
			transaction_name: 'Untitled Transaction',
			documents: [{ notarization_required: true }, { document_name: 'lease.pdf' }],
		});
		expect(kinds()).toEqual(['transaction.created order 7', 'transaction.sent order 7']);
		service.complete(made.json.id);
		const { json } = await call('GET', `/transactions/${made.json.id}`);
		expect(json).toMatchObject({ status: 'completed', detailed_status: 'complete' });
		const link = json.documents[0].final_document_url;
		const file = await fetch(link);
		expect(Buffer.from(await file.arrayBuffer()).toString('base64')).toBe(PDF);
		expect((await fetch(link.replace(/\w$/, '!'))).status).toBe(403);
		const record = await call('GET', `/notarization_records/${json.notarization_record}`);
		expect(record.json.notarized_documents).toHaveLength(1);
		expect((await call('GET', '/notarization_records')).json.records).toHaveLength(1);
		const video = await fetch(record.json.video_url, { headers: { ApiKey: service.key } });
		expect(video.headers.get('content-type')).toBe('video/mp4');
		const image = await fetch(record.json.signer_photo_identification.primary_front);
		expect(image.headers.get('content-type')).toBe('image/png');
		const trail = `/transactions/${json.id}/assets/audit_trail?encoding=base64`;
		expect(Buffer.from((await call('GET', trail)).json.data, 'base64').toString()).toMatch(/^%PDF/);
	});
	test('takes a file upload, a template and a bookmarked PDF', async () => {
		const { json } = await call('POST', '/transactions', { draft: true, signers: [SIGNERS[0]] });
		const form = new FormData();
		form.set('resource', new Blob([samplePdf('upload')]), 'Upload.pdf');
		form.set('requirement', 'esign');
		form.set('signing_designation_groups', '[{"name":"g"}]');
		const path = `/transactions/${json.id}/documents`;
		const answer = await fetch(service.url + path, {
			method: 'POST',
			headers: { ApiKey: service.key },
			body: form,
		});
		expect(await answer.json()).toMatchObject({
			document_name: 'Upload.pdf',
			esign_required: true,
			signing_designation_groups: [{ name: 'g' }],
		});
		const templates = await call('GET', '/templates?limit=2&offset=2');
		expect(templates.json).toMatchObject({ total_count: 3, templates: [{ name: 'Template 3' }] });
		const { permalink } = templates.json.templates[0];
		expect((await call('POST', path, { resource: permalink })).status).toBe(200);
		const split = { resource: PDF, filename: 'Package.pdf', pdf_bookmarked: true };
		expect((await call('POST', path, split)).json).not.toHaveProperty('id');
		const { documents } = (await call('GET', `/transactions/${json.id}`)).json;
		expect(documents.map((one: any) => one.document_name)).toEqual([
			'Upload.pdf',
			'Untitled Document',
			'Package.pdf - Bookmark 1',
			'Package.pdf - Bookmark 2',
		]);
		const [stored] = service.state.transactions.values();
		expect(stored.documents[0].content).toEqual(samplePdf('upload'));
	});
	test('waits for its documents with a delay', async () => {
		service.options.processingMs = 600_000;
		const { json } = await call('POST', '/transactions', { draft: true, signers: [SIGNERS[0]] });
		const path = `/transactions/${json.id}/documents`;
		const { id } = (await call('POST', path, { resource: PDF })).json;
		expect((await call('GET', `${path}/${id}`)).json.processing_state).toBe('pending');
		expect((await call('GET', `${path}/${id}?encoding=base64`)).status).toBe(409);
	});
});
