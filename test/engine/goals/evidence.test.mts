import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../../support/closing.mts';
import {
	attempt,
	BUSINESS,
	complaint,
	EMPTY_SUCCESSES,
	run,
	sendClosing,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * A write is done when the service shows it. An answer of 200 alone proves nothing, and an answer
 * that was lost is looked up.
 */

useSandbox();

const RETRY = { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 } };
const draft = async () =>
	await createClosing(credential(), { additionalFields: { paper_note_consent: true } });
const addEnote = (transactionId: string) => ({
	resource: 'enote',
	operation: 'add',
	transactionId: id(transactionId),
	source: 'url',
	fileUrl: `${sandbox.url}/samples/enote.xml`,
	enoteType: 'ENOTE',
	borrowers: {},
});
async function ready(): Promise<string> {
	const transactionId = await draft();
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	await sandbox.clock.advance(60_000);
	return transactionId;
}
async function sent(): Promise<string> {
	const transactionId = await ready();
	await run(sendClosing(id(transactionId)));
	return transactionId;
}
const onClosing = (operation: string, transactionId: string, more: IDataObject = {}) => ({
	resource: 'transaction',
	operation,
	platform: 'realEstate',
	transactionId: id(transactionId),
	...more,
});

/** A write of the node, and the request that it consists of. */
interface Write {
	make: () => Promise<string>;
	parameters: (transactionId: string) => IDataObject;
	request: { method: string; path: RegExp };
}

const WRITES: Record<string, Write> = {
	send: {
		make: ready,
		parameters: (it) => sendClosing(id(it)),
		request: { method: 'POST', path: /place_order$/ },
	},
	recall: {
		make: sent,
		parameters: (it) => onClosing('recall', it, { recallReason: '', evenIfSent: true }),
		request: { method: 'POST', path: /recall$/ },
	},
	update: {
		make: draft,
		parameters: (it) =>
			onClosing('update', it, {
				updateFields: { transaction_name: 'Another name' },
				settingsNotShown: 'none',
			}),
		request: { method: 'PUT', path: /transactions\/[^/]+$/ },
	},
	delete: {
		make: draft,
		parameters: (it) => onClosing('delete', it),
		request: { method: 'DELETE', path: /transactions\/[^/]+$/ },
	},
	deleteEnote: {
		make: async () => {
			const transactionId = await draft();
			await run(addEnote(transactionId));
			return transactionId;
		},
		parameters: (it) => ({
			resource: 'enote',
			operation: 'delete',
			transactionId: id(it),
		}),
		request: { method: 'DELETE', path: /enote$/ },
	},
	correctSigner: {
		make: sent,
		parameters: (it) =>
			onClosing('correctSigner', it, {
				signerId: id('borrower-1'),
				corrections: { email: 'right@example.com' },
				sendAgain: true,
				recallReason: '',
				settingsNotShown: 'none',
				additionalFields: {},
			}),
		request: { method: 'POST', path: /recall$/ },
	},
};

