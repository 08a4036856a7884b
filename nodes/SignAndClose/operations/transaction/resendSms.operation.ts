import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { defineOperation } from '../../core/operation';
import type { Params } from '../../core/params';
import { text } from '../../fields/shared/builders';
import { checkedPhone } from '../../fields/shared/checks';
import { transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform } from '../../fields/shared/platform';
import { showTransaction } from '../../fields/shared/shownDone';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { write } from '../../service/goals';
import { remindedGoal } from '../../service/resources/transactions';

const businessOnly = { hide: { platform: ['realEstate'] } };

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
	effect: 'Sends the signer another text message with a link to sign. Each call sends one more',
	properties: [
		platform,
		transactionLocator,
		{
			...text(
				'Phone',
				'phoneNumber',
				'+1 617 555 0123',
				"Number to send the text message to, without the country code. Leave empty to use the signer's number.",
			),
			displayOptions: businessOnly,
		},
		{
			...text('Phone Country Code', 'phoneCountryCode', '1'),
			default: '1',
			displayOptions: businessOnly,
		},
		...transactionOutput,
	],
	check: readTransactionForm,
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const side = readPlatform(params);
		const body = side === 'business' ? readNumber(params) : undefined;
		const transaction = await write(
			service,
			async () =>
				await service.json('resendSms', { path: { transactionId }, platform: side, body }),
			remindedGoal,
		);
		return { json: transactionJson(params, transaction) };
	},
	toCheck: 'whether the signer has received another SMS',
	showDone: showTransaction,
});

/**
 * Reads the number, which only business takes; without one, the service uses the signer's
 * (docs/service/transactions.md#resend-the-sms).
 */
function readNumber(params: Params): IDataObject | undefined {
	const given = params.text('phoneNumber');
	if (given === undefined) return undefined;
	const { number, country } = checkedPhone(
		given,
		params.text('phoneCountryCode'),
		params.label('phoneNumber'),
	);
	if (number.startsWith('+'))
		throw new InputFailure(
			params.label('phoneCountryCode'),
			'is empty',
			`Enter the country code of ${number}`,
		);
	return { phone: { ...(country !== undefined && { country_code: country }), number } };
}
