import type { IDataObject } from 'n8n-workflow';

import { samplePdf } from '../../../sandbox/data/samples.mts';
import {
	ADD_DOCUMENT,
	borrowers,
	CLOSING,
	createClosing,
	id,
	pdfItem,
	TITLE,
	toForm,
} from '../../support/closing.mts';
import { storeFile } from '../../support/engine.mts';
import {
	BUSINESS,
	complaint,
	hints,
	JANE,
	lastBody,
	run,
	sendClosing,
	transaction,
	UPDATE_CLOSING,
} from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Create and Create Closing: what is sent of the form, what is refused, what is said. */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const closing = (additionalFields: IDataObject, more: IDataObject = {}): IDataObject => ({
	...CLOSING,
	...toForm({ ...TITLE, paper_note_consent: true, ...additionalFields }),
	...more,
});
const business = (additionalFields: IDataObject, more: IDataObject = {}): IDataObject => ({
	...BUSINESS,
	...toForm(additionalFields),
	...more,
});
const signed = (...rows: IDataObject[]): IDataObject => ({ ...BUSINESS, signers: { row: rows } });
const JOE = { ...JANE, email: 'joe@example.com', external_id: 's2' };
const documents = (...rows: IDataObject[]) => ({
	row: rows.map((row) => ({
		source: 'url',
		fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
		requirement: 'notarization',
		...row,
	})),
});
const ALL = ['selfie', 'knowledge', 'sms'];
const ALL_SENT = {
	id_verification: { selfie: true },
	knowledge_based_authentication: true,
	multi_factor_authentication: { type: 'sms' },
};

test('a closing has its documented fields, and the zip code under both names', async () => {
	const transactionId = await createClosing(credential(), {
		...toForm({ addressLine2: 'Unit 4', loan_number: '77', sendReference: false }),
	});
	expect(sandbox.requests.at(-1)?.path).toBe('/mortgage/v1/transactions');
	expect(lastBody()).toEqual({
		transaction_type: 'refinance',
		transaction_name: 'Refinance 100 Harbor Street',
		signer: {
			email: 'jane.borrower@example.com',
			first_name: 'Jane',
			last_name: 'Borrower',
			phone_number: '6175550123',
			external_id: 'borrower-1',
		},
		street_address: {
			line1: '100 Harbor Street',
			line2: 'Unit 4',
			city: 'Boston',
			state: 'MA',
			zip_code: '02110',
			postal: '02110',
		},
		recording_jurisdiction_id: 'rlboston',
		title_agency_id: 'or_agency_harbor',
		title_underwriter_id: 'or_underwriter_atlantic',
		loan_number: '77',
	});
	expect(transaction(transactionId).detailedStatus).toBe('draft');
});
test('a business transaction has files of the item and a template in one request', async () => {
	const [deed, letter] = [
		(await samplePdf('deed-of-trust'))!,
		(await samplePdf('closing-disclosure'))!,
	];
	const binary = {
		deed: await storeFile(deed, 'Deed.pdf', 'application/pdf'),
		letter: await storeFile(letter, 'Letter.pdf', 'application/pdf'),
	};
	const rows = documents(
		{ source: 'binary', binaryPropertyName: 'deed', name: '' },
		{ source: 'binary', binaryPropertyName: 'letter', requirement: 'readonly', name: 'The letter' },
		{ source: 'template', templateId: id('od_affidavit'), name: 'Affidavit' },
	);
	const { json } = await run(business({}, { draft: false, documents: rows }), {
		items: [{ json: {}, binary }],
	});
	expect(json.detailed_status).toBe('sent_to_signer');
	const made = transaction(json.transaction_id).documents;
	expect(made.map(({ name }) => name)).toEqual(['Deed', 'The letter', 'Affidavit']);
	expect(made[0].uploaded.equals(deed) && made[1].uploaded.equals(letter)).toBe(true);
});
test.each([
	['={{ $json.nothing }}', 'draft'],
	['TRUE', 'draft'],
	['no', 'sent_to_signer'],
])('Create as Draft %j makes it %s', async (draft, state) => {
	const { json } = await run(business({}, { documents: documents({}), draft }));
	expect(transaction(json.transaction_id).detailedStatus).toBe(state);
});
test.each([closing, business])(
	"the credential's organization is sent, the node's own wins",
	async (of) => {
		const branch = { credential: credential({ organizationId: 'or_harbor_branch' }) };
		await run(of({}), branch);
		expect(lastBody().organization_id).toBe('or_harbor_branch');
		await run(of({ organization_id: 'or_harbor' }), branch);
		expect(lastBody().organization_id).toBe('or_harbor');
	},
);

