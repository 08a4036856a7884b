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
import type { ServiceClient } from '../../service/client';
import { asError, refusesField } from '../../service/errors/failure';
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
		const { body } = read;
		const noted = await noteBefore(
			call.steps,
			async () => await newestTransactions(call.service, 'realEstate'),
		);
		const closing = await write(
			call.service,
			async () => await sendClosing(call.service, read),
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

/**
 * Sends a new closing. The interface asks for a type of null where signers have identity checks. A
 * service that refuses null by name has made nothing, and gets the type that was chosen
 * (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
 */
async function sendClosing(
	service: ServiceClient,
	{ body, assurance, type }: ReadClosing,
): Promise<unknown> {
	const send = async (fields: IDataObject) =>
		await service.json('createTransaction', {
			platform: 'realEstate',
			assurance,
			body: fields,
		});
	try {
		return await send(body);
	} catch (thrown) {
		const isNull = body.transaction_type === null && type !== undefined;
		if (!isNull || !refusesField(thrown, 'transaction_type')) throw asError(thrown);
		return await send({ ...body, transaction_type: type });
	}
}

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
