import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { Editor, findChromium } from '../host/browser.mts';
import { setUpDemo } from '../host/demo.mts';
import { travel } from '../host/journey.mts';
import { startN8n } from '../host/n8n.mts';
import { ROOT, RUN_DIR } from '../host/runtime.mjs';
import { startSandbox } from '../sandbox/index.mts';

/** Takes the pictures of README and docs anew, from a real n8n: npm run screenshots, after npm start has installed everything. */

const IMAGES = join(ROOT, 'docs', 'images');
const place = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
const folder = join(place, 'archive');
const sandbox = await startSandbox();
const n8n = await startN8n({ userFolder: place, tarball: join(RUN_DIR, 'package.tgz'), filesFolder: folder });
try {
	const demo = await setUpDemo(n8n.api, sandbox, folder);
	await travel(n8n.api, sandbox.url, demo, () => undefined);
	const editor = await Editor.open(n8n.url);
	await editor.openWorkflow(demo.closing.id);
	await editor.execute();
	await editor.waitForGreen(demo.closing.nodes.length);
	await editor.screenshot(join(IMAGES, 'refinance-closing.png'));
	await editor.openNode('Create closing');
	await editor.screenshot(join(IMAGES, 'create-closing.png'));
	await editor.closePanel();
	await editor.openNode('Add document');
	await editor.screenshot(join(IMAGES, 'add-document.png'));
	await editor.closePanel();
	await editor.openWorkflow(demo.archive.id);
	await editor.screenshot(join(IMAGES, 'archive-flow.png'));
	await editor.close();
	const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'] });
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
