import { afterEach, describe, expect, test } from '@jest/globals';

import type { Operation } from '../support/published/description.mts';
import { VARIANTS, type Variant } from '../support/published/generate.mts';
import { RequestCheck } from '../support/published/requestCheck.mts';
import { startPublished, type Published } from '../support/published/server.mts';

/**
 * The published server answers every operation with what the description of the service allows, in
 * every variant, and refuses what it does not allow.
 */

const DOCUMENT = 'do_5afda065-a887-4cda-86de-0123456789ab';
const SIGNER = { email: 'jane@example.com', first_name: 'Jane', external_id: 's1' };
const PDF = 'https://example.com/deed.pdf';
const WEBHOOK = { url: 'https://example.com/hook', subscriptions: ['transaction.*'] };
const NOTARY = {
	email: 'nora@example.com',
	first_name: 'Nora',
	last_name: 'Notary',
	us_state_abbr: 'ma',
};
const ENOTE = { file: 'https://example.com/enote.xml', type: 'ENOTE' };
const EXTERNAL = { document_code: '4711', external_source: 'docmagic' };

/** A body for each operation that must have one. */
const BODIES: Record<string, object> = {
	createTransaction: { signers: [SIGNER], draft: true },
	replaceTransaction: { transaction_name: 'A' },
	changeTransaction: { transaction_name: 'A' },
	createClosing: { transaction_type: 'refinance', signer: SIGNER },
	replaceClosing: { transaction_type: 'refinance', signer: SIGNER },
	addDocument: { resource: PDF, requirement: 'esign' },
	addClosingDocument: { document: PDF },
	replaceDocument: { name: 'B' },
	changeDocument: { name: 'B' },
	replaceClosingDocument: { name: 'B' },
	changeClosingDocument: { name: 'B' },
	importDocument: EXTERNAL,
	addEnote: ENOTE,
	createNotary: NOTARY,
	createClosingNotary: NOTARY,
	createWebhook: WEBHOOK,
	updateWebhook: WEBHOOK,
	createClosingWebhook: WEBHOOK,
	updateClosingWebhook: WEBHOOK,
};
const ADDRESS = {
	transaction_type: 'refinance',
	'street_address[line1]': '1 Main St',
	'street_address[city]': 'Boston',
	'street_address[state]': 'MA',
	'street_address[postal]': '02110',
};
/** The query of each operation that must have one. */
const QUERIES: Record<string, Record<string, string>> = {
	verifyAddress: ADDRESS,
	listRecordingLocations: { transaction_type: 'refinance' },
	listTitleUnderwriters: { transaction_type: 'refinance', state_abbreviation: 'MA' },
	listTitleAgencies: { email: 'title.example' },
	getAsset: { asset_key: 'generic_video_session' },
	getAuditTrail: { encoding: 'base64' },
};
/** The state in which a transaction is for an operation. */
const STATES: Array<[RegExp, string]> = [
	[/^(recall|forceComplete|resend|sendContacts)/, 'ot_sent'],
	[/^(get|listEligible|listClosingEligible)/, 'ot_done'],
	[/./, 'ot_draft'],
];

let server: Published;
const started: Published[] = [];
afterEach(async () => {
	for (const each of started.splice(0)) await each.close();
});

async function start(options: Parameters<typeof startPublished>[0] = {}): Promise<void> {
	server = await startPublished(options);
	started.push(server);
}

async function call(
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = { ApiKey: 'any' },
): Promise<{ status: number; type: string; json: any }> {
	const response = await fetch(server.url + path, {
		method,
		headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const type = response.headers.get('content-type') ?? '';
	const text = await response.text();
	const json = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
	return { status: response.status, type, json };
}

/** A path of an operation, with IDs that exist. */
function pathOf({ id, path }: Operation): string {
	const [, transaction] = STATES.find(([ids]) => ids.test(id))!;
	const ids: Record<string, string> = {
		// One for each operation, so that none meets what another one did.
		transaction_id: `${transaction}_${id}`,
		document_id: `do_${id}`,
		record_id: 'me_record1',
		notary_id: id.startsWith('delete') ? `us_${id.toLowerCase()}` : 'us_notary1',
		webhook_id: id.startsWith('delete') ? `wh${id.toLowerCase()}` : 'whfirst01',
	};
	const query = new URLSearchParams(QUERIES[id]).toString();
	return path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]) + (query && `?${query}`);
}

