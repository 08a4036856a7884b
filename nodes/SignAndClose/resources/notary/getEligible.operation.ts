import { defineOperation } from '../../run/operation';
import { many, parseLimit, parsePlatform, platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { listEligibleNotaries } from './api';

/**
 * Lists the notaries who can meet the signers of a transaction. The service answers with an array
 * without pages (docs/service/notarization.md#notaries-of-a-transaction).
 */
export const getEligibleNotaries = defineOperation({
	resource: 'notary',
	value: 'getEligible',
	name: 'Get Eligible',
	action: 'Get eligible notaries of transaction',
	description: 'List the notaries who can meet the signers of a transaction',
	kind: 'read',
	properties: [platform, transactionLocator, ...many],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const transactionId = params.requiredLocator('transactionId');
		const notaries = await listEligibleNotaries(service, transactionId, parsePlatform(params));
		return notaries.slice(0, limit).map((notary) => ({
			json: { transaction_id: transactionId, notary_id: notary.id, ...notary },
		}));
	},
});
