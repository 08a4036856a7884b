import { defineOperation } from '../../core/operation';
import { outputField, platform, readPlatform, transactionLocator } from '../../fields/transaction';
import { downloadLink } from '../../service/download';
import { ServiceFailure } from '../../service/failures';
import { retrieveTransaction } from '../../service/transactions';
import { asText } from '../../service/wire';

/** interface.md §2: audit_trail_url of the transaction, a temporary link to a PDF. */
export const getAuditTrail = defineOperation({
	resource: 'transaction',
	value: 'getAuditTrail',
	name: 'Get Audit Trail',
	action: 'Get audit trail of transaction',
	description: 'Download the PDF that records who did what and when',
	kind: 'read',
	properties: [platform, transactionLocator, outputField],
	async execute({ context, service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const getLink = async () => {
			const transaction = await retrieveTransaction(service, transactionId, readPlatform(params));
			const link = asText(transaction.audit_trail_url);
			if (link !== undefined) return link;
			throw new ServiceFailure('This transaction has no audit trail yet', {
				remedy: "Start this flow with the 'Sign and Close Trigger' on completed transactions, or run it again later",
			});
		};
		const file = await downloadLink(context, service, getLink, {
			name: `Audit trail ${transactionId}`,
			mimeType: 'application/pdf',
		});
		return {
			json: { transaction_id: transactionId, ...file.facts },
			binary: { [params.required('binaryPropertyName')]: file.binary },
		};
	},
});
