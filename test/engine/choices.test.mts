import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { samplePdf } from '../../sandbox/data/samples.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import {
	ADD_DOCUMENT,
	CLOSING,
	completedClosing,
	createClosing,
	id,
	pdfItem,
} from '../support/closing.mts';
import { credentialFor, readFile, runNode, storeFile, useBinaryMode } from '../support/engine.mts';

/**
 * What a person can set and choose, beyond what the matrix tests of every operation: what is sent
 * then, and what comes out.
 */

let sandbox: Sandbox;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
afterEach(() => {
	expect(sandbox.problems).toEqual([]);
	sandbox.faults.clear();
});

const attempt = async (parameters: IDataObject, more: object = {}) =>
	await runNode({ credential: credentialFor(sandbox.url), parameters, ...more });
const run = async (parameters: IDataObject, more: object = {}) => {
	const outcome = await attempt(parameters, more);
	if (outcome.error) throw outcome.error;
	return { ...outcome, json: outcome.items[0]?.json };
};
const hints = (outcome: {
	run: {
		data: {
			resultData: { runData: Record<string, Array<{ hints?: Array<{ message: string }> }>> };
		};
	};
}) =>
	(outcome.run.data.resultData.runData.Tested[0].hints ?? [])
		.map(({ message }) => message)
		.join(' | ');
const transaction = (transactionId: unknown) =>
	sandbox.world.transactions.get(String(transactionId))!;
const sent = () => sandbox.requests.at(-1)!.body as IDataObject;
const BUSINESS = {
	resource: 'transaction',
	operation: 'create',
	transactionName: 'Power of attorney',
	documents: {},
	draft: true,
	additionalFields: {},
	simplify: true,
};
const jane = {
	email: 'jane@example.com',
	first_name: 'Jane',
	last_name: 'Signer',
	external_id: 's1',
};

describe('times', () => {
	const year = DateTime.now().year + 1;
	// The workflow's zone is America/New_York: five hours behind in January, four in July.
	test.each([
		['in winter', `${year}-01-15T17:00:00`, `${year}-01-15T22:00:00.000Z`],
		['in summer', `${year}-07-15T17:00:00`, `${year}-07-15T21:00:00.000Z`],
		['with a zone of its own', `${year}-07-15T17:00:00+02:00`, `${year}-07-15T15:00:00.000Z`],
		[
			'from an expression',
			`={{ DateTime.fromISO('${year}-07-15T17:00:00', { zone: 'Asia/Tokyo' }) }}`,
			`${year}-07-15T08:00:00.000Z`,
		],
	])(
		'an expiry set in the editor (%s) arrives as the intended instant',
		async (_name, expiry, instant) => {
			const { json } = await run({
				...BUSINESS,
				signers: { row: [jane] },
				additionalFields: { expiry },
			});
			expect(new Date(transaction(json.transaction_id).fields.expiry).toISOString()).toBe(instant);
		},
	);
	test('a closing that expires does so at that instant', async () => {
		const expires = DateTime.now().setZone('America/New_York').plus({ days: 2 }).startOf('minute');
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			additionalFields: { expiration_time: expires.toFormat("yyyy-MM-dd'T'HH:mm:ss") },
		});
		await sandbox.clock.advance(expires.toMillis() - sandbox.clock.now() - 1000);
		expect(transaction(transactionId).status).not.toBe('expired');
		await sandbox.clock.advance(2000);
		expect(transaction(transactionId).status).toBe('expired');
	});
	test('what is no date is told before anything is sent', async () => {
		const before = sandbox.requests.length;
		const { error } = await attempt({
			...BUSINESS,
			signers: { row: [jane] },
			additionalFields: { expiry: 'next Tuesday' },
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Expiry' is 'next Tuesday', which is no date.*year-month-day/,
		);
		expect(sandbox.requests).toHaveLength(before);
	});
});

