import { defineOperation } from '../../run/operation';
import { sendClosing } from './created';
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
