import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import {
	limitFields,
	parseLimit,
	parsePlatform,
	platform,
	simplify,
} from '../../form/commonFields';
import { transactionLocator } from '../../form/locators';
import { listDocuments, simplifyDocument, withDocumentIds } from './api';

/**
 * Lists the documents of a transaction, which are part of its answer
 * (docs/service/transactions.md#answer-fields). One item for each document, so that the next node
 * works on each of them.
 */
export const getManyDocuments = defineOperation({
	resource: 'document',
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many documents',
	description: 'List the documents of a transaction',
	kind: 'read',
	properties: [platform, transactionLocator, ...limitFields, simplify],
	async execute({ service, params }) {
		const transactionId = params.getRequiredLocator('transactionId');
		const limit = parseLimit(params);
		const documents = listDocuments(
			await retrieveTransaction(service, transactionId, parsePlatform(params)),
		);
		const show = params.getBoolean('simplify') ? simplifyDocument : withDocumentIds;
		return documents.slice(0, limit).map((document) => ({ json: show(transactionId, document) }));
	},
});