describe('business transactions', () => {
	test('files of the item, URLs and templates in one request, sent at once', async () => {
		const [deed, letter] = [
			(await samplePdf('deed-of-trust'))!,
			(await samplePdf('closing-disclosure'))!,
		];
		const item = {
			json: {},
			binary: {
				deed: await storeFile(deed, 'Deed.pdf', 'application/pdf'),
				letter: await storeFile(letter, 'Letter.pdf', 'application/pdf'),
			},
		};
		const rows = [
			{ source: 'binary', binaryPropertyName: 'deed', requirement: 'notarization', name: '' },
			{
				source: 'binary',
				binaryPropertyName: 'letter',
				requirement: 'readonly',
				name: 'The letter',
			},
			{
				source: 'template',
				templateId: id('od_affidavit'),
				requirement: 'notarization',
				name: 'Affidavit',
			},
		];
		const { json } = await run(
			{ ...BUSINESS, draft: false, signers: { row: [jane] }, documents: { row: rows } },
			{ items: [item] },
		);
		expect(json.detailed_status).toBe('sent_to_signer');
		const { documents } = transaction(json.transaction_id);
		expect(documents.map(({ name }) => name)).toEqual(['Deed', 'The letter', 'Affidavit']);
		expect(documents[0].uploaded.equals(deed) && documents[1].uploaded.equals(letter)).toBe(true);
	});
	test.each([
		['no signer', { signers: {} }, /'Signers' is empty.*Add at least one signer/],
		[
			'a signer without e-mail',
			{ signers: { row: [jane, { ...jane, external_id: 's2', email: '' }] } },
			/'Signers, row 2: Email' is empty/,
		],
		[
			'one external ID twice',
			{ signers: { row: [jane, { ...jane, email: 'joe@example.com' }] } },
			/has the external ID 's1' twice/,
		],
		[
			'eleven signers',
			{
				signers: {
					row: Array.from({ length: 11 }, (_, index) => ({ email: `s${index}@example.com` })),
				},
			},
			/has 11 signers; the service takes up to 10/,
		],
		[
			'SMS without a phone',
			{ signers: { row: [{ ...jane, identityChecks: ['sms'] }] } },
			/'Signers, row 1: Phone' is empty.*SMS code/,
		],
		[
			'a birthday that is none',
			{ signers: { row: [{ ...jane, details: { dob: '17.05.1980' } }] } },
			/Date of Birth' is '17.05.1980'.*1980-05-17/,
		],
		[
			'no document and no draft',
			{ signers: { row: [jane] }, draft: false },
			/'Documents' is empty.*'Create as Draft'/,
		],
		[
			'a document that is not there',
			{
				signers: { row: [jane] },
				documents: {
					row: [{ source: 'binary', binaryPropertyName: 'data', requirement: 'esign' }],
				},
			},
			/'Documents', row 1: 'Input Binary Field' is 'data'/,
		],
	])('%s is told before anything is sent', async (_name, more, expected) => {
		const before = sandbox.requests.length;
		const { error } = await attempt({ ...BUSINESS, ...(more as IDataObject) });
		expect(`${error?.message}. ${error?.description}`).toMatch(expected);
		expect(sandbox.requests).toHaveLength(before);
	});
});

