import { mkdirSync, readdirSync } from 'node:fs';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import type { WorkflowJson } from '../../host/clients/n8n/types.mts';
import { createReadyClosing } from '../../host/clients/sandboxApi.mts';
import { SandboxConsole } from '../../host/clients/sandboxConsole.mts';
import { checkArchive } from '../../host/demo/checkArchive.mts';
import { readExample } from '../../host/demo/exampleWorkflows.mts';
import { startMailbox, type Mailbox } from '../../host/mailbox/mailbox.mts';
import { until } from '../support/until.mts';
import { startHost, type Host } from './support/host.mts';

/**
 * The example that sends closings, waits, reminds and archives, with nothing changed but its
 * intervals. n8n is killed while it waits.
 */

/** n8n keeps an execution in its database only if it waits for more than 65 seconds. */
const LOOK_EVERY_SECONDS = 66;
const GIVE_UP_AFTER_SECONDS = 100;
const DAY_SECONDS = 86_400;

let host: Host;
let mailbox: Mailbox;
beforeAll(async () => {
	mailbox = await startMailbox();
	host = await startHost({ sandbox: { processingMs: 0 } });
	mkdirSync(host.folder, { recursive: true });
});
afterAll(async () => {
	await host?.stop();
	await mailbox?.close();
});

/** Gives the node "Settings" other values. */
function withSettings(workflow: WorkflowJson, values: Record<string, number>): WorkflowJson {
	const settings = workflow.nodes.find(({ name }) => name === 'Settings')!;
	const { assignments } = settings.parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const assignment of assignments)
		if (assignment.name in values) assignment.value = values[assignment.name];
	return workflow;
}

test('a closing that is signed meanwhile is archived, one that nobody signs is told, each reminded once', async () => {
	const [signed, unsigned] = [
		await createReadyClosing(host.sandbox, { transaction_name: 'Signed' }),
		await createReadyClosing(host.sandbox, { transaction_name: 'Unsigned' }),
	];
	const places = {
		sandboxUrl: host.sandbox.url,
		archiveFolder: host.folder,
		teamMail: 'team@example.com',
		fromMail: 'closings@example.com',
	};
	const { smtp } = await mailbox.saveCredentials(host.api);
	const example = readExample('send-wait-remind-archive', places, { ...host.credentials, smtp });
	const { id: workflowId } = await host.api.workflows.save(
		withSettings(example, {
			look_every_hours: LOOK_EVERY_SECONDS / 3600,
			remind_after_days: 0,
			give_up_after_days: GIVE_UP_AFTER_SECONDS / DAY_SECONDS,
		}),
	);
	await host.api.executions.run(workflowId);
	const isWaiting = async () => {
		// n8n lists those that run and the others with two queries. What begins to wait between them is
		// in neither.
		const [execution] = await host.api.executions.list(workflowId);
		return execution?.status === 'waiting';
	};
	const reminders = () =>
		host.sandbox.requests.filter(({ path }) => path.endsWith('/send_email')).length;
	await until(() => reminders() === 2);
	await until(isWaiting, 500);
	await host.killAndStart();
	await host.sandbox.act.complete(signed);
	const [run] = await host.api.executions.waitForFinished(workflowId, 1);
	expect(failureReason(run)).toBe('');
	expect(outputJson(run, 'Send closing')).toHaveLength(2);
	expect(reminders()).toBe(2);
	expect(mailbox.emails).toEqual([expect.stringContaining('Subject: Unsigned: not signed yet')]);
	expect(readdirSync(host.folder).filter((name) => name.startsWith(unsigned))).toEqual([]);
	const files = await new SandboxConsole(host.sandbox.url).files(signed);
	expect(await checkArchive(host.folder, signed, files)).toMatchObject({ problems: [] });
});
