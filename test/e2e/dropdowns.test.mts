import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { Editor } from '../../host/clients/editor.mts';
import { saveDropdownWorkflow } from '../../host/demo/dropdownWorkflow.mts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { startHost, type Host } from './support/host.mts';
import { describeInBrowser } from './support/inBrowser.mts';

/** The node's dropdown lists and actions in a real editor. */

describeInBrowser('in the editor', () => {
	let host: Host;
	let editor: Editor;
	let workflowId: string;
	beforeAll(async () => {
		host = await startHost();
		workflowId = (await saveDropdownWorkflow(host.api, host.sandbox)).id;
		editor = await Editor.open(host.n8n.url, { width: 1600, height: 1300 });
	}, 300_000);
	beforeEach(async () => await editor.openWorkflow(workflowId));
	afterEach(() => expect(editor.pageErrors).toEqual([]));
	afterAll(async () => {
		await editor?.close();
		await host?.stop();
	}, 60_000);

	test('a recording jurisdiction narrows the title agencies, an agency narrows the underwriters', async () => {
		await editor.openNode('Create closing');
		await editor.selectFromList('recordingJurisdictionId', 'Hampshire County');
		await editor.openList('titleAgencyId');
		expect(await editor.listEntries()).toEqual([
			'Beacon Settlement Services · 18 Beacon Street, Springfield, MA 01103',
		]);
		await editor.pressEscape();
		await editor.selectFromList('titleAgencyId', 'Beacon');
		await editor.openList('titleUnderwriterId');
		expect(await editor.listEntries()).toEqual(['Summit National Title']);
		await editor.closeNode();
	});

	test('an address from an expression without data gives a message, with data it gives a list', async () => {
		await editor.openNode('From the loan file');
		await editor.openList('recordingJurisdictionId');
		expect((await editor.listEntries()).join()).toMatch(
			/'City' uses an expression that has no data yet. Execute the nodes before this one/,
		);
		await editor.closeNode();
		await editor.execute();
		await editor.waitForSuccess(3);
		await editor.openNode('From the loan file');
		await editor.openList('recordingJurisdictionId');
		expect(await editor.listEntries()).toEqual(['Hampden County · MA', 'Hampshire County · MA']);
		await editor.closeNode();
	});

	test('the signers of a designation, and the recording jurisdictions of an existing closing', async () => {
		await editor.openNode('Add document');
		expect(await editor.openDropdown('signer_identifier')).toEqual([
			'Jane Borrower · jane.borrower@example.com borrower-1',
			'Joe Borrower · joe.borrower@example.com borrower-2',
			'Notary',
			'Witness 1',
			'Witness 2',
		]);
		await editor.closeNode();
		await editor.openNode('Update');
		await editor.openList('recordingJurisdictionId');
		expect(await editor.listEntries()).toEqual(['Boston County · MA']);
		await editor.closeNode();
	});

	test("a list with a key that isn't valid says so", async () => {
		await editor.openNode('Old key');
		await editor.openList('transactionId');
		expect((await editor.listEntries()).join()).toMatch(
			/The service didn't accept the API key. Check 'API Key' in the credential/,
		);
		await editor.closeNode();
	});

	test('every operation is listed as an action', async () => {
		await editor.showActions('Sign and Close');
		for (const { action } of operations)
			expect(await editor.page.getByText(action, { exact: true }).count()).toBeGreaterThan(0);
	});
});