describe.each(Object.entries(WRITES))('%s', (_name, { make, parameters, request }) => {
	test.each(EMPTY_SUCCESSES)(
		'answered with %s, and nothing was done: the person is told',
		async (_how, answer) => {
			const transactionId = await make();
			sandbox.faults.add({ ...request, status: 200, ...answer });
			const said = await complaint(parameters(transactionId));
			expect(said).toMatch(/^The service answered, but (the|it's|it shows)/);
			expect(said).not.toMatch(/outcome is unknown/);
			if (JSON.stringify(answer).includes('switched off'))
				expect(said).toMatch(/The service said: Feature switched off/);
		},
	);
	test.each(EMPTY_SUCCESSES)('answered with %s, but done: it succeeds', async (_how, answer) => {
		const transactionId = await make();
		sandbox.faults.add({ ...request, kind: 'respondAfter', status: 200, ...answer });
		const { json } = await run(parameters(transactionId));
		expect(json.transaction_id).toBe(transactionId);
	});
});

describe('a create', () => {
	test.each([
		['closing', CLOSING],
		['transaction', BUSINESS],
	])('of a %s answered without an ID, and not found: the outcome is unknown', async (_what, it) => {
		sandbox.faults.add({
			method: 'POST',
			path: /\/transactions$/,
			status: 200,
			body: { errors: ['Feature switched off'] },
		});
		const said = await complaint({ ...it, transactionName: 'Never made' });
		expect(said).toMatch(/outcome is unknown.*The service said: Feature switched off/);
	});
});

describe('an answer lost before the work', () => {
	const lose = (request: { method: string; path: RegExp }) =>
		sandbox.faults.add({ ...request, status: 502 });
	/** What a look-up is shown instead of the transaction. */
	const show = (transactionId: string, body: unknown, more: object = {}) =>
		sandbox.faults.add({
			method: 'GET',
			path: new RegExp(`/transactions/${transactionId}$`),
			status: 200,
			body,
			times: 9,
			...more,
		});

	test.each([
		['a plain draft', { status: 'draft' }, /still a draft/],
		['no status', {}, /outcome is unknown/],
		['a status that nobody knows', { status: 'sparkling' }, /outcome is unknown/],
		['a detailed status that nobody knows', { detailed_status: 'sparkling' }, /outcome is unknown/],
	])('Send is not taken for done by %s', async (_what, state, expected) => {
		const transactionId = await ready();
		lose(WRITES.send.request);
		show(transactionId, { id: transactionId, ...state });
		expect(await complaint(WRITES.send.parameters(transactionId))).toMatch(expected);
	});
	test("a deletion is not taken for done by a gateway's 404", async () => {
		const transactionId = await draft();
		lose(WRITES.delete.request);
		show(transactionId, '<html><h1>404 Not Found</h1></html>', {
			status: 404,
			headers: { 'content-type': 'text/html' },
		});
		const parameters = { ...WRITES.delete.parameters(transactionId), evenIfSent: true };
		expect(await complaint(parameters)).toMatch(/outcome is unknown/);
	});
	test('the deletion of an eNote is not taken for done where nothing says what is one', async () => {
		const transactionId = await WRITES.deleteEnote.make();
		lose(WRITES.deleteEnote.request);
		show(transactionId, { id: transactionId, documents: [{ id: 'do_1', document_name: 'Deed' }] });
		expect(await complaint(WRITES.deleteEnote.parameters(transactionId))).toMatch(
			/outcome is unknown/,
		);
	});
	test.each([
		[
			'not sent again where one is there, perhaps of somebody else',
			[{ id: 'do_1', is_enote: true }],
			1,
		],
		['not sent again where nothing says what is one', [{ id: 'do_1', document_name: 'Deed' }], 1],
		['sent again where none is there', [{ id: 'do_1', is_enote: false }], 2],
	])('by a later try, an eNote is %s', async (_what, documents, times) => {
		const transactionId = await draft();
		lose({ method: 'POST', path: /enote$/ });
		show(transactionId, { id: transactionId, documents });
		sandbox.requests.length = 0;
		const { error } = await attempt(addEnote(transactionId), {
			...RETRY,
			limits: { absentAfterMs: 0, lookUpMs: 40 },
		});
		if (times === 1) expect(error?.message).toMatch(/outcome is unknown/);
		else expect(error).toBeUndefined();
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(times);
	});
	test('an update that the service shows as missed is made by Retry On Fail', async () => {
		const transactionId = await draft();
		lose(WRITES.update.request);
		sandbox.requests.length = 0;
		const { json } = await run(WRITES.update.parameters(transactionId), RETRY);
		expect(json.transaction_name).toBe('Another name');
		const puts = sandbox.requests.filter(({ method }) => method === 'PUT');
		expect(puts.map(({ status }) => status)).toEqual([502, 200]);
	});
	test('a Send that the service shows as missed is made by Retry On Fail, once', async () => {
		const transactionId = await ready();
		lose(WRITES.send.request);
		sandbox.requests.length = 0;
		const { json } = await run(WRITES.send.parameters(transactionId), RETRY);
		expect(json.detailed_status).toBe('sent_to_signer');
		const orders = sandbox.requests.filter(({ path }) => path.endsWith('place_order'));
		expect(orders.map(({ status }) => status)).toEqual([502, 200]);
	});
});

describe('a field error of the service', () => {
	beforeEach(() => void (sandbox.requests.length = 0));
	test.each(['', 0, 'none', { text: 'x' }])(
		'%j does not make n8n run the node again',
		async (error) => {
			const [first, second] = [await ready(), await ready()];
			sandbox.faults.add({
				method: 'POST',
				path: new RegExp(`${first}/place_order$`),
				kind: 'respondAfter',
				status: 200,
				body: { id: first, status: 'sent', detailed_status: 'sent_to_signer', error },
			});
			sandbox.requests.length = 0;
			const { items } = await run(
				{ ...sendClosing(id('={{ $json.id }}')), output: 'raw' },
				{ ...RETRY, items: [first, second].map((value) => ({ json: { id: value } })) },
			);
			expect(items.map(({ json }) => json.transaction_id)).toEqual([first, second]);
			expect(items[0].json).toMatchObject({ service_error: error });
			expect(items[0].json).not.toHaveProperty('error');
			expect(sandbox.requests.filter(({ path }) => path.endsWith('place_order'))).toHaveLength(2);
		},
	);
});
