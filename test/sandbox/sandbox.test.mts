import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import FormData from 'form-data';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { samplePdf } from '../../sandbox/samples.mts';
import { signature } from '../../sandbox/webhooks.mts';

/** The double itself, spoken to over HTTP by clients that are not ours: fetch, and form-data for multipart. */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ webhookRetryScheduleSeconds: [10, 60] });
});
afterAll(async () => await sandbox.close());

async function call(method: string, path: string, body?: unknown, key = sandbox.keys.full, at = sandbox): Promise<{ status: number; body: any }> {
	const answer = await fetch(at.url + path, { method, headers: { ApiKey: key, ...(body !== undefined && { 'content-type': 'application/json' }) }, body: body === undefined ? undefined : JSON.stringify(body) });
	const text = await answer.text();
	return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

const CLOSING = { transaction_type: 'refinance', paper_note_consent: true, title_agency_id: 'or_agency_harbor', signer: { email: 'jane@example.com', external_id: 'borrower-1' }, street_address: { line1: '1 Main St', city: 'Boston', state: 'MA' } };
const closing = async (more: object = {}) => (await call('POST', '/mortgage/v1/transactions', { ...CLOSING, ...more })).body.id as string;
const pdf = async () => (await samplePdf('deed-of-trust'))!.toString('base64');

describe('interface §5.1: authentication', () => {
	test('no key and a wrong key get 401', async () => {
		expect((await fetch(`${sandbox.url}/v2/webhooks`)).status).toBe(401);
		expect((await call('GET', '/v2/webhooks', undefined, 'wrong')).status).toBe(401);
	});
	test('gaps §2: a client-only key may only create', async () => {
		expect((await call('POST', '/mortgage/v1/transactions', CLOSING, sandbox.keys.clientOnly)).status).toBe(200);
		expect((await call('GET', '/v2/webhooks', undefined, sandbox.keys.clientOnly)).status).toBe(403);
	});
	test('interface §5.3: a child key does not see the parent, a parent key sees the child', async () => {
		const own = (await call('POST', '/mortgage/v1/transactions', CLOSING, sandbox.keys.childFull)).body.id;
		expect((await call('GET', `/mortgage/v1/transactions/${own}`)).status).toBe(200);
		expect((await call('GET', `/mortgage/v1/transactions/${await closing()}`, undefined, sandbox.keys.childFull)).status).toBe(404);
	});
});

describe('gaps §1: paths', () => {
	test('both layouts and a trailing slash reach the same', async () => {
		const id = await closing();
		for (const path of [`/mortgage/v1/transactions/${id}`, `/mortgage/v2/transactions/${id}`, `/mortgage/v1/transactions/${id}/`]) expect((await call('GET', path)).body.id).toBe(id);
		for (const path of ['/transactions', '/v1/transactions', '/transactions/']) expect((await call('GET', path)).body).toMatchObject({ data: [] });
	});
	test('what is not in openapi.yaml is refused loudly', async () => {
		const { status } = await call('POST', '/mortgage/v1/transactions', { ...CLOSING, colour: 'red' });
		expect(status).toBe(422);
		expect(sandbox.problems.pop()).toMatch(/colour/);
		expect((await call('GET', '/mortgage/v1/nothing')).status).toBe(404);
	});
	test('the documented profile answers 404 to what is only published, identifiers to List Webhooks, nothing to Create Webhook', async () => {
		const documented = await startSandbox({ profile: 'documented' });
		const ask = async (method: string, path: string, body?: unknown) => await call(method, path, body, documented.keys.full, documented);
		const { id } = (await ask('POST', '/mortgage/v1/transactions', CLOSING)).body;
		expect((await ask('GET', `/mortgage/v1/transactions/${id}`)).status).toBe(404);
		expect((await ask('GET', `/transactions/${id}`)).body.id).toBe(id);
		expect((await ask('POST', '/v2/webhooks/', { url: 'https://a.example/', subscriptions: ['*'] })).body).toBeUndefined();
		expect((await ask('GET', '/v2/webhooks')).body).toEqual([expect.stringMatching(/^wh/)]);
		await documented.close();
	});
});

describe('interface §4: Add Document', () => {
	test('as JSON with base64', async () => {
		const { body } = await call('POST', `/mortgage/v1/transactions/${await closing()}/documents`, { resource: await pdf(), requirement: 'notarization', filename: 'Deed' });
		expect(body[0]).toMatchObject({ document_name: 'Deed', requirement: 'notarization', final_document_url: null });
	});
	test('as multipart, with an independent client', async () => {
		const id = await closing();
		const form = new FormData();
		form.append('requirement', 'esign');
		form.append('filename', 'Multipart deed');
		form.append('witness_required', 'true');
		form.append('resource', await samplePdf('deed-of-trust'), { filename: 'deed.pdf', contentType: 'application/pdf' });
		const answer = await fetch(`${sandbox.url}/mortgage/v1/transactions/${id}/documents`, { method: 'POST', headers: { ApiKey: sandbox.keys.full, ...form.getHeaders() }, body: new Uint8Array(form.getBuffer()) });
		expect(answer.status).toBe(200);
		expect(((await answer.json()) as any)[0]).toMatchObject({ document_name: 'Multipart deed', witness_required: true });
		expect(sandbox.world.transactions.get(id)!.documents[0].pages).toBe(2);
	});
	test.each([
		['interface §8: what is no PDF', { resource: Buffer.from('hello').toString('base64'), requirement: 'esign' }, /Only PDF/],
		['a designation of a stranger', { requirement: 'esign', signing_designations: [{ signer_identifier: 'nobody', type: 'signature', page_number: 0, x: 1, y: 1, width: 9, height: 9 }] }, /external_id/],
		['a page that is not there', { requirement: 'esign', signing_designations: [{ signer_identifier: 'notary', type: 'seal', page_number: 2, x: 1, y: 1, width: 9, height: 9 }] }, /page_number 2/],
	])('refuses %s', async (_name, body, expected) => {
		const answer = await call('POST', `/mortgage/v1/transactions/${await closing()}/documents`, { resource: await pdf(), ...body });
		expect(answer.status).toBe(422);
		expect(JSON.stringify(answer.body)).toMatch(expected);
	});
});

/** A closing that is signed and notarized. */
async function completed(): Promise<string> {
	const id = await closing();
	await call('POST', `/mortgage/v1/transactions/${id}/documents`, { resource: await pdf(), requirement: 'notarization', filename: 'Deed' });
	await call('POST', `/mortgage/v1/transactions/${id}/place_order`, {});
	await sandbox.act.sign(id);
	await sandbox.act.notarize(id);
	return id;
}

describe('interface §5.4: links', () => {
	test('open without a key, are new at each retrieval, and die after 900 seconds', async () => {
		const id = await completed();
		const link = async () => (await call('GET', `/mortgage/v1/transactions/${id}`)).body.documents[0].final_document_url as string;
		const first = await link();
		const bytes = Buffer.from(await (await fetch(first)).arrayBuffer());
		expect((await PDFDocument.load(bytes)).getPageCount()).toBe(2);
		sandbox.clock.advance(899_000);
		expect((await fetch(first)).status).toBe(200);
		sandbox.clock.advance(2_000);
		const late = await fetch(first);
		expect(late.status).toBe(403);
		expect(await late.text()).toMatch(/expired/);
		expect((await fetch(await link())).status).toBe(200);
		expect((await fetch(first.replace(/expires=\d+/, 'expires=99999999999'))).status).toBe(403);
	});
	test('the recording needs the key, the pictures do not', async () => {
		const { recordId } = sandbox.world.transactions.get(await completed())!;
		const { body } = await call('GET', `/notarization_records/${recordId}`);
		expect((await fetch(body.video_url)).status).toBe(401);
		expect((await fetch(body.video_url, { headers: { ApiKey: sandbox.keys.full } })).headers.get('content-type')).toBe('video/mp4');
		expect((await fetch(body.signers[0].primary_front)).headers.get('content-type')).toBe('image/png');
	});
});

describe('interface §6: webhooks', () => {
	test('deliveries are signed, repeated on a schedule until 200, and recorded', async () => {
		const received: Array<{ body: string; signature: unknown }> = [];
		const receiver = createServer(async (request, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			received.push({ body: Buffer.concat(chunks).toString(), signature: request.headers['x-signature'] });
			response.writeHead(received.length < 3 ? 503 : 200).end('seen');
		}).listen(0, '127.0.0.1');
		await once(receiver, 'listening');
		const { body: hook } = await call('POST', '/v2/webhooks/', { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, subscriptions: ['transaction.created'], signing_key: 'signing' });
		const arrived = async (count: number) => {
			while (received.length < count || sandbox.world.webhooks.get(hook.id)!.events.length < count) await new Promise((wake) => setTimeout(wake, 5));
		};
		const id = await closing();
		await arrived(1);
		sandbox.clock.advance(10_000);
		await arrived(2);
		sandbox.clock.advance(60_000);
		await arrived(3);
		expect(received.every(({ body, signature: given }) => given === signature(body, 'signing'))).toBe(true);
		expect(JSON.parse(received[0].body)).toMatchObject({ event: 'transaction.created', data: { transaction_id: id } });
		const events = (await call('GET', `/v2/webhooks/${hook.id}/events`)).body;
		expect(events.map(({ response }: any) => response.code)).toEqual([200, 503, 503]);
		expect(JSON.parse(events[0].payload).data.transaction_id).toBe(id);
		await call('DELETE', `/v2/webhooks/${hook.id}`);
		receiver.close();
	});
	test('an event that does not exist is refused', async () => {
		const { status, body } = await call('POST', '/v2/webhooks/', { url: 'https://a.example/', subscriptions: ['transaction.renamed'] });
		expect(status).toBe(422);
		expect(JSON.stringify(body)).toMatch(/Invalid subscription passed/);
	});
});

describe('interface §3: states', () => {
	test('draft, sent, signed, notarized; each step only when it is its turn', async () => {
		const id = await closing();
		await expect(sandbox.act.sign(id)).rejects.toThrow(/has to be sent first/);
		await call('POST', `/mortgage/v1/transactions/${id}/documents`, { resource: await pdf(), requirement: 'notarization' });
		await call('POST', `/mortgage/v1/transactions/${id}/place_order`, {});
		await expect(sandbox.act.notarize(id)).rejects.toThrow(/has to sign first/);
		expect((await call('POST', `/mortgage/v1/transactions/${id}/documents`, { resource: await pdf(), requirement: 'esign' })).status).toBe(422);
		await sandbox.act.sign(id);
		await sandbox.act.notarize(id);
		expect((await call('GET', `/mortgage/v1/transactions/${id}`)).body).toMatchObject({ status: 'completed', detailed_status: 'complete', notarization_record: expect.stringMatching(/^me_/) });
		await expect(sandbox.act.reject(id)).rejects.toThrow(/completed/);
	});
	test('gaps §3: a refinance needs an eNote, unless paper is consented to', async () => {
		const id = await closing({ paper_note_consent: false });
		await call('POST', `/mortgage/v1/transactions/${id}/documents`, { resource: await pdf(), requirement: 'esign' });
		expect(JSON.stringify((await call('POST', `/mortgage/v1/transactions/${id}/place_order`, {})).body)).toMatch(/eNote Required/);
		expect((await call('POST', `/mortgage/v1/transactions/${id}/enote`, { file: `${sandbox.url}/samples/enote.xml`, type: 'ENOTE' })).body).toMatchObject({ is_enote: true });
		expect((await call('POST', `/mortgage/v1/transactions/${id}/place_order`, {})).body.detailed_status).toBe('sent_to_signer');
	});
});

test('the same seed gives the same ids', async () => {
	const ids = [];
	for (let round = 0; round < 2; round++) {
		const seeded = await startSandbox({ seed: 'same' });
		ids.push((await call('POST', '/mortgage/v1/transactions', CLOSING, seeded.keys.full, seeded)).body.id);
		await seeded.close();
	}
	expect(ids[0]).toBe(ids[1]);
});
