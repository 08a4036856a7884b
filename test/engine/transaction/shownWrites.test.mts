import type { IDataObject } from 'n8n-workflow';

import { SAMPLE_ENOTE } from '../../../sandbox/data/samples.mts';
import {
	ADD_DOCUMENT,
	CLOSING,
	createClosing,
	id,
	pdfItem,
	toForm,
} from '../../support/closing.mts';
import { storeFile } from '../../support/engine.mts';
import { addEnote } from '../../support/matrix/documents.mts';
import {
	attempt,
	BUSINESS,
	complaint,
	EMPTY_SUCCESSES,
	run,
	sendClosing,
	transaction,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * A write is done when the service shows it. An answer of 200 alone proves nothing, and an answer
 * that was lost is looked up.
 */

useSandbox();

const RETRY = { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 } };
const draft = async () =>
	await createClosing(credential(), { ...toForm({ paper_note_consent: true }) });
const enoteFor = (transactionId: string) =>
	addEnote(transactionId, `${sandbox.url}/samples/enote.xml`);
async function ready(): Promise<string> {
	const transactionId = await draft();
	await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
	await sandbox.clock.advance(60_000);
	return transactionId;
}
const onClosing = (operation: string, transactionId: string, more: IDataObject = {}) => ({
	resource: 'transaction',
	operation,
	platform: 'realEstate',
	transactionId: id(transactionId),
	...more,
});
const calls = (method: string, path: RegExp = /./) =>
	sandbox.requests.filter((request) => request.method === method && path.test(request.path));

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
			await run(enoteFor(transactionId));
			return transactionId;
		},
		parameters: (it) => ({ resource: 'enote', operation: 'delete', transactionId: id(it) }),
		request: { method: 'DELETE', path: /enote$/ },
	},
};

test.each([
	['closing', CLOSING],
	['transaction', BUSINESS],
])('a create of a %s answered without an ID, and not found, is unknown', async (_what, it) => {
	const body = { errors: ['Feature switched off'] };
	sandbox.faults.add({ method: 'POST', path: /\/transactions$/, status: 200, body });
	expect(await complaint({ ...it, transactionName: 'Never made' })).toMatch(
		/outcome is unknown.*The service said: Feature switched off/,
	);
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
		['is there, perhaps of somebody else', [{ id: 'do_1', is_enote: true }], 1],
		['may be there', [{ id: 'do_1', document_name: 'Deed' }], 1],
		['is not there', [{ id: 'do_1', is_enote: false }], 2],
	])(
		'Retry On Fail adds an eNote again only where none: one %s',
		async (_what, documents, times) => {
			const transactionId = await draft();
			lose({ method: 'POST', path: /enote$/ });
			show(transactionId, { id: transactionId, documents });
			sandbox.requests.length = 0;
			const note = await storeFile(Buffer.from(SAMPLE_ENOTE), 'note.xml', 'text/xml');
			const ofItem = { source: 'binary', binaryPropertyName: 'note' };
			const { error } = await attempt(
				{ ...enoteFor(transactionId), ...ofItem },
				{
					...RETRY,
					items: [{ json: {}, binary: { note } }],
					limits: { absentAfterMs: 0, lookUpMs: 40 },
				},
			);
			if (times === 1) expect(error?.message).toMatch(/outcome is unknown/);
			else expect(error).toBeUndefined();
			expect(calls('POST')).toHaveLength(times);
		},
	);
	test('nothing adds an eNote again that the service fetches itself', async () => {
		const transactionId = await draft();
		lose({ method: 'POST', path: /enote$/ });
		sandbox.requests.length = 0;
		const { error } = await attempt(enoteFor(transactionId), RETRY);
		expect(error?.message).toMatch(/outcome is unknown/);
		expect(calls('POST')).toHaveLength(1);
	});
	test.each([WRITES.update, WRITES.send])(
		'Retry On Fail repeats what is shown as not done',
		async (it) => {
			const transactionId = await it.make();
			lose(it.request);
			sandbox.requests.length = 0;
			await run(it.parameters(transactionId), RETRY);
			const statuses = calls(it.request.method, it.request.path).map(({ status }) => status);
			expect(statuses).toEqual([502, 200]);
		},
	);
});

describe('an eNote, of which the service shows too little', () => {
	test.each(EMPTY_SUCCESSES)('answered with %s is not added again', async (_how, answer) => {
		const closings = [await draft(), await draft()];
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'POST', path: /\/enote$/, status: 200, ...answer });
		const { items } = await attempt(
			{ ...enoteFor(''), transactionId: id('={{ $json.id }}') },
			{
				items: closings.map((closing) => ({ json: { id: closing } })),
				node: { ...RETRY.node, onError: 'continueRegularOutput' },
			},
		);
		expect(items.map(({ json }) => json.transaction_id ?? json.error)).toEqual([
			expect.stringMatching(/outcome is unknown.*\(item 1 of 2\)/),
			closings[1],
		]);
		const enotes = closings.map(
			(closing) => transaction(closing).documents.filter(({ isEnote }) => isEnote).length,
		);
		expect(enotes).toEqual([0, 1]);
		expect(calls('POST')).toHaveLength(2);
	});
	test.each(EMPTY_SUCCESSES)(
		'added and answered with %s counts after a success',
		async (_how, answer) => {
			const parameters = enoteFor(await draft());
			sandbox.requests.length = 0;
			sandbox.faults.add({
				method: 'POST',
				path: /\/enote$/,
				kind: 'respondAfter',
				status: 200,
				...answer,
			});
			const { items, error } = await attempt(parameters, RETRY);
			// An answer that names an error is no success, and then nobody knows whose eNote it is.
			if (JSON.stringify(answer).includes('error')) expect(error?.message).toMatch(/unknown/);
			else expect(items[0].json).toMatchObject({ document_id: expect.any(String), is_enote: true });
			expect(calls('POST')).toHaveLength(1);
		},
	);
});

test.each(['', 0, { text: 'x' }])(
	'a field error of the service (%j) does not make n8n run the node again',
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
		expect(calls('POST', /place_order$/)).toHaveLength(2);
	},
);
