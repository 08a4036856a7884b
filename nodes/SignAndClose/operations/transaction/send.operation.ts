import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineOperation, type OperationResult } from '../../core/operation';
import type { Params } from '../../core/params';
import { assuranceHint } from '../../fields/hints';
import { transactionLocator } from '../../fields/locators';
import { platform, readPlatform, simplify, transactionJson } from '../../fields/transaction';
import { retrieveTransaction, sendDraft } from '../../service/transactions';
import { asObjects, isDraft } from '../../service/wire';

const options: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Require New Signer Verification',
			name: 'require_new_signer_verification',
			type: 'boolean',
			default: false,
			description: 'Whether signers must prove their identity anew, even when they have done so before',
		},
		{
			displayName: 'Skip Closing Team',
			name: 'skip_closing_ops',
			type: 'boolean',
			default: false,
			description: 'Whether to send the closing without preparation by the closing team (real estate only)',
		},
		{
			displayName: 'Suppress Email',
			name: 'suppress_email',
			type: 'boolean',
			default: false,
			description: 'Whether the service sends no e-mail to the signers',
		},
	],
};

/** gaps.md §1, Send: a draft goes to its signers; a second send of the same draft is refused by the service. */
export const sendTransaction = defineOperation({
	resource: 'transaction',
	value: 'send',
	name: 'Send',
	action: 'Send transaction',
	description: 'Send a draft to its signers. It can not be changed afterwards unless it is recalled.',
	kind: 'write',
	properties: [platform, transactionLocator, options, simplify],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const side = readPlatform(params);
		const { skip_closing_ops: skip, ...both } = params.object('additionalFields');
		const body = { ...both, ...(side === 'realEstate' && skip !== undefined && { skip_closing_ops: skip }) };
		const transaction = await sendDraft(service, transactionId, side, body);
		return toResult(params, transaction, service.settings.assuranceField);
	},
	async lookUp({ service, params }) {
		const transaction = await retrieveTransaction(service, params.requiredLocator('transactionId'), readPlatform(params));
		return isDraft(transaction) ? undefined : toResult(params, transaction, service.settings.assuranceField);
	},
});

function toResult(params: Params, transaction: IDataObject, assuranceField: string): OperationResult {
	const hint = assuranceHint(asObjects(transaction.signers), asObjects(transaction.documents), assuranceField);
	return { json: transactionJson(params, transaction), hint };
}
