import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { withPage } from '../../host/clients/browser.mts';
import { Editor, signIn } from '../../host/clients/editor.mts';
import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { workflowList } from '../../host/demo/addresses.mts';
import { runClosing } from '../../host/demo/runClosing.mts';
import { setUpDemo, type Demo } from '../../host/demo/setUpDemo.mts';
import { startHost, type Host } from './support/host.mts';
import { testInBrowser } from './support/inBrowser.mts';

/** A closing in a real n8n, from the address check to the archive. The tests build on each other. */

const API_KEY = 'canary-71e2b0c94d5f4a66';
let host: Host;
let demo: Demo;
let recordingFile: string;
beforeAll(async () => {
	host = await startHost({
		sandbox: { keys: { full: API_KEY, clientOnly: 'only-creates', childFull: 'child-key' } },
	});
	demo = await setUpDemo(host.api, host.sandbox, host.folder);
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);

/** The IDs of the archive workflow's executions so far. */
async function archiveExecutionIds(): Promise<Set<string>> {
	return new Set((await host.api.executions.list(demo.archive.id)).map(({ id }) => id));
}

/** Runs the closing workflow. Returns the transaction's ID. */
async function sendClosing(): Promise<string> {
	const execution = await host.api.executions.runToEnd(demo.closing.id);
	expect(failureReason(execution)).toBe('');
	return String(outputJson(execution, 'Send closing')[0].transaction_id);
}

describe('publishing', () => {
	test('registers exactly one webhook at the service; unpublishing removes it, publishing registers one again', async () => {
		const hooks = () => [...host.sandbox.world.webhooks.values()];
		expect(hooks()).toHaveLength(1);
		expect(hooks()[0].subscriptions).toEqual([
			'transaction.completed',
			'transaction.completed_with_rejections',
		]);
		expect(hooks()[0].url).toMatch(/\/webhook\/.*\?key=[\w-]{43}$/);
		await host.api.workflows.unpublish(demo.archive.id);
		// The webhook stands for some seconds, in case the workflow is published again.
		for (const end = Date.now() + 60_000; hooks().length > 0 && Date.now() < end;)
			await new Promise((resolve) => setTimeout(resolve, 100));
		expect(hooks()).toHaveLength(0);
		await host.api.workflows.publish(demo.archive.id);
		expect(hooks()).toHaveLength(1);
	});
	test('a call without the secret is answered 401 and starts no execution', async () => {
		const [{ url }] = [...host.sandbox.world.webhooks.values()];
		const before = await host.api.executions.list(demo.archive.id);
		const answer = await fetch(url.split('?')[0], {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"event":"transaction.completed","data":{"transaction_id":"ot_x"}}',
		});
		expect(answer.status).toBe(401);
		expect(await host.api.executions.list(demo.archive.id)).toHaveLength(before.length);
	});
});

test('"Listen for test event" registers its own webhook, receives one event, and leaves the published webhook alone', async () => {
	const hooks = () =>
		[...host.sandbox.world.webhooks.values()]
			.map(({ url }) => new URL(url).pathname.split('/')[1])
			.sort();
	const production = hooks();
	const before = await archiveExecutionIds();
	// Without an execution, n8n listens for a test event.
	expect(await host.api.executions.run(demo.archive.id)).toBeUndefined();
	expect(hooks()).toEqual([...production, 'webhook-test'].sort());
	const transactionId = await sendClosing();
	await host.sandbox.act.sign(transactionId);
	await host.sandbox.act.notarize(transactionId);
	// One production execution, one in the editor that listens.
	const executions = await host.api.executions.waitForFinished(demo.archive.id, 2, {
		except: before,
	});
	expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
	for (const execution of executions) {
		expect(failureReason(execution)).toBe('');
		expect(outputJson(execution, 'When a transaction is completed')[0]).toMatchObject({
			event: 'transaction.completed',
			transaction_id: transactionId,
		});
	}
	expect(hooks()).toEqual(production);
}, 180_000);

test('both workflows take a closing from address check to archive; every archived file is identical to the one at the service', async () => {
	const result = await runClosing(host.api, host.sandbox.url, demo, () => undefined);
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
	recordingFile = join(host.folder, result.files.find(({ kind }) => kind === 'video')!.name);
}, 180_000);

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
	120_000,
);

testInBrowser('the archived recording plays in a browser', async () => {
	await withPage(async (page) => {
		await page.setContent(
			`<video muted src="data:video/mp4;base64,${readFileSync(recordingFile).toString('base64')}"></video>`,
		);
		const played = await page.locator('video').evaluate(async (video: HTMLVideoElement) => {
			await video.play();
			await new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }));
			return { seconds: video.currentTime, width: video.videoWidth };
		});
		expect(played.width).toBe(320);
		expect(played.seconds).toBeGreaterThan(2.5);
	});
});

test('a rejected closing starts the archive workflow too', async () => {
	const before = await archiveExecutionIds();
	await host.sandbox.act.reject(await sendClosing());
	const [archived] = await host.api.executions.waitForFinished(demo.archive.id, 1, {
		except: before,
	});
	expect(failureReason(archived)).toBe('');
	expect(outputJson(archived, 'When a transaction is completed')[0]).toMatchObject({
		event: 'transaction.completed_with_rejections',
	});
});

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
