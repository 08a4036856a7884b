import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { borrowers, CLOSING, id, TITLE } from '../support/closing.mts';
import { shownClosing } from '../support/operations.mts';
import { startHost, type Host } from './support/host.mts';

/**
 * Closings at a service that answers, refuses and waits as a live one does, and whose PUT resets
 * what isn't sent: in a real n8n.
 */

let host: Host;
beforeAll(async () => {
	host = await startHost({ sandbox: { switches: { put: 'replace' } } });
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);

const THREE_SIGNERS: IDataObject = {
	...CLOSING,
	signers: borrowers(
		{},
		{
			email: 'joe.typo@example.com',
			first_name: 'Joe',
			last_name: 'Borrower',
			external_id: 'co',
		},
		{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Trustee', external_id: 'trustee' },
	),
	additionalFields: { ...TITLE, paper_note_consent: true, loan_number: '7001234' },
};
const onTransaction = (operation: string, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation,
	platform: 'realEstate',
	transactionId: id("={{ $('Create closing').first().json.transaction_id }}"),
	additionalFields: {},
	...more,
});

/** Runs nodes in a row and returns the output of the last one. */
async function runInARow(name: string, nodes: Array<[string, IDataObject]>): Promise<IDataObject> {
	const workflow = await host.api.workflows.save(
		workflowInARow(
			name,
			nodes.map(([title, parameters]) => ourNode(host, title, parameters)),
		),
	);
	const execution = await host.api.executions.runToEnd(workflow.id);
	expect(failureReason(execution)).toBe('');
	return outputJson(execution, nodes.at(-1)![0])[0] as IDataObject;
}

const stored = (transactionId: unknown) =>
	host.sandbox.world.transactions.get(String(transactionId))!;

test('a closing with three signers is created, sent, corrected after sending, and completed', async () => {
	const { transaction_id: transactionId, ...corrected } = await runInARow('Three signers', [
		['Create closing', THREE_SIGNERS],
		[
			'Add deed',
			{
				resource: 'document',
				operation: 'add',
				platform: 'realEstate',
				transactionId: id("={{ $('Create closing').first().json.transaction_id }}"),
				source: 'url',
				fileUrl: `${host.sandbox.url}/samples/deed-of-trust.pdf`,
				documentName: 'Deed of Trust',
				requirement: 'notarization',
				additionalFields: {},
			},
		],
		['Send', onTransaction('send')],
		[
			'Correct co-signer',
			onTransaction('correctSigner', {
				signerId: id('co'),
				corrections: { email: 'joe@example.com' },
				sendAgain: true,
				recallReason: 'Typo in the email address',
				settingsNotShown: 'set',
				closingSettings: { paper_note_consent: true },
			}),
		],
	]);
	expect(corrected).toMatchObject({
		detailed_status: 'sent_to_signer',
		correction_steps: ['recalled', 'corrected', 'sent'],
	});
	expect(stored(transactionId).signers.map(({ email }) => email)).toEqual([
		'jane.borrower@example.com',
		'joe@example.com',
		'ann@example.com',
	]);
	await host.sandbox.act.complete(String(transactionId));
	const done = await runInARow('After the meeting', [
		[
			'Get transaction',
			{
				resource: 'transaction',
				operation: 'get',
				platform: 'realEstate',
				transactionId: id(String(transactionId)),
				output: 'raw',
			},
		],
	]);
	expect(done).toMatchObject({ status: 'completed', detailed_status: 'complete' });
	expect((done.signers as IDataObject[]).map(({ signing_status: status }) => status)).toEqual([
		'complete',
		'complete',
		'complete',
	]);
	expect(host.sandbox.problems).toEqual([]);
}, 180_000);

test('an update of the name alone leaves everything else as it was, except for what no answer shows', async () => {
	const closing: IDataObject = {
		...CLOSING,
		additionalFields: {
			...TITLE,
			loan_number: '7001235',
			file_number: 'F-1',
			paper_note_consent: true,
			contacts: {
				row: [
					{
						first_name: 'Al',
						last_name: 'Agent',
						email: 'al@title.example',
						role: 'title_agent',
						phone_number: '6175550100',
					},
				],
			},
			additionalJson: JSON.stringify({
				redirect: { url: 'https://lender.example/done', message: 'Thank you' },
			}),
		},
	};
	const { transaction_id: transactionId } = await runInARow('To be renamed', [
		['Create closing', closing],
	]);
	const before = await shownClosing(transactionId, host.sandbox);
	expect(stored(transactionId).fields.paper_note_consent).toBe(true);
	await runInARow('Renaming', [
		[
			'Update',
			{
				resource: 'transaction',
				operation: 'update',
				platform: 'realEstate',
				transactionId: id(String(transactionId)),
				updateFields: { transaction_name: 'Another name' },
				settingsNotShown: 'set',
				closingSettings: { paper_note_consent: true },
			},
		],
	]);
	expect(await shownClosing(transactionId, host.sandbox)).toEqual({
		...before,
		transaction_name: 'Another name',
	});
	expect(before).toMatchObject({
		recording_jurisdiction: { id: 'rlboston' },
		redirect: { redirect_url: 'https://lender.example/done', redirect_msg: 'Thank you' },
		contacts: [{ email: 'al@title.example', role: 'title_agent' }],
	});
	expect(before.title_agency).toBeDefined();
	expect(before.title_underwriter).toBeDefined();
	// No answer shows it: it was sent back because it was set below.
	expect(stored(transactionId).fields.paper_note_consent).toBe(true);
}, 180_000);
