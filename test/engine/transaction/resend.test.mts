import { createClosing, id, toForm } from '../../support/closing.mts';
import { CONTACTS } from '../../support/everyField/values.mts';
import { sentClosing } from '../../support/matrix/scene.mts';
import { complaint, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Transaction: Resend to Contacts. The fault matrix has what reminders have in common. */

useSandbox();

const [{ email }] = CONTACTS.row;
const toContacts = (transactionId: string, contactEmail = '') => ({
	resource: 'transaction',
	operation: 'resendToContacts',
	transactionId: id(transactionId),
	contactEmail,
});

test('all contacts get the email, or the one that is named', async () => {
	const closing = await sentClosing(sandbox, { contacts: CONTACTS });
	await run(toContacts(closing));
	await run(toContacts(closing, email));
	const sent = JSON.stringify(transaction(closing)).match(
		new RegExp(`email sent again to contacts: ${email}`, 'g'),
	);
	expect(sent).toHaveLength(2);
	expect(sandbox.requests.slice(-2).map(({ query }) => query)).toEqual([
		{},
		{ contact_email: email },
	]);
});
test('what is refused is told with its remedy, and what is no address is not sent', async () => {
	const closing = await sentClosing(sandbox, { contacts: CONTACTS });
	expect(await complaint(toContacts(closing, 'nobody@title.example'))).toMatch(
		/Contact not found for transaction.*contacts of the closing in 'Contact Email'/,
	);
	const draft = await createClosing(credential(), { ...toForm({ contacts: CONTACTS }) });
	expect(await complaint(toContacts(draft))).toMatch(/inactive transactions.*'Transaction: Send'/);
	sandbox.requests.length = 0;
	expect(await complaint(toContacts('ot_1', 'agent'))).toMatch(/^'Contact Email' is 'agent'/);
	expect(sandbox.requests).toEqual([]);
});
