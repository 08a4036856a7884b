import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox } from '../sandbox/index.mts';
import { ROOT, RUN_DIR } from '../scripts/runtime.mjs';
import { withPage, type Theme } from './clients/browser.mts';
import { Editor } from './clients/editor.mts';
import { PACKAGE_NAME } from './clients/n8n/names.mts';
import { saveDropdownWorkflow } from './demo/dropdownWorkflow.mts';
import { makeOpenClosings, WAITING_CLOSINGS } from './demo/openClosings.mts';
import { runClosing } from './demo/runClosing.mts';
import { setUpDemo, type Demo } from './demo/setUpDemo.mts';
import { bodyOf, startMailbox } from './mailbox/mailbox.mts';
import { takeFormToSigning, takeSheet } from './pictures/forms.mts';
import { takeNewPapers } from './pictures/newPapers.mts';
import { hashForms } from './pictures/pictureForms.mts';
import { takeJointBorrowers, takePlan } from './pictures/plan.mts';
import { takeWhereToSign } from './pictures/whereToSign.mts';
import { startN8n } from './run/n8n.mts';

/**
 * Takes the pictures of README and docs from a real n8n: npm run screenshots, after npm start has
 * installed everything. It takes all of them in light colors, and then with --dark in dark ones, of
 * which the README shows some; the others are in .run/pictures, to be looked at.
 */

const theme: Theme = process.argv.includes('--dark') ? 'dark' : 'light';
const IMAGES = join(ROOT, 'docs', 'images');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const TALL_VIEWPORT = { width: 1600, height: 1300 };
const FLAT_VIEWPORT = { width: 1600, height: 800 };
/** n8n gives a table half of what the parameters leave. */
const TABLE_VIEWPORT = { width: 2700, height: 800 };
/** An email is as high as it is. */
const EMAIL_VIEWPORT = { width: 960, height: 1 };
const CONSOLE_VIEWPORT = { width: 1280, height: 900 };
const userFolder = mkdtempSync(join(tmpdir(), 'sign-and-close-'));
const archiveFolder = join(userFolder, 'archive');

function image(name: string): string {
	if (theme === 'light') return join(IMAGES, `${name}.png`);
	const shown = README.includes(`docs/images/dark/${name}.png`);
	return join(shown ? join(IMAGES, 'dark') : join(RUN_DIR, 'pictures'), `${name}.png`);
}

/** The workflows that `npm start` shows, one of them executed. */
async function takeDemo(editor: Editor, demo: Demo): Promise<void> {
	await editor.openWorkflow(demo.closing.id);
	await editor.execute();
	await editor.waitForSuccess(
		demo.closing.nodes.filter(({ type }) => !type.endsWith('stickyNote')).length,
	);
	await editor.screenshot(image('refinance-closing'));
	await editor.page.setViewportSize(TALL_VIEWPORT);
	await editor.openNode('Create and send closing');
	await editor.showParameter('Document Rules');
	await editor.showOutputAs('json');
	await editor.screenshot(image('create-and-send'));
	await editor.closeNode();
	await editor.page.setViewportSize(FLAT_VIEWPORT);
	await editor.openWorkflow(demo.archive.id);
	await editor.screenshot(image('archive-flow'));
}

/** The example workflows besides those of the demonstration. */
async function takeOtherExamples(editor: Editor, { examples }: Demo): Promise<void> {
	for (const name of [
		'route-by-status',
		'nightly-reconciliation',
		'send-wait-remind-archive',
		'needs-attention',
		'changes-without-a-webhook',
	]) {
		await editor.openWorkflow(examples[name].id);
		await editor.screenshot(image(name));
	}
	await takeFormToSigning(editor, sandbox, examples['form-to-signing'].id, image);
	await takeSheet(editor, examples['closings-from-a-sheet'].id, image);
	await takeWaitingClosings(editor, examples['who-has-not-signed'].id, mailbox.emails);
	await takeJointBorrowers(editor, examples['joint-borrowers'].id, image);
}

