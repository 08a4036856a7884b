import { failureReason } from '../../../host/clients/n8n/executionData.mts';
import type { Execution } from '../../../host/clients/n8n/types.mts';
import { until } from '../../support/until.mts';
import type { Host } from './host.mts';

/**
 * Submits the form of a workflow as a browser does.
 * @param values of the fields in order, of one for several files a list
 * @param options.lastFirst sends the last field first. On a busy machine, n8n may have stored that
 *   one first, whatever a browser sends.
 * @returns the execution that it starts, which has to succeed, and the text of the form's last page;
 *   that's empty where the workflow has none
 */
export async function submitForm(
	host: Host,
	workflowId: string,
	values: Array<string | File | File[]>,
	{ lastFirst = false } = {},
): Promise<Execution & { lastPage: string }> {
	const { nodes } = await host.api.workflows.get(workflowId);
	const trigger = nodes.find(({ type }) => type.endsWith('.formTrigger'))!;
	const body = new FormData();
	const fields = [...values.entries()];
	for (const [index, value] of lastFirst ? fields.toReversed() : fields)
		for (const each of [value].flat()) body.append(`field-${index}`, each);
	await host.api.workflows.publish(workflowId);
	try {
		const earlier = await host.api.executions.list(workflowId);
		const url = `${host.n8n.url}/form/${trigger.webhookId}`;
		const response = await fetch(url, { method: 'POST', body });
		expect(response.status).toBe(200);
		const answer = await response.text();
		const lastPage = answer.includes('formWaitingUrl')
			? await openLastPage((JSON.parse(answer) as { formWaitingUrl: string }).formWaitingUrl)
			: '';
		const [execution] = await host.api.executions.waitForFinished(workflowId, 1, {
			except: new Set(earlier.map(({ id }) => id)),
		});
		expect(failureReason(execution)).toBe('');
		return { ...execution, lastPage };
	} finally {
		await host.api.workflows.unpublish(workflowId);
	}
}

/** Opens the page that a form waits with, as a browser does. @returns its text */
async function openLastPage(url: string): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	await until(async () => (await (await fetch(status)).text()).trim() === 'form-waiting');
	const page = await (await fetch(url)).text();
	// The page goes on by itself.
	await fetch(url, { method: 'POST' });
	return page;
}
