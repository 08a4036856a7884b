import { defineOperation } from '../../run/operation';
import { withoutEmpty } from '../../values/json';
import { platform, parsePlatform } from '../../form/commonFields';
import { defineLongText } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import { defineReminder } from './api';
import { parseTransactionOutput, transactionOutputFields } from './output';

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
			...defineLongText(
				'Message to Signer',
				'messageToSigner',
				'Text shown to the signer in this email',
			),
			displayOptions: { hide: { platform: ['realEstate'] } },
		},
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineReminder(
		'resendEmail',
		'whether the signer has received another email',
		({ params }) =>
			// Real estate has no message for this email.
			parsePlatform(params) === 'realEstate'
				? {}
				: { query: withoutEmpty({ message_to_signer: params.getText('messageToSigner') }) },
	),
});
