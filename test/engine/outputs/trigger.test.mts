import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { createClosing } from '../../support/closing.mts';
import { CONFIRMING, deliver, event, nextNumber, runOf } from '../../support/delivery.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** The transaction that the trigger adds to an event. */

useSandbox();

const SIMPLIFIED =
	'transaction_id transaction_name status detailed_status loan_number external_id file_number ' +
	'expiry date_updated notarization_record_id signers documents';

const FORMS: Array<[string, IDataObject, string | undefined]> = [
	['by default', {}, SIMPLIFIED],
	['simplified', { output: 'simple' }, SIMPLIFIED],
	[
		'selected fields',
		{ output: 'fields', fields: ['loan_number', 'signers'] },
		'transaction_id loan_number signers',
	],
	['raw', { output: 'raw' }, undefined],
	// An event isn't lost because of what can't be used.
	['something else', { output: 'everything' }, SIMPLIFIED],
];

/** Looks at a transaction of an item: the names of its fields, undefined for all of the answer. */
function check(transaction: unknown, names: string | undefined, transactionId: string): void {
	const fields = transaction as IDataObject;
	expect(fields.transaction_id).toBe(transactionId);
	if (names === undefined) expect(fields).toMatchObject({ id: transactionId, lender: {} });
	else expect(Object.keys(fields)).toEqual(names.split(' '));
	if (names === SIMPLIFIED)
		expect(fields).toMatchObject({
			loan_number: '7001234',
			signers: [{ name: 'Jane Borrower', signing_status: null, open: true }],
		});
}

describe.each(FORMS)('%s', (_name, parameters, names) => {
	test('when the run retrieves it', async () => {
		const transactionId = await createClosing(credential());
		const items = [
			{
				json: {
					event: 'transaction.created',
					transaction_id: transactionId,
					delivery_key: `outputs-${nextNumber()}`,
				},
			},
		];
		const { items: output, error } = await runOf(items, { ...CONFIRMING, ...parameters });
		expect(error).toBeUndefined();
		check(output[0].json.transaction, names, transactionId);
	});
	test('when the delivery was confirmed with it', async () => {
		const transactionId = await createClosing(credential());
		const { item, status } = await deliver(
			event({ transaction_id: transactionId }, 'transaction.created'),
			{ parameters: { ...CONFIRMING, ...parameters } },
		);
		expect(status).toBe(200);
		expect(item).toMatchObject({ confirmed: true });
		check(item?.transaction, names, transactionId);
	});
});
