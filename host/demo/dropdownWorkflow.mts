import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import { CREDENTIAL_TYPE, PACKAGE_NAME } from '../clients/n8n/names.mts';
import type { StoredWorkflow, WorkflowNode } from '../clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../clients/sandboxApi.mts';
import { CREDENTIAL_NAME } from './setUpDemo.mts';

/**
 * A workflow whose nodes have all kinds of lists, for the tests in a browser and the pictures of
 * docs/.
 */

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

const CLOSING_PARAMETERS = {
	resource: 'transaction',
	operation: 'createClosing',
	transactionType: 'refinance',
	transactionName: 'Refinance 1 Main Street',
	signers: { row: [SIGNERS[0]] },
	addressLine1: '1 Main Street',
	...Object.fromEntries(
		['recordingJurisdictionId', 'titleAgencyId', 'titleUnderwriterId'].map((name) => [
			name,
			{ __rl: true, mode: 'list', value: '' },
		]),
	),
};

/** The closing whose data the lists show. */
const LISTED_CLOSING = {
	transaction_name: 'Refinance 100 Harbor Street',
	signers: SIGNERS,
	street_address: { line1: '100 Harbor Street', city: 'Boston', state: 'MA', postal: '02110' },
	title_agency_id: 'or_agency_harbor',
};

/** Saves the workflow. The credential of its node 'Old key' has a key that isn't valid. */
export async function saveDropdownWorkflow(
	api: N8nClient,
	sandbox: Sandbox,
): Promise<StoredWorkflow> {
	const valid = await api.credentials.save(
		CREDENTIAL_NAME,
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const expired = await api.credentials.save('Sign and Close (old key)', CREDENTIAL_TYPE, {
		...sandboxCredential(sandbox),
		apiKey: 'a-key-of-last-year',
	});
	const closingId = await createDraftClosing(sandbox, LISTED_CLOSING);
	const transactionId = { __rl: true, mode: 'id', value: closingId };
	const ourNode = (
		name: string,
		column: number,
		row: number,
		parameters: Record<string, unknown>,
		credential = valid,
	): WorkflowNode => ({
		id: randomUUID(),
		name,
		type: `${PACKAGE_NAME}.signAndClose`,
		typeVersion: 1,
		position: [column * 220, row * 180],
		parameters,
		credentials: { [CREDENTIAL_TYPE]: credential },
	});
	const builtInNode = (
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
	const connectTo = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return await api.workflows.save({
		name: 'Dropdowns',
		nodes: [
			builtInNode('Start', 'manualTrigger', 1, 0, 0, {}),
			builtInNode('Loan file', 'set', 3.4, 1, 0, {
				mode: 'raw',
				jsonOutput: '{ "city": "Springfield", "state": "MA", "zip": "01101" }',
			}),
			ourNode('From the loan file', 2, 0, { ...CLOSING_PARAMETERS, ...address }),
			ourNode('Create closing', 0, 1, {
				...CLOSING_PARAMETERS,
				addressCity: 'Springfield',
				addressState: 'MA',
				addressZipCode: '01101',
			}),
			ourNode('Add document', 1, 1, {
				resource: 'document',
				operation: 'add',
				platform: 'realEstate',
				transactionId,
				documentName: 'Deed of Trust',
				whereToSign: 'rows',
				designations: { row: [designation] },
			}),
			ourNode('Update', 2, 1, {
				resource: 'transaction',
				operation: 'update',
				platform: 'realEstate',
				transactionId,
				updateFields: { recordingJurisdictionId: { __rl: true, mode: 'list', value: '' } },
			}),
			ourNode(
				'Old key',
				3,
				1,
				{
					resource: 'transaction',
					operation: 'get',
					platform: 'realEstate',
					transactionId: { __rl: true, mode: 'list', value: '' },
				},
				expired,
			),
		],
		connections: { Start: connectTo('Loan file'), 'Loan file': connectTo('From the loan file') },
		settings: { executionOrder: 'v1' },
	});
}
