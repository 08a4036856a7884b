import { defineOperation } from '../../../run/operation';
import { sendClosing } from '../ifExists/creation';
import { parseClaimed } from '../ifExists/claims';
import { defineIfRowExists } from '../ifExists/options';
import { defineCreateWrite } from '../ifExists/createWrite';
import {
	closingMainFields,
	closingOptionalFields,
	closingTitleFields,
	parseClosing,
} from './closing';
import { defineSubjects } from './subjects';
import { parseTransactionOutput, transactionOutputFields } from '../output';
import { checkRows } from '../sheet/rowCheck';
import { describeRows } from '../sheet/hint';

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
	properties: [
		...closingMainFields,
		...closingTitleFields,
		...defineSubjects(closingOptionalFields),
		...defineIfRowExists('closing'),
		...transactionOutputFields,
	],
	check: parseTransactionOutput,
	write: defineCreateWrite(
		async (call) => (await checkRows(call, parseClaimed(parseClosing))) ?? parseClosing(call),
		async ({ service }, parsed, reference) => await sendClosing(service, parsed, reference),
	),
	summary: describeRows,
});
