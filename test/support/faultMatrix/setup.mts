import { request } from 'node:http';

import type { FaultService } from '../faultService/service.mts';
import type { Json, Platform } from '../faultService/types.mts';

/** Prepares what an operation needs at the fault service, without the node. */

/** Letters that no output, message or foreign host may hold. */
export const SIGNING_SECRET = 'canary-signing-secret-5x7';
export const SSN = '078-05-1120';

const PREFIX: Record<Platform, string> = { business: '', realEstate: '/mortgage/v2' };

/** Calls the service over a connection of its own, so that none stays open. */
async function callService(
	service: FaultService,
	method: string,
	path: string,
	body?: unknown,
): Promise<Json> {
	const headers = { ApiKey: service.key, 'content-type': 'application/json' };
	const text = await new Promise<string>((done, fail) => {
		const sent = request(service.url + path, { method, headers, agent: false }, (answer) => {
			const chunks: Buffer[] = [];
			answer.on('data', (chunk: Buffer) => chunks.push(chunk));
			answer.on('end', () => {
				const said = String(Buffer.concat(chunks));
				if ((answer.statusCode ?? 0) < 300) done(said);
				else fail(new Error(`${method} ${path}: ${answer.statusCode} ${said}`));
			});
		});
		sent.on('error', fail);
		sent.end(body === undefined ? undefined : JSON.stringify(body));
	});
	return text === '' ? {} : JSON.parse(text);
}

/** What the number of an item is called at the service. */
export const markerOf = (index: number) => `case-${index}`;

export const SIGNER: Json = {
	email: 'ann@example.com',
	first_name: 'Ann',
	last_name: 'Able',
	external_id: 's1',
	phone_number: '6175550123',
};

const CLOSING: Json = {
	transaction_type: 'refinance',
	street_address: { line1: '1 Main St', city: 'Fairfax', state: 'VA', postal: '22030' },
};

/**
 * Makes a draft that can be sent.
 * @param more further fields
 */
export async function makeDraft(
	service: FaultService,
	platform: Platform,
	index: number,
	more: Json = {},
): Promise<string> {
	const body = {
		...(platform === 'realEstate' ? CLOSING : { draft: true }),
		external_id: markerOf(index),
		transaction_name: `Case ${index}`,
		signers: [SIGNER, { ...SIGNER, email: 'bob@example.com', external_id: 's2' }],
		...more,
	};
	return (await callService(service, 'POST', `${PREFIX[platform]}/transactions`, body)).id;
}

/**
 * Makes a draft with a document in it.
 * @param more further fields
 */
export async function makeDraftWithDocument(
	service: FaultService,
	platform: Platform,
	index: number,
	more: Json = {},
): Promise<{ transactionId: string; documentId: string }> {
	const transactionId = await makeDraft(service, platform, index, more);
	const path = `${PREFIX[platform]}/transactions/${transactionId}/documents`;
	const answer = await callService(service, 'POST', path, {
		filename: `Lease ${index}`,
		resource: 'https://example.com/lease.pdf',
		requirement: 'notarization',
	});
	const [document] = Array.isArray(answer) ? answer : [answer];
	return { transactionId, documentId: document.id };
}

/** Makes a transaction that has been sent. */
export async function makeSent(
	service: FaultService,
	platform: Platform,
	index: number,
): Promise<string> {
	const { transactionId } = await makeDraftWithDocument(service, platform, index);
	const action = platform === 'realEstate' ? 'place_order' : 'notarization_ready';
	const path = `${PREFIX[platform]}/transactions/${transactionId}/${action}`;
	await callService(service, 'POST', path);
	return transactionId;
}

/** Makes a completed transaction with a notarized document. */
export async function makeCompleted(
	service: FaultService,
	platform: Platform,
	index: number,
): Promise<{ transactionId: string; documentId: string; recordId: string }> {
	const made = await makeDraftWithDocument(service, platform, index);
	service.complete(made.transactionId);
	const { notarization_record: recordId } = await callService(
		service,
		'GET',
		`${PREFIX[platform]}/transactions/${made.transactionId}`,
	);
	return { ...made, recordId };
}

/** Adds the eNote to a draft. */
export async function makeEnote(service: FaultService, transactionId: string): Promise<void> {
	const path = `${PREFIX.realEstate}/transactions/${transactionId}/enote`;
	await callService(service, 'POST', path, { type: 'ENOTE', file: 'https://example.com/note.xml' });
}

/** Makes a webhook with a secret. */
export async function makeWebhook(
	service: FaultService,
	index: number,
	subscriptions = ['*'],
): Promise<string> {
	const body = {
		url: `https://example.com/hook-${index}`,
		subscriptions,
		signing_key: SIGNING_SECRET,
	};
	return (await callService(service, 'POST', '/v2/webhooks', body)).id;
}

/** Makes a document, at least, for an item. */
export type Made = typeof makeDraftWithDocument;
