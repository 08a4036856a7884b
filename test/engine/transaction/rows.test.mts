import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { NODE } from '../../support/engine.mts';
import { pdfItem } from '../../support/closing.mts';
import { complaint, hints, lastBody, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Create from rows, and the fields to which columns can be mapped by hand. */

useSandbox();

const FROM_ROW: IDataObject = {
	resource: 'transaction',
	operation: 'create',
	fieldsFrom: 'row',
	documents: {},
	draft: true,
	additionalFields: {},
};
const given = (...items: INodeExecutionData[]) => ({ items });
const created = () => sandbox.requests.filter(({ method }) => method === 'POST');
beforeEach(() => void sandbox.requests.splice(0));

describe('Transaction: Create from a row', () => {
	test('takes contacts as they are, with their address as that of the signer', async () => {
		const outcome = await run(
			FROM_ROW,
			given({
				json: {
					'Full Name': 'Signer, Jane',
					'E-Mail': 'jane@example.com',
					Telephone: '617-555-0123',
					Street: '12 Elm Street',
					City: 'Boston',
					State: 'Massachusetts',
					Zip: 2110,
					'Case #': 118,
					'Case Number': 118,
					'Transaction Expiry': '1/31/2027',
					Owner: 'Lee',
				},
			}),
		);
		expect(lastBody()).toMatchObject({
			external_id: '118',
			expiry: expect.stringMatching(/^2027-01-31/),
			signers: [
				{
					external_id: 'signer-1',
					email: 'jane@example.com',
					first_name: 'Jane',
					last_name: 'Signer',
					phone_number: '6175550123',
					address: { line1: '12 Elm Street', city: 'Boston', state: 'MA', postal: '02110' },
				},
			],
		});
		expect(hints(outcome)).toContain("Not used: 'Owner'");
	});
	test('needs the email address of the signer only', async () => {
		await run(FROM_ROW, given({ json: { email: 'jane@example.com' } }));
		expect(lastBody().signers).toEqual([{ external_id: 'signer-1', email: 'jane@example.com' }]);
		expect(await complaint(FROM_ROW, given({ json: { name: 'Jane' } }))).toMatch(
			/'Signer 1 Email' has no column\. Give a column this heading/,
		);
		expect(created()).toHaveLength(1);
	});
	test('takes the documents of the form, e.g. the file of the item', async () => {
		const item = await pdfItem('deed-of-trust', 'Deed of Trust.pdf', {
			signer_email: 'jane@example.com',
			signer_first_name: 'Jane',
			signer_last_name: 'Signer',
		});
		await run({ ...FROM_ROW, documents: { row: [{ source: 'binary' }] } }, given(item));
		const body = lastBody() as { documents: IDataObject[]; signers: IDataObject[] };
		expect(body.documents[0].filename).toBe('Deed of Trust');
		expect(body.signers[0].last_name).toBe('Signer');
	});
});

describe('the fields that columns can be mapped to by hand', () => {
	const methods = NODE.methods!.resourceMapping!;
	const fieldsOf = async (name: string) => (await methods[name].call({} as never)).fields;

	test.each([
		[
			'getClosingColumns',
			[
				'signer1_email',
				'signer1_first_name',
				'signer1_last_name',
				'property_line1',
				'property_city',
				'property_state',
			],
		],
		['getTransactionColumns', ['signer1_email']],
	])('%s: what is required is marked, what is rare is added on demand', async (name, required) => {
		const fields = await fieldsOf(name);
		expect(fields.filter((field) => field.required).map(({ id }) => id)).toEqual(required);
		const shown = fields.filter(({ removed }) => removed !== true);
		expect(shown.length).toBeLessThanOrEqual(10);
		expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
		expect(new Set(fields.map(({ displayName }) => displayName)).size).toBe(fields.length);
		expect(fields.every(({ display, defaultMatch }) => display && !defaultMatch)).toBe(true);
	});
	test('IDs that workflows store are still there', async () => {
		const fields = [
			...(await fieldsOf('getClosingColumns')),
			...(await fieldsOf('getTransactionColumns')),
		];
		const ids = new Set(fields.map(({ id }) => id));
		for (const id of STORED) expect([id, ids.has(id)]).toEqual([id, true]);
	});
});

/** Never to be changed: workflows store the values of columns under them. */
const STORED = (
	'signer1_email signer1_first_name signer1_middle_name signer1_last_name signer1_phone ' +
	'signer1_country_code signer1_external_id signer1_identity_checks signer1_vesting_type ' +
	'signer1_dob signer1_capacity signer1_entity signer1_order signer1_address_line1 ' +
	'signer1_address_line2 signer1_address_city signer1_address_state signer1_address_zip ' +
	'signer1_address_country signer2_email signer3_email signer4_email property_line1 ' +
	'property_line2 property_city property_state property_zip property_country ' +
	'transaction_name transaction_type loan_number file_number activation_time ' +
	'cc_recipient_emails external_id message_signature message_subject message_to_signer ' +
	'notary_meeting_time organization_id require_secondary_photo_id expiration_time ' +
	'paper_note_consent recording_jurisdiction_id skip_closing_ops title_agency_id ' +
	'title_underwriter_id title_agent_email title_agent_first_name title_agent_last_name ' +
	'title_agent_phone_number title_agent_organization_name loan_officer_email ' +
	'escrow_officer_email real_estate_agent_email expiry'
).split(' ');
