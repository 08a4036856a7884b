/**
 * Create Transaction on both platforms (docs/service/transactions.md#create-a-business-transaction,
 * docs/service/transactions.md#create-a-closing).
 */

import { forEachCase } from '../../support/forEachCase.mts';
import {
	addDocument,
	ADDRESS,
	B,
	base64,
	CLOSING,
	IAL2,
	newClosing,
	newDocument,
	newDraft,
	newSent,
	R,
	SIGNATURE,
} from '../support/client.mts';
import { client, sandbox, useSandbox } from '../support/useSandbox.mts';

useSandbox();

const KIM = { email: 'kim@example.com' };

describe('business', () => {
	const bodyOf = async (more: object = {}) => ({
		signers: [KIM],
		documents: [await newDocument()],
		...more,
	});
	const many = Array.from({ length: 11 }, (_, index) => ({ email: `s${index}@example.com` }));

	test('one signer with an email and one document are the minimum, and it is sent at once', async () => {
		await forEachCase([{}, { signers: undefined, signer: KIM }], async (signers) => {
			const made = await client.ok('POST', B, await bodyOf(signers));
			expect(made).toMatchObject({ status: 'sent', detailed_status: 'sent_to_signer' });
			expect(made.signer_info.email).toBe(KIM.email);
		});
	});
	test.each<[string, object, number, string | RegExp]>([
		['no signer', { signers: [] }, 422, 'Need at least 1 signer'],
		['no email', { signers: [{ first_name: 'Kim' }] }, 422, 'Customer email not present'],
		['no document', { documents: [] }, 422, 'Need at least 1 document'],
		['eleven signers', { signers: many }, 422, /signers/],
		['a name of 31 characters', { signers: [{ ...KIM, first_name: 'x'.repeat(31) }] }, 422, /name/],
		['a field nobody knows', { colour: 'red' }, 422, /colour/],
		['a notary nobody knows', { notary_id: 'us_nobody' }, 422, /us_nobody|notary/],
		[
			'a typo in the domain of an email',
			{ signers: [{ email: 'kim@gmial.com' }] },
			400,
			'Typo in domain name. Did you mean: kim@gmail.com?',
		],
		['what is no email', { signers: [{ email: 'kim' }] }, 400, 'Invalid email format.'],
		[
			'what is no PDF',
			{ documents: [{ resource: base64('no pdf'), requirement: 'esign' }] },
			422,
			/PDF/,
		],
	])('refuses %s, and leaves nothing behind', async (_name, more, status, text) => {
		const before = sandbox.world.transactions.size;
		await client.refuses('POST', B, await bodyOf(more), status, text);
		expect(sandbox.world.transactions.size).toBe(before);
	});
	test('designations can not be supplied here; they need a draft and an external_id of the signer', async () => {
		const documents = [await newDocument({ signing_designations: [] })];
		await client.refuses('POST', B, await bodyOf({ documents }), 422, /signing_designations/);
		const document = await newDocument({ signing_designations: [SIGNATURE] });
		await client.ok('POST', `${B}/${await newDraft(client)}/documents`, document);
		for (const [id, text] of [
			[await newDraft(client, { signers: [KIM] }), /external_id/],
			[await newSent(client), 'Transaction Cannot Be Modified'],
		] as const)
			await client.refuses('POST', `${B}/${id}/documents`, document, 422, text);
	});
	test('a document can be a bare text: it gets a name, is notarized, and takes own marks of the signer', async () => {
		const { resource } = (await newDocument()) as { resource: string };
		expect(
			(await client.ok('POST', B, await bodyOf({ documents: [resource] }))).documents,
		).toMatchObject([
			{
				document_name: 'Document 1',
				requirement: 'notarization',
				allowed_actions: ['NOTARIZATION_REQUIRED', 'CUSTOMER_CAN_ANNOTATE'],
			},
		]);
	});
	test('notary_instructions are 403 for an organization that has no access to them', async () => {
		const notary_instructions = [{ notary_note: 'Ring twice' }];
		const body = await bodyOf({ notary_instructions });
		expect(await client.ok('POST', B, body)).toMatchObject({ notary_instructions });
		sandbox.world.settings.missingFeatures = ['notary_instructions'];
		const text = 'Organization does not have access to notary_instructions';
		await client.refuses('POST', B, body, 403, text);
	});
});

