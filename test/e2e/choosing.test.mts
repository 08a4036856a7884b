import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { itemsOf, PACKAGE, whyFailed, type WorkflowNode } from '../../host/clients/n8nApi.mts';
import { Editor } from '../../host/clients/editor.mts';
import { setUpChoosing, type Choosing } from '../../host/demo/choosingWorkflow.mts';
import { startHost, type Host } from './support/host.mts';
import { findChromium } from '../../scripts/chromium.mts';

/**
 * Choosing instead of typing, in a real editor, and a chain of the newer operations in a real run.
 */

let host: Host;
let choosing: Choosing;
beforeAll(async () => {
	host = await startHost();
	choosing = await setUpChoosing(host.api, host.sandbox);
}, 300_000);
afterAll(async () => await host?.stop(), 60_000);

test('a chain of operations in a real run: the expiry is the intended instant, the signer is corrected after sending', async () => {
	const transactionId = { __rl: true, mode: 'id', value: '={{ $json.transaction_id }}' };
	const steps: Array<[string, Record<string, unknown>]> = [
		[
			'Create',
			{
				resource: 'transaction',
				operation: 'create',
				transactionName: 'Chain',
				signers: {
					row: [
						{
							email: 'wrong@example.com',
							first_name: 'Jane',
							last_name: 'Signer',
							external_id: 's1',
						},
					],
				},
				documents: {
					row: [
						{
							source: 'template',
							templateId: { __rl: true, mode: 'id', value: 'od_affidavit' },
							requirement: 'notarization',
							name: 'Affidavit',
						},
					],
				},
				draft: true,
				additionalFields: { expiry: '2099-07-15T17:00:00' },
			},
		],
		[
			'Update',
			{
				resource: 'transaction',
				operation: 'update',
				platform: 'business',
				transactionId,
				updateFields: { message_to_signer: 'Please sign' },
			},
		],
		['Send', { resource: 'transaction', operation: 'send', platform: 'business', transactionId }],
		[
			'Correct',
			{
				resource: 'transaction',
				operation: 'correctSigner',
				platform: 'business',
				transactionId,
				signerId: { __rl: true, mode: 'id', value: 's1' },
				corrections: { email: 'right@example.com' },
			},
		],
		['List', { resource: 'document', operation: 'getAll', platform: 'business', transactionId }],
		[
			'Delete',
			{ resource: 'transaction', operation: 'delete', platform: 'business', transactionId },
		],
	];
	const nodes: WorkflowNode[] = steps.map(([name, parameters], index) => ({
		id: `n${index}`,
		name,
		type: `${PACKAGE}.signAndClose`,
		typeVersion: 1,
		position: [200 * (index + 1), 0],
		parameters,
		credentials: host.credentials,
	}));
	const names = ['Start', ...steps.map(([name]) => name)];
	const { id } = await host.api.saveWorkflow({
		name: 'Chain',
		nodes: [
			{
				id: 's',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			...nodes,
		],
		connections: Object.fromEntries(
			names
				.slice(0, -1)
				.map((name, index) => [
					name,
					{ main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
				]),
		),
		settings: { executionOrder: 'v1', timezone: 'America/New_York' },
	});
	const run = await host.api.runToEnd(id);
	expect(whyFailed(run)).toBe('');
	const created = host.sandbox.requests.find(
		({ method, path }) => method === 'POST' && path === '/transactions',
	)!.body as { expiry: string };
	expect(created.expiry).toBe('2099-07-15T17:00:00-04:00');
	expect(itemsOf(run, 'Correct')[0].json).toMatchObject({
		detailed_status: 'sent_to_signer',
		correction_steps: ['recalled', 'corrected', 'sent'],
	});
	expect(itemsOf(run, 'List')[0].json).toMatchObject({ document_name: 'Affidavit' });
	expect(itemsOf(run, 'Delete')[0].json).toMatchObject({ deleted: true });
	expect(host.sandbox.problems).toEqual([]);
});

(findChromium() === undefined ? describe.skip : describe)('in the editor', () => {
	let editor: Editor;
	beforeAll(async () => {
		editor = await Editor.open(host.n8n.url, { viewport: { width: 1600, height: 1300 } });
	});
	beforeEach(async () => await editor.openWorkflow(choosing.workflow.id));
	afterEach(() => expect(editor.complaints).toEqual([]));
	afterAll(async () => await editor?.close());

	test('address -> recording jurisdiction -> title agency -> underwriter', async () => {
		await editor.openNode('Create closing');
		await editor.choose('recordingJurisdictionId', 'Hampshire County');
		await editor.openList('titleAgencyId');
		expect(await editor.listed()).toEqual(['Beacon Settlement Services · Springfield']);
		await editor.closePanel();
		await editor.choose('titleAgencyId', 'Beacon');
		await editor.openList('titleUnderwriterId');
		expect(await editor.listed()).toEqual(['Summit National Title']);
		await editor.closeNode();
	});

	test('an address that is an expression without data says so; with data the list is there', async () => {
		await editor.openNode('From the loan file');
		await editor.openList('recordingJurisdictionId');
		expect((await editor.listed()).join()).toMatch(
			/'City' is an expression that gives nothing yet. Run the nodes before this one once/,
		);
		await editor.closeNode();
		await editor.execute();
		await editor.waitForGreen(3);
		await editor.openNode('From the loan file');
		await editor.openList('recordingJurisdictionId');
		expect(await editor.listed()).toEqual(['Hampden County · MA', 'Hampshire County · MA']);
		await editor.closeNode();
	});

	test('who signs at a place, and the jurisdictions of a closing that is updated', async () => {
		await editor.openNode('Add document');
		expect(await editor.openOptions('signer_identifier')).toEqual([
			'Jane Borrower · jane.borrower@example.com borrower-1',
			'Joe Borrower · joe.borrower@example.com borrower-2',
			'Notary',
			'Witness 1',
			'Witness 2',
		]);
		await editor.closeNode();
		await editor.openNode('Update');
		await editor.openList('recordingJurisdictionId');
		expect(await editor.listed()).toEqual(['Boston County · MA']);
		await editor.closeNode();
	});

	test('a list that can not be loaded says why', async () => {
		await editor.openNode('Old key');
		await editor.openList('transactionId');
		expect((await editor.listed()).join()).toMatch(
			/The service did not accept the API key. Check 'API Key' in the credential/,
		);
		await editor.closeNode();
	});

	test('every operation is offered by name', async () => {
		await editor.showActions('Sign and Close');
		for (const action of [
			'Verify address',
			'Create closing',
			'Correct signer of transaction',
			'Get many title agencies',
		])
			expect(await editor.page.getByText(action, { exact: true }).count()).toBeGreaterThan(0);
	});
});
