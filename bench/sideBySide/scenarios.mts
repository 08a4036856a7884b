import { builtInNode, ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import type { WorkflowJson, WorkflowNode } from '../../host/clients/n8n/types.mts';
import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { CLOSING, READ, rows, transactionRows } from '../parts.mts';

/** What is compared: the work, and the nodes that can do it. Each measured node is named Measured. */

/** A node that does the work. */
export interface Candidate {
	name: string;
	/** Whether it's the node of this package. */
	ours: boolean;
	node(serviceUrl: string, credentials: WorkflowNode['credentials']): WorkflowNode;
}

/** A piece of work. */
export interface Scenario {
	name: string;
	/** How many items come out. */
	items: number;
	candidates: Candidate[];
	workflow(measured: WorkflowNode): WorkflowJson;
	/** What the service answers. */
	answer(method: string, path: string): unknown;
}

const httpRequest = (
	name: string,
	parameters: (serviceUrl: string) => Record<string, unknown>,
): Candidate => ({
	name,
	ours: false,
	node: (serviceUrl, credentials) => ({
		...builtInNode('Measured', 'httpRequest', 4.2, {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			options: {},
			...parameters(serviceUrl),
		}),
		credentials,
	}),
});

const own = (parameters: Record<string, unknown>): Candidate => ({
	name: 'Sign and Close',
	ours: true,
	node: (_serviceUrl, credentials) => ourNode({ credentials }, 'Measured', parameters),
});

let made = 0;
/** A service that has every transaction, and makes what is asked for. */
function anyTransaction(method: string, path: string): unknown {
	const last = path.split('/').at(-1);
	if (method === 'GET' && last === 'transactions') return [];
	const id = last === 'transactions' ? `ot_${made++}` : last;
	return { id, status: 'started', detailed_status: 'draft', documents: [], signers: [] };
}

/** Reads of as many transactions. */
export function reads(items: number): Scenario {
	const url = (serviceUrl: string) => ({ url: `=${serviceUrl}/transactions/{{ $json.row }}` });
	return {
		name: items === 1 ? '1 read' : `${items} reads`,
		items,
		workflow: (measured) => workflowInARow('Reads', [...transactionRows(items), measured]),
		answer: anyTransaction,
		candidates: [own(READ), httpRequest('HTTP Request', url)],
	};
}

const CLOSINGS = 200;
const closings: Scenario = {
	name: `${CLOSINGS} closings created`,
	items: CLOSINGS,
	workflow: (measured) =>
		workflowInARow('Closings', [
			...rows(Array.from({ length: CLOSINGS }, (_, index) => `Closing ${index}`)),
			measured,
		]),
	answer: anyTransaction,
	candidates: [
		own({
			...CLOSING,
			transactionName: '={{ $json.row }}',
		}),
		httpRequest('HTTP Request', (serviceUrl) => ({
			method: 'POST',
			url: `${serviceUrl}/mortgage/v1/transactions`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ { transaction_name: $json.row, transaction_type: "refinance", signer: { email: "jane.borrower@example.com" } } }}',
		})),
	],
};

export const SCENARIOS: Scenario[] = [reads(1), closings, reads(10_000)];
