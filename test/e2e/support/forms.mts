import { failureReason } from '../../../host/clients/n8n/executionData.mts';
import type { Execution } from '../../../host/clients/n8n/types.mts';
import { until } from '../../support/until.mts';
import type { Host } from './host.mts';

/**
 * Submits the form of a workflow as a browser does.
 * @param values of the fields in order, of one for several files a list
 * @param options.lastFirst sends the last field first. On a busy machine, n8n may have stored that
 *   one first, whatever a browser sends.
 * @param options.answer what the form's second page is answered with, if there is one
 * @returns the execution that it starts, which has to succeed, and the texts of its pages: the second
 *   one if it was answered, and the last one; that's empty where the workflow has none
 */
export async function submitForm(
	host: Host,
	workflowId: string,
	values: Array<string | File | File[]>,
	{ lastFirst = false, answer }: { lastFirst?: boolean; answer?: string } = {},
): Promise<Execution & { secondPage: string; lastPage: string }> {
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
		const text = await response.text();
		const waitingUrl = text.includes('formWaitingUrl')
			? (JSON.parse(text) as { formWaitingUrl: string }).formWaitingUrl
			: undefined;
		const secondPage = answer === undefined ? '' : await answerPage(waitingUrl!, answer);
		const lastPage = waitingUrl === undefined ? '' : await answerPage(waitingUrl);
		const [execution] = await host.api.executions.waitForFinished(workflowId, 1, {
			except: new Set(earlier.map(({ id }) => id)),
		});
		expect(failureReason(execution)).toBe('');
		return { ...execution, secondPage, lastPage };
	} finally {
		await host.api.workflows.unpublish(workflowId);
	}
}

/**
 * Opens the page that a form waits with, and goes on, as a browser does.
 * @param answer of its field; the last page has none
 * @returns its text
 */
async function answerPage(url: string, answer?: string): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	let page = '';
	await until(async () => {
		if ((await (await fetch(status)).text()).trim() !== 'form-waiting') return false;
		page = await (await fetch(url)).text();
		return page.includes('field-0') === (answer !== undefined);
	});
	const body = new FormData();
	if (answer !== undefined) body.append('field-0', answer);
	await fetch(url, { method: 'POST', body });
	return page;
}
