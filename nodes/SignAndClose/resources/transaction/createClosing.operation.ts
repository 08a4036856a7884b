import type { IDataObject } from 'n8n-workflow';

import { defineOperation, lookUpOf, type OperationCall } from '../../run/operation';
import { mapSeen } from '../../run/outcome/goals';
import type { ServiceClient } from '../../transport/client';
import { asError, refusesField } from '../../transport/failure/failure';
import { lenderHint } from '../shared/hints';
import { transactionByReference } from '../shared/toCheck';
import { createdGoal, createdResult, sendNew, type Creation } from './created';
import { closingAdditional, closingFront, parseClosing, type ParsedClosing } from './form/closing';
import { parseTransactionForm, transactionOutput } from './output';
import { checkRows } from './row/checkRows';

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
	check: parseTransactionForm,
	async execute(call) {
		await checkRows(call, parseClosing);
		const parsed = parseClosing(call);
		const closing = await sendNew(
			call,
			creationOf(call, parsed),
			async (reference) => await sendClosing(call.service, parsed, reference),
		);
		return createdResult(call, closing, parsed, lenderHint(parsed.body));
	},
	async lookUp(call) {
		const parsed = parseClosing(call);
		const seen = await createdGoal(creationOf(call, parsed)).fromService();
		return mapSeen(seen, (closing) =>
			createdResult(call, closing, parsed, lenderHint(parsed.body)),
		);
	},
	...transactionByReference((call) => parseClosing(call).body.external_id),
});

const creationOf = (call: OperationCall, { body, type, assurance }: ParsedClosing): Creation => ({
	...call,
	platform: 'realEstate',
	body,
	type,
	// Those are made at another prefix, and nobody says that the list has them.
	isListed: !assurance,
	lookUp: lookUpOf(call),
});

/**
 * Sends a new closing. The interface asks for a type of null where signers have identity checks. A
 * service that refuses null by name has made nothing, and gets the type that was chosen
 * (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
 */
async function sendClosing(
	service: ServiceClient,
	{ body, assurance, type }: ParsedClosing,
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
