import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import {
	borrowers,
	ADD_DOCUMENT,
	CLOSING,
	createClosing,
	id,
	pdfItem,
	TITLE,
} from '../support/closing.mts';
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
} from '../support/operations.mts';
import { credential, sandbox, useSandbox } from '../support/useSandbox.mts';

/**
 * What a live closing needs beyond its signers and documents: times, notaries, the invitation,
 * contacts with their rights, groups as signers, and access links where no email is sent.
 */

useSandbox();
beforeEach(() => void (sandbox.requests.length = 0));

const closing = (additionalFields: IDataObject, more: IDataObject = {}): IDataObject => ({
	...CLOSING,
	additionalFields: { ...TITLE, paper_note_consent: true, ...additionalFields },
	...more,
});
const business = (additionalFields: IDataObject): IDataObject => ({
	...BUSINESS,
	additionalFields,
});
/** Expects a complaint, and that nothing was written. */
async function refused(parameters: IDataObject, expected: RegExp): Promise<void> {
	expect(await complaint(parameters)).toMatch(expected);
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
}

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
	const SENT = {
		activation_time: expect.stringMatching(/^2098-01-05T09:00:00.*-05:00$/),
		cc_recipient_emails: ['files@example.com', 'desk@example.com'],
		message_signature: 'The team of Harbor Legal',
		message_subject: 'Please sign',
		notary_id: 'us_nora_notary',
		notary_instructions: [{ notary_note: 'Needs an interpreter' }, { notary_note: 'Ring twice' }],
		notary_meeting_time: expect.stringMatching(/^2098-01-06T10:00:00/),
		redirect: { url: 'https://www.example.com/thanks', message: 'Back to your file' },
		require_new_signer_verification: false,
	};
	test.each([
		['a closing', closing(FIELDS)],
		['a business transaction', business(FIELDS)],
	])('%s is created with all of them', async (_what, parameters) => {
		await run(parameters);
		expect(lastBody()).toMatchObject(SENT);
	});
	test('a closing is changed by all of them', async () => {
		const transactionId = await createClosing(credential());
		await run({ ...UPDATE_CLOSING, transactionId: id(transactionId), updateFields: FIELDS });
		const put = sandbox.requests.filter(({ method }) => method === 'PUT').at(-1)!;
		expect(put.body).toMatchObject(SENT);
	});
	test('a new redirect URL keeps the message of the redirect', async () => {
		const { json } = await run(closing(FIELDS));
		const updateFields = { redirect_url: 'https://www.example.com/other' };
		await run({ ...UPDATE_CLOSING, transactionId: id(String(json.transaction_id)), updateFields });
		const put = sandbox.requests.filter(({ method }) => method === 'PUT').at(-1)!;
		expect(put.body).toMatchObject({
			redirect: { url: 'https://www.example.com/other', message: 'Back to your file' },
		});
	});
	test.each<[string, IDataObject, RegExp]>([
		[
			'a closing that ends before it begins',
			closing({ activation_time: '2098-01-05T09:00:00', expiration_time: '2098-01-03T09:00:00' }),
			/'Expiration Time' is before 'Activation Time', so nobody could sign/,
		],
		[
			'a business transaction that ends before it begins',
			business({ activation_time: '2098-01-05T09:00:00', expiry: '2098-01-03T09:00:00' }),
			/'Expiry' is before 'Activation Time'/,
		],
		[
			'a note that is too long',
			closing({ notary_instructions: ['x'.repeat(501)] }),
			/'Notary Instructions' has 501 characters; the service accepts up to 500/,
		],
		[
			'a copy to no address',
			closing({ cc_recipient_emails: ['files'] }),
			/'CC Recipients' is 'files'/,
		],
	])('%s is refused', async (_what, parameters, expected) => await refused(parameters, expected));
	test('a closing may begin and end on one day', async () => {
		await run(
			closing({ activation_time: '2098-01-05T09:00:00', expiration_time: '2098-01-05T17:00:00' }),
		);
		expect(lastBody()).toMatchObject({
			expiration_time: expect.stringMatching(/^2098-01-05T17:00:00/),
		});
	});
});

