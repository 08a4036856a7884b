import { withPage } from '../../host/clients/browser.mts';
import { Editor, signIn } from '../../host/clients/editor.mts';
import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { workflowList } from '../../host/demo/addresses.mts';
import { runClosing } from '../../host/demo/runClosing.mts';
import { runTour } from '../../host/demo/tour.mts';
import { setUpDemo, type Demo } from '../../host/demo/setUpDemo.mts';
import { startMailbox, type Mailbox } from '../../host/mailbox/mailbox.mts';
import { forEachCase } from '../support/forEachCase.mts';
import { startHost, type Host } from './support/host.mts';
import { testInBrowser } from './support/inBrowser.mts';

/** A closing in a real n8n, from the address check to the archive. The tests build on each other. */

let host: Host;
let demo: Demo;
let mailbox: Mailbox;
beforeAll(async () => {
	host = await startHost({ editor: true });
	mailbox = await startMailbox();
	demo = await setUpDemo(host.api, host.sandbox, mailbox, host.folder);
});
afterAll(async () => {
	await host?.stop();
	await mailbox?.close();
});

test('"Listen for test event" registers its own webhook, receives one event, and leaves the published webhook alone', async () => {
	const hooks = () =>
		[...host.sandbox.world.webhooks.values()]
			.map(({ url }) => new URL(url).pathname.split('/')[1])
			.sort();
	const production = hooks();
	// Without an execution, n8n listens for a test event.
	expect(await host.api.executions.run(demo.archive.id)).toBeUndefined();
	expect(hooks()).toEqual([...production, 'webhook-test'].sort());
	const closing = await host.api.executions.runToEnd(demo.closing.id);
	expect(failureReason(closing)).toBe('');
	const transactionId = String(outputJson(closing, 'Create and send closing')[0].transaction_id);
	await host.sandbox.act.sign(transactionId);
	await host.sandbox.act.notarize(transactionId);
	// One production execution, one in the editor that listens.
	const executions = await host.api.executions.waitForFinished(demo.archive.id, 2);
	expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
	forEachCase(executions, (execution) => {
		expect(failureReason(execution)).toBe('');
		expect(outputJson(execution, 'When a transaction is completed')[0]).toMatchObject({
			event: 'transaction.completed',
			transaction_id: transactionId,
		});
	});
	expect(hooks()).toEqual(production);
});

test('both workflows take a closing from address check to archive; every archived file is identical to the one at the service', async () => {
	const result = await runClosing(host.api, host.sandbox.url, demo);
	expect(result.problems).toEqual([]);
	expect(result.files).toHaveLength(10);
	expect(result.statuses).toEqual([
		'started (draft)',
		'sent_to_closing_ops (order_placed)',
		'sent (sent_to_signer)',
		'received (viewed)',
		'partially_completed (partially_complete)',
		'active (meeting_in_progress)',
		'completed (complete)',
	]);
	expect(host.sandbox.problems).toEqual([]);
	expect(host.sandbox.deliveries.filter(({ code }) => code !== 200)).toEqual([]);
});

test('the tour shows the package, the credential, a closing and its event, and where to see them', async () => {
	const lines: string[] = [];
	let waits = 0;
	const problems = await runTour({
		api: host.api,
		sandbox: host.sandbox,
		demo,
		editorUrl: host.n8n.url,
		print: (line = '') => lines.push(line),
		waitForReader: async () => await Promise.resolve(void (waits += 1)),
	});
	expect(problems).toEqual([]);
	expect(waits).toBe(3);
	const told = lines.join('\n');
	expect(told).toMatch(/n8n-nodes-sign-and-close .*: Sign and Close, Sign and Close Trigger/);
	expect(told).toContain('With its key: Connection successful!');
	expect(told).toMatch(/With a letter too many: .*'?API Key/);
	expect(told).toMatch(/status: sent/);
	expect(told).toContain('Received: transaction.completed');
	expect(told).toContain('Archived: 10 files');
	expect(told.match(/See it: /g)).toHaveLength(4);
	expect(told).not.toContain(host.sandbox.keys.full);
	const executions = await host.api.executions.list(demo.archive.id);
	expect(told).toContain(`/workflow/${demo.archive.id}/executions/${executions[0].id}`);
});

testInBrowser(
	'the address that `npm start` prints opens the workflows, after signing in',
	async () => {
		await withPage(async (page) => {
			await page.goto(workflowList(host.n8n.url));
			await signIn(page);
			await page.getByText(demo.closing.name, { exact: true }).first().waitFor();
			expect(new URL(page.url()).pathname).toBe('/home/workflows');
		});
	},
);

testInBrowser('the closing workflow executed in the editor: every node succeeds', async () => {
	const editor = await Editor.open(host.n8n.url);
	try {
		await editor.openWorkflow(demo.closing.id);
		await editor.execute();
		await editor.waitForSuccess(
			demo.closing.nodes.filter(({ type }) => !type.endsWith('stickyNote')).length,
		);
		expect(editor.pageErrors).toEqual([]);
	} finally {
		await editor.close();
	}
});
