import type { Editor } from '../clients/editor.mts';
import type { N8nClient } from '../clients/n8n/client.mts';
import type { WorkflowJson } from '../clients/n8n/types.mts';
import { waitUntil } from '../run/patience.mts';

/**
 * Pictures of docs/create-and-send.md: a plan for a draft that differs from its item, what the item says
 * that stops, and places that are left out. The first two are the demo's refinance with another loan,
 * whose draft was made before.
 */

const VIEWPORT = { width: 1600, height: 1100 };
const NODE = 'Create and send closing';

/** The demo's closing of a loan of its own, with other parameters of its last node. */
function closingOf(workflow: WorkflowJson, name: string, changes: Record<string, unknown>) {
	const copy = { ...structuredClone(workflow), name };
	const { parameters } = copy.nodes.find((node) => node.name === NODE)!;
	const { numbers, signers, ...others } = changes;
	Object.assign(parameters, others);
	const [signer] = (parameters.signers as { row: object[] }).row;
	Object.assign(signer, signers);
	Object.assign(parameters.numbers as object, {
		loan_number: '9001235',
		...(numbers as object),
	});
	return copy;
}

/** Takes the rules for single and joint borrowers, and what was left out of the single one. */
export async function takeJointBorrowers(
	editor: Editor,
	workflowId: string,
	image: (name: string) => string,
): Promise<void> {
	await editor.page.setViewportSize(VIEWPORT);
	await editor.openWorkflow(workflowId);
	await editor.execute();
	await editor.waitForSuccess(9);
	await editor.openNode('Create and send closings');
	await editor.showParameter('Document Rules');
	await editor.showOutputAs('json');
	await editor.screenshot(image('joint-borrowers'));
	await editor.closeNode();
}

/** Takes the plan, and what stops. */
export async function takePlan(
	editor: Editor,
	api: N8nClient,
	workflow: WorkflowJson,
	image: (name: string) => string,
): Promise<void> {
	const steps = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote')).length;
	const open = async (name: string, changes: Record<string, unknown>) => {
		const { id } = await api.workflows.save(closingOf(workflow, name, changes));
		await editor.openWorkflow(id);
		await editor.execute();
		return id;
	};
	await editor.page.setViewportSize(VIEWPORT);
	await open('Refinance, a draft', { then: 'draft' });
	await editor.waitForSuccess(steps);
	const corrected = {
		signers: { email: 'jane.miller@example.com' },
		invitation: { message_to_signer: 'Please sign by Friday' },
		numbers: { ifItDiffers: 'update', settingsNotShown: 'none' },
	};
	await open('Refinance, its plan', { then: 'plan', ...corrected });
	await editor.waitForSuccess(steps);
	await editor.openNode(NODE);
	await editor.showOutputAs('json');
	await editor.screenshot(image('create-and-send-plan'));
	await editor.closeNode();
	const id = await open('Refinance, corrected', {
		then: 'send',
		...corrected,
		numbers: {},
	});
	await waitUntil(
		async () => (await api.executions.list(id))[0]?.status === 'error',
		() => 'The corrected closing still runs,',
	);
	await editor.openNode(NODE);
	await editor.page.getByText('Nothing was changed').first().waitFor();
	await editor.screenshot(image('create-and-send-stop'));
	await editor.closeNode();
}
