import { ExplainedFailure } from '../../messages/failures';
import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { findFiles } from '../../transport/fileDownload/linkedFiles';
import { outputField, platform } from '../../form/commonFields';
import { transactionLocator } from '../../form/locators';
import { parseTransactionTarget } from './api';
import { getAuditTrailFile } from './files';

/** Downloads the audit trail (docs/service/documents.md#audit-trail). */
export const getAuditTrail = defineOperation({
	resource: 'transaction',
	value: 'getAuditTrail',
	name: 'Get Audit Trail',
	action: 'Get audit trail of transaction',
	description: 'Download the PDF that records who did what and when',
	kind: 'read',
	properties: [platform, transactionLocator, outputField],
	async execute({ context, service, params }) {
		const { transactionId, platform } = parseTransactionTarget(params);
		const trails = await findFiles(service, async () => [
			getAuditTrailFile(service, await retrieveTransaction(service, transactionId, platform)),
		]);
		const [saved] = await trails.downloadAll(context);
		if (saved === undefined)
			throw new ExplainedFailure(
				'This transaction has no audit trail yet',
				"Start this workflow with the 'Sign and Close Trigger' on completed transactions, or execute it again later",
			);
		return {
			json: { transaction_id: transactionId, ...saved.facts },
			binary: { [params.getRequired('binaryPropertyName')]: saved.binary },
		};
	},
});
