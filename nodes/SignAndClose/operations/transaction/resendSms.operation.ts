import { defineOperation } from '../../core/operation';
import { text } from '../../fields/collection';
import { transactionLocator } from '../../fields/locators';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/transaction';
import { InputFailure } from '../../service/failures';
import { retrieveTransaction } from '../../service/transactions';
import { asObject, asText } from '../../service/wire';

/** gaps.md §1, Resend SMS. As with e-mail, a lost answer stays in doubt. */
export const resendSms = defineOperation({
	resource: 'transaction',
	value: 'resendSms',
	name: 'Resend SMS',
	action: 'Resend SMS of transaction',
	description: 'Send the signing link to a phone by text message',
	kind: 'write',
	properties: [
		platform,
		transactionLocator,
		{ ...text('Phone', 'phoneNumber', '6175550123', 'Number that the text message goes to, without the country code'), required: true },
		{ ...text('Phone Country Code', 'phoneCountryCode', '1'), default: '1' },
		simplify,
	],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const number = params.required('phoneNumber').replace(/[\s().-]/g, '');
		if (!/^\+?\d{5,15}$/.test(number)) throw new InputFailure(params.label('phoneNumber'), `is '${number}'`, 'Enter digits only, e.g. 6175550123');
		const country = params.text('phoneCountryCode')?.replace(/^\+/, '');
		const body = { phone: { ...(country !== undefined && { country_code: country }), number } };
		const answer = asObject(await service.json('resendSms', { path: { transactionId }, platform: readPlatform(params), body }));
		const transaction = asText(answer.id) === undefined ? await retrieveTransaction(service, transactionId, readPlatform(params)) : answer;
		return { json: transactionJson(params, transaction) };
	},
});
