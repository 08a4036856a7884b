import { defineOperation } from '../../run/operation';
import { withoutEmpty } from '../../values/json';
import { parseEmail } from '../../form/checks';
import { defineText } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import { defineReminder } from './api';
import { parseTransactionOutput, transactionOutputFields } from './output';

/**
 * Sends the email to the contacts of a closing again
 * (docs/service/transactions.md#resend-the-e-mail-to-contacts).
 */
export const resendToContacts = defineOperation({
	resource: 'transaction',
	value: 'resendToContacts',
	name: 'Resend to Contacts',
	action: 'Resend email to contacts of transaction',
	description: 'Send the email to the contacts of a closing again, e.g. to the title agent',
	kind: 'write',
	passesFiles: true,
	effect:
		'Emails the contacts of the closing, or the one whose email is given. Each run sends another email',
	properties: [
		transactionLocator,
		defineText(
			'Contact Email',
			'contactEmail',
			'agent@example.com',
			'The only contact to send the email to. Leave empty to send it to all contacts.',
		),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineReminder(
		'resendToContacts',
		'whether the contacts have received another email',
		({ params }) => {
			const text = params.getText('contactEmail');
			const email = text && parseEmail(text, params.label('contactEmail'));
			return { query: withoutEmpty({ contact_email: email }) };
		},
	),
});
