import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { inOneText, toNodeError } from '../core/nodeError';
import { createService, type ServiceClient } from '../service/client';
import { downloadFinal } from '../service/resources/documents';
import { recordIdOf } from '../service/resources/transactionState';
import {
	retrieveTransaction,
	simplifyTransaction,
	withTransactionIds,
} from '../service/resources/transactions';
import { asObjects, asText } from '../service/values/json';
import { claimedKeys } from './events/deduplication';
import { readTriggerParameters, type TriggerParameters } from './parameters';

/* The trigger's `execute()`: one run for one event. */

/**
 * Runs an event: drops it when another run has claimed it, retrieves the transaction where that
 * wasn't done before, and downloads the finished documents where they were asked for. A failure
 * releases the event, so that a retry or a repeat passes.
 * @throws NodeApiError, NodeOperationError unless "On Error" continues
 */
export async function executeTrigger(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const settings = readTriggerParameters(context);
	const items = context.getInputData();
	// Manual executions and executions that somebody runs again let everything pass.
	const once = context.getMode() === 'webhook' || context.getMode() === 'trigger';
	const keyOf = ({ json }: INodeExecutionData) => asText(json.delivery_key);
	const fresh = once
		? await claimedKeys.claim(
				context,
				items.map(keyOf).filter((key) => key !== undefined),
			)
		: undefined;
	const wanted = items.flatMap((item, index) =>
		fresh === undefined || keyOf(item) === undefined || fresh.has(keyOf(item)!)
			? [{ item, index }]
			: [],
	);
	let secrets: string[] = [];
	const output: INodeExecutionData[] = [];
	for (const { item, index } of wanted) {
		try {
			output.push(
				await complete(context, settings, item, index, async () => {
					const service = await createService(context);
					secrets = service.settings.secrets;
					return service;
				}),
			);
		} catch (thrown) {
			const failure = toNodeError(
				context.getNode(),
				thrown,
				{ index, count: items.length },
				secrets,
			);
			if (!context.continueOnFail()) {
				if (fresh !== undefined) await claimedKeys.release(context, fresh);
				throw failure;
			}
			// n8n takes an item for failed only when it has no other names than these. Unlike in an
			// action node, there is no incoming item whose fields it could add.
			output.push({
				json: { error: inOneText(failure), details: item.json },
				pairedItem: { item: index },
			});
		}
	}
	return [output];
}

async function complete(
	context: IExecuteFunctions,
	settings: TriggerParameters,
	item: INodeExecutionData,
	index: number,
	connect: () => Promise<ServiceClient>,
): Promise<INodeExecutionData> {
	const { json } = item;
	const transactionId = asText(json.transaction_id);
	const deleted = json.event === 'transaction.deleted';
	if (transactionId === undefined || deleted || json.confirmed === false)
		return { ...item, pairedItem: { item: index } };
	const missing = settings.retrieve && json.transaction === undefined;
	if (!missing && !settings.downloadDocuments)
		return {
			...item,
			json: settings.retrieve ? json : withoutTransaction(json),
			pairedItem: { item: index },
		};
	const service = await connect();
	const transaction = await retrieveTransaction(service, transactionId, 'realEstate');
	const recordId = recordIdOf(transaction);
	const binary = settings.downloadDocuments ? await download(context, service, transaction) : {};
	return {
		json: {
			...withoutTransaction(json),
			...(recordId !== undefined && { notarization_record_id: recordId }),
			...(settings.retrieve && {
				transaction: settings.simplify
					? simplifyTransaction(transaction)
					: withTransactionIds(transaction),
			}),
		},
		...(Object.keys(binary).length > 0 && { binary }),
		pairedItem: { item: index },
	};
}

function withoutTransaction(json: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => name !== 'transaction'));
}

/**
 * Downloads the finished documents as document_1, document_2 and so on. There are none before
 * completion (docs/service/documents.md#retrieve-a-document).
 */
async function download(
	context: IExecuteFunctions,
	service: ServiceClient,
	transaction: IDataObject,
): Promise<IBinaryKeyData> {
	const files: IBinaryKeyData = {};
	for (const document of asObjects(transaction.documents)) {
		if (asText(document.final_document_url) === undefined) continue;
		files[`document_${Object.keys(files).length + 1}`] = (
			await downloadFinal(context, service, 'realEstate', String(transaction.id), document)
		).binary;
	}
	return files;
}
