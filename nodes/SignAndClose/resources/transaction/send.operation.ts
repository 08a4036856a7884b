import { sleep, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { defineOperation, type OperationResult } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import type { Params } from '../../run/parameters/params';
import { retrieveTransaction } from '../../transport/answers/retrieveTransaction';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { hasLapsed, isDraft, phaseOf, wrongState } from '../../transport/answers/transactionState';
import type { ServiceClient } from '../../transport/client';
import { ServiceFailure } from '../../transport/failure/failure';
import { asText } from '../../values/json';
import { platform } from '../shared/commonFields';
import { choice, collection, flag, parseCollection } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { inTransaction } from '../shared/toCheck';
import { parseTarget, phaseGoal, sendDraft, type Target } from './api';
import { requireComplete } from './check/check';
import { shownFacts } from './check/facts';
import { parseSendOptions, sendOptions, withSigningLinks } from './form/sendOptions';
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

const ifAlreadySent = choice(
	'If Already Sent',
	'ifAlreadySent',
	[
		['Stop', 'stop', 'Refuse the item'],
		['Return It', 'return', 'Return the transaction as it is, and send nothing'],
	],
	"What to do if the transaction is no draft any more. One that has expired or was declined isn't returned.",
);

const checkFirst = flag(
	'Check First',
	'checkFirst',
	"Whether to send nothing if something is missing, and to list all of it. What's unknown or a warning in 'Transaction: Check' stops nothing.",
);

/** Sends a draft to its signers (docs/service/transactions.md#send). */
export const sendTransaction = defineOperation({
	resource: 'transaction',
	value: 'send',
	name: 'Send',
	action: 'Send transaction or closing',
	description: 'Send a draft to its signers. To change it afterwards, you have to recall it.',
	kind: 'write',
	passesFiles: true,
	effect: 'Invites the signers by email, and contacts of a closing may be told, too',
	properties: [
		platform,
		transactionLocator,
		collection('Additional Fields', 'additionalFields', [
			...sendOptions,
			documentWait,
			ifAlreadySent,
			checkFirst,
		]),
		...transactionOutput,
	],
	check: parseTransactionForm,
	async execute(call) {
		const { context, service, params } = call;
		const target = parseTarget(params);
		const options = parseSendOptions(params, target.platform);
		const additional = params.object('additionalFields');
		const { wait_for_documents: seconds = DEFAULT_WAIT_SECONDS } = parseCollection(
			params,
			additional,
			[documentWait],
		);
		const returns = params.choice(ifAlreadySent.name, additional.ifAlreadySent ?? '') === 'return';
		const checks = params.toBoolean(checkFirst.name, additional[checkFirst.name]) === true;
		const draft = await waitForDocuments(service, target, {
			limitMs: Number(seconds) * 1000,
			signal: context.getExecutionCancelSignal(),
			check: (shown) => {
				if (!checks) return;
				const skipsClosingTeam = options.skip_closing_ops === true;
				requireComplete({ ...shownFacts(call, shown, target.platform), skipsClosingTeam });
			},
		});
		if (!isStillDraft(draft)) {
			if (!returns || hasLapsed(draft)) throw wrongState('send', draft);
			return { ...toResult(params, draft), counted: 'already sent', isFound: true };
		}
		const sent = toResult(params, await sendDraft(service, target, options));
		return { ...sent, ...(returns && { counted: 'sent' }) };
	},
	async lookUp({ service, params }) {
		const goal = phaseGoal(service, 'sendTransaction', parseTarget(params));
		return mapSeen(await goal.fromService(), (transaction) => toResult(params, transaction));
	},
	toCheck: inTransaction('whether the transaction is sent'),
});

/** Whether a transaction may be sent. One that doesn't show its state may. */
const isStillDraft = (transaction: IDataObject) =>
	phaseOf(transaction) === undefined || isDraft(transaction);

/**
 * Waits until no document is pending, as long as it's a draft. A draft that is sent earlier is refused or loses the text tags
 * of its documents (docs/service/documents.md#processing). Documents whose state isn't shown count as
 * processed.
 * @param check looks at the draft each time it's retrieved, because tags become places meanwhile
 * @returns the transaction
 * @throws ServiceFailure `documentFailed` when a document can't be processed, `documentsPending`
 *   when the limit is over
 */
async function waitForDocuments(
	service: ServiceClient,
	{ transactionId, platform }: Target,
	{
		limitMs,
		signal,
		check,
	}: { limitMs: number; signal?: AbortSignal; check: (draft: TransactionAnswer) => void },
): Promise<TransactionAnswer> {
	const began = Date.now();
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const transaction = await retrieveTransaction(service, transactionId, platform);
		if (!isStillDraft(transaction)) return transaction;
		check(transaction);
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
		if (pending.length === 0) return transaction;
		const waited = Date.now() - began;
		if (waited + pause > limitMs)
			throw new ServiceFailure(
				{ code: 'documentsPending', documents: pending, seconds: Math.round(waited / 1000) },
				{ final: false },
			);
		await sleep(pause, signal);
	}
}

function toResult(params: Params, transaction: IDataObject): OperationResult {
	return withSigningLinks({ json: transactionJson(params, transaction) }, transaction, params);
}
