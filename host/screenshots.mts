import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { findChromium } from '../scripts/chromium.mts';
import { Editor } from './clients/editor.mts';
import { setUpChoosing } from './demo/choosingWorkflow.mts';
import { readExample, setUpDemo } from './demo/setUp.mts';
import { travel } from './demo/refinanceClosing.mts';
import { CREDENTIAL_TYPE } from './clients/n8nApi.mts';
import { startN8n } from './run/n8n.mts';
import { ROOT, RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox } from '../sandbox/index.mts';

/**
 * Takes the pictures of README and docs anew, from a real n8n: npm run screenshots, after npm start
 * has installed everything.
 */

const IMAGES = join(ROOT, 'docs', 'images');
const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
const folder = join(place, 'archive');

/**
 * What is chosen instead of typed: the actions, the cascade of a closing, the signers at a place, a
 * list that says why.
 */
async function takeChoosing(editor: Editor, workflowId: string): Promise<void> {
	await editor.page.setViewportSize({ width: 1600, height: 1300 });
	await editor.openWorkflow(workflowId);
	await editor.openNode('Create closing');
	await editor.choose('recordingJurisdictionId', 'Hampden County');
	await editor.choose('titleAgencyId', 'Harbor Title');
	await editor.openList('titleUnderwriterId');
	await editor.screenshot(join(IMAGES, 'closing-lists.png'));
	await editor.closeNode();
	await editor.openNode('Add document');
	await editor.openOptions('signer_identifier');
	await editor.screenshot(join(IMAGES, 'add-document.png'));
	await editor.closeNode();
	await editor.page.setViewportSize({ width: 1600, height: 800 });
	await editor.openNode('Old key');
	await editor.openList('transactionId');
	await editor.screenshot(join(IMAGES, 'list-says-why.png'));
	await editor.closeNode();
	await editor.page.setViewportSize({ width: 1600, height: 1300 });
	await editor.openWorkflow(workflowId);
	await editor.showActions('Sign and Close');
	await editor.screenshot(join(IMAGES, 'actions.png'));
}

const sandbox = await startSandbox();
const n8n = await startN8n({
	userFolder: place,
	tarball: join(RUN_DIR, 'package.tgz'),
	filesFolder: folder,
});
try {
	const demo = await setUpDemo(n8n.api, sandbox, folder);
	await travel(n8n.api, sandbox.url, demo, () => undefined);
	const editor = await Editor.open(n8n.url);
	await editor.openWorkflow(demo.closing.id);
	await editor.execute();
	await editor.waitForGreen(
		demo.closing.nodes.filter(({ type }) => !type.endsWith('stickyNote')).length,
	);
	await editor.screenshot(join(IMAGES, 'refinance-closing.png'));
	await editor.openNode('Create closing');
	await editor.screenshot(join(IMAGES, 'create-closing.png'));
	await editor.closePanel();
	await editor.openWorkflow(demo.archive.id);
	await editor.screenshot(join(IMAGES, 'archive-flow.png'));
	const smtp = await n8n.api.saveCredential('Mail of the office', 'smtp', {
		user: '',
		password: '',
		host: '127.0.0.1',
		port: 25,
		secure: false,
		disableStartTls: true,
		hostName: '',
	});
	for (const name of ['route-by-status', 'nightly-reconciliation']) {
		const places = {
			sandboxUrl: sandbox.url,
			archiveFolder: folder,
			chatUrl: 'http://127.0.0.1/chat',
			teamMail: 'closing.team@example.com',
			fromMail: 'closings@example.com',
		};
		const { id } = await n8n.api.saveWorkflow(
			readExample(name, places, { [CREDENTIAL_TYPE]: demo.credential, smtp }),
		);
		await editor.openWorkflow(id);
		await editor.screenshot(join(IMAGES, `${name}.png`));
	}
	await takeChoosing(editor, (await setUpChoosing(n8n.api, sandbox)).workflow.id);
	await editor.close();
	const browser = await chromium.launch({
		executablePath: findChromium(),
		args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
	});
	const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
	await page.goto(`${sandbox.url}/console`);
	await page.locator('.card').first().waitFor();
	await page.screenshot({ path: join(IMAGES, 'console.png') });
	await browser.close();
} finally {
	await n8n.stop();
	await sandbox.close();
	rmSync(place, { recursive: true, force: true });
}