describe('real estate', () => {
	test.each<[string, object, string | RegExp]>([
		['an unknown type', { transaction_type: 'barter' }, 'Invalid Value for transaction_type'],
		[
			'a jurisdiction of another address',
			{ recording_jurisdiction_id: 'rlhampden' },
			'recording_jurisdiction_id does not belong to the address',
		],
		[
			'an agency of another state',
			{ title_agency_id: 'or_agency_prairie' },
			'title_agency_id is not eligible for the address',
		],
		[
			'an underwriter of another agency',
			{ title_agency_id: 'or_agency_beacon', title_underwriter_id: 'or_underwriter_atlantic' },
			'title_underwriter_id is not eligible for the title agency',
		],
		[
			'an address that can not be closed online',
			{ street_address: { ...ADDRESS, state: 'HI' } },
			'The address can not be closed online',
		],
		[
			'a flag that is neither true nor false',
			{ require_secondary_photo_id: 'maybe' },
			/maybe|secondary/,
		],
	])('refuses %s', async (_name, more, text) => {
		await client.refuses('POST', R, { ...CLOSING, ...more }, 422, text);
	});
	test('nothing has to be there at the creation; place_order asks for a signer', async () => {
		const { id, signers } = await client.ok('POST', R, {});
		expect(signers).toEqual([]);
		await addDocument(client, id, { requirement: 'notarization' });
		await client.refuses(
			'POST',
			`${R}/${id}/place_order`,
			undefined,
			422,
			'Need at least 1 signer',
		);
	});
	test('a lender names an agency, or a contact who is a title agent', async () => {
		const order = async (contacts: object[]) => {
			const id = await newClosing(client, { title_agency_id: undefined, contacts });
			await addDocument(client, id);
			return `${R}/${id}/place_order`;
		};
		const text = /title_agency_id or a contact/;
		await client.refuses('POST', await order([]), undefined, 422, text);
		const agent = { role: 'title_agent', email: 't@example.com' };
		expect((await client.ok('POST', await order([agent]))).status).toBe('sent');
	});
	test('a consent form for each signer is first in the bundle, and follows the signers', async () => {
		const forms = async (id: string) =>
			(await client.transaction(id)).documents.map(
				({ document_name, requirement, bundle_position }: any) =>
					`${bundle_position} ${document_name} (${requirement})`,
			);
		const signers = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
		const id = await newClosing(client, { signer: undefined, signers });
		await addDocument(client, id);
		expect(await forms(id)).toEqual([
			'0 eSign Consent Form - Signer 1 (esign)',
			'1 eSign Consent Form - Signer 2 (esign)',
			'2 Contract (esign)',
		]);
		await client.ok('PUT', `${R}/${id}`, { signer: signers[0] });
		expect(await forms(id)).toEqual([
			'0 eSign Consent Form - Signer 1 (esign)',
			'1 Contract (esign)',
		]);
		sandbox.world.settings.switches.consentForms = false;
		expect(await forms(await newClosing(client))).toEqual([]);
	});
});

describe('identity assurance', () => {
	const R2 = '/mortgage/v2/transactions';
	const INVALID = 'Invalid Value for transaction_type';
	const assured = (assurance: object = IAL2, field = 'assurance_requirement') => ({
		...CLOSING,
		transaction_type: null,
		signer: { email: 'a@example.com', [field]: assurance },
	});
	test('needs version 2 of the path and transaction_type null', async () => {
		expect((await client.ok('POST', R2, assured())).transaction_type).toBeNull();
		const text = 'Identity assurance needs version 2 of this endpoint';
		await client.refuses('POST', R, assured(), 422, text);
		await client.refuses('POST', R2, { ...assured(), transaction_type: 'other' }, 422, INVALID);
	});
	test('with the switch named, null is refused by name and a type is taken, at the creation and by PUT', async () => {
		sandbox.world.settings.switches.assuredType = 'named';
		for (const transaction_type of [null, undefined])
			await client.refuses('POST', R2, { ...assured(), transaction_type }, 422, INVALID);
		const { id } = await client.ok('POST', R2, { ...assured(), transaction_type: 'refinance' });
		await client.refuses('PUT', `${R2}/${id}`, { transaction_type: null }, 422, INVALID);
		const changed = await client.ok('PUT', `${R2}/${id}`, { loan_number: '77' });
		expect(changed).toMatchObject({ transaction_type: 'refinance', loan_number: '77' });
		// Any other closing still may have none.
		const plain = await client.ok('POST', R2, { ...CLOSING, transaction_type: null });
		expect(plain.transaction_type).toBeNull();
	});
	test('with the switch missing, no answer has the type of a closing with identity checks', async () => {
		const { switches } = sandbox.world.settings;
		switches.assuredTypeAnswer = 'missing';
		await forEachCase(
			[
				['null', null],
				['named', 'refinance'],
			] as const,
			async ([assuredType, transaction_type]) => {
				switches.assuredType = assuredType;
				const made = await client.ok('POST', R2, { ...assured(), transaction_type });
				forEachCase([made, await client.ok('GET', `${R2}/${made.id}`)], (answer) =>
					expect(answer).not.toHaveProperty('transaction_type'),
				);
			},
		);
		expect((await client.ok('POST', R2, CLOSING)).transaction_type).toBe('refinance');
	});
});

