import { InputFailure } from '../../core/explainedFailure';
import { defineOperation } from '../../core/operation';
import { text } from '../../fields/shared/builders';
import { transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/shared/platform';
import { checkedPhone } from '../../fields/transaction/readSigner';
import { retrieveTransaction } from '../../service/resources/transactions';

/**
 * Sends the text message again (docs/service/transactions.md#resend-the-sms). As with e-mail, a
 * lost answer stays in doubt.
 */
export const resendSms = defineOperation({
	resource: 'transaction',
	value: 'resendSms',
	name: 'Resend SMS',
	action: 'Resend SMS of transaction',
	description: 'Send the signing link by text message',
	kind: 'write',
	properties: [
		platform,
		transactionLocator,
		{
			...text(
				'Phone',
				'phoneNumber',
				'6175550123',
				'Number to send the text message to, without the country code',
			),
			required: true,
		},
		{ ...text('Phone Country Code', 'phoneCountryCode', '1'), default: '1' },
		simplify,
	],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const { number, country } = checkedPhone(
			params.required('phoneNumber'),
			params.text('phoneCountryCode'),
			params.label('phoneNumber'),
		);
		if (number.startsWith('+'))
			throw new InputFailure(
				params.label('phoneCountryCode'),
				'is empty',
				`Enter the country code of ${number}`,
			);
		const body = { phone: { ...(country !== undefined && { country_code: country }), number } };
		const side = readPlatform(params);
		const transaction = await service.written(
			'resendSms',
			{ path: { transactionId }, platform: side, body },
			async () => await retrieveTransaction(service, transactionId, side),
		);
		return { json: transactionJson(params, transaction) };
	},
});