describe('times, notaries and the invitation', () => {
	const FIELDS = {
		activation_time: '2098-01-05T09:00:00',
		cc_recipient_emails: ['files@example.com', 'desk@example.com'],
		message_signature: 'The team of Harbor Legal',
		message_subject: 'Please sign',
		notary_id: id('us_nora_notary'),
		notary_instructions: ['Needs an interpreter', 'Ring twice'],
		notary_meeting_time: '2098-01-06T10:00:00',
		redirect_url: 'https://www.example.com/thanks',
		redirect_message: 'Back to your file',
		require_new_signer_verification: false,
	};
	const { redirect_url: url, redirect_message: message, ...same } = FIELDS;
	const SENT = {
		...same,
		activation_time: expect.stringMatching(/^2098-01-05T09:00:00.*-05:00$/),
		notary_id: 'us_nora_notary',
		notary_instructions: [{ notary_note: 'Needs an interpreter' }, { notary_note: 'Ring twice' }],
		notary_meeting_time: expect.stringMatching(/^2098-01-06T10:00:00/),
		redirect: { url, message },
	};
	test.each([closing(FIELDS), business(FIELDS)])('are sent with a create', async (parameters) => {
		await run(parameters);
		expect(lastBody()).toMatchObject(SENT);
	});
	test('are sent with a change', async () => {
		const transactionId = await createClosing(credential());
		await run({ ...UPDATE_CLOSING, transactionId: id(transactionId), updateFields: FIELDS });
		const put = sandbox.requests.filter(({ method }) => method === 'PUT').at(-1)!;
		expect(put.body).toMatchObject(SENT);
	});
	test('a closing may begin and end on one day', async () => {
		const times = { activation_time: '2098-01-05T09:00', expiration_time: '2098-01-05T17:00' };
		await run(closing(times));
		expect(lastBody().expiration_time).toMatch(/^2098-01-05T17:00/);
	});
});

describe('the consent to a jurisdiction, which is a text to the service', () => {
	test.each([
		[true, 'true'],
		[false, undefined],
		['={{ "no" }}', undefined],
	])('%j is sent as %j', async (value, expected) => {
		// The answer comes before the sandbox compares the request with its own description.
		sandbox.faults.add({ method: 'POST', status: 200, body: { id: 'ot_1' } });
		await run({ ...CLOSING, ...toForm({ jurisdiction_eligibility_consent: value }) });
		expect(lastBody().jurisdiction_eligibility_consent).toBe(expected);
	});
});