const answerOf = async (operation: Operation, body: unknown = BODIES[operation.id]) =>
	await call(operation.method, pathOf(operation), body);

/** Deletions last, because what they delete is used by others. */
const inOrder = (operations: Operation[]) =>
	[...operations].sort(
		(a, b) => Number(a.id.startsWith('delete')) - Number(b.id.startsWith('delete')),
	);

/** The schemas with numbers that may be texts of digits. */
function withTextNumbers(part: any): any {
	if (typeof part !== 'object' || part === null) return part;
	if (Array.isArray(part)) return part.map(withTextNumbers);
	const { type, ...rest } = part;
	if (['integer', 'number'].includes(type)) return { type: 'string', pattern: '^\\d+$' };
	return {
		...Object.fromEntries(
			Object.entries(rest).map(([key, inner]) => [key, withTextNumbers(inner)]),
		),
		...(type !== undefined && {
			type: Array.isArray(type)
				? type.map((name) => (['integer', 'number'].includes(name) ? 'string' : name))
				: withTextNumbers(type),
		}),
	};
}

/** Every value within a value, with its path. */
function* walk(value: unknown, path = ''): Generator<[string, unknown]> {
	yield [path, value];
	if (typeof value !== 'object' || value === null) return;
	for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${path}/${name}`);
}

describe.each(VARIANTS)('variant %s', (variant) => {
	test('every operation answers what its schema allows', async () => {
		await start({ variant });
		const { description } = server;
		const check = new RequestCheck({
			...description,
			document:
				variant === 'textNumbers' ? withTextNumbers(description.document) : description.document,
		} as never);
		for (const operation of inOrder(description.operations)) {
			const { status, type, json } = await answerOf(operation);
			expect([operation.id, status]).toEqual([operation.id, operation.status]);
			if (operation.answer === undefined) {
				expect([operation.id, json]).toEqual([operation.id, undefined]);
				continue;
			}
			expect(type).toContain('json');
			const schema =
				variant === 'textNumbers' ? withTextNumbers(operation.answer) : operation.answer;
			expect([operation.id, check.errors(schema, json)]).toEqual([operation.id, []]);
			for (const item of Array.isArray(json) ? json : [json])
				if (typeof item === 'object') expect(item).not.toHaveProperty('error');
		}
		expect(server.problems).toEqual([]);
		expect(server.requests.map(({ operationId }) => operationId).sort()).toEqual(
			description.operations.map(({ id }) => id).sort(),
		);
	});

	test('an answer is about what the path names, and lists hold what can be fetched', async () => {
		await start({ variant });
		for (const prefix of ['/transactions', '/mortgage/v1/transactions']) {
			expect((await call('GET', `${prefix}/ot_abc1234`)).json.id).toBe('ot_abc1234');
			const { data } = (await call('GET', prefix)).json;
			expect(data.length).toBeGreaterThan(3);
			for (const { id, status } of data)
				expect((await call('GET', `${prefix}/${id}`)).json).toMatchObject({ id, status });
		}
		const { records } = (await call('GET', '/notarization_records')).json;
		for (const { id } of records)
			expect((await call('GET', `/notarization_records/${id}`)).json.id).toBe(id);
		for (const { id } of (await call('GET', '/notaries')).json)
			expect((await call('GET', `/notaries/${id}`)).json.id).toBe(id);
		for (const entry of (await call('GET', '/v2/webhooks')).json) {
			const id = entry.id ?? entry;
			expect((await call('GET', `/v2/webhooks/${id}`)).json.id).toBe(id);
		}
	});

	test('what is deleted is gone, and states move', async () => {
		await start({ variant });
		const status = async (id: string) =>
			(await call('GET', `/mortgage/v1/transactions/${id}`)).json.status;
		const act = async (method: string, path: string) =>
			(await call(method, `/mortgage/v1/transactions/${path}`)).status;
		expect(await status('ot_draft07')).toBe('started');
		expect(await act('POST', 'ot_draft07/place_order')).toBe(200);
		expect(await status('ot_draft07')).toBe('sent');
		expect(await act('POST', 'ot_draft07/recall?recall_reason=Typo')).toBe(200);
		expect(await status('ot_draft07')).toBe('started');
		expect(await act('DELETE', 'ot_draft07')).toBe(200);
		expect(await act('GET', 'ot_draft07')).toBe(404);
		expect(await act('GET', 'unknown')).toBe(404);
		expect((await call('DELETE', '/v2/webhooks/whfirst01')).json).toMatchObject({ deleted: true });
		expect((await call('GET', '/v2/webhooks/whfirst01')).status).toBe(404);
	});
});

test('each operation that must have a body has one here', async () => {
	await start();
	const needy = server.description.operations.filter(({ body }) => body?.required);
	expect(Object.keys(BODIES).sort()).toEqual(needy.map(({ id }) => id).sort());
});

describe('what a variant shows', () => {
	const shown = async (variant: Variant, path: string) => {
		await start({ variant });
		return (await call('GET', path)).json;
	};
	const DONE = '/mortgage/v1/transactions/ot_done001';

	test('all: fields that nobody wrote, too', async () => {
		const closing = await shown('all', DONE);
		for (const name of ['cost', 'lender', 'order_progress', 'contacts', 'attachments'])
			expect(closing).toHaveProperty(name);
		expect(closing.signers[0]).toEqual(closing.signer_info);
		expect(closing.documents[0]).toMatchObject({ processing_state: 'done', is_enote: false });
	});
	test('required: nothing else', async () => {
		expect(await shown('required', DONE)).toEqual({ id: 'ot_done001', status: 'completed' });
		const { data } = (await call('GET', '/transactions')).json;
		for (const entry of data) expect(Object.keys(entry).sort()).toEqual(['id', 'status']);
	});
	test('nulls: null where it may be, but not instead of what is known', async () => {
		expect(await shown('nulls', DONE)).toMatchObject({
			external_id: null,
			lender: null,
			street_address: null,
			notarization_record: 'me_done001',
		});
	});
	test('textNumbers: no number is left, every boolean is', async () => {
		const values = [...walk(await shown('textNumbers', DONE))].map(([, value]) => typeof value);
		expect(values).not.toContain('number');
		expect(values).toContain('boolean');
		const list = (await call('GET', '/transactions')).json;
		expect(list.total_count).toBe(String(list.data.length));
	});
	test('otherOrder: the oldest first, and the other form of what has two', async () => {
		const list = await shown('otherOrder', '/transactions');
		const times = list.data.map(({ date_created }: any) => date_created);
		expect(times).toEqual([...times].sort());
		expect(typeof (await call('GET', DONE)).json.notarization_record).toBe('object');
		expect(typeof (await call('GET', '/v2/webhooks')).json[0]).toBe('string');
		const events = (await call('GET', '/v2/webhooks/whfirst01/events')).json;
		expect(typeof events[0].payload).toBe('object');
	});
	test('further: unknown fields with any name but error, nested too', async () => {
		const closing = await shown('further', DONE);
		for (const place of [closing, closing.signers[0], closing.documents[0], closing.title_agency])
			for (const name of ['object', 'constructor', 'toString', 'length'])
				expect(Object.keys(place)).toContain(name);
		expect(closing).not.toHaveProperty('error');
	});
	test('the same seed shows the same, another something else', async () => {
		const first = await shown('all', DONE);
		const names = ({ signers, cost }: any) => [signers[0].last_name, cost];
		expect(names(await shown('all', DONE))).toEqual(names(first));
		await start({ seed: 2 });
		expect(names((await call('GET', DONE)).json)).not.toEqual(names(first));
	});
	test('empty writes: done, but nothing is said', async () => {
		await start({ emptyWrites: true });
		expect(await call('POST', '/transactions', BODIES.createTransaction)).toMatchObject({
			status: 200,
			json: undefined,
		});
		expect((await call('GET', '/transactions')).json.data[0].signers[0].email).toBe(SIGNER.email);
	});
});

describe('what is written is answered by its other name', () => {
	test('a closing', async () => {
		await start();
		const { json } = await call('POST', '/mortgage/v2/transactions', {
			transaction_type: 'refinance',
			signer: { ...SIGNER, phone_number: '+16175550123' },
			require_secondary_id: 'true',
			redirect: { url: 'https://example.com/', message: 'Thanks' },
			recording_jurisdiction_id: 'rlboston1',
			title_agency_id: 'or_agency1',
			expiration_time: '2099-01-02T12:00:00Z',
			street_address: { line1: '1 Main St', city: 'Boston', state: 'MA', zip_code: '02110' },
			draft: true,
		});
		expect(json).toMatchObject({
			status: 'started',
			detailed_status: 'draft',
			signer_info: { phone: { country_code: '1', number: '6175550123' }, link_expired: true },
			signers: [{ email: SIGNER.email, external_id: 's1', transaction_access_link: '' }],
			require_secondary_photo_id: true,
			redirect: { redirect_url: 'https://example.com/', redirect_msg: 'Thanks' },
			recording_jurisdiction: { id: 'rlboston1' },
			title_agency: { id: 'or_agency1' },
			expiration_time: '2099-01-02T23:59:59Z',
			street_address: { postal: '02110', full_address: '1 Main St, Boston, MA 02110' },
			transaction_name: '1 Main St, Boston, MA 02110',
			documents: [{ document_name: 'eSign Consent Form - Signer 1' }],
		});
		for (const name of ['signer', 'draft', 'recording_jurisdiction_id'])
			expect(json).not.toHaveProperty(name);
		expect((await call('GET', `/mortgage/v2/transactions/${json.id}`)).json).toEqual(json);
	});
	test('a document', async () => {
		await start();
		const added = (
			await call('POST', '/v1/transactions/ot_draft01/documents', {
				resource: PDF,
				filename: 'Deed',
				requirement: 'notarization',
				witness_required: true,
				tracking_id: '7',
			})
		).json;
		expect(added).toMatchObject({
			document_name: 'Deed',
			requirement: 'notarization',
			tracking_id: '7',
			allowed_actions: ['WITNESS_REQUIRED'],
			bundle_position: 2,
		});
		const changed = { name: 'Deed of Trust', witness_required: 'false' };
		expect((await call('PATCH', `/v1/documents/${added.id}`, changed)).json).toMatchObject({
			id: added.id,
			document_name: 'Deed of Trust',
			allowed_actions: [],
		});
		const { documents } = (await call('GET', '/v1/transactions/ot_draft01')).json;
		expect(documents[2]).toMatchObject({ id: added.id, document_name: 'Deed of Trust' });
	});
	test('a webhook', async () => {
		await start();
		const { id } = (
			await call('POST', '/v2/webhooks/', {
				...WEBHOOK,
				header: 'X-Case:1',
				signing_key: 'secret',
				oauth_config: {
					oauth_token_url: 'https://example.com/token',
					client_id: 'a',
					client_secret: 'secret',
				},
			})
		).json;
		const { json } = await call('GET', `/v2/webhooks/${id}`);
		expect(json).toMatchObject({
			...WEBHOOK,
			header: 'X-Case:1',
			headers: ['X-Case:1'],
			oauth: { enabled: true, token_url: 'https://example.com/token', client_id: 'a' },
		});
		expect(JSON.stringify(json)).not.toContain('secret');
		expect((await call('PUT', `/v2/webhooks/${id}`, WEBHOOK)).json).toEqual({ updated: true });
	});
});

describe('files', () => {
	test('the finished document is a PDF behind a link, its content comes when asked for', async () => {
		await start();
		const path = `/transactions/ot_done001/documents/${DOCUMENT}`;
		const { json } = await call('GET', `${path}?encoding=base64`);
		expect(Buffer.from(json.data, 'base64').toString()).toMatch(/^%PDF/);
		expect(await (await fetch(json.final_document_url)).text()).toMatch(/^%PDF/);
		expect((await call('GET', path)).json).not.toHaveProperty('data');
		expect(
			(await call('GET', `/transactions/ot_sent001/documents/${DOCUMENT}`)).json,
		).toMatchObject({ final_document_url: null });
		expect((await call('GET', '/transactions/ot_done001/assets/audit_trail')).type).toBe(
			'application/pdf',
		);
	});
	test('the video is on the host of the interface, and the key is not for the storage', async () => {
		await start();
		const { video_url: video } = (await call('GET', '/notarization_records/me_record1')).json;
		expect((await call('GET', video.replace(server.url, ''))).type).toBe('video/mp4');
		const { final_document_url: link } = (
			await call('GET', `/transactions/ot_done001/documents/${DOCUMENT}`)
		).json;
		await fetch(link, { headers: { ApiKey: 'any' } });
		expect(server.problems).toEqual([expect.stringMatching(/key was sent to the storage/)]);
	});
});

describe('wrong requests are refused', () => {
	const R = '/mortgage/v1/transactions';
	const PLACE = {
		signer_identifier: 's1',
		type: 'signature',
		page_number: 0,
		x: 1,
		y: 1,
		width: 9,
		height: 9,
	};
	const WITHOUT_POSTAL = new URLSearchParams(ADDRESS);
	WITHOUT_POSTAL.delete('street_address[postal]');
	const TOO_MANY = Array.from({ length: 11 }, () => SIGNER);
	test.each<[string, string, string, unknown, number, RegExp]>([
		['an unknown field', 'POST', '/transactions', { signerz: [] }, 400, /signerz/],
		[
			'a wrong type',
			'PATCH',
			`/documents/${DOCUMENT}`,
			{ name: 7 },
			400,
			/Invalid value for name - expected String/,
		],
		[
			'designations that are no array',
			'POST',
			'/transactions/ot_draft01/documents',
			{ resource: PDF, signing_designations: '[]' },
			400,
			/Invalid value for signing_designations - expected Array/,
		],
		[
			'a designation at half a point',
			'POST',
			'/transactions/ot_draft01/documents',
			{ resource: PDF, signing_designations: [{ ...PLACE, x: 1.5 }] },
			400,
			/integer/,
		],
		[
			'a document without content',
			'POST',
			'/transactions/ot_draft01/documents',
			{ requirement: 'esign' },
			400,
			/resource/,
		],
		['eleven signers', 'POST', '/transactions', { signers: TOO_MANY }, 400, /10/],
		[
			'a long name',
			'POST',
			'/transactions',
			{ signers: [{ ...SIGNER, first_name: 'x'.repeat(31) }] },
			400,
			/30/,
		],
		[
			'a signer without email',
			'POST',
			'/transactions',
			{ signers: [{ first_name: 'Jane' }] },
			400,
			/email/,
		],
		[
			'half an email',
			'POST',
			'/transactions',
			{ signers: [{ email: 'jane' }] },
			400,
			/Invalid email format/,
		],
		[
			'a typo in an email',
			'POST',
			R,
			{ signer: { email: 'jane@gmial.com' } },
			400,
			/Typo in domain name/,
		],
		[
			'both kinds of signers',
			'POST',
			R,
			{ signer: SIGNER, signers: [SIGNER] },
			422,
			/Use either the signers array/,
		],
		[
			'signers and a cosigner',
			'PUT',
			`${R}/ot_draft01`,
			{ transaction_type: 'other', signers: [SIGNER], cosigner: { first_name: 'A' } },
			422,
			/Use either the signers array/,
		],
		[
			'a change of a closing without type',
			'PUT',
			`${R}/ot_draft01`,
			{ signer: SIGNER },
			422,
			/transaction_type/,
		],
		[
			'a consent that is no text',
			'POST',
			R,
			{ signer: SIGNER, jurisdiction_eligibility_consent: true },
			400,
			/expected String/,
		],
		['a state in full', 'POST', R, { street_address: { state: 'Massachusetts' } }, 400, /state/],
		['a payer of a closing', 'POST', R, { signer: SIGNER, payer: 'sender' }, 400, /payer/],
		[
			'identity checks without the questions',
			'POST',
			R,
			{ signer: { ...SIGNER, assurance_requirement: { id_verification: { selfie: true } } } },
			422,
			/knowledge_based_authentication/,
		],
		[
			'a capacity without entity',
			'POST',
			'/transactions',
			{ signers: [{ ...SIGNER, capacity: 'Trustee' }] },
			422,
			/entity/,
		],
		[
			'a webhook without events',
			'POST',
			'/v2/webhooks',
			{ url: WEBHOOK.url },
			422,
			/Invalid value for required field subscriptions - expected Array/,
		],
		[
			'an event that is none',
			'PUT',
			'/v2/webhooks/whfirst01',
			{ ...WEBHOOK, subscriptions: ['transaction.canceled'] },
			422,
			/Invalid subscription passed/,
		],
		['a body that is not taken', 'POST', `${R}/ot_sent001/send_sms`, { phone: {} }, 400, /no body/],
		['no body', 'POST', '/v2/webhooks', undefined, 400, /no body/],
		['an unknown parameter', 'GET', '/transactions?loan_number=7', undefined, 400, /loan_number/],
		['a limit that is no number', 'GET', '/transactions?limit=many', undefined, 400, /limit/],
		[
			'a page of templates that is too long',
			'GET',
			'/templates?limit=5000',
			undefined,
			400,
			/invalid request parameters/,
		],
		[
			'an address without postal code',
			'GET',
			`${R}/verify_address?${WITHOUT_POSTAL}`,
			undefined,
			400,
			/Missing parameter street_address\[postal\]/,
		],
		[
			'agencies of nowhere',
			'GET',
			'/mortgage/v1/title_agencies',
			undefined,
			400,
			/Email or address is required/,
		],
		[
			'an encoding that is none',
			'GET',
			`/transactions/ot_done001/documents/${DOCUMENT}?encoding=hex`,
			undefined,
			400,
			/Invalid encoding/,
		],
		[
			'an eNote with one borrower only',
			'POST',
			`${R}/ot_draft01/enote`,
			{ ...ENOTE, borrowers: {} },
			400,
			/borrowers argument must be array/,
		],
		[
			'another outside generator',
			'POST',
			`${R}/ot_draft01/documents/external`,
			{ ...EXTERNAL, external_source: 'x' },
			400,
			/external_source/,
		],
		[
			'a change after sending',
			'PATCH',
			'/transactions/ot_sent001',
			{ transaction_name: 'A' },
			422,
			/cannot be edited/,
		],
		[
			'a document after sending',
			'POST',
			'/transactions/ot_sent001/documents',
			{ resource: PDF },
			422,
			/Cannot Be Modified/,
		],
		[
			'a recall of a draft',
			'POST',
			'/transactions/ot_draft01/recall',
			undefined,
			422,
			/cannot be recalled/,
		],
		[
			'a deletion after completion',
			'DELETE',
			'/transactions/ot_done001',
			undefined,
			422,
			/already been completed/,
		],
		['notaries under v2', 'GET', '/mortgage/v2/notaries', undefined, 404, /Not Found/],
		['an unknown call', 'GET', '/nothing', undefined, 404, /Not Found/],
	])('%s', async (_title, method, path, body, status, text) => {
		await start();
		const answer = await call(method, path, body);
		expect([answer.status, JSON.stringify(answer.json)]).toEqual([
			status,
			expect.stringMatching(text),
		]);
	});
	test('no key', async () => {
		await start();
		expect((await call('GET', '/transactions', undefined, {})).json).toEqual({
			message: 'Invalid authentication credentials',
			errors: ['Invalid authentication credentials'],
		});
	});
	test('what the schemas do not allow is a problem, what a rule of the service forbids is none', async () => {
		await start();
		await call('POST', '/transactions', { signers: [{ email: 'jane' }] });
		await call('GET', '/transactions/ot_gone999');
		expect(server.problems).toEqual([]);
		await call('POST', '/transactions', { signerz: [] });
		expect(server.problems).toEqual([expect.stringMatching(/^POST \/transactions: .*signerz/)]);
	});
	test('a business create needs no `signer`, and both layouts are understood, with a slash too', async () => {
		await start();
		for (const path of ['/transactions/', '/v1/transactions'])
			expect((await call('POST', path, { signers: [SIGNER] })).json.status).toBe('sent');
		expect((await call('POST', '/mortgage/v2/webhooks/', WEBHOOK)).status).toBe(200);
		expect((await call('GET', '/mortgage/v1/notaries/')).status).toBe(200);
	});
	test('a form with a file is read', async () => {
		await start();
		const form = new FormData();
		form.set('resource', new Blob(['%PDF-']), 'deed.pdf');
		form.set('filename', 'Deed');
		form.set('witness_required', 'true');
		const answer = await fetch(`${server.url}/transactions/ot_draft01/documents`, {
			method: 'POST',
			headers: { ApiKey: 'any' },
			body: form,
		});
		expect(await answer.json()).toMatchObject({
			document_name: 'Deed',
			allowed_actions: ['WITNESS_REQUIRED'],
		});
	});
});
