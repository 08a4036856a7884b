import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import { limitFields, parseLimit, parsePlatform, platform } from '../../form/commonFields';
import { transactionLocator } from '../../form/locators';

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
	properties: [platform, transactionLocator, ...limitFields],
	async execute({ service, params }) {
		const limit = parseLimit(params);
		const transactionId = params.getRequiredLocator('transactionId');
		const call = { path: { transactionId }, platform: parsePlatform(params) };
		const { entries: notaries } = await fetchList(service, 'listEligibleNotaries', call);
		return notaries.slice(0, limit).map((notary) => ({
			json: { transaction_id: transactionId, notary_id: notary.id, ...notary },
		}));
	},
});
