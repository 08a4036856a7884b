import { defineOperation } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import type { Call } from '../../transport/client';
import { platform, parsePlatform } from '../../form/commonFields';
import { defineText } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import { parsePhone, formatFullPhone, buildPhoneFields } from '../../form/phone';
import { defineReminder } from './api';
import { parseTransactionOutput, transactionOutputFields } from './output';

const businessOnly = { hide: { platform: ['realEstate'] } };

/** Sends the text message again (docs/service/transactions.md#resend-the-sms). */
export const resendSms = defineOperation({
	resource: 'transaction',
	value: 'resendSms',
	name: 'Resend Text Message',
	action: 'Resend text message of transaction',
	description: 'Send the signing link by text message (SMS)',
	kind: 'write',
	passesFiles: true,
	effect: 'Sends the signer another text message with a link to sign. Each run sends one more',
	properties: [
		platform,
		transactionLocator,
		{
			...defineText(
				'Phone',
				'phoneNumber',
				'+1 617 555 0123',
				"Number to send the text message to. Leave empty to use the signer's number.",
			),
			displayOptions: businessOnly,
		},
		{
			...defineText(
				'Phone Country Code',
				'phoneCountryCode',
				'1',
				"Country of a number that doesn't begin with +",
			),
			default: '1',
			displayOptions: businessOnly,
		},
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineReminder(
		'resendSms',
		'whether the signer has received another text message',
		({ params }) => (parsePlatform(params) === 'business' ? parseNumber(params) : {}),
	),
});

/**
 * Parses the number, which only business takes; without one, the service uses the signer's. Services
 * take it in the query or in the body, so it's in both
 * (docs/service/transactions.md#resend-the-sms).
 */
function parseNumber(params: Params): Pick<Call, 'query' | 'body'> {
	const phoneNumber = params.getText('phoneNumber');
	if (phoneNumber === undefined) return {};
	const phone = parsePhone(phoneNumber, params.getText('phoneCountryCode'), (field) => field);
	const fullNumber = formatFullPhone(buildPhoneFields(phone));
	const { country, number } = phone;
	return {
		query: { phone: fullNumber, phone_number: fullNumber },
		...(country !== undefined && { body: { phone: { country_code: country, number } } }),
	};
}
