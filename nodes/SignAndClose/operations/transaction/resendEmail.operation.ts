import { defineOperation } from '../../core/operation';
import { longText } from '../../fields/shared/builders';
import { transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/shared/platform';
import { retrieveTransaction } from '../../service/resources/transactions';

/**
 * gaps.md §1, Resend e-mail. What was sent leaves no trace at the service, so a lost answer stays
 * in doubt: nobody gets it twice unasked.
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