describe('identity checks', () => {
	const closing = (identityChecks: string[], more: IDataObject = {}) => ({
		...CLOSING,
		identityChecks,
		...more,
	});
	test('all three reach IAL2: sent to /mortgage/v2 with the type null, and nothing to add', async () => {
		const outcome = await run(closing(['selfie', 'knowledge', 'sms']));
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
		expect(sent()).toMatchObject({
			transaction_type: null,
			signer: {
				assurance_requirement: {
					id_verification: { selfie: true },
					knowledge_based_authentication: true,
					multi_factor_authentication: { type: 'sms' },
				},
			},
		});
		expect(hints(outcome)).not.toMatch(/IAL2/);
	});
	test('fewer say that IAL2 is not reached', async () => {
		expect(hints(await run(closing(['sms'])))).toMatch(/do not reach IAL2/);
	});
	test("a co-signer's checks count as well", async () => {
		await run(
			closing([], {
				coSigners: { row: [{ email: 'joe@example.com', identityChecks: ['selfie'] }] },
			}),
		);
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
		expect(sent()).toMatchObject({
			transaction_type: null,
			signers: [{ email: 'jane.borrower@example.com' }, { email: 'joe@example.com' }],
		});
	});
	test('for a signer who performs a notarization they have no effect, which is said', async () => {
		const documents = {
			row: [
				{
					source: 'url',
					fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
					requirement: 'notarization',
				},
			],
		};
		const outcome = await run({
			...BUSINESS,
			signers: {
				row: [
					{ ...jane, phone_number: '6175550123', identityChecks: ['selfie', 'knowledge', 'sms'] },
				],
			},
			documents,
		});
		expect(hints(outcome)).toMatch(/no effect for a signer who performs a notarization/);
	});
	test('an update of a closing with checks goes to /mortgage/v2 and keeps them', async () => {
		const { json } = await run(closing(['sms']));
		await run({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(String(json.transaction_id)),
			updateFields: { loan_number: '9' },
			simplify: true,
		});
		expect(sandbox.requests.at(-1)!.path).toMatch(/^\/mortgage\/v2\/transactions\//);
		expect(transaction(json.transaction_id).signers[0]).toHaveProperty('assurance_requirement');
	});
});

describe('updates', () => {
	test('a closing keeps what is not changed, although its PUT resets what is not sent', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			coSigners: { row: [{ email: 'joe@example.com', external_id: 'co' }] },
			additionalFields: {
				loan_number: '77',
				file_number: 'F-1',
				paper_note_consent: true,
				contacts: { row: [{ role: 'title_agent', email: 'a@title.example' }] },
			},
		});
		const before = structuredClone(transaction(transactionId).fields);
		await run({
			resource: 'transaction',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(transactionId),
			updateFields: { loan_number: '78', street_address: { row: { zipCode: '02111' } } },
			simplify: true,
		});
		expect(transaction(transactionId).fields).toEqual({
			...before,
			organization_id: 'or_harbor',
			loan_number: '78',
			street_address: {
				...(before.street_address as IDataObject),
				zip_code: '02111',
				postal: '02111',
			},
		});
		expect(
			transaction(transactionId).signers.map(({ email, external_id: external }) => [
				email,
				external,
			]),
		).toEqual([
			['jane.borrower@example.com', 'borrower-1'],
			['joe@example.com', 'co'],
		]);
	});
	test('nothing to change is told', async () => {
		const { error } = await attempt({
			resource: 'transaction',
			operation: 'update',
			platform: 'business',
			transactionId: id('ot_x'),
			updateFields: {},
			simplify: true,
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Update Fields' is empty.*at least one field/,
		);
	});
	test('the headers of a webhook stay, and are shown nowhere', async () => {
		const made = await run({
			resource: 'webhook',
			operation: 'create',
			url: 'https://example.com/a',
			events: ['*'],
			additionalFields: {
				headers: { row: [{ name: 'Authorization', value: 'Bearer s3same-open' }] },
			},
		});
		const changed = await run({
			resource: 'webhook',
			operation: 'update',
			webhookId: id(String(made.json.webhook_id)),
			updateFields: { events: ['transaction.completed'] },
		});
		expect(changed.json).toMatchObject({
			url: 'https://example.com/a',
			subscriptions: ['transaction.completed'],
			headers: ['Authorization: ***'],
		});
		expect(sandbox.world.webhooks.get(String(made.json.webhook_id))!.headers).toEqual([
			'Authorization:Bearer s3same-open',
		]);
		expect(JSON.stringify([made.run, changed.run.data.resultData])).not.toContain(
			'"headers":["Authorization:Bearer',
		);
	});
});

