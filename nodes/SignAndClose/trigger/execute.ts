import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { inOneText, toNodeError } from '../messages/nodeError';
import { downloadFinals } from '../resources/document/api';
import { transactionIn } from '../resources/transaction/output';
import { completionKey, isCompletion } from '../resources/webhook/completion';
import { retrieveTransaction } from '../transport/answers/retrieveTransaction';
import { recordIdOf } from '../transport/answers/transactionState';
import { createService, type ServiceClient } from '../transport/client';
import { plainText } from '../transport/failure/plainText';
import { asText } from '../values/json';
import { hideSecrets } from '../values/secrets';
import { claimedKeys } from './deduplication';
import { joinKeys } from './output';
import { parseTriggerParameters, type TriggerParameters } from './parameters';

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
	let opening: Promise<ServiceClient> | undefined;
	const connect = async () => await (opening ??= createService(context));
	const claimed: string[] = [];
	const output: INodeExecutionData[] = [];
	for (const [index, item] of items.entries()) {
		const fresh = await claim(context, item.json);
		if (fresh === undefined) continue;
		claimed.push(...fresh);
		// Whoever has asked the service about an event had the credential open, and hid its secrets before
		// n8n stored the item. Here it's done in its place: n8n keeps the item of a run that fails.
		if (item.json.confirmed === undefined)
			item.json = hideSecrets(item.json, (await secretsOf(connect)).outputSecrets);
		try {
			output.push({
				...(await complete(context, settings, item, connect)),
				pairedItem: { item: index },
			});
		} catch (thrown) {
			const { secrets } = await secretsOf(connect);
			const of = { index, count: items.length };
			const failure = toNodeError(context.getNode(), thrown, of, secrets);
			// With Retry On Fail, n8n runs the node again, which must find the event.
			await claimedKeys.release(context, context.continueOnFail() ? fresh : claimed);
			if (!context.continueOnFail()) throw failure;
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

/** The modes of executions that claim their events. In manual ones, everything passes and counts for nothing. */
const CLAIMING = new Set<WorkflowExecuteMode>(['webhook', 'trigger', 'retry']);

/**
 * Claims an event for this run.
 * @returns the keys that no run has claimed before; undefined when the event is a repeat
 */
async function claim(context: IExecuteFunctions, json: IDataObject) {
	const mode = context.getMode();
	if (!CLAIMING.has(mode)) return [];
	const { deciding, shared } = claimOf(json);
	const fresh = await claimedKeys.claim(context, [...deciding, ...shared]);
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
function claimOf(json: IDataObject): Record<'deciding' | 'shared', string[]> {
	const [key, transactionId] = [asText(json.delivery_key), asText(json.transaction_id)];
	if (key === undefined) return { deciding: [], shared: [] };
	if (json.confirmed === false) return { deciding: [`${key}:unconfirmed`], shared: [] };
	const isOnce = transactionId !== undefined && isCompletion(json.event);
	const shared = isOnce ? [completionKey(String(json.event), transactionId)] : [];
	return json.confirmed === true
		? { deciding: [key, ...shared], shared: [] }
		: { deciding: [key], shared };
}

/** The secrets of the credential: for messages, and for outputs. None where it can't be read. */
async function secretsOf(connect: () => Promise<ServiceClient>) {
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
	const deleted = json.event === 'transaction.deleted';
	if (transactionId === undefined || deleted || json.confirmed === false) return item;
	const { transaction: known, ...others } = json;
	const { retrieve, downloadDocuments } = settings;
	if (!downloadDocuments && !(retrieve && known === undefined))
		return { ...item, json: retrieve ? json : others };
	const service = await connect();
	const transaction = await retrieveTransaction(service, transactionId);
	const recordId = recordIdOf(transaction);
	const { files, unreleased } = downloadDocuments
		? await downloadFinals(context, service, transaction)
		: { files: {}, unreleased: [] };
	if (unreleased.length > 0)
		context.addExecutionHints({
			message: plainText(
				`The service gives no link to ${unreleased.map((name) => `'${name}'`).join(', ')}. If the signer pays, documents are released after the payment: use the event 'Documents Released'`,
			),
			location: 'outputPane',
		});
	const retrieved = service.hide({
		...(recordId !== undefined && { notarization_record_id: recordId }),
		...(retrieve && { transaction: transactionIn(settings.form, transaction) }),
	});
	return {
		json: { ...others, ...(retrieve && joinKeys(transactionId, transaction)), ...retrieved },
		...(Object.keys(files).length > 0 && { binary: files }),
	};
}
