import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/index.mts';
import {
	CREDENTIAL_TYPE,
	PACKAGE,
	type N8nApi,
	type StoredWorkflow,
	type WorkflowNode,
} from '../clients/n8nApi.mts';
import { CREDENTIAL_NAME, makeClosing, sandboxCredential } from './setUp.mts';

/**
 * A flow in which everything that can be chosen is there to be opened: for the tests in a browser
 * and for the pictures of docs/.
 */

export interface Choosing {
	workflow: StoredWorkflow;
	/** The closing that the flow works on. */
	closingId: string;
}

const SIGNERS = [
	{
		email: 'jane.borrower@example.com',
		first_name: 'Jane',
		last_name: 'Borrower',
		external_id: 'borrower-1',
	},
	{
		email: 'joe.borrower@example.com',
		first_name: 'Joe',
		last_name: 'Borrower',
		external_id: 'borrower-2',
	},
];

const CLOSING = {
	resource: 'transaction',
	operation: 'createClosing',
	transactionType: 'refinance',
	transactionName: 'Refinance 1 Main Street',
	signerEmail: 'jane.borrower@example.com',
	signerFirstName: 'Jane',
	signerLastName: 'Borrower',
	signerExternalId: 'borrower-1',
	addressLine1: '1 Main Street',
};

/** The closing that the flow's lists show. */
const SHOWN_CLOSING = {
	transaction_name: 'Refinance 100 Harbor Street',
	signer: SIGNERS[0],
	signers: SIGNERS,
	street_address: { line1: '100 Harbor Street', city: 'Boston', state: 'MA', postal: '02110' },
	title_agency_id: 'or_agency_harbor',
};

/** Saves the flow; one of its nodes has a credential with a key that is no longer valid. */
export async function setUpChoosing(api: N8nApi, sandbox: Sandbox): Promise<Choosing> {
	const good = await api.saveCredential(
		CREDENTIAL_NAME,
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const old = await api.saveCredential('Sign and Close (old key)', CREDENTIAL_TYPE, {
		...sandboxCredential(sandbox),
		apiKey: 'a-key-of-last-year',
	});
	const closingId = await makeClosing(sandbox, SHOWN_CLOSING);
	const transactionId = { __rl: true, mode: 'id', value: closingId };
	const node = (
		name: string,
		column: number,
		row: number,
		parameters: Record<string, unknown>,
		credential = good,
	): WorkflowNode => ({
		id: randomUUID(),
		name,
		type: `${PACKAGE}.signAndClose`,
		typeVersion: 1,
		position: [column * 220, row * 180],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: credential },
	});
	const plain = (
		name: string,
		type: string,
		typeVersion: number,
		column: number,
		row: number,
		parameters: Record<string, unknown>,
	): WorkflowNode => ({
		id: randomUUID(),
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [column * 220, row * 180],
		parameters,
	});
	const designation = {
		signer_identifier: 'borrower-1',
		type: 'signature',
		page: 1,
		x: 72,
		y: 96,
		width: 180,
		height: 24,
	};
	const address = {
		addressCity: '={{ $json.city }}',
		addressState: '={{ $json.state }}',
		addressZipCode: '={{ $json.zip }}',
	};
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const workflow = await api.saveWorkflow({
		name: 'Choosing',
		nodes: [
			plain('Start', 'manualTrigger', 1, 0, 0, {}),
			plain('Loan file', 'set', 3.4, 1, 0, {
				mode: 'raw',
				jsonOutput: '{ "city": "Springfield", "state": "MA", "zip": "01101" }',
			}),
			node('From the loan file', 2, 0, { ...CLOSING, ...address }),
			node('Create closing', 0, 1, {
				...CLOSING,
				addressCity: 'Springfield',
				addressState: 'MA',
				addressZipCode: '01101',
			}),
			node('Add document', 1, 1, {
				resource: 'document',
				operation: 'add',
				platform: 'realEstate',
				transactionId,
				documentName: 'Deed of Trust',
				designations: { row: [designation] },
			}),
			node('Update', 2, 1, {
				resource: 'transaction',
				operation: 'update',
				platform: 'realEstate',
				transactionId,
				updateFields: { recordingJurisdictionId: { __rl: true, mode: 'list', value: '' } },
			}),
			node(
				'Old key',
				3,
				1,
				{ resource: 'transaction', operation: 'get', platform: 'realEstate' },
				old,
			),
		],
		connections: { Start: to('Loan file'), 'Loan file': to('From the loan file') },
		settings: { executionOrder: 'v1' },
	});
	return { workflow, closingId };
}
