import { defineOperation } from '../../run/operation';
import { write } from '../../run/outcome/goals';
import { longText } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { platform, parsePlatform } from '../shared/commonFields';
import { outside } from '../shared/toCheck';
import { remindedGoal } from './api';
import { readTransactionForm, transactionJson, transactionOutput } from './output';

/**
 * Sends the invitation again (docs/service/transactions.md#resend-the-e-mail). An e-mail that was
 * sent can't be seen at the service, so there is no look-up: a lost answer stays in doubt, and
 * nobody gets the e-mail twice.
 */
export const resendEmail = defineOperation({
	resource: 'transaction',
	value: 'resendEmail',
	name: 'Resend Email',
	action: 'Resend email of transaction',
	description: 'Send the invitation to the signers again',
	kind: 'write',
	effect: 'Emails the signers again. Each call sends another email',
	properties: [
		platform,
		transactionLocator,
		{
			...longText('Message to Signer', 'messageToSigner', 'Text shown to the signer in this email'),
			displayOptions: { hide: { platform: ['realEstate'] } },
		},
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const side = parsePlatform(params);
		// Real estate has no message for this email (docs/service/transactions.md#resend-the-e-mail).
		const message = side === 'business' ? params.text('messageToSigner') : undefined;
		const query = message === undefined ? undefined : { message_to_signer: message };
		const transaction = await write(
			service,
			async () =>
				await service.json('resendEmail', { path: { transactionId }, platform: side, query }),
			remindedGoal,
		);
		return { json: transactionJson(params, transaction) };
	},
	toCheck: outside('whether the signer has received another email'),
});
