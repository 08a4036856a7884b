import { randomUUID } from 'node:crypto';

import { outputJson } from '../../host/clients/n8n/executionData.mts';
import { builtInNode, inARow, ourNode } from '../../host/clients/n8n/nodes.mts';
import {
	BUSINESS,
	BY_ROLE,
	countAbsent,
	countLeftOut,
	LOANS,
	type Closing,
} from '../engine/transaction/oneWorkflow/closings.mts';
import { drawPaper, expectPlaces, readPlaces } from '../engine/transaction/oneWorkflow/papers.mts';
import { workflowOf } from '../engine/transaction/oneWorkflow/workflow.mts';
import { forEachCase } from '../support/forEachCase.mts';
import { submitForm } from './support/forms.mts';
import { startHost, type Host } from './support/host.mts';

/**
 * One workflow for every loan in a real n8n, without an expression: a form with four signers and
 * their roles, and whatever papers there are.
 */

let host: Host;
const workflowIds: Record<string, string> = {};

const MOST_SIGNERS = 4;
const OF_SIGNER = ['First Name', 'Last Name', 'Email', 'Role'];
const OF_TRANSACTION = ['Loan Number', 'External ID', 'Closing Type'];
const OF_PROPERTY = ['Property Address', 'Property City', 'Property State', 'Property Zip'];
const SIGNERS = Array.from({ length: MOST_SIGNERS }, (_, at) => `Signer ${at + 1}`);
const LABELS = [
	...SIGNERS.flatMap((signer) => OF_SIGNER.map((field) => `${signer} ${field}`)),
	...OF_TRANSACTION,
	...OF_PROPERTY,
];

async function save(platform: 'realEstate' | 'business'): Promise<string> {
	const form = builtInNode('Form', 'formTrigger', 2.2, {
		formTitle: 'A loan',
		formFields: {
			values: [
				...LABELS.map((fieldLabel) => ({ fieldLabel })),
				{ fieldLabel: 'Papers', fieldType: 'file', multipleFiles: true },
			],
		},
		options: {},
	});
	const node = ourNode(host, 'Create and send', workflowOf(platform));
	expect(JSON.stringify(node.parameters)).not.toContain('{{');
	const { id } = await host.api.workflows.save(
		inARow(`Every loan, ${platform}`, [{ ...form, webhookId: randomUUID() }, node]),
	);
	return id;
}
beforeAll(async () => {
	host = await startHost();
	workflowIds.realEstate = await save('realEstate');
	workflowIds.business = await save('business');
});
afterAll(async () => await host?.stop());

/** What a person enters: the row, with its people by their roles. */
function fillIn({ row, people }: Closing): string[] {
	const filled: Record<string, unknown> = { ...row };
	for (const [at, [role, email]] of Object.entries(people).entries()) {
		const [first, last] = email.split('@')[0].split('.');
		const values = [first, last, email, role];
		for (const [index, field] of OF_SIGNER.entries())
			filled[`Signer ${at + 1} ${field}`] = values[index];
	}
	return LABELS.map((label) => String(filled[label] ?? ''));
}

test.each([...LOANS, ...BY_ROLE, ...BUSINESS].map((closing) => [closing.name, closing] as const))(
	'%s: everybody has the places of their labels',
	async (_name, closing) => {
		const { papers, people, platform = 'realEstate' } = closing;
		const files = papers.map(async (paper) => {
			const bytes = new Uint8Array(await drawPaper(paper));
			return new File([bytes], `${paper.name}.pdf`, { type: 'application/pdf' });
		});
		const run = await submitForm(host, workflowIds[platform], [
			...fillIn(closing),
			await Promise.all(files),
		]);
		const [json] = outputJson(run, 'Create and send');
		const sent = host.sandbox.world.transactions.get(String(json.transaction_id))!;
		expect(sent.status).toBe('sent');
		forEachCase(papers, (paper) =>
			expect(readPlaces(sent, paper)).toEqual(expectPlaces(paper, people)),
		);
		expect(countLeftOut(json)).toEqual(countAbsent(closing));
	},
);
