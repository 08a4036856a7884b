import type { IDataObject } from 'n8n-workflow';

import { createClosing } from '../../support/closing.mts';
import { CONFIRMING, deliver, event, nextNumber, runOf } from '../../support/delivery.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { credential, useSandbox } from '../../support/useSandbox.mts';

/** The form of the transaction that the trigger adds to an event. */

useSandbox();

const SIMPLIFIED =
	'transaction_id transaction_name loan_number external_id file_number status detailed_status ' +
	'ended signed waiting_for never_opened expiry notarization_record_id signers documents';

test.each<[string, IDataObject, string | undefined]>([
	['by default', {}, SIMPLIFIED],
	[
		'selected fields',
		{ output: 'fields', fields: ['loan_number', 'signers'] },
		'transaction_id loan_number signers',
	],
	['raw', { output: 'raw' }, undefined],
	// An event isn't lost because of what can't be used.
	['something else', { output: 'everything' }, SIMPLIFIED],
])('%s, retrieved by the run or confirmed with the delivery', async (_name, form, names) => {
	const transactionId = await createClosing(credential());
	const parameters = { ...CONFIRMING, ...form };
	const json = {
		event: 'transaction.created',
		transaction_id: transactionId,
		delivery_key: `outputs-${nextNumber()}`,
	};
	const { items } = await runOf([{ json }], parameters);
	const { item } = await deliver(event({ transaction_id: transactionId }, 'transaction.created'), {
		parameters,
	});
	expect(item).toMatchObject({ confirmed: true });
	forEachCase([items[0].json.transaction, item?.transaction] as IDataObject[], (transaction) => {
		expect(transaction.transaction_id).toBe(transactionId);
		if (names === undefined) expect(transaction).toMatchObject({ id: transactionId, lender: {} });
		else expect(Object.keys(transaction)).toEqual(names.split(' '));
	});
});
