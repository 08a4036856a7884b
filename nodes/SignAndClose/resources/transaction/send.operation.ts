import type { IDataObject } from 'n8n-workflow';

import {
	defineOperation,
	defineWrite,
	ExistingResult,
	type OperationResult,
} from '../../run/operation';
import type { Params } from '../../run/parameters/params';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import { hasEndedUnfinished, buildWrongState } from '../../transport/answers/transactionState';
import { platform } from '../../form/commonFields';
import { defineChoice, defineCollection, defineFlag } from '../../form/fields';
import { transactionLocator } from '../../form/locators';
import { parseTransactionTarget, buildPhaseGoal, buildSendRequest, sendMove } from './api';
import { requireComplete } from './check/checks';
import { buildFacts } from './check/facts';
import { describeUnplacedCopies } from './check/unplaced';
import { joinHints } from '../../form/hints';
import { describeRecipients, parseSendOptions, sendOptions, withSigningLinks } from './sendOptions';
import { parseTransactionOutput, formatTransaction, transactionOutputFields } from './output';
import { documentWait, isStillDraft, parseWait, waitForDocuments } from './documentWait';

const ifAlreadySent = defineChoice(
	'If Already Sent',
	'ifAlreadySent',
	[
		['Stop', 'stop', 'Refuse the item'],
		['Return It', 'return', 'Return the transaction as it is, and send nothing'],
	],
	"What to do if the transaction is no draft any more. One that has expired, was declined or canceled isn't returned.",
);

const checkFirst = defineFlag(
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
		defineCollection('Additional Fields', 'additionalFields', [
			...sendOptions,
			documentWait,
			ifAlreadySent,
			checkFirst,
		]),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineWrite({
		parse({ params }) {
			const target = parseTransactionTarget(params);
			const additional = params.getObject('additionalFields');
			return {
				...target,
				options: parseSendOptions(params, target.platform),
				limitMs: parseWait(params),
				returns: params.getChoice(ifAlreadySent.name, additional.ifAlreadySent ?? '') === 'return',
				checks: params.toBoolean(checkFirst.name, additional[checkFirst.name]) === true,
			};
		},
		async prepare(call, { returns, checks, options, limitMs, ...target }) {
			const skipsClosingTeam = options.skip_closing_ops === true;
			// What a copy lacks, nobody has chosen to leave out.
			const check = (transaction: TransactionAnswer) =>
				requireComplete(
					{ ...buildFacts(call, transaction, target.platform), skipsClosingTeam },
					(code) => checks || code === 'copied_places',
				);
			const draft = await waitForDocuments(call.service, target, { limitMs, check });
			if (isStillDraft(draft)) return;
			if (!returns || hasEndedUnfinished(draft)) throw buildWrongState('send', draft);
			const result = toResult(call.params, draft);
			return new ExistingResult({ ...result, counted: 'already sent', isFound: true });
		},
		send: async ({ service }, { options, ...target }) =>
			await sendMove(service, 'sendTransaction', target, buildSendRequest(options)),
		goal: ({ service }, target) => buildPhaseGoal(service, 'sendTransaction', target),
		result(call, transaction, { returns }) {
			const { hint, ...result } = toResult(call.params, transaction);
			return {
				...result,
				hint: joinHints([
					describeUnplacedCopies(transaction),
					describeRecipients(call, transaction),
					hint,
				]),
				...(returns && { counted: 'sent' }),
			};
		},
	}),
});

function toResult(params: Params, transaction: IDataObject): OperationResult {
	return withSigningLinks({ json: formatTransaction(params, transaction) }, transaction, params);
}
