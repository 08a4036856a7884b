import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../support/closing.mts';
import { credentialFor, runNode, useBinaryMode } from '../support/engine.mts';

/**
 * What a reader with fresh eyes found: nothing may be reported as done that is not, and nothing
 * filled in may be dropped unseen.
 */

let sandbox: Sandbox;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());
afterEach(() => sandbox.faults.clear());

const attempt = async (parameters: IDataObject, more: object = {}) =>
	await runNode({ credential: credentialFor(sandbox.url), parameters, ...more });
const run = async (parameters: IDataObject, more: object = {}) => {
	const outcome = await attempt(parameters, more);
	if (outcome.error) throw outcome.error;
	return outcome.items[0]?.json;
};
const told = async (parameters: IDataObject, more: object = {}) => {
	const { error } = await attempt(parameters, more);
	return `${error?.message}. ${error?.description}`;
};
const transaction = (transactionId: unknown) =>
	sandbox.world.transactions.get(String(transactionId))!;
const RETRY = { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 } };
const BUSINESS = {
	resource: 'transaction',
	operation: 'create',
	transactionName: 'A',
	signers: { row: [{ email: 'jane@example.com', external_id: 's1' }] },
	documents: {},
	additionalFields: {},
	simplify: true,
};
const UPDATE = {
	resource: 'transaction',
	operation: 'update',
	platform: 'realEstate',
	simplify: true,
};

describe('done or not', () => {
	test.each([{ status: 200, body: '' }, { kind: 'notJson' as const }])(
		'a creation answered with nothing readable (%j) is not repeated',
		async (fault) => {
			const before = sandbox.requests.length;
			sandbox.faults.add({ method: 'POST', path: /\/transactions$/, ...fault } as never);
			const { error } = await attempt(
				{ ...CLOSING, transactionName: `Unreadable ${before}` },
				RETRY,
			);
			expect(error?.message).toMatch(/not known whether/);
			expect(
				sandbox.requests
					.slice(before)
					.filter(({ method, path }) => method === 'POST' && path.endsWith('/transactions')),
			).toHaveLength(1);
		},
	);
	test.each(['realEstate', 'business'])(
		'an update (%s) answered with nothing, and then the service falls silent: it may have been done, which is said',
		async (platform) => {
			const transactionId =
				platform === 'realEstate'
					? await createClosing(credentialFor(sandbox.url))
					: String((await run({ ...BUSINESS, draft: true })).transaction_id);
			sandbox.faults.add({
				method: platform === 'realEstate' ? 'PUT' : 'PATCH',
				path: /\/transactions\//,
				status: 200,
				body: '',
			});
			sandbox.faults.add({
				method: 'GET',
				path: /\/transactions\//,
				status: 401,
				skip: platform === 'realEstate' ? 1 : 0,
				times: 9,
				body: { error: 'no' },
			});
			expect(
				await told({
					...UPDATE,
					platform,
					transactionId: id(transactionId),
					updateFields: { external_id: 'x1' },
				}),
			).toMatch(/not known whether/);
		},
	);
	test('an update that takes something away is not taken for done by what is still there', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			coSigners: { row: [{ email: 'joe@example.com', external_id: 'co' }] },
		});
		sandbox.faults.add({ method: 'PUT', path: /\/transactions\//, kind: 'cutBefore' });
		expect(
			await told({
				...UPDATE,
				transactionId: id(transactionId),
				updateFields: {
					signers: { row: [{ email: 'jane.borrower@example.com', external_id: 'borrower-1' }] },
				},
			}),
		).toMatch(/not known whether/);
	});
	test('an older eNote is not taken for the new one', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url));
		const add = {
			resource: 'enote',
			operation: 'add',
			transactionId: id(transactionId),
			source: 'url',
			fileUrl: `${sandbox.url}/samples/enote.xml`,
			enoteType: 'ENOTE',
			borrowers: {},
		};
		await run(add);
		await sandbox.clock.advance(5000);
		sandbox.faults.add({ method: 'POST', path: /enote$/, status: 503 });
		expect(await told(add)).toMatch(/not known whether/);
	});
	test('a document of another transaction is not touched', async () => {
		const [mine, other] = [
			await createClosing(credentialFor(sandbox.url)),
			await createClosing(credentialFor(sandbox.url)),
		];
		const { document_id: documentId } = await run(
			{ ...ADD_DOCUMENT, transactionId: id(other) },
			{ items: [await pdfItem()] },
		);
		for (const operation of ['delete', 'update']) {
			expect(
				await told({
					resource: 'document',
					operation,
					platform: 'realEstate',
					transactionId: id(mine),
					documentId: id(String(documentId)),
					updateFields: { name: 'X' },
				}),
			).toMatch(/is not in this transaction/);
		}
		expect(transaction(other).documents).toHaveLength(1);
	});
});

