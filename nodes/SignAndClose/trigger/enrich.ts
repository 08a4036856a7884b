import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toNodeError } from '../core/nodeError';
import { createService } from '../service/client';
import { retrieveTransaction, simplifyTransaction, withTransactionIds } from '../service/transactions';
import { asText, recordIdOf } from '../service/wire';

/**
 * Adds to each event the transaction it is about, since the payload holds nothing but its id (interface.md §6). The platform is not in the
 * payload either: the business path is the documented one, and both platforms are tried.
 */
export async function enrich(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const retrieve = context.getNodeParameter('retrieveTransaction', 0, true) === true;
	const simple = context.getNodeParameter('simplify', 0, true) === true;
	if (!retrieve) return [items];
	const output: INodeExecutionData[] = [];
	let secrets: string[] = [];
	for (const [index, item] of items.entries()) {
		const transactionId = asText(item.json.transaction_id);
		if (transactionId === undefined) {
			output.push({ ...item, pairedItem: { item: index } });
			continue;
		}
		try {
			const service = await createService(context);
			secrets = service.settings.secrets;
			// A deleted transaction can't be retrieved any more; its event is all there is.
			const transaction = item.json.event === 'transaction.deleted' ? undefined : await retrieveTransaction(service, transactionId, 'realEstate');
			output.push({ json: merge(item.json, transaction, simple), pairedItem: { item: index } });
		} catch (thrown) {
			const failure = toNodeError(context.getNode(), thrown, { index, count: items.length }, secrets);
			if (!context.continueOnFail()) throw failure;
			output.push({ json: { ...item.json, error: failure.message }, error: failure, pairedItem: { item: index } });
		}
	}
	return [output];
}

function merge(event: IDataObject, transaction: IDataObject | undefined, simple: boolean): IDataObject {
	if (transaction === undefined) return event;
	const recordId = recordIdOf(transaction);
	return {
		...event,
		...(recordId !== undefined && { notarization_record_id: recordId }),
		transaction: simple ? simplifyTransaction(transaction) : withTransactionIds(transaction),
	};
}
