import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { createClosing } from '../../support/closing.mts';
import { ANY, deliver, event, nextNumber, runOf } from '../../support/delivery.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** The transaction that the trigger adds to an event, in each version of the node. */

useSandbox();

/** What version 1 stored is left out: a newer one doesn't have it. */
const BOTH = { ...ANY, simplify: undefined };
const NAMES_1 =
	'transaction_id transaction_name transaction_type status detailed_status organization_id ' +
	'date_created date_updated notarization_record_id documents';
const NAMES_2 =
	'transaction_id transaction_name status detailed_status loan_number external_id file_number ' +
	'expiry date_updated notarization_record_id signers documents';

const FORMS: Array<[string, number, IDataObject, string | undefined]> = [
	['version 1, simplified', 1, { simplify: true }, NAMES_1],
	['version 1, where Simplify was left alone', 1, {}, NAMES_1],
	['version 1, raw', 1, { simplify: false }, undefined],
	['version 2, by default', 2, {}, NAMES_2],
	['version 2, simplified', 2, { output: 'simple' }, NAMES_2],
	[
		'version 2, selected fields',
		2,
		{ output: 'fields', fields: ['loan_number', 'signers'] },
		'transaction_id loan_number signers',
	],
	['version 2, raw', 2, { output: 'raw' }, undefined],
	// An event isn't lost because of what can't be used.
	['version 2, something else', 2, { output: 'everything' }, NAMES_2],
];

/** Looks at a transaction of an item: the names of its fields, undefined for all of the answer. */
function check(transaction: unknown, names: string | undefined, transactionId: string): void {
	const fields = transaction as IDataObject;
	expect(fields.transaction_id).toBe(transactionId);
	if (names === undefined) expect(fields).toMatchObject({ id: transactionId, lender: {} });
	else expect(Object.keys(fields)).toEqual(names.split(' '));
	if (names === NAMES_2)
		expect(fields).toMatchObject({
			loan_number: '7001234',
			signers: [{ name: 'Jane Borrower', signing_status: null, open: true }],
		});
}

describe.each(FORMS)('%s', (_name, typeVersion, parameters, names) => {
	test('when the run retrieves it', async () => {
		const transactionId = await createClosing(credential());
		const items = [
			{
				json: {
					event: 'transaction.created',
					transaction_id: transactionId,
					delivery_key: `versions-${nextNumber()}`,
				},
			},
		];
		const { items: output, error } = await runOf(
			items,
			{ ...BOTH, ...parameters },
			'webhook',
			typeVersion,
		);
		expect(error).toBeUndefined();
		check(output[0].json.transaction, names, transactionId);
	});
	test('when the delivery was confirmed with it', async () => {
		const transactionId = await createClosing(credential());
		const { item, status } = await deliver(
			event({ transaction_id: transactionId }, 'transaction.created'),
			{ parameters: { ...BOTH, confirm: true, ...parameters }, typeVersion },
		);
		expect(status).toBe(200);
		expect(item).toMatchObject({ confirmed: true });
		check(item?.transaction, names, transactionId);
	});
});