/**
 * Which signers a request may name, and in which form
 * (docs/service/transactions.md#signer-signers-and-cosigner,
 * docs/service/transactions.md#rules-between-fields).
 */
describe('signers', () => {
	const [JANE, JOE] = [{ email: 'jane@example.com' }, { email: 'joe@example.com' }];
	const EITHER = 'Use either the signers array or signer/cosigner input fields';
	const BARE = { ...CLOSING, signer: undefined };
	const DRAFT = { draft: true };
	const GROUP = { recipient_group: { shared_inbox_email: 'desk@example.com' } };
	const emails = ({ signers }: any) => signers.map(({ email }: any) => email);

	test('either the signers or signer and cosigner, at the creation and at an update', async () => {
		const made = await client.ok('POST', R, { ...BARE, signers: [JANE, JOE] });
		expect(emails(made)).toEqual([JANE.email, JOE.email]);
		expect(emails(await client.ok('POST', R, { ...BARE, signer: JANE }))).toEqual([JANE.email]);
		for (const both of [
			{ signer: JANE, signers: [JANE, JOE] },
			{ cosigner: { first_name: 'Joe' }, signers: [JANE] },
		]) {
			await client.refuses('POST', R, { ...BARE, ...both }, 422, EITHER);
			await client.refuses('PUT', `${R}/${made.id}`, both, 422, EITHER);
			await client.refuses('POST', B, { ...DRAFT, ...both }, 422, EITHER);
		}
	});
	test('an update with signer leaves one signer, an update with cosigner gives a second', async () => {
		const id = await newClosing(client, { signer: undefined, signers: [JANE, JOE] });
		expect(emails(await client.ok('PUT', `${R}/${id}`, { signer: JOE }))).toEqual([JOE.email]);
		const { signers } = await client.ok('PUT', `${R}/${id}`, { cosigner: { first_name: 'Ann' } });
		expect(signers).toMatchObject([{ email: JOE.email }, { email: '', first_name: 'Ann' }]);
	});
	test.each([
		['PUT', R, { ...BARE, signer: JANE }],
		['PATCH', B, { ...DRAFT, signer: JANE }],
		['PUT', B, { ...DRAFT, signer: JANE }],
	])('%s %s: a cosigner is the second signer, whose email is empty', async (method, path, body) => {
		const cosigner = { first_name: 'Joe', last_name: 'Borrower', signing_requirement: 'esign' };
		const ann = { ...cosigner, first_name: 'Ann' };
		const created = await client.ok('POST', path, { ...body, cosigner });
		const own = `${path}/${created.id}`;
		const updated = await client.ok(method, own, { signer: JANE, cosigner: ann });
		forEachCase(
			[
				[created, cosigner],
				[updated, ann],
			],
			([answer, expected]) => {
				expect(answer.signers).toMatchObject([JANE, { ...expected, email: '' }]);
				expect(answer.cosigner_info).toEqual(answer.signers[1]);
			},
		);
		// The service refuses its own answer.
		const answered = { signers: [JANE, { first_name: 'Ann', last_name: 'Borrower', email: '' }] };
		expect((await client.call(method, own, answered)).status).toBeGreaterThanOrEqual(400);
	});
	const nora = { notary_id: 'us_nora_notary' };
	test.each<[string, object[], RegExp]>([
		['email together with a group', [{ ...JANE, ...GROUP }], /email and recipient_group exclude/],
		['capacity without entity', [{ ...JANE, capacity: 'Trustee' }], /capacity and entity/],
		['a notary without order', [{ ...JANE, ...nora }], /requires order/],
		[
			'one order with two notaries',
			[
				{ ...JANE, ...nora, order: 1 },
				{ ...JOE, order: 1, notary_id: 'us_oscar_oath' },
			],
			/equal order need the same notary_id/,
		],
		[
			'one of several known to the notary, without a notary',
			[{ ...JANE, personally_known_to_notary: true }, JOE],
			/requires notary_id/,
		],
		[
			'one external_id for two',
			[JANE, JOE].map((signer) => ({ ...signer, external_id: 's1' })),
			/external_id of the signers must differ/,
		],
	])('refuses %s', async (_name, signers, text) => {
		await client.refuses('POST', B, { ...DRAFT, signers }, 422, text);
	});
	test('authentication_requirement sms needs a phone of every signer', async () => {
		const sms = { authentication_requirement: 'sms' };
		const text = /phone of every signer/;
		await client.refuses('POST', B, { ...DRAFT, signers: [JANE], ...sms }, 422, text);
		const signers = [{ ...JANE, phone_number: '+16175550123' }];
		const id = await newDraft(client, { signers, ...sms });
		await client.refuses('PATCH', `${B}/${id}`, { signers: [JANE] }, 422, text);
	});
});
