import { Editor } from '../../host/clients/editor.mts';
import { withPage } from '../../host/clients/browser.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { createDraftClosing } from '../../host/clients/sandboxApi.mts';
import { startHost, type Host } from './support/host.mts';
import { describeInBrowser } from './support/inBrowser.mts';
import { Reader } from './support/reader.mts';
import { readSteps } from './support/steps.mts';

/**
 * A PDF with fields of its own, placed in the editor by clicks: without the name of a field, and with
 * one that a list offers.
 */

let host: Host;
let editor: Editor;
let reader: Reader;
beforeAll(async () => {
	host = await startHost({ editor: true, sandbox: { processingMs: 0 } });
});
afterAll(async () => await host?.stop());

/** Opens a workflow that adds the deed to a new closing. @returns the ID of the closing */
async function open(): Promise<string> {
	const signer = { email: 'jane@example.com', external_id: 'borrower-1' };
	const closing = await createDraftClosing(host.sandbox, { signer });
	const node = ourNode(host, 'Add document', {
		resource: 'document',
		operation: 'add',
		transactionId: { __rl: true, mode: 'id', value: closing },
		source: 'url',
		fileUrl: `${host.sandbox.url}/samples/deed-of-trust-form.pdf`,
		documentName: 'Deed of Trust',
	});
	const { id } = await host.api.workflows.save(workflowInARow(`Fields ${closing}`, [node]));
	await editor.openWorkflow(id);
	return closing;
}
/** Does what a step says. */
const follow = async (step: string) =>
	await reader.follow(readSteps(`\n## Steps\n\n1. ${step}\n`, 'Steps')[0]);
/** The boxes on the deed's last page, as the console shows them. */
async function boxesOf(closing: string): Promise<string[]> {
	const { documents } = host.sandbox.world.transactions.get(closing)!;
	const { id } = documents.find(({ name }) => name === 'Deed of Trust')!;
	let boxes: string[] = [];
	await withPage(async (page) => {
		await page.goto(`${host.sandbox.url}/console`);
		await page.locator(`[data-key="${id}/pages"]`).click();
		const last = page.getByRole('dialog').getByRole('figure', { name: 'Page 2' });
		const found = last.getByRole('img');
		await found.first().waitFor();
		boxes = await found.evaluateAll((all) => all.map((box) => box.ariaLabel ?? ''));
	}, 'light');
	return boxes.sort();
}

describeInBrowser('in the editor', () => {
	beforeAll(async () => {
		editor = await Editor.open(host.n8n.url);
		reader = new Reader(editor, host.api.executions, {});
	});
	afterAll(async () => await editor?.close());

	test('the fields of a PDF are placed without a name that is typed', async () => {
		const closing = await open();
		await follow(
			'Open **Add document**. Choose **Where to Sign** _Signature Fields of the PDF_. Select **Execute step**.',
		);
		expect(await boxesOf(closing)).toEqual([
			'date signed of borrower-1',
			'seal of notary',
			'signature of borrower-1',
			'signature of notary',
		]);
		expect(editor.pageErrors).toEqual([]);
	});
	test('a field is chosen from the list, and takes somebody else', async () => {
		const closing = await open();
		await follow(
			'Open **Add document**. Choose **Where to Sign** _Signature Fields of the PDF_. Select **Add Form Field (Where to Sign)**.',
		);
		const field = editor.page.locator('[data-test-id="resource-locator-fieldName"]');
		await field.locator('[data-test-id="rlc-mode-selector"]').click();
		await editor.page.getByRole('option', { name: 'From List' }).click();
		await editor.openList('fieldName');
		expect(await editor.listEntries()).toEqual([
			'Borrower Signature · signature · page 2',
			'Borrower Date · text · page 2',
			'Notary Signature · signature · page 2',
			'Notary Seal · signature · page 2',
		]);
		await editor.pressEscape();
		await editor.selectFromList('fieldName', 'Notary Signature');
		await follow('Choose **Signer Name or ID** _Witness 1_. Select **Execute step**.');
		expect(await boxesOf(closing)).toContain('signature of witness1');
		expect(editor.pageErrors).toEqual([]);
	});
});