test('contacts have rights, a title, and the address of a new title agency', async () => {
	const agent = { role: 'title_agent', email: 'orders@title.example.com' };
	const other = { role: 'other', email: 'ann@example.com' };
	const details = {
		access_to_transaction: true,
		organization_line1: '1 Main St',
		organization_city: 'Boston',
		organization_state: 'ma',
		organization_postal: '02110',
		shown_to_signer: false,
	};
	const row = [
		{ ...agent, organization_name: 'Harbor Title', contactDetails: details },
		{ ...other, contactDetails: { title: 'Trustee' } },
		{ ...agent, first_name: 'Sam' },
	];
	await run(closing({ contacts: { row } }));
	expect(lastBody().contacts).toEqual([
		{
			...agent,
			organization_name: 'Harbor Title',
			access_to_transaction: true,
			shown_to_signer: false,
			organization_address: { line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' },
		},
		{ ...other, title: 'Trustee' },
		{ ...agent, first_name: 'Sam' },
	]);
});

test('a group signs by its shared inbox, and signers of one order have one notary', async () => {
	const group = { external_id: 'desk', details: { shared_inbox_email: 'desk@example.com' } };
	const details = { order: 1, notary_id: id('us_nora_notary') };
	await run(signed({ ...JANE, details }, { ...JOE, details }, group));
	const inbox = {
		external_id: 'desk',
		recipient_group: { shared_inbox_email: 'desk@example.com' },
	};
	const notary = { order: 1, notary_id: 'us_nora_notary' };
	expect(lastBody().signers).toMatchObject([notary, notary, inbox]);
	await run(closing({}, { signers: borrowers({}, group) }));
	expect((lastBody().signers as IDataObject[])[1]).toEqual(inbox);
});

describe('what cannot be used is refused before anything is sent', () => {
	const contact = (more: IDataObject) =>
		closing({ contacts: { row: [{ role: 'title_agent', email: 'o@title.example', ...more }] } });
	const notary = { notary_id: id('us_nora_notary') };
	const ends = { activation_time: '2098-01-05T09:00:00', expiry: '2098-01-03T09:00:00' };
	test.each<[RegExp, IDataObject]>([
		[
			/'Expiration' is before 'Activation Time'/,
			closing({ ...ends, expiration_time: ends.expiry }),
		],
		[/'Expiration' is before 'Activation Time'/, business(ends)],
		[
			/'Notary Instructions' has 501 characters.*500/,
			closing({ notary_instructions: ['x'.repeat(501)] }),
		],
		[/'CC Recipients' is 'files'/, closing({ cc_recipient_emails: ['files'] })],
		[
			/entry 1: Title' has no effect.*Choose the role 'Other'/,
			contact({ contactDetails: { title: 'x' } }),
		],
		[
			/entry 1: Organization Address' has no effect with the role 'Closer'/,
			contact({ role: 'closer', contactDetails: { organization_city: 'Boston' } }),
		],
		[
			/entry 1: Organization State' is 'Bay State'/,
			contact({ contactDetails: { organization_state: 'Bay State' } }),
		],
		[/entry 1: First Name' is empty/, closing({}, { signers: borrowers({ first_name: '' }) })],
		[
			/entry 1: Shared Inbox' is filled in together with 'Email'/,
			signed({ ...JANE, details: { shared_inbox_email: 'd@example.com' } }),
		],
		[/entry 1: Shared Inbox' is 'desk'/, signed({ details: { shared_inbox_email: 'desk' } })],
		[/entry 1: Order' is empty.*'Notary'/, signed({ ...JANE, details: notary })],
		[
			/signers of order 1 with different notaries/,
			signed({ ...JANE, details: { order: 1, ...notary } }, { ...JOE, details: { order: 1 } }),
		],
		[/'Signers' is empty.*Add at least one signer/, signed()],
		[/'Signers, entry 2: Email' is empty/, signed(JANE, { ...JOE, email: '' })],
		[/has the external ID 's1' twice/, signed(JANE, { ...JOE, external_id: 's1' })],
		[
			/has 11 signers; the service accepts up to 10/,
			signed(...Array.from({ length: 11 }, (_, at) => ({ email: `s${at}@example.com` }))),
		],
		[
			/'Signers, entry 1: Phone' is empty.*text message/,
			signed({ ...JANE, identityChecks: ['sms'] }),
		],
		[
			/Date of Birth' is '17.05.1980'.*1980-05-17/,
			signed({ ...JANE, details: { dob: '17.05.1980' } }),
		],
		[/'Documents' is empty.*'Create as Draft'/, business({}, { draft: false })],
		[
			/entry 1: The item has no files, so 'Input Binary Field' finds none/,
			business(
				{},
				{
					documents: {
						row: [{ source: 'binary', binaryPropertyName: 'data', requirement: 'esign' }],
					},
				},
			),
		],
	])('%s', async (expected, parameters) => {
		expect(await complaint(parameters)).toMatch(expected);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('identity checks of a closing', () => {
	const checked = (identityChecks: string[], ...others: IDataObject[]) => ({
		...CLOSING,
		signers: borrowers({ identityChecks }, ...others),
	});
	test.each(['documented', 'current'])(
		'go to /mortgage/v2 with the type null (%s)',
		async (pathLayout) => {
			await run(checked(ALL), { credential: credential({ pathLayout }) });
			expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
			expect(lastBody()).toMatchObject({
				transaction_type: null,
				signer: { assurance_requirement: ALL_SENT },
			});
		},
	);
	test('are known by the exact name of their object in the JSON of a signer, too', async () => {
		const asJson = (json: IDataObject, identityChecks: string[] = []) =>
			checked([], { ...JOE, identityChecks, details: { additionalJson: JSON.stringify(json) } });
		const given = { assurance_requirement: ALL_SENT };
		await run(asJson(given));
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
		expect(lastBody().transaction_type).toBeNull();
		await run(asJson({ assurance_requirement: null }));
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v1/transactions');
		sandbox.requests.length = 0;
		expect(await complaint(asJson(given, ['selfie']))).toMatch(
			/'Signers, entry 2: Identity Checks'.*'assurance_requirement'.*Remove one of the two/,
		);
		expect(sandbox.requests).toEqual([]);
	});
	test("don't lose the chosen type without a word", async () => {
		expect(hints(await run(checked(ALL)))).toMatch(/no transaction type.*created without it/);
		expect(hints(await run(checked([])))).not.toMatch(/transaction type/);
	});
	test('of a second signer count as well', async () => {
		await run(checked([], { email: 'joe@example.com', identityChecks: ['selfie'] }));
		expect(sandbox.requests.at(-1)!.path).toBe('/mortgage/v2/transactions');
		expect((lastBody().signers as IDataObject[])[1].assurance_requirement).toEqual({
			knowledge_based_authentication: false,
			id_verification: { selfie: true },
		});
	});
	test('the chosen type is sent where the service refuses null by name, and only then', async () => {
		const types = () =>
			sandbox.requests
				.filter(({ method }) => method === 'POST')
				.splice(0)
				.map(({ body }) => (body as IDataObject).transaction_type);
		sandbox.world.settings.switches.assuredType = 'named';
		try {
			const { json } = await run(checked(['sms']));
			expect(types()).toEqual([null, 'refinance']);
			expect(transaction(json.transaction_id).fields.transaction_type).toBe('refinance');
			sandbox.requests.length = 0;
			sandbox.faults.add({ method: 'POST', status: 422, body: { errors: ['Not now'] } });
			expect(await complaint(checked(['sms']))).toMatch(/Not now/);
			expect(types()).toEqual([null]);
		} finally {
			sandbox.world.settings.switches.assuredType = 'null';
		}
	});
});

describe('signing links, where the service sends no email', () => {
	async function send(additionalFields: IDataObject, output = 'simple') {
		const { json } = await run(closing({}));
		const transactionId = id(String(json.transaction_id));
		await run({ ...ADD_DOCUMENT, transactionId }, { items: [await pdfItem()] });
		return await run({ ...sendClosing(transactionId), additionalFields, output });
	}
	test('come out on purpose, and a hint says what they are', async () => {
		const outcome = await send({ suppress_email: true, returnSigningLinks: true });
		expect(outcome.json.signing_links).toEqual([
			{
				signer_id: expect.any(String),
				external_id: 'borrower-1',
				email: 'jane.borrower@example.com',
				transaction_access_link: expect.stringMatching(/^https?:\/\//),
			},
		]);
		expect(hints(outcome)).toMatch(/Anyone with a signing link can sign/);
		// It's the node's own switch.
		const order = sandbox.requests.find(({ path }) => path.endsWith('/place_order'))!;
		expect(order.body).toEqual({ suppress_email: true });
	});
	test('do not come out otherwise, and a hint says how to get them', async () => {
		const outcome = await send({ suppress_email: true });
		expect(JSON.stringify(outcome.items)).not.toMatch(/access_link/);
		expect(hints(outcome)).toMatch(/sent no invitation.*add 'Return Signing Links'/);
	});
	test('need no hint where emails are sent, or nothing is simplified', async () => {
		expect(hints(await send({}))).not.toMatch(/invitation/);
		expect(hints(await send({ suppress_email: true }, 'raw'))).not.toMatch(/invitation/);
	});
	test('of a create that is sent at once come out, and of a draft there are none yet', async () => {
		const sent = { draft: false, documents: documents({ name: 'Deed' }) };
		const { json } = await run(business({ suppress_email: true, returnSigningLinks: true }, sent));
		expect(json.signing_links).toMatchObject([{ email: JANE.email }]);
		expect(lastBody()).not.toHaveProperty('returnSigningLinks');
		const outcome = await run(business({ returnSigningLinks: true }));
		expect(outcome.json.signing_links).toEqual([]);
		expect(hints(outcome)).toMatch(/shows no signing links yet.*with 'Raw' in 'Output'/);
	});
});