describe('contacts', () => {
	const contact = (more: IDataObject) =>
		closing({
			contacts: { row: [{ role: 'title_agent', email: 'orders@title.example.com', ...more }] },
		});
	test('have rights, a title, and the address of a new title agency', async () => {
		await run(
			closing({
				contacts: {
					row: [
						{
							role: 'title_agent',
							email: 'orders@title.example.com',
							organization_name: 'Harbor Title',
							contactDetails: {
								access_to_transaction: true,
								organization_line1: '1 Main St',
								organization_city: 'Boston',
								organization_state: 'ma',
								organization_postal: '02110',
								shown_to_signer: false,
							},
						},
						{ role: 'other', email: 'ann@example.com', contactDetails: { title: 'Trustee' } },
					],
				},
			}),
		);
		expect((lastBody() as { contacts: unknown }).contacts).toEqual([
			{
				role: 'title_agent',
				email: 'orders@title.example.com',
				organization_name: 'Harbor Title',
				access_to_transaction: true,
				shown_to_signer: false,
				organization_address: { line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' },
			},
			{ role: 'other', email: 'ann@example.com', title: 'Trustee' },
		]);
	});
	test('of workflows that were saved before are sent as before', async () => {
		await run(contact({ first_name: 'Sam' }));
		expect((lastBody() as { contacts: unknown }).contacts).toEqual([
			{ role: 'title_agent', email: 'orders@title.example.com', first_name: 'Sam' },
		]);
	});
	test.each<[string, IDataObject, RegExp]>([
		[
			'a title without the role Other',
			contact({ contactDetails: { title: 'Trustee' } }),
			/'Contacts, row 1: Title' has no effect with the role 'Title Agent'.*Choose the role 'Other'/,
		],
		[
			'an address without the role Title Agent',
			contact({ role: 'closer', contactDetails: { organization_city: 'Boston' } }),
			/'Contacts, row 1: Organization Address' has no effect with the role 'Closer'/,
		],
		[
			'a state in words',
			contact({ contactDetails: { organization_state: 'Mass.' } }),
			/'Contacts, row 1: Organization State' is 'Mass\.'/,
		],
	])('%s is refused', async (_what, parameters, expected) => await refused(parameters, expected));
});

describe('signers', () => {
	const joined = (...rows: IDataObject[]) => ({ ...BUSINESS, signers: { row: rows } });
	const JOE = { ...JANE, email: 'joe@example.com', external_id: 's2' };

	test('a group signs by its shared inbox, on either platform', async () => {
		const group = { external_id: 'desk', details: { shared_inbox_email: 'desk@example.com' } };
		const sent = {
			external_id: 'desk',
			recipient_group: { shared_inbox_email: 'desk@example.com' },
		};
		await run(joined(JANE, group));
		expect((lastBody() as { signers: unknown[] }).signers[1]).toEqual(sent);
		await run(closing({}, { signers: borrowers({}, group) }));
		expect((lastBody() as { signers: unknown[] }).signers[1]).toEqual(sent);
	});
	test('each can have a notary, and those of one order have the same', async () => {
		const notary = id('us_nora_notary');
		await run(
			joined(
				{ ...JANE, details: { order: 1, notary_id: notary } },
				{ ...JOE, details: { order: 1, notary_id: notary } },
			),
		);
		expect((lastBody() as { signers: unknown[] }).signers).toMatchObject([
			{ order: 1, notary_id: 'us_nora_notary' },
			{ order: 1, notary_id: 'us_nora_notary' },
		]);
	});
	test.each<[string, IDataObject, RegExp]>([
		[
			'a group with an email address',
			joined({ ...JANE, details: { shared_inbox_email: 'desk@example.com' } }),
			/'Signers, row 1: Shared Inbox' is filled in together with 'Email'.*Remove one of the two/,
		],
		[
			'a group without an address',
			joined({ details: { shared_inbox_email: 'desk' } }),
			/'Signers, row 1: Shared Inbox' is 'desk'/,
		],
		[
			'neither a person nor a group',
			joined({ first_name: 'Jane' }),
			/'Signers, row 1: Email' is empty/,
		],
		[
			'a notary without an order',
			joined({ ...JANE, details: { notary_id: id('us_nora_notary') } }),
			/'Signers, row 1: Order' is empty.*'Notary'/,
		],
		[
			'two notaries at the same time',
			joined(
				{ ...JANE, details: { order: 1, notary_id: id('us_nora_notary') } },
				{ ...JOE, details: { order: 1 } },
			),
			/'Signers' has signers of order 1 with different notaries/,
		],
		[
			'two notaries of a closing at the same time',
			closing(
				{},
				{
					signers: borrowers(
						{ details: { order: 1, notary_id: id('us_nora_notary') } },
						{ ...JOE, details: { order: 1 } },
					),
				},
			),
			/'Signers' has signers of order 1 with different notaries/,
		],
	])('%s is refused', async (_what, parameters, expected) => await refused(parameters, expected));
});

describe('access links, where the service sends no email', () => {
	async function draft(): Promise<string> {
		const { json } = await run(closing({}));
		const transactionId = String(json.transaction_id);
		await run({ ...ADD_DOCUMENT, transactionId: id(transactionId) }, { items: [await pdfItem()] });
		return transactionId;
	}
	const send = async (transactionId: string, additionalFields: IDataObject, output = 'simple') =>
		await run({ ...sendClosing(id(transactionId)), additionalFields, output });
	test('come out on purpose, and a hint says what they are', async () => {
		const transactionId = await draft();
		const outcome = await send(transactionId, { suppress_email: true, returnAccessLinks: true });
		expect(outcome.json.access_links).toEqual([
			{
				signer_id: transaction(transactionId).signers[0].id,
				external_id: 'borrower-1',
				email: 'jane.borrower@example.com',
				transaction_access_link: expect.stringMatching(/^https?:\/\//),
			},
		]);
		expect(hints(outcome)).toMatch(/Whoever has an access link can act as its signer/);
		// It's the node's own switch.
		const order = sandbox.requests.find(({ path }) => path.endsWith('/place_order'))!;
		expect(order.body).toEqual({ suppress_email: true });
	});
	test('do not come out otherwise, and a hint says how to get them', async () => {
		const outcome = await send(await draft(), { suppress_email: true });
		expect(JSON.stringify(outcome.items)).not.toMatch(/access_link/);
		expect(hints(outcome)).toMatch(/sent no invitation.*add 'Return Access Links'/);
	});
	test('need no hint where emails are sent, or nothing is simplified', async () => {
		expect(hints(await send(await draft(), {}))).not.toMatch(/invitation/);
		expect(hints(await send(await draft(), { suppress_email: true }, 'raw'))).not.toMatch(
			/invitation/,
		);
	});
	test('of a business transaction that is sent at once', async () => {
		const parameters = {
			...business({ suppress_email: true, returnAccessLinks: true }),
			draft: false,
			documents: {
				row: [
					{
						source: 'url',
						fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
						requirement: 'notarization',
						name: 'Deed',
						details: {},
					},
				],
			},
		};
		const { json } = await run(parameters);
		expect(json.access_links).toMatchObject([{ email: JANE.email }]);
		expect(lastBody()).not.toHaveProperty('returnAccessLinks');
	});
	test('of a draft there are none yet', async () => {
		const outcome = await run(business({ returnAccessLinks: true }));
		expect(outcome.json.access_links).toEqual([]);
		expect(hints(outcome)).toMatch(/shows no access links yet.*with 'Raw' in 'Output'/);
	});
});
