import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import {
	borrowers,
	ADD_DOCUMENT,
	CLOSING,
	createClosing,
	id,
	pdfItem,
} from '../support/closing.mts';
import {
	attempt,
	BUSINESS,
	complaint,
	JANE,
	ownDocuments,
	run,
	transaction,
} from '../support/operations.mts';
import { credential, sandbox, useSandbox } from '../support/useSandbox.mts';

/**
 * Values that can be written in several ways: what the service gets, or what the message says.
 */

useSandbox();

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
				signers: { row: [JANE] },
				additionalFields: { expiry },
			});
			expect(new Date(transaction(json.transaction_id).fields.expiry).toISOString()).toBe(instant);
		},
	);
	test('an expiry that is a day includes that day, an activation begins with it', async () => {
		const sent = (wanted: string) =>
			sandbox.requests.filter(({ method }) => method === wanted).at(-1)?.body;
		const { json } = await run({
			...BUSINESS,
			signers: { row: [JANE] },
			additionalFields: { expiry: '2027-03-05', activation_time: '2027-03-01' },
		});
		expect(sent('POST')).toMatchObject({
			expiry: '2027-03-05T23:59:59-05:00',
			activation_time: '2027-03-01T00:00:00-05:00',
		});
		await run({
			resource: 'transaction',
			operation: 'update',
			platform: 'business',
			transactionId: id(String(json.transaction_id)),
			updateFields: { expiry: '={{ 46387 }}' },
			simplify: true,
		});
		expect(sent('PATCH')).toEqual({ expiry: '2026-12-31T23:59:59-05:00' });
		await createClosing(credential(), { additionalFields: { expiration_time: '2027-03-05' } });
		expect(sent('POST')).toMatchObject({ expiration_time: '2027-03-05T23:59:59-05:00' });
	});
	test('a closing that expires does so at the end of that day, as the service rounds it', async () => {
		const expires = DateTime.now().setZone('America/New_York').plus({ days: 2 }).startOf('minute');
		const transactionId = await createClosing(credential(), {
			additionalFields: { expiration_time: expires.toFormat("yyyy-MM-dd'T'HH:mm:ss") },
		});
		const endOfDay = Date.parse(`${expires.toUTC().toISODate()}T23:59:59Z`);
		await sandbox.clock.advance(endOfDay - sandbox.clock.now() - 60_000);
		expect(transaction(transactionId).status).not.toBe('expired');
		await sandbox.clock.advance(61_000);
		expect(transaction(transactionId).status).toBe('expired');
	});
	test('an invalid date is reported before anything is sent', async () => {
		const before = sandbox.requests.length;
		const { error } = await attempt({
			...BUSINESS,
			signers: { row: [JANE] },
			additionalFields: { expiry: 'next Tuesday' },
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Expiry' is 'next Tuesday', which isn't a valid date.*year-month-day/,
		);
		expect(sandbox.requests).toHaveLength(before);
	});
});

describe('pasted links', () => {
	test.each(['id', 'url', 'list'])('in the mode %s', async (mode) => {
		const transactionId = await createClosing(credential());
		const value = `${sandbox.url}/mortgage/v1/transactions/${transactionId}/documents?x=1`;
		expect(
			(
				await run({
					resource: 'transaction',
					operation: 'get',
					platform: 'realEstate',
					transactionId: { __rl: true, mode, value },
				})
			).json.transaction_id,
		).toBe(transactionId);
	});
	test('one without an ID is reported', async () => {
		const { error } = await attempt({
			resource: 'transaction',
			operation: 'get',
			platform: 'realEstate',
			transactionId: id('https://example.com/somewhere'),
		});
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/'Transaction' holds a link without an ID.*\/transactions\//,
		);
	});
});

describe('identity checks', () => {
	const selfie = { id_verification: { selfie: true } };
	const sms = { multi_factor_authentication: { type: 'sms' } };
	test.each([
		['sms', { knowledge_based_authentication: false, ...sms }],
		['selfie, SMS', { knowledge_based_authentication: false, ...selfie, ...sms }],
		['["knowledge"]', { knowledge_based_authentication: true }],
	])('identity checks as the text %s', async (checks, expected) => {
		const { json } = await run({
			...CLOSING,
			signers: borrowers({ identityChecks: `={{ ${JSON.stringify(checks)} }}` }),
		});
		expect((transaction(json.transaction_id).signers[0] as any).assurance_requirement).toEqual(
			expected,
		);
	});
	test('an unknown check is reported', async () => {
		expect(
			await complaint({ ...CLOSING, signers: borrowers({ identityChecks: '={{ ["kba"] }}' }) }),
		).toMatch(/'Signers, row 1: Identity Checks' holds 'kba'.*selfie, knowledge, sms/);
	});
});

