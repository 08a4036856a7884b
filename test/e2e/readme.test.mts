import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { Editor } from '../../host/clients/editor.mts';
import { PACKAGE_NAME } from '../../host/clients/n8n/names.mts';
import { installerEnvironment } from '../../host/run/installPackage.mts';
import { startN8n, type RunningN8n } from '../../host/run/n8n.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { ROOT } from '../../scripts/runtime.mjs';
import { TARBALL } from '../support/tarball.mts';
import { until } from '../support/until.mts';
import { testInBrowser } from './support/inBrowser.mts';
import { Reader } from './support/reader.mts';
import { readSteps } from './support/steps.mts';

/**
 * README's ten steps, done to the letter by somebody who has never used the package: an empty n8n, the
 * package installed under Settings, and then what the steps say, by clicks alone.
 */

/** How many times as long the clicks may take as n8n's start in the same run. */
const MOST_STARTS = 20;
/** What README calls the folder for files. */
const FOLDER = '/your/archive';

const userFolder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
const archive = join(userFolder, 'archive');
let n8n: RunningN8n;
let sandbox: Sandbox;
let startMs: number;
beforeAll(async () => {
	sandbox = await startSandbox();
	const began = Date.now();
	n8n = await startN8n({
		userFolder,
		editor: true,
		env: { SIGN_AND_CLOSE_OUTSIDE: 'closed', ...installerEnvironment(TARBALL) },
	});
	startMs = Date.now() - began;
});
afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	rmSync(userFolder, { recursive: true, force: true });
});

/** Installs the package under Settings > Community nodes. */
async function install(page: Page): Promise<void> {
	await page.goto(`${n8n.url}/settings/community-nodes`);
	await page.getByRole('button', { name: 'Install a community node' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByPlaceholder('n8n-nodes-chatwork').fill(PACKAGE_NAME);
	await dialog.getByText('I understand the risks').click();
	await dialog.getByRole('button', { name: 'Install', exact: true }).click();
	await page.getByText('2 nodes:').waitFor();
}

/** The only closing of the sandbox. */
function onlyClosing() {
	expect(sandbox.world.transactions.size).toBe(1);
	return [...sandbox.world.transactions.values()][0];
}

/** The deeds of the closing: run again, a step adds none. */
const deeds = () => onlyClosing().documents.filter(({ name }) => name === 'Deed of Trust');

/** What each step promises. */
const PROMISES: Record<number, () => void | Promise<void>> = {
	6: () => expect(onlyClosing()).toMatchObject({ status: 'started', detailedStatus: 'draft' }),
	7: () => expect(deeds()).toHaveLength(1),
	8: () => {
		expect(deeds()).toHaveLength(1);
		expect(onlyClosing().status).toMatch(/^sent/);
	},
	9: async () => await until(() => sandbox.world.webhooks.size === 1),
	10: async () => {
		await until(() => onlyClosing().status === 'completed');
		const names = () => readdirSync(archive);
		await until(() => names().some((name) => name.includes('Manifest')));
		await until(() => names().some((name) => name.includes('Deed of Trust')));
	},
};

testInBrowser("README's ten steps end green, and do what they promise", async () => {
	const readme = readFileSync(join(ROOT, 'README.md'), 'utf8').replaceAll(FOLDER, archive);
	const steps = readSteps(readme, 'Your first closing in ten steps');
	expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	const editor = await Editor.open(n8n.url);
	const reader = new Reader(editor, n8n.api.executions, {
		'Base URL': sandbox.url,
		'API Key': sandbox.keys.full,
		'File URL': `${sandbox.url}/samples/deed-of-trust.pdf`,
		'Play signer and notary': `${sandbox.url}/console`,
	});
	const began = Date.now();
	try {
		await install(editor.page);
		for (const step of steps) {
			await reader.follow(step);
			await PROMISES[step.number]?.();
		}
		const starts = (Date.now() - began) / startMs;
		process.stdout.write(`  README's ten steps: ${starts.toFixed(1)} times n8n's start\n`);
		expect(starts).toBeLessThan(MOST_STARTS);
		expect(editor.pageErrors).toEqual([]);
	} finally {
		await editor.close();
	}
});
