import type { IDataObject } from 'n8n-workflow';

import {
	defineOperation,
	lookUpOf,
	type OperationCall,
	type OperationResult,
} from '../../run/operation';
import { mapSeen, write } from '../../run/outcome/goals';
import { sendWithReference } from '../../run/outcome/sendWithReference';
import type { ServiceClient } from '../../transport/client';
import { asError, refusesField } from '../../transport/failure/failure';
import { wantsReference } from '../shared/commonFields';
import { joined, referenceHint } from '../shared/hints';
import { transactionByReference } from '../shared/toCheck';
import { createdGoal } from './created';
import { closingAdditional, closingFront, draftHint } from './form/closing';
import { parseClosing, type ParsedClosing } from './form/closing';
import { parseTransactionForm, transactionJson, transactionOutput } from './output';
import { checkRows } from './row/checkRows';
import { leftOutHint } from './row/leftOutHint';

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
		const read = parseClosing(call);
		const { body } = read;
		const reference = { fields: body, isWanted: wantsReference(call.params) };
		const closing = await write(
			call.service,
			async () =>
				await sendWithReference(
					call.sending,
					'external_id',
					reference,
					async (own) => await sendClosing(call.service, read, own),
				),
			goalFor(call, read),
		);
		return toResult(call, closing, read);
	},
	async lookUp(call) {
		const read = parseClosing(call);
		const seen = await goalFor(call, read).look();
		return mapSeen(seen, (closing) => toResult(call, closing, read));
	},
	...transactionByReference((call) => parseClosing(call).body.external_id),
});

const goalFor = (call: OperationCall, { body, type, assurance }: ParsedClosing) =>
	createdGoal({
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

function toResult(
	call: OperationCall,
	closing: IDataObject,
	{ body, leftOut }: ParsedClosing,
): OperationResult {
	const { context, params } = call;
	return {
		json: transactionJson(params, closing),
		hint: joined([draftHint(body), leftOutHint(context, leftOut), referenceHint(call)]),
	};
}
