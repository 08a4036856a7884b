import type { IDataObject } from 'n8n-workflow';

import { defineOperation, type OperationCall, type OperationResult } from '../../core/operation';
import { checkRows } from '../../fields/row/checkRows';
import { leftOutHint } from '../../fields/row/leftOutHint';
import { assuranceHint, joined } from '../../fields/shared/outputHints';
import { showCreated } from '../../fields/shared/shownDone';
import {
	readTransactionForm,
	transactionJson,
	transactionOutput,
} from '../../fields/shared/transactionOutput';
import { noEffectHint } from '../../fields/transaction/closingOptional';
import { closingAdditional, closingFront } from '../../fields/transaction/closingRequired';
import { readClosing } from '../../fields/transaction/readClosing';
import { mapSeen, write } from '../../service/goals';
import { newestTransactions, noteBefore, notedBefore } from '../../service/resources/before';
import { createdGoal } from '../../service/resources/transactions';

const NEXT =
	"This closing is a draft: add its documents with 'Document: Add', the eNote with 'eNote: Add', then use 'Transaction: Send'";

/**
 * Creates a closing, which is always a draft at first
 * (docs/service/transactions.md#create-a-closing).
 */
export const createClosing = defineOperation({
	resource: 'transaction',
	value: 'createClosing',
	name: 'Create Closing',
	action: 'Create closing',
	description: 'Create a real-estate closing as a draft, ready for its documents',
	kind: 'write',
	effect: "Creates a draft. Nobody is told of it before it's sent",
	properties: [...closingFront, ...closingAdditional, ...transactionOutput],
	check: readTransactionForm,
	async execute(call) {
		await checkRows(call, readClosing);
		const { body, assurance, signers, leftOut } = readClosing(call);
		const noted = await noteBefore(
			call.steps,
			async () => await newestTransactions(call.service, 'realEstate'),
		);
		const closing = await write(
			call.service,
			async () =>
				await call.service.json('createTransaction', { platform: 'realEstate', assurance, body }),
			createdGoal({ ...call, ...noted }, 'realEstate', body),
		);
		return toResult(call, closing, signers, leftOut);
	},
	async lookUp(call) {
		const { body, signers, leftOut } = readClosing(call);
		const seen = await createdGoal(
			{ ...call, ...notedBefore(call.steps, call.startedAt) },
			'realEstate',
			body,
		).look();
		return mapSeen(seen, (closing) => toResult(call, closing, signers, leftOut));
	},
	toCheck: 'whether the service has a new closing with this name or loan number',
	showDone: showCreated('realEstate'),
});

function toResult(
	{ context, params, service }: OperationCall,
	closing: IDataObject,
	signers: IDataObject[],
	leftOut: string[],
): OperationResult {
	return {
		json: transactionJson(params, closing),
		hint: joined([
			NEXT,
			assuranceHint(signers, [], service.settings.assuranceField),
			noEffectHint(params.object('additionalFields')),
			leftOutHint(context, leftOut),
		]),
	};
}
