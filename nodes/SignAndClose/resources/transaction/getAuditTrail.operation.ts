import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationCall } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { downloadLink, saveStream, type Downloaded } from '../../transport/download';
import { asFailure } from '../../transport/failure/failure';
import { asText } from '../../values/json';
import { outputField, platform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';
import { parseTarget } from './api';

/**
 * Downloads the audit trail: the PDF behind the transaction's temporary link, or for a transaction
 * without a link the PDF of its own endpoint (docs/service/documents.md#audit-trail).
 */
export const getAuditTrail = defineOperation({
	resource: 'transaction',
	value: 'getAuditTrail',
	name: 'Get Audit Trail',
	action: 'Get audit trail of transaction',
	description: 'Download the PDF that records who did what and when',
	kind: 'read',
	properties: [platform, transactionLocator, outputField],
	async execute(call) {
		const { transactionId, platform } = parseTarget(call.params);
		const file = { name: `Audit trail ${transactionId}`, mimeType: 'application/pdf' };
		const findLink = async () => {
			const transaction = await retrieveTransaction(call.service, transactionId, platform);
			return asText(transaction.audit_trail_url);
		};
		const link = await findLink();
		const { binary, facts } =
			link === undefined
				? await downloadTrail(call, transactionId, file)
				: await downloadLink(call.context, call.service, link, findLink, file);
		return {
			json: { transaction_id: transactionId, ...facts },
			binary: { [call.params.required('binaryPropertyName')]: binary },
		};
	},
});

async function downloadTrail(
	{ context, service }: OperationCall,
	transactionId: string,
	file: { name: string; mimeType: string },
): Promise<Downloaded> {
	try {
		const { stream, headers } = await service.stream('getAuditTrail', { path: { transactionId } });
		return await saveStream(context, stream, headers, service.hide(file));
	} catch (thrown) {
		const none = new ExplainedFailure(
			'This transaction has no audit trail yet',
			"Start this workflow with the 'Sign and Close Trigger' on completed transactions, or execute it again later",
		);
		const failure = asFailure(thrown, none);
		throw failure.flags.httpStatus === 404 ? none : failure;
	}
}
