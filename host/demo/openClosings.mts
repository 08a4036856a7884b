import type { Sandbox } from '../../sandbox/index.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../clients/n8n/names.mts';
import { builtInNode, inARow, ourNode } from '../clients/n8n/nodes.mts';
import type { StoredWorkflow } from '../clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../clients/sandboxApi.mts';

/** A question of the README, for its picture: which closings are open? */

const BORROWERS = [
	['Ana', 'Miller', '7001231', '100 Harbor Street'],
	['Kim', 'Okafor', '7001232', '7 Elm Street'],
	['Joe', 'Garcia', '7001233', '22 Lake Road'],
];

/** The name of the node that asks. */
export const OPEN_CLOSINGS = 'Open closings';

/** Creates some closings at the sandbox, and saves the workflow that lists those that are open. */
export async function saveOpenClosings(api: N8nClient, sandbox: Sandbox): Promise<StoredWorkflow> {
	for (const [first, last, loanNumber, street] of BORROWERS)
		await createDraftClosing(sandbox, {
			transaction_name: `${last}, ${street}`,
			loan_number: loanNumber,
			signers: [
				{
					email: `${first.toLowerCase()}@example.com`,
					first_name: first,
					last_name: last,
					external_id: 'borrower-1',
				},
			],
			street_address: { line1: street, city: 'Boston', state: 'MA', postal: '02110' },
		});
	const credential = await api.credentials.save(
		'Sandbox for questions',
		CREDENTIAL_TYPE,
		sandboxCredential(sandbox),
	);
	const node = ourNode({ credentials: { [CREDENTIAL_TYPE]: credential } }, OPEN_CLOSINGS, {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		returnAll: true,
		filters: { detailed_status: ['open'] },
	});
	return await api.workflows.save(
		inARow('Open closings', [
			builtInNode('When clicking Execute workflow', 'manualTrigger', 1),
			node,
		]),
	);
}