/** The lists of a closing, of a designation and of a wrong key. */
async function takeDropdowns(editor: Editor, workflowId: string): Promise<void> {
	await editor.page.setViewportSize(TALL_VIEWPORT);
	await editor.openWorkflow(workflowId);
	await editor.openNode('Create closing');
	await editor.selectFromList('recordingJurisdictionId', 'Hampden County');
	await editor.selectFromList('titleAgencyId', 'Harbor Title');
	await editor.openList('titleUnderwriterId');
	await editor.screenshot(image('closing-lists'));
	await editor.closeNode();
	await editor.openNode('Add document');
	await editor.openDropdown('signer_identifier');
	await editor.screenshot(image('add-document'));
	await editor.closeNode();
	await editor.page.setViewportSize(FLAT_VIEWPORT);
	await editor.openNode('Old key');
	await editor.openList('transactionId');
	await editor.screenshot(image('list-says-why'));
	await editor.closeNode();
}

/** The morning's email about who hasn't signed: the workflow, the node's output, the email. */
async function takeWaitingClosings(
	editor: Editor,
	workflowId: string,
	emails: string[],
): Promise<void> {
	await makeOpenClosings(sandbox);
	await editor.openWorkflow(workflowId);
	await editor.execute();
	await editor.waitForSuccess(5);
	await editor.screenshot(image('who-has-not-signed'));
	await editor.page.setViewportSize(TABLE_VIEWPORT);
	await editor.openNode(WAITING_CLOSINGS);
	await editor.showOutputAs('table');
	await editor.screenshotWithoutInput(image('open-closings'));
	await editor.closeNode();
	await withPage(async (page) => {
		await page.setViewportSize(EMAIL_VIEWPORT);
		await page.setContent(bodyOf(emails.at(-1)!));
		await page.screenshot({ path: image('who-has-not-signed-email'), fullPage: true });
	}, theme);
}

async function takeSandboxConsole(): Promise<void> {
	await withPage(async (page) => {
		await page.setViewportSize(CONSOLE_VIEWPORT);
		await page.goto(`${sandbox.url}/console`);
		await page.locator('.card').first().waitFor();
		await page.screenshot({ path: image('console') });
	}, theme);
}

/** Keeps what the forms were like that the pictures show. */
async function keepForms(editor: Editor): Promise<void> {
	const types = (await (
		await editor.page.request.get(`${n8n.url}/types/nodes.json`)
	).json()) as Array<{ name: string; properties: never[] }>;
	const { properties } = types.find(({ name }) => name === `${PACKAGE_NAME}.signAndClose`)!;
	writeFileSync(
		join(IMAGES, 'forms.json'),
		`${JSON.stringify(hashForms(properties), undefined, '\t')}\n`,
	);
}

const sandbox = await startSandbox();
const mailbox = await startMailbox();
const n8n = await startN8n({
	userFolder,
	tarball: join(RUN_DIR, 'package.tgz'),
	filesFolder: archiveFolder,
	editor: true,
});
try {
	const demo = await setUpDemo(n8n.api, sandbox, mailbox, archiveFolder);
	await runClosing(n8n.api, sandbox.url, demo);
	const editor = await Editor.open(n8n.url, undefined, theme);
	await takeDemo(editor, demo);
	await takeOtherExamples(editor, demo);
	await takePlan(editor, n8n.api, demo.closing, image);
	await takeNewPapers(editor, n8n.api, sandbox, demo, image);
	await takeWhereToSign(editor, n8n.api, sandbox, demo, image, theme);
	await takeDropdowns(editor, (await saveDropdownWorkflow(n8n.api, sandbox)).id);
	await keepForms(editor);
	await editor.close();
	await takeSandboxConsole();
} finally {
	await n8n.stop();
	await sandbox.close();
	await mailbox.close();
	rmSync(userFolder, { recursive: true, force: true });
}
