import type { Locator, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/index.mts';
import { withPage, type Theme } from '../clients/browser.mts';
import type { Editor } from '../clients/editor.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import { outputJson } from '../clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../clients/n8n/names.mts';
import type { WorkflowJson } from '../clients/n8n/types.mts';
import { readExample } from '../demo/exampleWorkflows.mts';
import type { Demo } from '../demo/setUpDemo.mts';

/**
 * Pictures of docs/where-to-sign.md: the example's documents, placed by texts, by tags and by the
 * fields of their forms in the editor, and where the places landed on the pages in the sandbox's console.
 */

const EXAMPLE_VIEWPORT = { width: 1600, height: 900 };
const FORM_VIEWPORT = { width: 1600, height: 1500 };
const PAGE_VIEWPORT = { width: 1100, height: 1100 };

/**
 * The example with documents that have something else on their lines: white tags, which the service
 * reads, or fields.
 */
function placedBy(workflow: WorkflowJson, variant: string, choice: string): WorkflowJson {
	const copy = { ...structuredClone(workflow), name: `Refinance closing, ${variant}` };
	const { parameters } = copy.nodes.find(({ name }) => name === 'List of documents')!;
	parameters.jsonOutput = String(parameters.jsonOutput)
		.replaceAll(/(deed-of-trust|borrower-affidavit)\.pdf/g, `$1-${variant}.pdf`)
		.replaceAll('"whereToSign": "text"', `"whereToSign": "${choice}"`);
	return copy;
}

/** Executes the workflow in the editor. @returns the ID of the deed that it added */
async function runInEditor(editor: Editor, api: N8nClient, workflow: WorkflowJson) {
	const { id, nodes } = await api.workflows.save(workflow);
	await editor.openWorkflow(id);
	await editor.execute();
	await editor.waitForSuccess(nodes.filter(({ type }) => !type.endsWith('stickyNote')).length);
	const [latest] = await api.executions.list(id);
	const added = outputJson(await api.executions.get(latest.id), 'Add document');
	return String(added[0].document_id);
}

/** The last page of a deed in the console's dialog. */
async function openDeed(page: Page, sandbox: Sandbox, documentId: string): Promise<Locator> {
	await page.setViewportSize(PAGE_VIEWPORT);
	await page.goto(`${sandbox.url}/console`);
	await page.locator(`[data-key="${documentId}/pages"]`).click();
	const last = page.getByRole('dialog').getByRole('figure', { name: 'Page 2' });
	await last.waitFor();
	return last;
}

/** Takes a picture of the lower half of a page, where the lines are. */
async function takeLines(page: Page, sheet: Locator, path: string): Promise<void> {
	await sheet.scrollIntoViewIfNeeded();
	const box = (await sheet.boundingBox())!;
	const half = box.height / 2;
	await page.screenshot({ path, clip: { ...box, y: box.y + half, height: half } });
}

/**
 * Takes them.
 * @param image the path of the picture with this name
 */
export async function takeWhereToSign(
	editor: Editor,
	api: N8nClient,
	sandbox: Sandbox,
	demo: Demo,
	image: (name: string) => string,
	theme: Theme,
): Promise<void> {
	const example = readExample(
		'refinance-step-by-step',
		{ sandboxUrl: sandbox.url, archiveFolder: demo.archiveFolder },
		{ [CREDENTIAL_TYPE]: demo.credential },
	);
	await editor.page.setViewportSize(EXAMPLE_VIEWPORT);
	const byTexts = await runInEditor(editor, api, example);
	await editor.screenshot(image('refinance-step-by-step'));
	await editor.openNode('Create closing');
	await editor.screenshot(image('create-closing'));
	await editor.closeNode();
	await editor.page.setViewportSize(FORM_VIEWPORT);
	await editor.openNode('Add document');
	await editor.screenshotParameters(image('where-to-sign-form'));
	await editor.closeNode();
	const byTags = await runInEditor(editor, api, placedBy(example, 'tagged', 'hiddenTags'));
	const byFields = await runInEditor(editor, api, placedBy(example, 'form', 'fields'));
	await withPage(async (page) => {
		const plain = await openDeed(page, sandbox, byTexts);
		await page.addStyleTag({ content: '.box { visibility: hidden; }' });
		await takeLines(page, plain, image('where-to-sign-document'));
		for (const [documentId, name] of [
			[byTexts, 'where-to-sign-texts'],
			[byTags, 'where-to-sign-tags'],
			[byFields, 'where-to-sign-fields'],
		]) {
			const last = await openDeed(page, sandbox, documentId);
			await takeLines(page, last, image(name));
		}
	}, theme);
}
