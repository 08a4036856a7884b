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
import { closingAdditional, closingFront } from '../../fields/transaction/closingRequired';
import { draftHint } from '../../fields/transaction/draftHint';
import { readClosing, type ReadClosing } from '../../fields/transaction/readClosing';
import { mapSeen, write } from '../../service/goals';
import { newestTransactions, noteBefore, notedBefore } from '../../service/resources/before';
import { createdGoal } from '../../service/resources/transactions';

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
	properties: [...closingFront, closingAdditional, ...transactionOutput],
	check: readTransactionForm,
	async execute(call) {
		await checkRows(call, readClosing);
		const read = readClosing(call);
		const { body, assurance } = read;
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
		return toResult(call, closing, read);
	},
	async lookUp(call) {
		const read = readClosing(call);
		const seen = await createdGoal(
			{ ...call, ...notedBefore(call.steps, call.startedAt) },
			'realEstate',
			read.body,
		).look();
		return mapSeen(seen, (closing) => toResult(call, closing, read));
	},
	toCheck: 'whether the service has a new closing with this name or loan number',
	showDone: showCreated('realEstate'),
});

function toResult(
	{ context, params, service }: OperationCall,
	closing: IDataObject,
	{ body, signers, leftOut }: ReadClosing,
): OperationResult {
	return {
		json: transactionJson(params, closing),
		hint: joined([
			draftHint(body),
			assuranceHint(signers, [], service.settings.assuranceField),
			leftOutHint(context, leftOut),
		]),
	};
}