describe('documents', () => {
	test('the uploaded file before completion, on request; else a sentence that says how', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url));
		const { json } = await run(
			{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
			{ items: [await pdfItem()] },
		);
		await sandbox.clock.advance(1000);
		const download = {
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(String(json.document_id)),
			binaryPropertyName: 'data',
		};
		const refused = await attempt({ ...download, version: 'final' });
		expect(`${refused.error?.message}. ${refused.error?.description}`).toMatch(
			/'Deed of Trust' is not finished yet.*'Final, Else Uploaded' in 'Version'/,
		);
		const outcome = await run({ ...download, version: 'current' });
		expect(outcome.json).toMatchObject({ version: 'uploaded', file_name: 'Deed of Trust.pdf' });
		expect(
			(await readFile(outcome.items[0].binary!.data)).equals(
				transaction(transactionId).documents[0].uploaded,
			),
		).toBe(true);
		expect(hints(outcome)).toMatch(/not finished yet/);
	});
	test('designations from rows: pages count from 1 there, from 0 at the service', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url));
		const row = {
			signer_identifier: 'borrower-1',
			type: 'signature',
			page: 2,
			x: 72.4,
			y: 96,
			width: 180,
			height: 24,
			details: { hint: 'Sign' },
		};
		const outcome = await run(
			{
				...ADD_DOCUMENT,
				specifyDesignations: 'fields',
				designations: { row: [row] },
				transactionId: id(transactionId),
			},
			{ items: [await pdfItem()] },
		);
		expect(transaction(transactionId).documents[0].designations).toEqual([
			{
				signer_identifier: 'borrower-1',
				type: 'signature',
				page_number: 1,
				x: 72,
				y: 96,
				width: 180,
				height: 24,
				hint: 'Sign',
			},
		]);
		expect(hints(outcome)).toMatch(/rounded/);
	});
	test('the header for fetching a file reaches the service and no text', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url));
		const { error } = await attempt({
			...ADD_DOCUMENT,
			transactionId: id(transactionId),
			source: 'url',
			fileUrl: `${sandbox.url}/samples/nothing.pdf`,
			additionalFields: { authorization_header: 'Authorization: Bearer s3same-open' },
		});
		expect(sandbox.requests.at(-1)!.body).toMatchObject({
			authorization_header: 'Authorization:Bearer s3same-open',
		});
		expect(`${error?.message}. ${error?.description}`).not.toContain('s3same');
	});
});

describe('correcting a signer', () => {
	const correct = (transactionId: string, more: IDataObject = {}) => ({
		resource: 'transaction',
		operation: 'correctSigner',
		platform: 'realEstate',
		transactionId: id(transactionId),
		signerId: id('borrower-1'),
		corrections: { email: 'right@example.com' },
		sendAgain: true,
		recallReason: 'Typo',
		simplify: true,
		...more,
	});
	async function sentOne(): Promise<string> {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			coSigners: { row: [{ email: 'joe@example.com', external_id: 'co' }] },
			additionalFields: { paper_note_consent: true, loan_number: '77' },
		});
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		await run({
			resource: 'transaction',
			operation: 'send',
			platform: 'realEstate',
			transactionId: id(transactionId),
			additionalFields: {},
			simplify: true,
		});
		return transactionId;
	}
	test('after sending: recalled, changed, sent again; the rest is as it was', async () => {
		const transactionId = await sentOne();
		const before = structuredClone(transaction(transactionId).fields);
		const { json } = await run(correct(transactionId));
		expect(json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['recalled', 'corrected', 'sent'],
		});
		expect(
			transaction(transactionId).signers.map(({ email, external_id: external }) => [
				email,
				external,
			]),
		).toEqual([
			['right@example.com', 'borrower-1'],
			['joe@example.com', 'co'],
		]);
		expect(transaction(transactionId).fields).toEqual({ ...before, organization_id: 'or_harbor' });
		expect(transaction(transactionId).documents).toHaveLength(1);
	});
	test('a draft stays a draft; without "Send Again" a recalled one too', async () => {
		const draft = await createClosing(credentialFor(sandbox.url));
		expect((await run(correct(draft))).json).toMatchObject({
			detailed_status: 'draft',
			correction_steps: ['corrected'],
		});
		const recalled = await sentOne();
		expect((await run(correct(recalled, { sendAgain: false }))).json).toMatchObject({
			detailed_status: 'recalled',
			correction_steps: ['recalled', 'corrected'],
		});
	});
	test('cut off half-way it says where it stands, and goes on from there', async () => {
		const transactionId = await sentOne();
		sandbox.faults.add({
			method: 'PUT',
			path: /\/transactions\//,
			status: 422,
			body: { errors: ['Not now'] },
		});
		const { error } = await attempt(correct(transactionId));
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/Not now.*The transaction is recalled, and not sent again yet.*goes on from here/,
		);
		expect((await run(correct(transactionId))).json).toMatchObject({
			detailed_status: 'sent_to_signer',
			correction_steps: ['corrected', 'sent'],
		});
		const again = sandbox.requests.length;
		expect((await run(correct(transactionId))).json.correction_steps).toEqual([]);
		expect(sandbox.requests.slice(again).map(({ method }) => method)).toEqual(['GET']);
	});
	test.each(['recall', 'place_order'])(
		'an answer lost at %s is looked up, and nothing is done twice',
		async (last) => {
			const transactionId = await sentOne();
			const before = sandbox.requests.length;
			sandbox.faults.add({ method: 'POST', path: new RegExp(`/${last}$`), kind: 'cutAfter' });
			expect((await run(correct(transactionId))).json.detailed_status).toBe('sent_to_signer');
			expect(sandbox.requests.slice(before).filter(({ path }) => path.endsWith(last))).toHaveLength(
				1,
			);
		},
	);
	test('once a signer has completed it says plainly that it is too late', async () => {
		const transactionId = await sentOne();
		await sandbox.act.sign(transactionId);
		const { error } = await attempt(correct(transactionId));
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/no longer allows to change a signer: .* has completed.*Create a new transaction/,
		);
		const finished = await completedClosing(sandbox, credentialFor(sandbox.url));
		expect((await attempt(correct(finished))).error?.message).toMatch(/no longer allows/);
	});
	test('a signer who is not there is told with those who are', async () => {
		const { error } = await attempt(
			correct(await sentOne(), { signerId: id('nobody@example.com') }),
		);
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Signer' nobody@example.com is not in this transaction.*jane\.borrower@example\.com; .*joe@example\.com/,
		);
	});
});

