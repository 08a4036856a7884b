import { defineOperation } from '../../run/operation';
import { withoutEmpty } from '../../values/json';
import { platform, parsePlatform } from '../shared/commonFields';
import { longText } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { outside } from '../shared/toCheck';
import { remind } from './api';
import { parseTransactionForm, transactionOutput } from './output';

/** Sends the invitation again (docs/service/transactions.md#resend-the-e-mail). */
export const resendEmail = defineOperation({
	resource: 'transaction',
	value: 'resendEmail',
	name: 'Resend Email',
	action: 'Resend email of transaction',
	description: 'Send the invitation to the signers again',
	kind: 'write',
	passesFiles: true,
	effect: 'Emails the signers again. Each run sends another email',
	properties: [
		platform,
		transactionLocator,
		{
			...longText('Message to Signer', 'messageToSigner', 'Text shown to the signer in this email'),
			displayOptions: { hide: { platform: ['realEstate'] } },
		},
		...transactionOutput,
	],
	check: parseTransactionForm,
	async execute(call) {
		// Real estate has no message for this email.
		if (parsePlatform(call.params) === 'realEstate') return await remind(call, 'resendEmail');
		const message = call.params.text('messageToSigner');
		return await remind(call, 'resendEmail', {
			query: withoutEmpty({ message_to_signer: message }),
		});
	},
	toCheck: outside('whether the signer has received another email'),
});
