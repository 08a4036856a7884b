import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import {
	defineOperation,
	lookUpOf,
	type OperationCall,
	type OperationResult,
} from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import { sendWithReference } from '../../run/outcome/sendWithReference';
import { toBody } from '../../transport/files/streamedJson';
import { firstDocuments } from '../document/form';
import { sendReference, wantsReference } from '../shared/commonFields';
import { collection } from '../shared/fields';
import { joined, nextStep, referenceHint } from '../shared/hints';
import { transactionByReference } from '../shared/toCheck';
import { createdGoal } from './created';
import { withAccessLinks } from './form/sendOptions';
import { businessFields, businessFront } from './form/transaction';
import {
	parseTransaction,
	parseTransactionAndDocuments,
	type ParsedTransaction,
} from './form/transaction';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';
import { checkRows } from './row/checkRows';
import { leftOutHint } from './row/leftOutHint';

/** Creates a business transaction (docs/service/transactions.md#create-a-business-transaction). */
export const createTransaction = defineOperation({
	resource: 'transaction',
	value: 'create',
	name: 'Create',
	action: 'Create business transaction',
	description:
		'Create a business transaction with its signers and documents, as a draft or sent at once',
	kind: 'write',
	effect:
		'Creates a draft that nobody is told of or, with Draft off, emails the signers their invitations at once',
	properties: [
		...businessFront,
		firstDocuments,
		{
			displayName: 'Create as Draft',
			name: 'draft',
			type: 'boolean',
			default: true,
			description:
				"Whether to create a draft that you can add documents to before using 'Send'. If turned off, the service sends the transaction to its signers immediately.",
		},
		collection('Additional Fields', 'additionalFields', [
			...businessFields,
			sendReference('External ID'),
		]),
		...transactionOutput,
	],
	check: parseTransactionForm,
	async execute(call) {
		await checkRows(call, parseTransaction);
		const { fields, documents, leftOut } = await parseTransactionAndDocuments(call);
		if (fields.draft === false && documents.length === 0) {
			throw new InputFailure(
				call.params.label('documents'),
				'is empty',
				"Add a document, or turn on 'Create as Draft' and add it later",
			);
		}
		const body = { ...fields, ...(documents.length > 0 && { documents }) };
		const send = async (reference: IDataObject) =>
			await call.service.json('createTransaction', {
				platform: 'business',
				...toBody({ ...body, ...reference }),
			});
		const isWanted = wantsReference(call.params);
		const transaction = await write(
			call.service,
			async () => await sendWithReference(call.sending, 'external_id', { fields, isWanted }, send),
			goalFor(call, fields),
		);
		return toResult(call, transaction, leftOut);
	},
	async lookUp(call) {
		const { fields, leftOut } = parseTransaction(call);
		const seen = await goalFor(call, fields).look();
		return mapSeen(seen, (transaction) => toResult(call, transaction, leftOut));
	},
	...transactionByReference((call) => parseTransaction(call).fields.external_id),
});

const goalFor = (call: OperationCall, body: IDataObject) =>
	createdGoal({ ...call, platform: 'business', body, isListed: true, lookUp: lookUpOf(call) });

function toResult(
	call: OperationCall,
	transaction: IDataObject,
	leftOut: ParsedTransaction['leftOut'],
): OperationResult {
	const { context, params } = call;
	const result = {
		json: transactionJson(params, transaction),
		hint: joined([nextStep(transaction), leftOutHint(context, leftOut), referenceHint(call)]),
	};
	return withAccessLinks(result, transaction, params);
}
