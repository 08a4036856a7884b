import { InputFailure } from '../../messages/explainedFailure';
import { defineOperation, lookUpOf, type OperationCall } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import { toBody } from '../../transport/files/streamedJson';
import { firstDocuments } from '../document/form';
import { sendReference } from '../shared/commonFields';
import { collection, flag } from '../shared/fields';
import { transactionByReference } from '../shared/toCheck';
import { createdGoal, createdResult, sendNew, type Creation } from './created';
import { withAccessLinks } from './form/sendOptions';
import {
	businessFields,
	businessFront,
	parseTransaction,
	parseTransactionAndDocuments,
	type ParsedTransaction,
} from './form/transaction';
import { parseTransactionForm, transactionOutput } from './output';
import { checkRows } from './row/checkRows';

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
			...flag(
				'Create as Draft',
				'draft',
				"Whether to create a draft that you can add documents to before using 'Send'. If turned off, the service sends the transaction to its signers immediately.",
			),
			default: true,
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
		const { documents, ...parsed } = await parseTransactionAndDocuments(call);
		if (parsed.body.draft === false && documents.length === 0) {
			throw new InputFailure(
				call.params.label('documents'),
				'is empty',
				"Add a document, or turn on 'Create as Draft' and add it later",
			);
		}
		const body = { ...parsed.body, ...(documents.length > 0 && { documents }) };
		const transaction = await sendNew(
			call,
			creationOf(call, parsed),
			async (reference) =>
				await call.service.json('createTransaction', {
					platform: 'business',
					...toBody({ ...body, ...reference }),
				}),
		);
		const result = createdResult(call, transaction, parsed);
		return withAccessLinks(result, transaction, call.params);
	},
	async lookUp(call) {
		const parsed = parseTransaction(call);
		const seen = await createdGoal(creationOf(call, parsed)).fromService();
		return mapSeen(seen, (transaction) =>
			withAccessLinks(createdResult(call, transaction, parsed), transaction, call.params),
		);
	},
	...transactionByReference((call) => parseTransaction(call).body.external_id),
});

const creationOf = (call: OperationCall, { body }: ParsedTransaction): Creation => ({
	...call,
	platform: 'business',
	body,
	isListed: true,
	lookUp: lookUpOf(call),
});
