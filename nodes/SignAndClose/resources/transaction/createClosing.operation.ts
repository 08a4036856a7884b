import type { IDataObject } from 'n8n-workflow';

import { defineOperation } from '../../run/operation';
import type { ServiceClient } from '../../transport/client';
import { asError, refusesField } from '../../transport/failure/failure';
import type { NewTransaction } from './created';
import { ifRowExists } from './existing/form';
import { createToCheck, createUnlessExists, lookUpCreate } from './existing/ifExists';
import { closingAdditional, closingFront, parseClosing } from './form/closing';
import { parseTransactionForm, transactionOutput } from './output';
import { checkRows } from './row/checkRows';
import { describeRows } from './row/rowHint';

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
	passesFiles: true,
	effect: "Creates a draft. Nobody is told of it before it's sent",
	properties: [...closingFront, closingAdditional, ...ifRowExists('closing'), ...transactionOutput],
	check: parseTransactionForm,
	async execute(call) {
		await checkRows(call, parseClosing);
		const parsed = parseClosing(call);
		return await createUnlessExists(
			call,
			parsed,
			async (reference) => await sendClosing(call.service, parsed, reference),
		);
	},
	lookUp: async (call) => await lookUpCreate(call, parseClosing(call)),
	summary: describeRows,
	...createToCheck((call) => parseClosing(call).body.external_id),
});

/**
 * Sends a new closing. The interface asks for a type of null where signers have identity checks. A
 * service that refuses null by name has made nothing, and gets the type that was chosen
 * (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
 */
async function sendClosing(
	service: ServiceClient,
	{ body, assurance, type }: NewTransaction,
	reference: IDataObject,
): Promise<unknown> {
	const send = async (fields: IDataObject) =>
		await service.json('createTransaction', {
			platform: 'realEstate',
			assurance,
			body: { ...fields, ...reference },
		});
	try {
		return await send(body);
	} catch (thrown) {
		const isNull = body.transaction_type === null && type !== undefined;
		if (!isNull || !refusesField(thrown, 'transaction_type')) throw asError(thrown);
		return await send({ ...body, transaction_type: type });
	}
}
