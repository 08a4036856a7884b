import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { Editor } from '../../host/clients/editor.mts';
import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { POLL_INTERVAL_MS, sleep } from '../../host/clients/n8n/polling.mts';
import type { Execution } from '../../host/clients/n8n/types.mts';
import { startHost, type Host } from './support/host.mts';
import { describeInBrowser } from './support/inBrowser.mts';

/** A person decides about writes whose outcome is unknown, and retries their execution in a real n8n. */

let host: Host;
beforeAll(async () => void (host = await startHost()), 300_000);
afterEach(() => host.sandbox.faults.clear());
afterAll(async () => await host?.stop(), 60_000);

/** Saves a workflow that creates a transaction for each of three names. */
async function saveWorkflow(name: string, rows: object[] = []): Promise<string> {
	const create = ourNode(host, 'Create', {
		resource: 'transaction',
		operation: 'create',
		transactionName: '={{ $json.name }}',
		signers: { row: [{ email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' }] },
		documents: {},
		additionalFields: {},
		...(rows.length > 0 && { unknownOutcomes: { row: rows } }),
	});
	const { id } = await host.api.workflows.save({
		...workflowInARow(name, [create]),
		pinData: { Start: namesFor(name).map((item) => ({ json: { name: item } })) },
	});
	return id;
}

const namesFor = (name: string) => ['one', 'two', 'three'].map((item) => `${name}: ${item}`);

/** The names of the transactions that a workflow has made at the service. */
const made = (name: string) =>
	[...host.sandbox.world.transactions.values()]
		.map(({ fields }) => String(fields.transaction_name))
		.filter((made) => made.startsWith(`${name}: `))
		.sort();

const creates = () =>
	host.sandbox.requests.filter(
		({ method, path }) => method === 'POST' && path.endsWith('/transactions'),
	).length;

/** Runs the workflow; the answer to its second create is lost. Returns the item in doubt, too. */
async function inDoubt(
	workflowId: string,
	kind: 'cutBefore' | 'cutAfter',
): Promise<{ execution: Execution; item: string }> {
	host.sandbox.faults.add({ method: 'POST', path: '/transactions', skip: 1, kind });
	// The list is asked for before the creates and after a lost answer. It's never shown.
	host.sandbox.faults.add({ method: 'GET', path: '/transactions', status: 403, times: Infinity });
	const execution = await host.api.executions.runToEnd(workflowId);
	const reason = failureReason(execution);
	expect(reason).toMatch(/outcome is unknown/);
	expect(reason).toMatch(/Check whether the service has a new transaction with this name/);
	const item = /enter the outcome of (\S+) under 'Unknown Outcomes'/.exec(reason)?.[1] ?? '';
	expect(item).toMatch(new RegExp(`^${execution.id}-[123]$`));
	return { execution, item };
}

test('nobody has decided: a retry sends nothing in doubt, with either workflow', async () => {
	const workflowId = await saveWorkflow('Undecided');
	const { execution } = await inDoubt(workflowId, 'cutBefore');
	const sent = creates();
	for (const workflow of ['saved', 'original'] as const) {
		const retried = await host.api.executions.retry(execution.id, workflow);
		expect(failureReason(retried)).toBe(failureReason(execution));
	}
	expect(creates()).toBe(sent);
});

test("it wasn't done: the retry creates each transaction once, and another retry none", async () => {
	const name = 'Not done';
	const workflowId = await saveWorkflow(name);
	const { execution, item } = await inDoubt(workflowId, 'cutBefore');
	await saveWorkflow(name, [{ item, outcome: 'notDone', id: '' }]);
	const retried = await host.api.executions.retry(execution.id);
	expect(failureReason(retried)).toBe('');
	expect(outputJson(retried, 'Create').map((json) => json.transaction_name)).toEqual(
		namesFor(name),
	);
	expect(made(name)).toEqual(namesFor(name).sort());
	// n8n's store remembers that the decision is used.
	const sent = creates();
	const again = await host.api.executions.retry(execution.id);
	expect(failureReason(again)).toMatch(/An earlier retry has sent .* again/);
	expect(creates()).toBe(sent);
});

test('it was done: the retry goes on with the ID, and creates nothing twice', async () => {
	const name = 'Done';
	const workflowId = await saveWorkflow(name);
	const { execution, item } = await inDoubt(workflowId, 'cutAfter');
	const inItem = namesFor(name)[Number(item.split('-').at(-1)) - 1];
	const [id] = [...host.sandbox.world.transactions].find(
		([, { fields }]) => fields.transaction_name === inItem,
	)!;
	host.sandbox.faults.clear();
	await saveWorkflow(name, [{ item, outcome: 'done', id }]);
	const retried = await host.api.executions.retry(execution.id);
	expect(failureReason(retried)).toBe('');
	expect(outputJson(retried, 'Create').map((json) => json.transaction_name)).toEqual(
		namesFor(name),
	);
	expect(outputJson(retried, 'Create').map((json) => json.transaction_id)).toContain(id);
	expect(made(name)).toEqual(namesFor(name).sort());
});

/** The setting of the saved workflow, as soon as there is one. */
async function savedOutcomes(workflowId: string): Promise<unknown> {
	let saved: unknown;
	for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
		const { nodes } = await host.api.workflows.get(workflowId);
		const { unknownOutcomes } = nodes.find(({ name }) => name === 'Create')!.parameters;
		saved = unknownOutcomes;
		// The editor also saves by itself, in between.
		if (JSON.stringify(saved ?? null).includes('notDone')) break;
	}
	return saved;
}

describeInBrowser('in the editor', () => {
	let editor: Editor;
	beforeAll(async () => void (editor = await Editor.open(host.n8n.url)), 120_000);
	afterAll(async () => await editor?.close());

	test("the node's settings take what a person has found out", async () => {
		const name = 'By hand';
		const workflowId = await saveWorkflow(name);
		const { execution, item } = await inDoubt(workflowId, 'cutBefore');
		await editor.openWorkflow(workflowId);
		await editor.openNode('Create');
		const { page } = editor;
		const setting = page.locator('[data-test-id="fixed-collection-unknownOutcomes"]');
		// The editor keeps both tabs in the page, and shows one of them.
		expect(await setting.isVisible()).toBe(false);
		await page.locator('[data-test-id="tab-settings"]:visible').first().click();
		await setting.waitFor();
		await setting.locator('[data-test-id^="fixed-collection-add"]').first().click();
		await setting.locator('[data-test-id^="parameter-input-item"] input').first().fill(item);
		expect(await editor.openDropdown('outcome')).toEqual([
			expect.stringContaining('It Was Done'),
			expect.stringContaining("It Wasn't Done"),
		]);
		await page.getByText("It Wasn't Done").last().click();
		await editor.closeNode();
		await page.keyboard.press('Control+s');
		expect(await savedOutcomes(workflowId)).toEqual({
			row: [expect.objectContaining({ item, outcome: 'notDone' })],
		});
		expect(failureReason(await host.api.executions.retry(execution.id))).toBe('');
		expect(made(name)).toEqual(namesFor(name).sort());
	});
});
