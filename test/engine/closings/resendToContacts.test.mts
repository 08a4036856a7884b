import { describe, expect, test } from '@jest/globals';

import { createClosing, id } from '../../support/closing.mts';
import { CONTACTS } from '../../support/everyField/values.mts';
import { sentClosing } from '../../support/matrix/scene.mts';
import { attempt, complaint, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Emails to the contacts of a closing. */

useSandbox();

describe('Transaction: Resend to Contacts', () => {
	const [{ email }] = CONTACTS.row;
	const resend = (transactionId: string, contactEmail = '') => ({
		resource: 'transaction',
		operation: 'resendToContacts',
		transactionId: id(transactionId),
		contactEmail,
	});
	const sent = async () => await sentClosing(sandbox, { contacts: CONTACTS });
	const audit = (closing: string) => JSON.stringify(transaction(closing));

	test('all contacts get it, or the one that is named', async () => {
		const closing = await sent();
		expect((await run(resend(closing))).json).toMatchObject({
			transaction_id: closing,
			status: 'sent',
		});
		expect(sandbox.requests.at(-1)!.query).toEqual({});
		await run(resend(closing, email));
		expect(sandbox.requests.at(-1)).toMatchObject({
			path: `/mortgage/v1/transactions/${closing}/send_contacts_email`,
			query: { contact_email: email },
		});
		expect(
			audit(closing).match(new RegExp(`email sent again to contacts: ${email}`, 'g')),
		).toHaveLength(2);
	});
	test('what the service refuses is told with its remedy', async () => {
		const closing = await sent();
		expect(await complaint(resend(closing, 'nobody@title.example'))).toMatch(
			/Contact not found for transaction.*contacts of the closing in 'Contact Email'/,
		);
		const draft = await createClosing(credential(), { additionalFields: { contacts: CONTACTS } });
		expect(await complaint(resend(draft))).toMatch(/inactive transactions.*'Transaction: Send'/);
	});
	test('what is no email address is not sent', async () => {
		sandbox.requests.length = 0;
		expect(await complaint(resend('ot_1', 'agent'))).toMatch(/^'Contact Email' is 'agent'/);
		expect(sandbox.requests).toEqual([]);
	});
	test('nobody gets it twice after a lost answer', async () => {
		const closing = await sent();
		sandbox.requests.length = 0;
		sandbox.faults.add({ method: 'POST', path: /send_contacts_email$/, kind: 'cutAfter' });
		const { error } = await attempt(resend(closing), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 },
		});
		expect(error?.message).toMatch(/outcome is unknown/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
});
