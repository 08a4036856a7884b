import type { IDataObject } from 'n8n-workflow';

import { defineOperation, defineWrite, Found, type OperationResult } from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import type { TransactionAnswer } from '../../transport/answers/answers';
import { hasLapsed, wrongState } from '../../transport/answers/transactionState';
import { platform } from '../shared/commonFields';
import { choice, collection, flag } from '../shared/fields';
import { transactionLocator } from '../shared/locators';
import { parseTarget, phaseGoal, sendBody, sendMove } from './api';
import { requireComplete } from './check/check';
import { shownFacts } from './check/facts';
import { parseSendOptions, sendOptions, withSigningLinks } from './form/sendOptions';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';
import { documentWait, isStillDraft, parseWait, waitForDocuments } from './waitForDocuments';

const ifAlreadySent = choice(
	'If Already Sent',
	'ifAlreadySent',
	[
		['Stop', 'stop', 'Refuse the item'],
		['Return It', 'return', 'Return the transaction as it is, and send nothing'],
	],
	"What to do if the transaction is no draft any more. One that has expired, was declined or canceled isn't returned.",
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
	write: defineWrite({
		parse({ params }) {
			const target = parseTarget(params);
			const additional = params.object('additionalFields');
			return {
				...target,
				options: parseSendOptions(params, target.platform),
				limitMs: parseWait(params),
				returns: params.choice(ifAlreadySent.name, additional.ifAlreadySent ?? '') === 'return',
				checks: params.toBoolean(checkFirst.name, additional[checkFirst.name]) === true,
			};
		},
		async prepare(call, { returns, checks, options, limitMs, ...target }) {
			const skipsClosingTeam = options.skip_closing_ops === true;
			const check = (shown: TransactionAnswer) =>
				requireComplete({ ...shownFacts(call, shown, target.platform), skipsClosingTeam });
			const wait = { limitMs, check: checks ? check : undefined };
			const draft = await waitForDocuments(call.service, target, wait);
			if (isStillDraft(draft)) return;
			if (!returns || hasLapsed(draft)) throw wrongState('send', draft);
			const shown = toResult(call.params, draft);
			return new Found({ ...shown, counted: 'already sent', isFound: true });
		},
		send: async ({ service }, { options, ...target }) =>
			await sendMove(service, 'sendTransaction', target, sendBody(options)),
		goal: ({ service }, target) => phaseGoal(service, 'sendTransaction', target),
		result: ({ params }, transaction, { returns }) => ({
			...toResult(params, transaction),
			...(returns && { counted: 'sent' }),
		}),
	}),
});

function toResult(params: Params, transaction: IDataObject): OperationResult {
	return withSigningLinks({ json: transactionJson(params, transaction) }, transaction, params);
}
