import { defineOperation } from '../../core/operation';
import { longText } from '../../fields/shared/builders';
import { transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/shared/platform';
import { retrieveTransaction } from '../../service/resources/transactions';

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
	properties: [
		platform,
		transactionLocator,
		longText('Message to Signer', 'messageToSigner', 'Text shown to the signer in this email'),
		simplify,
	],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const message = params.text('messageToSigner');
		const query = message === undefined ? undefined : { message_to_signer: message };
		const side = readPlatform(params);
		const transaction = await service.written(
			'resendEmail',
			{ path: { transactionId }, platform: side, query },
			async () => await retrieveTransaction(service, transactionId, side),
		);
		return { json: transactionJson(params, transaction) };
	},
});
