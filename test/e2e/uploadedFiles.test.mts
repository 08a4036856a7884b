import { randomUUID } from 'node:crypto';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { builtInNode, inARow, ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { submitForm } from './support/forms.mts';
import { startHost, type Host } from './support/host.mts';
import { toForm } from '../support/closing.mts';

/** Files of an item in a real n8n, each PDF of which becomes a document. */

let host: Host;
beforeAll(async () => void (host = await startHost()));
afterAll(async () => await host?.stop());

const fileField = (fieldLabel: string, multipleFiles: boolean) => ({
	fieldLabel,
	fieldType: 'file',
	multipleFiles,
});

/** Makes a closing and adds every PDF of the item to it. */
const createAndAdd = () => [
	ourNode(host, 'Create', {
		resource: 'transaction',
		operation: 'createClosing',
		transactionType: 'refinance',
		transactionName: 'Refinance 100 Harbor Street',
		signers: {
			row: [
				{
					email: 'jane@example.com',
					first_name: 'Jane',
					last_name: 'Miller',
					external_id: 'borrower-1',
				},
			],
		},
		addressLine1: '100 Harbor Street',
		addressCity: 'Boston',
		addressState: 'MA',
		addressZipCode: '02110',
		...toForm({
			paper_note_consent: true,
			titleAgencyId: { __rl: true, mode: 'id', value: 'or_agency_harbor' },
		}),
	}),
	ourNode(host, 'Add', {
		resource: 'document',
		operation: 'add',
		platform: 'realEstate',
		transactionId: { __rl: true, mode: 'id', value: '={{ $json.transaction_id }}' },
		source: 'allFiles',
		requirement: 'notarization',
		whereToSign: 'text',
		texts: {
			row: [
				{
					text: 'Borrower Signature',
					signer_identifier: 'borrower-1',
					type: 'signature',
					where: 'above',
				},
			],
		},
		additionalFields: {},
	}),
];

const bytesOf = async (sample: string) =>
	Buffer.from(await (await fetch(`${host.sandbox.url}/samples/${sample}.pdf`)).arrayBuffer());

/** What the documents that were added hold. */
const uploadedOf = (added: Array<Record<string, unknown>>) =>
	added.map(
		({ document_id: id, transaction_id: transactionId }) =>
			host.sandbox.world.transactions
				.get(String(transactionId))!
				.documents.find((document) => document.id === id)!.uploaded,
	);

test('all PDFs of a form are added in its order, whichever n8n has stored first', async () => {
	const form = builtInNode('Form', 'formTrigger', 2.2, {
		formTitle: 'Documents of a closing',
		formFields: { values: [fileField('Deed of Trust', false), fileField('Affidavits', true)] },
		options: {},
	});
	const { id } = await host.api.workflows.save(
		inARow('Uploaded files', [{ ...form, webhookId: randomUUID() }, ...createAndAdd()]),
	);
	const pdf = async (sample: string, name: string) =>
		new File([await bytesOf(sample)], name, { type: 'application/pdf' });
	const photo = new File(['a picture'], 'id.jpg', { type: 'image/jpeg' });
	const values = [
		await pdf('deed-of-trust', 'Deed of Trust.pdf'),
		[photo, await pdf('borrower-affidavit', 'Affidavit.pdf')],
	];
	const execution = await submitForm(host, id, values, { lastFirst: true });
	const added = outputJson(execution, 'Add');
	expect(added.map((json) => json.document_name)).toEqual(['Deed of Trust', 'Affidavit']);
	expect(added.map((json) => (json.placed as unknown[]).length)).toEqual([1, 1]);
	expect(JSON.stringify(execution.data.resultData.runData.Add)).toContain(
		"Left out, because it isn't a PDF: id.jpg",
	);
	expect(uploadedOf(added)).toEqual([
		await bytesOf('deed-of-trust'),
		await bytesOf('borrower-affidavit'),
	]);
});

// n8n 2.41 doesn't publish a form in such a workflow.
test('a file that n8n keeps in the JSON is added', async () => {
	const fetched = builtInNode('Fetch', 'httpRequest', 4.2, {
		url: `${host.sandbox.url}/samples/deed-of-trust.pdf`,
		options: { response: { response: { responseFormat: 'file' } } },
	});
	const row = workflowInARow('Files in the JSON', [fetched, ...createAndAdd()]);
	const { id } = await host.api.workflows.save({
		...row,
		settings: { ...row.settings, binaryMode: 'combined' },
	});
	const run = await host.api.executions.runToEnd(id);
	expect(failureReason(run)).toBe('');
	expect(Object.keys(outputJson(run, 'Fetch')[0])).toContain('_files');
	const added = outputJson(run, 'Add');
	expect(added.map((json) => json.document_name)).toEqual(['deed-of-trust']);
	expect(uploadedOf(added)).toEqual([await bytesOf('deed-of-trust')]);
});
