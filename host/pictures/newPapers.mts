import { SAMPLE_PAPERS, samplePdf } from '../../sandbox/data/samples.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import type { Editor } from '../clients/editor.mts';
import { failureReason, outputJson } from '../clients/n8n/executionData.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import type { WorkflowJson } from '../clients/n8n/types.mts';
import type { Demo } from '../demo/setUpDemo.mts';
import { openForm, submitWithChoice } from './forms.mts';

/**
 * Pictures of docs/new-papers.md, the plan on a form's page and in the node, and of Transaction: Copy in
 * docs/corrections.md.
 */

const APPROVAL_VIEWPORT = { width: 760, height: 600 };
const WORKFLOW_VIEWPORT = { width: 1600, height: 800 };
const NODE_VIEWPORT = { width: 1600, height: 1300 };
const LOANS = { papers: '7003311', expired: '7003312' };
const SENDER = 'Create and send closing';
const NEW_PAPERS = ['new-deed-of-trust', 'new-closing-disclosure'];
/** The demo's closing of a loan of its own, sent. @returns its ID */
async function sendClosing(api: N8nClient, { closing }: Demo, loan: string): Promise<string> {
	const copy = { ...structuredClone(closing), name: `Refinance ${loan}` };
	const { parameters } = copy.nodes.find(({ name }) => name === SENDER)!;
	Object.assign(parameters.numbers as object, { loan_number: loan });
	const { id } = await api.workflows.save(copy);
	const execution = await api.executions.runToEnd(id);
	const reason = failureReason(execution);
	if (reason !== '') throw new Error(`The closing isn't sent: ${reason}`);
	return String(outputJson(execution, SENDER)[0].transaction_id);
}

/** The new files as a form takes them. */
const readNewPapers = async () =>
	await Promise.all(
		NEW_PAPERS.map(async (paper) => ({
			name: SAMPLE_PAPERS.find(({ name }) => name === paper)!.fileName,
			mimeType: 'application/pdf',
			buffer: Buffer.from((await samplePdf(paper))!),
		})),
	);

/** A closing that has expired is copied. */
function copyOf(transactionId: string, { closing }: Demo): WorkflowJson {
	const { credentials, type } = closing.nodes.find(({ parameters }) => 'resource' in parameters)!;
	const parameters = {
		resource: 'transaction',
		operation: 'copy',
		platform: 'realEstate',
		transactionId: { __rl: true, mode: 'id', value: transactionId },
		settingsNotShown: 'none',
		additionalFields: { expiry: '2099-12-31T18:00:00' },
	};
	const start = 'When clicking ‘Execute workflow’';
	return {
		name: 'Start over',
		nodes: [
			{
				id: 'start',
				name: start,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'copy',
				name: 'Copy',
				type,
				typeVersion: 1,
				position: [220, 0],
				parameters,
				credentials,
			},
		],
		connections: { [start]: { main: [[{ node: 'Copy', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/**
 * Takes them.
 * @param image the path of the picture with this name
 */
export async function takeNewPapers(
	editor: Editor,
	api: N8nClient,
	sandbox: Sandbox,
	demo: Demo,
	image: (name: string) => string,
): Promise<void> {
	await sendClosing(api, demo, LOANS.papers);
	await editor.page.setViewportSize(WORKFLOW_VIEWPORT);
	await editor.openWorkflow(demo.examples['new-papers'].id);
	const form = await openForm(editor, 'On form submission');
	await form.getByLabel('Loan Number', { exact: true }).fill(LOANS.papers);
	await form.locator('input[type="file"]').setInputFiles(await readNewPapers());
	await submitWithChoice(form, 'Replace and send', 'The new papers were sent', async () => {
		await form.setViewportSize(APPROVAL_VIEWPORT);
		await form.screenshot({ path: image('new-papers-approval'), fullPage: true });
	});
	await editor.waitForSuccess(11);
	await editor.screenshot(image('new-papers'));
	await editor.page.setViewportSize(NODE_VIEWPORT);
	await editor.openNode('Show the plan');
	await editor.showOutputAs('json');
	await editor.screenshot(image('replace-documents'));
	await editor.closeNode();
	const expired = await sendClosing(api, demo, LOANS.expired);
	await sandbox.act.expire(expired);
	const { id } = await api.workflows.save(copyOf(expired, demo));
	await editor.openWorkflow(id);
	await editor.execute();
	await editor.waitForSuccess(2);
	await editor.openNode('Copy');
	await editor.showOutputAs('json');
	await editor.screenshot(image('copy'));
	await editor.closeNode();
}
