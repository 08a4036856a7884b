import { defineOperation } from '../../run/operation';
import { write } from '../../run/outcome/goals';
import { text } from '../shared/fields';
import { checkEmail } from '../shared/checks';
import { transactionLocator } from '../shared/locators';
import { outside } from '../shared/toCheck';
import { remindedGoal } from './api';
import { readTransactionForm, transactionJson, transactionOutput } from './output';

/**
 * Sends the email to the contacts of a closing again
 * (docs/service/transactions.md#resend-the-e-mail-to-contacts). As with the email to signers, a lost
 * answer stays in doubt, and nobody gets the email twice.
 */
export const resendToContacts = defineOperation({
	resource: 'transaction',
	value: 'resendToContacts',
	name: 'Resend to Contacts',
	action: 'Resend email to contacts of transaction',
	description: 'Send the email to the contacts of a closing again, e.g. to the title agent',
	kind: 'write',
	effect:
		'Emails the contacts of the closing, or the one whose email is given. Each call sends another email',
	properties: [
		transactionLocator,
		text(
			'Contact Email',
			'contactEmail',
			'agent@example.com',
			'The only contact to send the email to. Leave empty to send it to all contacts.',
		),
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const email = params.text('contactEmail');
		if (email !== undefined) checkEmail(email, params.label('contactEmail'));
		const query = email === undefined ? undefined : { contact_email: email };
		const closing = await write(
			service,
			async () =>
				await service.json('resendToContacts', {
					path: { transactionId },
					platform: 'realEstate',
					query,
				}),
			remindedGoal,
		);
		return { json: transactionJson(params, closing) };
	},
	toCheck: outside('whether the contacts have received another email'),
});
