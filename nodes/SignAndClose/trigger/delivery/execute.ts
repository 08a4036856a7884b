import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { formatAsText, toNodeError } from '../../messages/nodeError';
import { downloadFinals } from '../../resources/document/downloads';
import { formatTransactionAs } from '../../resources/transaction/output';
import { buildCompletionKey, isCompletion } from '../../resources/webhook/completion';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { findRecordId } from '../../transport/answers/transactionState';
import { createService, type ServiceClient } from '../../transport/client';
import { toPlainText } from '../../values/plainText';
import { asText } from '../../values/json';
import { hideSecrets } from '../../values/secrets';
import { processedKeys } from './deduplication';
import { buildJoinKeys } from './output';
import { parseTriggerParameters, type TriggerParameters } from '../parameters';

/* The trigger's `execute()`: one run for one event. */

/**
 * Runs an event: drops it when another run has claimed it, retrieves the transaction where that
 * wasn't done before, and downloads the finished documents where they were asked for. A failure
 * releases the event, so that a retry or a repeat passes.
 * @throws NodeApiError, NodeOperationError unless "On Error" continues
 */
export async function executeTrigger(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const settings = parseTriggerParameters(context);
	const items = context.getInputData();
	// n8n takes long to read the credential, so it's read once, and only for what needs it.
	let servicePromise: Promise<ServiceClient> | undefined;
	const connect = async () => await (servicePromise ??= createService(context));
	const markedKeys: string[] = [];
	const output: INodeExecutionData[] = [];
	for (const [index, item] of items.entries()) {
		const fresh = await markEvent(context, item.json);
		if (fresh === undefined) continue;
		markedKeys.push(...fresh);
		// Whoever has asked the service about an event had the credential open, and hid its secrets before
		// n8n stored the item. Here it's done in its place: n8n keeps the item of a run that fails.
		if (item.json.confirmed === undefined)
			item.json = hideSecrets(item.json, (await readSecrets(connect)).outputSecrets);
		try {
			output.push({
				...(await complete(context, settings, item, connect)),
				pairedItem: { item: index },
			});
		} catch (thrown) {
			const { secrets } = await readSecrets(connect);
			const position = { index, count: items.length };
			const failure = toNodeError(context.getNode(), thrown, position, secrets);
			// With Retry On Fail, n8n runs the node again, which must find the event.
			await processedKeys.release(context, context.continueOnFail() ? fresh : markedKeys);
			if (!context.continueOnFail()) throw failure;
			// n8n takes an item for failed only when it has no other names than these. Unlike in an
			// action node, there is no incoming item whose fields it could add.
			output.push({
				json: { error: formatAsText(failure), details: item.json },
				pairedItem: { item: index },
			});
		}
	}
	return [output];
}

/** The modes of executions that claim their events. In manual ones, everything passes and counts for nothing. */
const MARKING_MODES = new Set<WorkflowExecuteMode>(['webhook', 'trigger', 'retry']);

/**
 * Claims an event for this run.
 * @returns the keys that no run has claimed before; undefined when the event is a repeat
 */
async function markEvent(context: IExecuteFunctions, json: IDataObject) {
	const mode = context.getMode();
	if (!MARKING_MODES.has(mode)) return [];
	const { deciding, shared } = listKeys(json);
	const fresh = await processedKeys.markProcessed(context, [...deciding, ...shared]);
	const isRepeat = !deciding.every((key) => fresh.has(key));
	// What somebody runs again passes in any case, and others drop it from then on.
	if (isRepeat && mode !== 'retry') return undefined;
	if (isRepeat)
		context.addExecutionHints({
			message: 'This event already started an execution. Check for duplicates',
			location: 'outputPane',
		});
	return [...fresh];
}

/**
 * Says what the run of an event claims. A completion also has a key that it shares with what looks at
 * transactions instead of deliveries.
 *
 * Whoever knows the webhook's URL can make up an event. What the service hasn't confirmed therefore
 * claims nothing that the genuine event needs.
 * @returns `deciding`: if another run has claimed one of them, the event is a repeat. `shared` are claimed
 *   for other runs to see
 */
function listKeys(json: IDataObject): Record<'deciding' | 'shared', string[]> {
	const [key, transactionId] = [asText(json.delivery_key), asText(json.transaction_id)];
	if (key === undefined) return { deciding: [], shared: [] };
	if (json.confirmed === false) return { deciding: [`${key}:unconfirmed`], shared: [] };
	const isOnce = transactionId !== undefined && isCompletion(json.event);
	const shared = isOnce ? [buildCompletionKey(String(json.event), transactionId)] : [];
	return json.confirmed === true
		? { deciding: [key, ...shared], shared: [] }
		: { deciding: [key], shared };
}

/** The secrets of the credential: for messages, and for outputs. None where it can't be read. */
async function readSecrets(connect: () => Promise<ServiceClient>) {
	return await connect().then(
		({ settings }) => settings,
		() => ({ secrets: [], outputSecrets: [] }),
	);
}

/** Adds what was asked for and isn't there yet. An event that needs no request passes without a credential. */
async function complete(
	context: IExecuteFunctions,
	settings: TriggerParameters,
	item: INodeExecutionData,
	connect: () => Promise<ServiceClient>,
): Promise<INodeExecutionData> {
	const { json } = item;
	const transactionId = asText(json.transaction_id);
	const isDeleted = json.event === 'transaction.deleted';
	if (transactionId === undefined || isDeleted || json.confirmed === false) return item;
	const { transaction: storedTransaction, ...rest } = json;
	const { retrieve, downloadDocuments } = settings;
	if (!downloadDocuments && !(retrieve && storedTransaction === undefined))
		return { ...item, json: retrieve ? json : rest };
	const service = await connect();
	const transaction = await retrieveTransaction(service, transactionId);
	const recordId = findRecordId(transaction);
	const { files, unreleased } = downloadDocuments
		? await downloadFinals(context, service, transaction)
		: { files: {}, unreleased: [] };
	if (unreleased.length > 0)
		context.addExecutionHints({
			message: toPlainText(
				`The service gives no link to ${unreleased.map((name) => `'${name}'`).join(', ')}. If the signer pays, documents are released after the payment: use the event 'Documents Released'`,
			),
			location: 'outputPane',
		});
	const retrieved = service.hide({
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...(retrieve && { transaction: formatTransactionAs(settings.form, transaction) }),
	});
	return {
		json: { ...rest, ...(retrieve && buildJoinKeys(transactionId, transaction)), ...retrieved },
		...(Object.keys(files).length > 0 && { binary: files }),
	};
}
