import { failureReason } from '../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../host/clients/n8n/names.mts';
import { builtInNode, ourNode } from '../host/clients/n8n/nodes.mts';
import type { Execution, WorkflowNode } from '../host/clients/n8n/types.mts';
import type { RunningN8n } from '../host/run/n8n.mts';

/** What the workflows of several benches are made of, and how they run. */

type Credentials = WorkflowNode['credentials'];

/** Stores a credential for a bench's own service. */
export async function saveCredential(
	{ api }: Pick<RunningN8n, 'api'>,
	serviceUrl: string,
	name = 'Bench',
): Promise<Credentials> {
	const credential = await api.credentials.save(name, CREDENTIAL_TYPE, {
		baseUrl: serviceUrl,
		apiKey: 'key-of-the-bench',
		organizationId: '',
		pathLayout: 'documented',
	});
	return { [CREDENTIAL_TYPE]: credential };
}

/** The value of a resource locator. */
export const locator = (value: string) => ({ __rl: true, mode: 'id', value });

/** Two nodes that give items with a field `row`, made inside of n8n. */
export const rows = (values: unknown[]): WorkflowNode[] => [
	builtInNode('Rows', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ row: values }) }),
	builtInNode('Split', 'splitOut', 1, { fieldToSplitOut: 'row', options: {} }),
];

/** Rows that name as many transactions. */
export const transactionRows = (count: number): WorkflowNode[] =>
	rows(Array.from({ length: count }, (_, index) => `or_${index}`));

/** What the node needs to read the transaction of each row. */
export const READ = {
	resource: 'transaction',
	operation: 'get',
	platform: 'business',
	transactionId: locator('={{ $json.row }}'),
};

/** The node of this package, which reads the transaction of each row. */
export const readNode = (credentials: Credentials): WorkflowNode =>
	ourNode({ credentials }, 'Read', READ);

/** What the node needs to create a closing that can be sent. */
export const CLOSING = {
	resource: 'transaction',
	operation: 'createClosing',
	transactionType: 'refinance',
	signers: {
		row: [
			{
				email: 'jane.borrower@example.com',
				first_name: 'Jane',
				last_name: 'Borrower',
				phone_number: '617 555 0123',
			},
		],
	},
	addressLine1: '100 Harbor Street',
	addressCity: 'Boston',
	addressState: 'MA',
	addressZipCode: '02110',
	recordingJurisdictionId: locator('rlboston'),
	titleAgencyId: locator('or_agency_harbor'),
	titleUnderwriterId: locator('or_underwriter_atlantic'),
	numbers: { loan_number: '7001234' },
};

const TIMEOUT_MS = 600_000;
/** Seldom, because n8n's answers are work too, which would count. */
const POLL_MS = 1_000;

/**
 * Runs a stored workflow with a node named Measured to its end.
 * @returns the execution, and how many seconds that node alone took
 * @throws what the execution failed with
 */
export async function runMeasured(
	{ api }: Pick<RunningN8n, 'api'>,
	workflowId: string,
): Promise<{ execution: Execution; seconds: number }> {
	const execution = await api.executions.runToEnd(workflowId, TIMEOUT_MS, POLL_MS);
	if (execution.status !== 'success') throw new Error(failureReason(execution));
	const [{ executionTime = NaN }] = execution.data.resultData.runData.Measured;
	return { execution, seconds: executionTime / 1000 };
}
