import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import type { WorkflowNode } from '../../host/clients/n8n/types.mts';
import type { RunningN8n } from '../../host/run/n8n.mts';
import { waitUntil } from '../../host/run/patience.mts';
import type { AccountName } from './accounts.mts';
import type { Storm } from './setting.mts';

/** Publishes the workflow with a changed trigger, which makes n8n restart the trigger. */

/**
 * Waits until n8n, which was just started, has published the workflow again. If it's killed before, it
 * leaves the workflow alone for two minutes after the next start (publicationOutboxLeaseSeconds).
 */
export async function waitUntilPublished({ api }: RunningN8n, workflowId: string): Promise<void> {
	const path = `/rest/workflows/${workflowId}/publication-status`;
	await waitUntil(
		async () => (await api.session.send<{ status: string }>('GET', path)).status === 'published',
		() => `Workflow ${workflowId} isn't published`,
	);
}

/** Publishes with another output of the trigger. */
export async function publishChanged(storm: Storm): Promise<void> {
	await publishWith(storm, ({ parameters }) => {
		parameters.output = parameters.output === 'raw' ? 'simple' : 'raw';
	});
}

/** Publishes with another source of events. */
export async function publishSource(storm: Storm, eventSource: 'push' | 'pull'): Promise<void> {
	await publishWith(storm, ({ parameters }) => {
		parameters.options = { ...(parameters.options as object | undefined), eventSource };
	});
}

/** Publishes with the credential of another account. */
export async function publishAccount(storm: Storm, account: AccountName): Promise<void> {
	await storm.ledger.changeAccount(account, async () => {
		await publishWith(storm, (node) => {
			node.credentials = { [CREDENTIAL_TYPE]: storm.credentials[account] };
		});
	});
}

async function publishWith(
	{ n8n, service, workflowId, noteGap }: Storm,
	change: (trigger: WorkflowNode) => void,
): Promise<void> {
	const { api } = n8n();
	const { name, nodes, connections, settings, versionId } = await api.workflows.get(workflowId);
	change(nodes[0]);
	await api.session.send('PATCH', `/rest/workflows/${workflowId}`, {
		name,
		nodes,
		connections,
		settings,
		versionId,
	});
	let isOver = false;
	const gap = service.longestGap(() => isOver);
	try {
		await api.workflows.publish(workflowId);
	} finally {
		isOver = true;
		noteGap(await gap);
	}
}
