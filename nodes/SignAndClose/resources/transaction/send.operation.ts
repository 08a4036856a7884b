import { sleep, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { defineOperation, type OperationResult } from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import type { Params } from '../../run/parameters/params';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import { isDraft, phaseOf, wrongState } from '../../transport/answers/transactionState';
import type { ServiceClient } from '../../transport/client';
import { ServiceFailure } from '../../transport/failure/failure';
import type { Platform } from '../../transport/service/endpoints';
import { asText } from '../../values/json';
import { platform, parsePlatform } from '../shared/commonFields';
import { collection, parseCollection } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { phaseGoal } from './api';
import { parseSendOptions, sendOptions, withAccessLinks } from './form/sendOptions';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';

const DEFAULT_WAIT_SECONDS = 120;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

const documentWait: INodeProperties = {
	displayName: 'Wait for Documents',
	name: 'wait_for_documents',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_WAIT_SECONDS,
	description:
		'How many seconds to wait until the service has processed the documents. A transaction that is sent earlier may be refused, or lose the signing tags in its PDFs.',
};

/** Sends a draft to its signers (docs/service/transactions.md#send). */
export const sendTransaction = defineOperation({
	resource: 'transaction',
	value: 'send',
	name: 'Send',
	action: 'Send transaction or closing',
	description: 'Send a draft to its signers. To change it afterwards, you have to recall it.',
	kind: 'write',
	effect: 'Invites the signers by email, and contacts of a closing may be told, too',
	properties: [
		platform,
		transactionLocator,
		collection('Additional Fields', 'additionalFields', [...sendOptions, documentWait]),
		...transactionOutput,
	],
	check: parseTransactionForm,
	async execute({ context, service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const side = parsePlatform(params);
		const options = parseSendOptions(params, side);
		const { wait_for_documents: seconds = DEFAULT_WAIT_SECONDS } = parseCollection(
			params,
			params.object('additionalFields'),
			[documentWait],
		);
		await waitForDocuments(service, transactionId, side, {
			limitMs: Number(seconds) * 1000,
			signal: context.getExecutionCancelSignal(),
		});
		const transaction = await sendDraft(service, transactionId, side, options);
		return toResult(params, transaction);
	},
	async lookUp({ service, params }) {
		const goal = sentGoal(service, params.requiredLocator('transactionId'), parsePlatform(params));
		return mapSeen(await goal.fromService(), (transaction) => toResult(params, transaction));
	},
	toCheck: inTransaction('whether the transaction is sent'),
});

/**
 * Waits until no document is pending. A draft that is sent earlier is refused or loses the text tags
 * of its documents (docs/service/documents.md#processing). Documents whose state isn't shown count as
 * processed.
 * @throws ServiceFailure `documentFailed` when a document can't be processed, `documentsPending`
 *   when the limit is over, `wrongState` when it's no draft any more
 */
async function waitForDocuments(
	service: ServiceClient,
	transactionId: string,
	side: Platform,
	{ limitMs, signal }: { limitMs: number; signal?: AbortSignal },
): Promise<void> {
	const began = Date.now();
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const transaction = await retrieveTransaction(service, transactionId, side);
		if (phaseOf(transaction) !== undefined && !isDraft(transaction))
			throw wrongState('send', transaction);
		const documents = (transaction.documents ?? []).map((document) => ({
			name: asText(document.document_name) ?? String(document.id),
			state: document.processing_state,
			// Business shows it in Get document only
			// (docs/service/documents.md#two-forms-of-the-answer).
			why: asText(document.processing_error),
		}));
		const failed = documents.find(({ state, why }) => why !== undefined || state === 'failed');
		if (failed !== undefined)
			throw new ServiceFailure(
				{ code: 'documentFailed', document: failed.name, why: failed.why },
				{ final: true },
			);
		const pending = documents.filter(({ state }) => state === 'pending').map(({ name }) => name);
		if (pending.length === 0) return;
		const waited = Date.now() - began;
		if (waited + pause > limitMs)
			throw new ServiceFailure(
				{ code: 'documentsPending', documents: pending, seconds: Math.round(waited / 1000) },
				{ final: false },
			);
		await sleep(pause, signal);
	}
}

/** The goal of Send: the transaction is no draft any more. */
const sentGoal = (service: ServiceClient, transactionId: string, side: Platform) =>
	phaseGoal(service, transactionId, side, { reached: ['sent', 'finished'], missed: 'draft' });

/**
 * Sends a draft.
 * @param options suppress_email, require_new_signer_verification; real estate also skip_closing_ops
 * @returns the transaction as it is now
 * @throws ServiceFailure `notDone` when it is still a draft; with `flags.unknownOutcome` when it may have
 *   been sent
 */
export async function sendDraft(
	service: ServiceClient,
	transactionId: string,
	side: Platform,
	options: IDataObject = {},
): Promise<TransactionAnswer> {
	// The service publishes no body for this call, so there is one only with something in it.
	const body = Object.keys(options).length > 0 ? options : undefined;
	return await write(
		service,
		async () =>
			await service.json('sendTransaction', { path: { transactionId }, platform: side, body }),
		sentGoal(service, transactionId, side),
	);
}

function toResult(params: Params, transaction: IDataObject): OperationResult {
	return withAccessLinks({ json: transactionJson(params, transaction) }, transaction, params);
}
