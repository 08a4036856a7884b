import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { builtInNode, inARow, triggerNode } from '../../host/clients/n8n/nodes.mts';
import type { CredentialReference } from '../../host/clients/n8n/types.mts';
import { createDraftClosing, sandboxCredential } from '../../host/clients/sandboxApi.mts';
import type { RunningN8n } from '../../host/run/n8n.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { asAccount, type AccountName } from './accounts.mts';
import { completeSome } from './completions.mts';
import type { Ledger } from './ledger.mts';
import type { PlannedDelivery } from './plan.mts';

/** What a storm begins with. */

const ACCOUNT_NAMES: AccountName[] = ['first', 'other'];

/** Completes transactions of both accounts, of which a workflow that is published later says nothing. */
export async function completeBefore(sandbox: Sandbox, ledger: Ledger): Promise<void> {
	for (const account of ACCOUNT_NAMES)
		for (const platform of ['realEstate', 'business'] as const)
			await completeSome(sandbox, ledger, { account, platform, count: 1 });
}

/**
 * Creates a closing for each event that is refused at first, and one of each account for all others.
 * @returns the shared closing of the first account, and the closing of an event
 */
export async function createTransactions(
	sandbox: Sandbox,
	plan: PlannedDelivery[],
	ledger: Ledger,
): Promise<{ shared: string; transactionOf: (event: number) => string }> {
	const shared = await createDraftClosing(asAccount(sandbox, 'first'));
	const ofOther = await createDraftClosing(asAccount(sandbox, 'other'));
	const own = new Map<number, string>();
	for (const { event, refused } of plan) {
		if (!refused || own.has(event)) continue;
		const id = await createDraftClosing(asAccount(sandbox, 'first'));
		own.set(event, id);
		// The trigger asks twice before it answers 503. The connection is cut, because the node takes
		// many 503s for a limit, and asks more slowly.
		sandbox.faults.add({
			method: 'GET',
			path: `/mortgage/v1/transactions/${id}`,
			kind: 'cutBefore',
			times: 2,
		});
	}
	return {
		shared,
		transactionOf: (event) =>
			ledger.ofOtherAccount.has(event) ? ofOther : (own.get(event) ?? shared),
	};
}

/** Saves a credential for each account. */
export async function saveCredentials(
	n8n: RunningN8n,
	sandbox: Sandbox,
): Promise<Record<AccountName, CredentialReference>> {
	const save = async (name: AccountName) =>
		await n8n.api.credentials.save(
			`Sandbox, ${name} account`,
			CREDENTIAL_TYPE,
			sandboxCredential(asAccount(sandbox, name)),
		);
	return { first: await save('first'), other: await save('other') };
}

/** Publishes a workflow with the trigger. */
export async function publishTrigger(
	n8n: RunningN8n,
	credential: CredentialReference,
): Promise<string> {
	const trigger = triggerNode(
		{ credentials: { [CREDENTIAL_TYPE]: credential } },
		{ events: ['transaction.*'], output: 'simple' },
	);
	const { id } = await n8n.api.workflows.save(
		inARow('Storm', [trigger, builtInNode('Done', 'noOp', 1)]),
	);
	await n8n.api.workflows.publish(id);
	return id;
}