describe('what was filled in arrives, or is told', () => {
	test.each([
		['={{ $json.nothing }}', true],
		['', true],
		['TRUE', true],
		['1', true],
		['no', false],
		[false, false],
	])('"Create as Draft" %j is %s', async (draft, expected) => {
		const documents = {
			row: [
				{
					source: 'url',
					fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
					requirement: 'notarization',
				},
			],
		};
		const { transaction_id: transactionId } = await run({ ...BUSINESS, documents, draft });
		expect(transaction(transactionId).detailedStatus).toBe(expected ? 'draft' : 'sent_to_signer');
	});
	test('a switch that is neither yes nor no is told', async () => {
		expect(
			await told({ ...BUSINESS, draft: true, additionalFields: { suppress_email: 'perhaps' } }),
		).toMatch(/'Suppress Email' is 'perhaps', which is neither yes nor no/);
	});
	test.each([
		['sms', ['multi_factor_authentication']],
		['selfie, SMS', ['id_verification', 'multi_factor_authentication']],
		['["knowledge"]', ['knowledge_based_authentication']],
	])('identity checks as the text %s', async (checks, expected) => {
		const { transaction_id: transactionId } = await run({
			...CLOSING,
			identityChecks: `={{ ${JSON.stringify(checks)} }}`,
		});
		expect(
			Object.keys(
				(transaction(transactionId).signers[0] as never as { assurance_requirement: object })
					.assurance_requirement,
			).sort(),
		).toEqual(expected);
	});
	test('a check that does not exist is told before anything is sent', async () => {
		expect(await told({ ...CLOSING, identityChecks: '={{ ["kba"] }}' })).toMatch(
			/'Identity Checks' holds 'kba'.*selfie, knowledge, sms/,
		);
	});
	test('a field added without a row takes nothing away', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			additionalFields: {
				contacts: {
					row: [{ role: 'title_agent', email: 'a@title.example', phone_number: 6175550100 }],
				},
			},
		});
		await run({
			...UPDATE,
			transactionId: id(transactionId),
			updateFields: { loan_number: '1', contacts: {}, signers: {}, documents: {} },
		});
		expect(transaction(transactionId).fields.contacts).toEqual([
			{ role: 'title_agent', email: 'a@title.example', phone_number: '6175550100' },
		]);
	});
	test('an update keeps fields that the node does not know', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			additionalFields: { additionalJson: '{"require_secondary_id": true}' },
		});
		await run({ ...UPDATE, transactionId: id(transactionId), updateFields: { loan_number: '1' } });
		expect(transaction(transactionId).fields.require_secondary_id).toBe(true);
	});
	test.each([
		['+1 617 555 0123', '1'],
		['617/555-0123', '+1'],
		['617‑555‑0123', '1'],
	])('the phone %s with country %s', async (phone, country) => {
		const { transaction_id: transactionId } = await run({
			...CLOSING,
			signerPhone: phone,
			signerDetails: { country_code: country },
		});
		expect(transaction(transactionId).signers[0]).toMatchObject({
			phone_number: '6175550123',
			phone: { country_code: '1', number: '6175550123' },
		});
	});
	test('a country code without a phone, and a phone that is none, are told', async () => {
		expect(
			await told({ ...CLOSING, signerPhone: '', signerDetails: { country_code: '1' } }),
		).toMatch(/Country.*has no phone number/i);
		expect(await told({ ...CLOSING, signerPhone: 'call me' })).toMatch(
			/'Signer Phone' is 'call me'.*6175550123/,
		);
	});
	test('rows of designations are complained about in the words of the row', async () => {
		const add = (row: IDataObject) => ({
			...ADD_DOCUMENT,
			specifyDesignations: 'fields',
			transactionId: id('ot_x'),
			designations: {
				row: [
					{
						signer_identifier: 's1',
						type: 'signature',
						page: 1,
						x: 1,
						y: 1,
						width: 9,
						height: 9,
						...row,
					},
				],
			},
		});
		const item = { items: [await pdfItem()] };
		expect(await told(add({ page: 0 }), item)).toMatch(
			/designation 1: 'Page' is not a number from 1 on.*the first page is 1/,
		);
		expect(await told(add({ signer_identifier: '' }), item)).toMatch(
			/'Signer Name or ID' is missing/,
		);
	});
});

