import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, borrowers, CLOSING, id, pdfItem, toForm } from '../../support/closing.mts';
import { attempt, UPDATE_CLOSING } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Everything that can't be used of an item is told at once, before anything is sent. */

useSandbox();

/** Runs an operation that has to fail, and gives what the person reads, fault by fault. */
async function told(
	parameters: IDataObject,
	more: Parameters<typeof attempt>[1] = {},
): Promise<{ title: string | undefined; faults: string[] }> {
	const asked = sandbox.requests.length;
	const { error } = await attempt(parameters, more);
	expect(sandbox.requests).toHaveLength(asked);
	return {
		title: error?.message,
		faults: (error?.description ?? '').split(/\.? ?\(\d+\) /).slice(1),
	};
}

/** n8n itself refuses required fields without a value, but not expressions that give none. */
const NOTHING = '={{ $json.nothing }}';

describe('a closing', () => {
	test('with faults in all parts of its form', async () => {
		expect(
			await told({
				...CLOSING,
				transactionName: NOTHING,
				signers: borrowers(
					{
						email: 'jane@',
						phone_number: '12',
						identityChecks: ['sms'],
						details: { dob: 'in May', capacity: 'Trustee' },
					},
					{ email: 'joe@example.com' },
					{ email: '', first_name: 'x'.repeat(31) },
				),
				addressState: 'Atlantis',
				addressZipCode: '2110',
				...toForm({
					activation_time: 'soon',
					additionalJson: '{',
					contacts: { row: [{ email: 'sam', phone_number: '1' }] },
				}),
			}),
		).toEqual({
			title:
				"'Signers, entry 1: Email', 'Signers, entry 1: Phone', 'Signers, entry 1: Date of Birth' and 9 more can't be used",
			faults: [
				"'Signers, entry 1: Email'",
				"'Signers, entry 1: Phone'",
				"'Signers, entry 1: Date of Birth'",
				"'Signers, entry 3: Email'",
				"'Signers, entry 3: First Name'",
				"'Transaction Name'",
				"'State'",
				"'Zip Code'",
				"'Activation Time'",
				"'Contacts, entry 1: Email'",
				"'Contacts, entry 1: Phone'",
				"'Additional Fields (JSON)'",
			].map((field) =>
				expect.stringMatching(new RegExp(`^${field.replace(/[()]/g, '.')} .+\\. [A-Z]`)),
			),
		});
	});
	test('with faults of the same kind counts them, and names the item', async () => {
		const items = [{ json: {} }, { json: {} }];
		const { error } = await attempt(
			{
				...CLOSING,
				signers: borrowers({ email: 'a' }, { email: 'a' }),
				addressCity: NOTHING,
			},
			{ items },
		);
		expect(error?.message).toBe(
			"'Signers, entry 1: Email', 'Signers, entry 2: Email' and 'City' can't be used (item 1 of 2)",
		);
	});
});

test('a document: transaction, file, and each row of its designations', async () => {
	const place = { signer_identifier: 's1', type: 'signature', x: 1, y: 1, width: 9, height: 9 };
	const { faults } = await told(
		{
			...ADD_DOCUMENT,
			transactionId: id(NOTHING),
			binaryPropertyName: 'other',
			documentName: 'Deed',
			whereToSign: 'rows',
			designations: {
				row: [
					{ ...place, page: 0, x: -5 },
					{ ...place, page: 1 },
					{ ...place, page: 1, x: 20, signer_identifier: '', type: '' },
				],
			},
			additionalFields: { bundle_position: -1 },
		},
		{ items: [await pdfItem()] },
	);
	expect(faults.map((fault) => fault.split(/\. /)[0])).toEqual([
		"'Transaction' is empty: its expression {{ $json.nothing }} gives nothing for this item",
		"'Input Binary Field' is 'other', but the item has no such file",
		"'Bundle Position' is '-1', which isn't a whole number from 0 on",
		"'Designations', entry 1: 'Page' is not a number from 1 on",
		"'Designations', entry 1: 'From Left' is not a number from 0 on",
		"'Designations', entry 3: 'Signer Name or ID' is missing",
		"'Designations', entry 3: 'Type' is missing",
	]);
});

test('changes: of a closing, of a signer, of a webhook', async () => {
	const update = await told({
		...UPDATE_CLOSING,
		transactionId: id(NOTHING),
		updateFields: { street_address: { row: { state: 'X', zipCode: '1' } }, expiration_time: 'x' },
	});
	expect(update.title).toBe(
		"'Transaction', 'Expiration', 'Address: State' and 1 more can't be used",
	);
	const correction = await told({
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'none',
		platform: 'realEstate',
		transactionId: id('ot_1'),
		signerId: id(NOTHING),
		corrections: { email: 'x', phone_number: 'y' },
		additionalFields: {},
	});
	expect(correction.title).toBe(
		"'Signer', 'Corrections: Email' and 'Corrections: Phone' can't be used",
	);
	const webhook = await told({
		resource: 'webhook',
		operation: 'create',
		url: 'here',
		events: ['transaction.completed'],
		additionalFields: { headers: { row: [{ name: 'a b', value: 'x' }] } },
	});
	expect(webhook.title).toBe("'URL' and 'Headers' can't be used");
});