describe('pasted links', () => {
	test.each(['id', 'url', 'list'])('in the mode %s', async (mode) => {
		const transactionId = await createClosing(credentialFor(sandbox.url));
		const value = `${sandbox.url}/mortgage/v1/transactions/${transactionId}/documents?x=1`;
		expect(
			(
				await run({
					resource: 'transaction',
					operation: 'get',
					platform: 'realEstate',
					transactionId: { __rl: true, mode, value },
					simplify: true,
				})
			).json.transaction_id,
		).toBe(transactionId);
	});
	test('one without an ID is told', async () => {
		const { error } = await attempt({
			resource: 'transaction',
			operation: 'get',
			platform: 'realEstate',
			transactionId: id('https://example.com/somewhere'),
			simplify: true,
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Transaction' holds a link without an ID.*\/transactions\//,
		);
	});
});

describe('organizations', () => {
	test("the credential's is sent on creation and used as a filter, the node's own wins", async () => {
		const branch = {
			credential: credentialFor(sandbox.url, { organizationId: 'or_harbor_branch' }),
		};
		const create = async (more: IDataObject = {}) =>
			(await run({ ...BUSINESS, signers: { row: [jane] }, ...more }, branch)).json;
		const own = await create();
		const overridden = await create({ additionalFields: { organization_id: 'or_harbor' } });
		expect([own.organization_id, overridden.organization_id]).toEqual([
			'or_harbor_branch',
			'or_harbor',
		]);
		const list = async (filters: IDataObject) =>
			(
				await run(
					{
						resource: 'transaction',
						operation: 'getAll',
						platform: 'business',
						returnAll: true,
						filters,
						simplify: true,
					},
					branch,
				)
			).items.map(({ json }) => json.transaction_id);
		expect(await list({})).toEqual([own.transaction_id]);
		expect(await list({ organization_id: 'or_harbor' })).toEqual(
			expect.arrayContaining([overridden.transaction_id]),
		);
	});
});

describe('webhook events', () => {
	test('failed deliveries of one event, with the transaction at top level and the payload as an object', async () => {
		const hook = await run({
			resource: 'webhook',
			operation: 'create',
			url: `${sandbox.url}/samples/nothing`,
			events: ['*'],
			additionalFields: {},
		});
		const transactionId = await createClosing(credentialFor(sandbox.url));
		await sandbox.clock.settled();
		const get = {
			resource: 'webhook',
			operation: 'getEvents',
			webhookId: id(String(hook.json.webhook_id)),
			returnAll: true,
		};
		const { items } = await run({
			...get,
			filters: { failedOnly: true, events: ['transaction.created'], after: '2020-01-01T00:00:00' },
		});
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				event: 'transaction.created',
				transaction_id: transactionId,
				delivered_successfully: false,
				payload: expect.objectContaining({ event: 'transaction.created' }),
			}),
		]);
		expect((await run({ ...get, filters: { before: '2020-01-01T00:00:00' } })).items).toEqual([]);
	});
});
