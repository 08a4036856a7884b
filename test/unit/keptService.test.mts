import type { IDataObject } from 'n8n-workflow';

import { startKeptService, type KeptOptions } from '../support/keptService/index.mts';
import { onePage } from '../support/pdfFile.mts';

/** The service that keeps what it's told answers as live services were seen to (docs/service). */

const PDF = onePage('BT ET').toString('base64');
const JANE = { email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' };
const CLOSING = {
	transaction_type: 'refinance',
	loan_number: '7',
	signer: { ...JANE, phone_number: '617 555 0123', external_id: 's1' },
	street_address: { line1: '1 Main St', city: 'Boston', state: 'MA', zip_code: '02110' },
	title_agency_id: 'or_harbor',
	paper_note_consent: true,
	message_to_signer: 'Sign <b>here</b>',
};
const DEED = {
	filename: 'Deed',
	resource: PDF,
	requirement: 'notarization',
	witness_required: true,
	tracking_id: 't1',
	signing_designations: [{ signer_identifier: 's1', type: 'signature', x: 1, y: 2 }],
};

async function begin(options: Partial<KeptOptions> = {}) {
	const service = await startKeptService(options);
	const ask = async (request: string, body?: object) => {
		const [method, path] = request.split(' ');
		const answer = await fetch(`${service.url}${path}`, {
			method,
			headers: { ApiKey: 'k' },
			...(body && { body: JSON.stringify(body) }),
		});
		return { status: answer.status, json: (await answer.json()) as any };
	};
	const dispose = async () => await service[Symbol.asyncDispose]();
	return { ...service, ask, [Symbol.asyncDispose]: dispose };
}
type Ask = Awaited<ReturnType<typeof begin>>['ask'];
const create = async (ask: Ask, base: string, body: object): Promise<IDataObject> =>
	(await ask(`POST ${base}/transactions`, body)).json;
const R = '/mortgage/v2';

test('a closing', async () => {
	await using service = await begin();
	const { ask, kept } = service;
	const made = await create(ask, R, CLOSING);
	expect(made).toMatchObject({
		status: 'started',
		detailed_status: 'draft',
		transaction_name: '1 Main St, Boston, MA',
		message_to_signer: 'Sign here',
		title_agency: { id: 'orharbor', name: expect.any(String), company_notaries: false },
		street_address: { postal: '02110', full_address: expect.stringContaining('1 Main St') },
		signer_info: {
			phone: { country_code: '1', number: '6175550123' },
			link_expired: true,
			transaction_access_link: '',
		},
		documents: [{ document_name: 'eSign Consent Form - Signer 1', requirement: 'esign' }],
	});
	expect(made.date_created).toMatch(/\.\d{6}Z$/);
	for (const name of ['paper_note_consent', 'title_agency_id', 'signer', 'external_id'])
		expect(made).not.toHaveProperty([name]);
	expect(made.signer_info).not.toHaveProperty('signing_status');
	const { json: added } = await ask(`POST ${R}/transactions/${made.id}/documents`, DEED);
	expect(added).toMatchObject([
		{
			document_name: 'Deed',
			allowed_actions: ['NOTARIZATION_REQUIRED', 'WITNESS_REQUIRED'],
			tracking_id: 't1',
			final_document_url: null,
			is_enote: false,
		},
	]);
	expect(Object.keys(added[0].signing_designations[0])).toEqual(['id']);
	expect(added[0]).not.toHaveProperty('notarization_required');
	const got = await ask(`GET ${R}/transactions/${made.id}/documents/${added[0].id}`);
	expect(got.json.data).toBe(PDF);
	const sent = await ask(`POST ${R}/transactions/${made.id}/place_order`);
	expect(sent.json).toMatchObject({ status: 'sent', signers: [{ signing_status: 'incomplete' }] });
	expect(kept.sent).toMatchObject([{ id: made.id, documents: [{}, { name: 'Deed' }] }]);
	expect((await ask(`DELETE ${R}/documents/${added[0].id}`)).json.errors).toEqual([
		'Transaction Cannot Be Modified',
	]);
	const back = await ask(`POST ${R}/transactions/${made.id}/recall?recall_reason=Wrong`);
	expect(back.json).toMatchObject({ detailed_status: 'recalled', recall_reason: 'Wrong' });
	expect(kept.writes.map(({ status }) => status)).toEqual([200, 200, 200, 422, 200]);
});

test.each([
	['replaces', undefined],
	['merges', '7'],
] as const)('a PUT that %s', async (put, loan) => {
	await using service = await begin({ put });
	const { ask } = service;
	const { id } = await create(ask, R, CLOSING);
	const { json } = await ask(`PUT ${R}/transactions/${id}`, {
		signer: CLOSING.signer,
		transaction_type: 'refinance',
	});
	expect(json.loan_number).toBe(loan);
	expect(json.documents).toHaveLength(1);
});

test('an eNote, and what is refused without one', async () => {
	await using service = await begin();
	const { ask } = service;
	const { id } = await create(ask, R, { ...CLOSING, paper_note_consent: false });
	const path = `${R}/transactions/${id}`;
	expect(await ask(`POST ${path}/place_order`)).toMatchObject({
		status: 422,
		json: { errors: ['eNote Required'] },
	});
	const file = Buffer.from('<NOTE/>').toString('base64');
	const { json } = await ask(`POST ${path}/enote`, { file, type: 'ENOTE' });
	expect(json).toMatchObject({
		document_name: 'enote.xml',
		requirement: 'readonly',
		is_enote: true,
	});
	expect((await ask(`GET ${path}/documents/${json.id}`)).json.data).toBe(file);
	expect((await ask(`DELETE ${path}/enote`)).status).toBe(200);
	expect((await ask(`POST ${path}/place_order`)).status).toBe(422);
});

test('a business transaction', async () => {
	await using service = await begin();
	const { ask, colleague, kept } = service;
	const body = { signers: [{ ...JANE, external_id: 's1' }], external_id: 'c', draft: true };
	const made = await create(ask, '', body);
	expect(made).toMatchObject({ transaction_name: 'Untitled Transaction', documents: [] });
	const { json } = await ask(`POST /v1/transactions/${made.id}/documents`, DEED);
	expect(json).toMatchObject({ notarization_required: true, tracking_id: 't1', vaulted: false });
	expect(json.signing_designations).toMatchObject(DEED.signing_designations);
	expect(json).not.toHaveProperty('is_enote');
	const changed = await ask(`PATCH /transactions/${made.id}`, { message_to_signer: 'Hi' });
	expect(changed.json).toMatchObject({ external_id: 'c', message_to_signer: 'Hi' });
	await ask(`POST /transactions/${made.id}/notarization_ready`);
	colleague.decline('c');
	expect((await ask(`GET /transactions/${made.id}`)).json.detailed_status).toBe('declined');
	expect((await ask(`PATCH /transactions/${made.id}`, {})).status).toBe(422);
	expect(kept.sent).toHaveLength(1);
});

test('a list', async () => {
	await using service = await begin({ listHidesNumbers: true });
	const { ask } = service;
	for (const loan of ['1', '2', '3']) await create(ask, R, { ...CLOSING, loan_number: loan });
	const all = await ask(`GET ${R}/transactions?limit=2&offset=1`);
	expect(all.json).toMatchObject({ total_count: 3, count: 2 });
	expect(all.json.data[0]).not.toHaveProperty('loan_number');
	const one = await ask(`GET ${R}/transactions?loan_number=2`);
	expect(one.json).toMatchObject({ total_count: 1, count: 1 });
	const { id } = one.json.data[0];
	expect((await ask(`GET ${R}/transactions/${id}`)).json.loan_number).toBe('2');
	expect((await ask('GET /transactions')).json.total_count).toBe(0);
});

test('what is not there, and who has no key', async () => {
	await using service = await begin();
	const { ask, url } = service;
	expect(await ask('GET /transactions/ot_1')).toEqual({
		status: 404,
		json: { errors: ['Transaction Not Found'] },
	});
	const other = await ask('GET /templates');
	expect(other).toEqual({ status: 404, json: { errors: { request: 'resource not found' } } });
	expect((await fetch(`${url}/transactions`)).status).toBe(401);
});
