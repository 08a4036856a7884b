import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { outputJson } from '../../host/clients/n8n/executionData.mts';
import { builtInNode, inARow, ourNode } from '../../host/clients/n8n/nodes.mts';
import { submitForm } from './support/forms.mts';
import { startHost, type Host } from './support/host.mts';

/** Several files that somebody uploads in a form of a real n8n, each PDF of which becomes a document. */

let host: Host;
beforeAll(async () => void (host = await startHost()), 300_000);
afterAll(async () => await host?.stop(), 60_000);

const fileField = (fieldLabel: string, multipleFiles: boolean) => ({
	fieldLabel,
	fieldType: 'file',
	multipleFiles,
});

test.each([
	['beside the JSON', {}],
	['in the JSON', { binaryMode: 'combined' }],
])('all PDFs of a form whose files are %s are added in its order', async (_where, settings) => {
	const form = builtInNode('Form', 'formTrigger', 2.2, {
		formTitle: 'Documents of a closing',
		formFields: { values: [fileField('Deed of Trust', false), fileField('Others', true)] },
		options: {},
	});
	const row = inARow('Uploaded files', [
		{ ...form, webhookId: randomUUID() },
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
			additionalFields: {
				paper_note_consent: true,
				titleAgencyId: { __rl: true, mode: 'id', value: 'or_agency_harbor' },
			},
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
	]);
	const { id } = await host.api.workflows.save({
		...row,
		settings: { ...row.settings, ...settings },
	});
	const bytesOf = async (sample: string) =>
		await (await fetch(`${host.sandbox.url}/samples/${sample}.pdf`)).arrayBuffer();
	const pdf = async (sample: string, name: string) =>
		new File([await bytesOf(sample)], name, { type: 'application/pdf' });
	const photo = new File(['a picture'], 'id.jpg', { type: 'image/jpeg' });
	const execution = await submitForm(host, id, [
		await pdf('deed-of-trust', 'Deed of Trust.pdf'),
		[photo, await pdf('borrower-affidavit', 'Affidavit.pdf')],
	]);
	const added = outputJson(execution, 'Add');
	expect(added.map((json) => json.document_name)).toEqual(['Deed of Trust', 'Affidavit']);
	expect(added.map((json) => (json.placed as unknown[]).length)).toEqual([1, 1]);
	expect(JSON.stringify(execution.data.resultData.runData.Add)).toContain(
		"Left out, because it isn't a PDF: id.jpg",
	);
	const { documents } = host.sandbox.world.transactions.get(String(added[0].transaction_id))!;
	const own = documents.filter(({ name }) => ['Deed of Trust', 'Affidavit'].includes(name));
	expect(own.map(({ uploaded }) => uploaded)).toEqual([
		Buffer.from(await bytesOf('deed-of-trust')),
		Buffer.from(await bytesOf('borrower-affidavit')),
	]);
});