describe('a corrected signer stays whole', () => {
	const correct = (transactionId: string, corrections: IDataObject, more: IDataObject = {}) => ({
		resource: 'transaction',
		operation: 'correctSigner',
		platform: 'realEstate',
		transactionId: id(transactionId),
		signerId: id('borrower-1'),
		corrections,
		sendAgain: true,
		recallReason: '',
		simplify: true,
		...more,
	});
	const make = async () =>
		await createClosing(credentialFor(sandbox.url), {
			signerDetails: {
				country_code: '1',
				address_line1: '12 Elm Street',
				address_city: 'Boston',
				address_state: 'MA',
				address_postal: '02110',
			},
			additionalFields: { paper_note_consent: true },
		});
	test('a new number keeps its country, a new city the rest of the address', async () => {
		const transactionId = await make();
		await run(
			correct(transactionId, {
				phone_number: '617 555 9999',
				details: { address_city: 'Cambridge' },
			}),
		);
		expect(transaction(transactionId).signers[0]).toMatchObject({
			phone_number: '6175559999',
			phone: { country_code: '1', number: '6175559999' },
			address: { line1: '12 Elm Street', city: 'Cambridge', state: 'MA', postal: '02110' },
		});
	});
	test('a new external ID: cut off before sending it goes on all the same, and says nothing that is not so', async () => {
		const transactionId = await make();
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		await run({
			resource: 'transaction',
			operation: 'send',
			platform: 'realEstate',
			transactionId: id(transactionId),
			additionalFields: {},
			simplify: true,
		});
		sandbox.faults.add({
			method: 'POST',
			path: /place_order$/,
			status: 422,
			body: { errors: ['Not now'] },
		});
		const said = await told(correct(transactionId, { external_id: 'b2' }));
		expect(said).toMatch(/recalled and corrected, and not sent again yet/);
		expect(said).not.toMatch(/nothing was changed/);
		expect(
			await run(
				correct(
					transactionId,
					{ external_id: 'b2' },
					{ additionalFields: { suppress_email: 'yes' } },
				),
			),
		).toMatchObject({ detailed_status: 'sent_to_signer', correction_steps: ['sent'] });
		expect(sandbox.requests.at(-1)!.body).toEqual({ suppress_email: true });
	});
});

describe('secrets and events', () => {
	test('a social security number is kept out of texts, however it is written', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url));
		for (const ssn of ['={{ 123456789 }}', '123-45-6789']) {
			sandbox.faults.add({
				method: 'POST',
				path: /enote$/,
				status: 422,
				body: { errors: ['SSN 123456789 does not match'] },
			});
			const said = await told({
				resource: 'enote',
				operation: 'add',
				transactionId: id(transactionId),
				source: 'url',
				fileUrl: `${sandbox.url}/samples/enote.xml`,
				enoteType: 'ENOTE',
				borrowers: { row: [{ first_name: 'J', last_name: 'B', ssn }] },
			});
			expect(said).toMatch(/does not match/);
			expect(said).not.toMatch(/123456789/);
		}
	});
	test('wildcards filter events, and a text is a list of them', async () => {
		const hook = await run({
			resource: 'webhook',
			operation: 'create',
			url: `${sandbox.url}/samples/nothing`,
			events: ['*'],
			additionalFields: {},
		});
		await createClosing(credentialFor(sandbox.url));
		await sandbox.clock.settled();
		const get = async (events: unknown) =>
			(
				await attempt({
					resource: 'webhook',
					operation: 'getEvents',
					webhookId: id(String(hook.webhook_id)),
					returnAll: true,
					filters: { events } as never,
				})
			).items.length;
		expect(await get(['*'])).toBe(1);
		expect(await get(['transaction.*'])).toBe(1);
		expect(await get('={{ "transaction.created" }}')).toBe(1);
		expect(await get('={{ "transaction.sent" }}')).toBe(0);
	});
	test('a refusal on the documented path is told, not that nothing is there', async () => {
		const transactionId = await createClosing(credentialFor(sandbox.url), {
			additionalFields: { paper_note_consent: true },
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
		sandbox.world.settings.profile = 'documented';
		expect(
			await told(
				{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
				{ items: [await pdfItem()] },
			),
		).toMatch(/cannot be edited/);
		sandbox.world.settings.profile = 'full';
	});
});