describe('phone numbers', () => {
	test.each([
		['+1 617 555 0123', '1'],
		['617/555-0123', '+1'],
		['617‑555‑0123', '1'],
	])('the phone %s with country %s', async (phone, country) => {
		const { json } = await run({
			...CLOSING,
			signers: borrowers({ phone_number: phone, details: { country_code: country } }),
		});
		expect(transaction(json.transaction_id).signers[0]).toMatchObject({
			phone_number: '6175550123',
			phone: { country_code: '1', number: '6175550123' },
		});
	});
	test('a number of another country keeps its +, for the service would add +1', async () => {
		const { json } = await run({
			...CLOSING,
			signers: borrowers({ phone_number: '+44 7700 900123' }),
		});
		expect(transaction(json.transaction_id).signers[0]).toMatchObject({
			phone_number: '+447700900123',
		});
	});
	test('a number with the country code of another country gets it in both of its forms', async () => {
		const parts = { phone_number: '7700 900123', details: { country_code: '+44' } };
		const { json } = await run({ ...CLOSING, signers: borrowers(parts) });
		expect(transaction(json.transaction_id).signers[0]).toMatchObject({
			phone_number: '+447700900123',
			phone: { country_code: '44', number: '7700900123' },
		});
	});
	test('a number with + keeps its country, whatever the country code beside it', async () => {
		const phone = { phone_number: '+44 7700 900123', details: { country_code: '1' } };
		const { json } = await run({ ...CLOSING, signers: borrowers(phone) });
		expect(transaction(json.transaction_id).signers[0]).toMatchObject({
			phone_number: '+447700900123',
		});
	});
	test.each([
		['+44 7700 900123', '1', '+447700900123', undefined],
		['+44 7700 900123', '', '+447700900123', undefined],
		['1-617-555-0123', '1', '+16175550123', { country_code: '1', number: '6175550123' }],
		['617 555 0123', '', '+16175550123', undefined],
		['7700 900123', '+44', '+447700900123', { country_code: '44', number: '7700900123' }],
	])(
		'Resend SMS to %s with country code %j',
		async (phoneNumber, phoneCountryCode, whole, phone) => {
			const resend = { resource: 'transaction', operation: 'resendSms', platform: 'business' };
			const transactionId = { __rl: true, mode: 'id', value: 'ot_1' };
			await attempt({ ...resend, transactionId, phoneNumber, phoneCountryCode });
			const { query, body } = sandbox.requests.at(-1)!;
			expect({ query, body }).toMatchObject({ query: { phone: whole, phone_number: whole } });
			expect(body).toEqual(phone && { phone });
		},
	);
	test('a country code without a phone, and an invalid phone, are reported', async () => {
		expect(
			await complaint({
				...CLOSING,
				signers: borrowers({ phone_number: '', details: { country_code: '1' } }),
			}),
		).toMatch(/Country.*has no phone number/i);
		expect(
			await complaint({ ...CLOSING, signers: borrowers({ phone_number: 'call me' }) }),
		).toMatch(/'Signers, row 1: Phone' is 'call me'.*6175550123/);
	});
});

describe('designations', () => {
	test('the signer is trimmed, as external IDs of signers are', async () => {
		const transactionId = await createClosing(credential());
		const row = { signer_identifier: ' borrower-1 ', type: 'signature', page: 1, x: 1, y: 1 };
		await run(
			{
				...ADD_DOCUMENT,
				transactionId: id(transactionId),
				specifyDesignations: 'fields',
				designations: { row: [{ ...row, width: 10, height: 10 }] },
			},
			{ items: [await pdfItem()] },
		);
		const [{ designations }] = ownDocuments(transactionId);
		expect(designations.map(({ signer_identifier: signer }) => signer)).toEqual(['borrower-1']);
	});
	test('an invalid row is reported with the labels of its fields', async () => {
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
		expect(await complaint(add({ page: 0 }), item)).toMatch(
			/designation 1: 'Page' is not a number from 1 on.*the first page is 1/,
		);
		expect(await complaint(add({ signer_identifier: '' }), item)).toMatch(
			/'Signer Name or ID' is missing/,
		);
	});
});

describe('a choice that an expression gets wrong is refused with the choices', () => {
	const add = { ...ADD_DOCUMENT, transactionId: id('ot_1') };
	test.each<[string, IDataObject, RegExp]>([
		[
			'the platform',
			{
				resource: 'transaction',
				operation: 'get',
				platform: 'Business',
				transactionId: id('ot_1'),
			},
			/'Platform' is 'Business'.*realEstate, business/,
		],
		['the source of a file', { ...add, source: 'URL' }, /'Source' is 'URL'.*binary.*url/],
		[
			'how designations are specified',
			{ ...add, specifyDesignations: 'JSON' },
			/'Specify Designations' is 'JSON'.*fields, json/,
		],
		[
			'the source of a row',
			{ ...BUSINESS, signers: { row: [JANE] }, documents: { row: [{ source: 'File' }] } },
			/'Documents', row 1: 'Source' is 'File'/,
		],
	])('%s', async (_name, parameters, expected) => {
		const before = sandbox.requests.length;
		expect(await complaint(parameters, { items: [await pdfItem()] })).toMatch(expected);
		expect(sandbox.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
	});
	test('the version of a document', async () => {
		const transactionId = await createClosing(credential());
		const { json } = await run(
			{ ...ADD_DOCUMENT, transactionId: id(transactionId) },
			{
				items: [await pdfItem()],
			},
		);
		const parameters = {
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(String(json.document_id)),
			version: 'latest',
			binaryPropertyName: 'data',
		};
		expect(await complaint(parameters)).toMatch(/'Version' is 'latest'.*final, current/);
	});
});
