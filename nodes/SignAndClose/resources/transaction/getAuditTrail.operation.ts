import { ExplainedFailure } from '../../messages/explainedFailure';
import { defineOperation, type OperationCall } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { downloadLink, saveStream, type Downloaded } from '../../transport/download';
import { asFailure, type Failure } from '../../transport/failure/failure';
import { asText } from '../../values/json';
import { outputField, platform, parsePlatform } from '../shared/commonFields';
import { transactionLocator } from '../shared/locators';

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
		const transactionId = call.params.requiredLocator('transactionId');
		const { binary, facts } = await fetchTrail(call, transactionId);
		return {
			json: { transaction_id: transactionId, ...facts },
			binary: { [call.params.required('binaryPropertyName')]: binary },
		};
	},
});

async function fetchTrail(
	{ context, service, params }: OperationCall,
	transactionId: string,
): Promise<Downloaded> {
	const target = { name: `Audit trail ${transactionId}`, mimeType: 'application/pdf' };
	const findLink = async () =>
		asText(
			(await retrieveTransaction(service, transactionId, parsePlatform(params))).audit_trail_url,
		);
	const link = await findLink();
	if (link !== undefined) return await downloadLink(context, service, link, findLink, target);
	try {
		const { stream, headers } = await service.stream('getAuditTrail', { path: { transactionId } });
		return await saveStream(context, stream, headers, service.hide(target));
	} catch (thrown) {
		throw notYet(thrown);
	}
}

function notYet(thrown: unknown): Failure {
	const none = new ExplainedFailure(
		'This transaction has no audit trail yet',
		"Start this workflow with the 'Sign and Close Trigger' on completed transactions, or execute it again later",
	);
	const failure = asFailure(thrown, none);
	return failure.flags.httpStatus === 404 ? none : failure;
}
