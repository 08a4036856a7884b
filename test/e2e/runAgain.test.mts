import type { IDataObject } from 'n8n-workflow';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { ourNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { startHost, type Host } from './support/host.mts';
import { toForm } from '../support/closing.mts';

/** A sheet that is run three times in a real n8n, from the closings to the invitations. */

let host: Host;
beforeAll(async () => void (host = await startHost()));
afterAll(async () => await host?.stop());

const row = (loan: number, more: IDataObject = {}): IDataObject => ({
	'Loan #': 7001000 + loan,
	'Borrower E-Mail': `jane${loan}@example.com`,
	'Borrower First Name': 'Jane',
	'Borrower Last Name': 'Borrower',
	'Property Address': `${loan} Harbor Street`,
	'Property City': 'Boston',
	'Property State': 'MA',
	'Property ZIP': 2110,
	...more,
});

/** Two nodes add a document of the same name, and the last one sends. */
async function runSheet(rows: IDataObject[]) {
	const closing = {
		platform: 'realEstate',
		transactionId: {
			__rl: true,
			mode: 'id',
			value: "={{ $('Create').item.json.transaction_id }}",
		},
	};
	const add = {
		resource: 'document',
		operation: 'add',
		...closing,
		source: 'url',
		fileUrl: `${host.sandbox.url}/samples/deed-of-trust.pdf`,
		documentName: 'Deed of Trust',
		requirement: 'notarization',
		whereToSign: 'json',
		designationsJson: '[]',
		additionalFields: { ifExists: 'skip' },
	};
	const { id } = await host.api.workflows.save({
		...workflowInARow('Sheet', [
			ourNode(host, 'Create', {
				resource: 'transaction',
				operation: 'createClosing',
				fieldsFrom: 'row',
				transactionType: 'refinance',
				columns: { mappingMode: 'autoMapInputData', value: null },
				...toForm({
					paper_note_consent: true,
					titleAgencyId: { __rl: true, mode: 'id', value: 'or_agency_harbor' },
				}),
			}),
			ourNode(host, 'Add', add),
			ourNode(host, 'Add again', add),
			ourNode(host, 'Send', {
				resource: 'transaction',
				operation: 'send',
				...closing,
				additionalFields: { ifAlreadySent: 'return' },
			}),
		]),
		pinData: { Start: rows.map((json) => ({ json })) },
	});
	host.sandbox.requests.length = 0;
	const execution = await host.api.executions.runToEnd(id);
	expect(failureReason(execution)).toBe('');
	const existing = (node: string) =>
		outputJson(execution, node).map((json) => json.existing as unknown);
	return {
		existing: { create: existing('Create'), add: existing('Add'), again: existing('Add again') },
		written: host.sandbox.requests
			.filter(({ method }) => method !== 'GET')
			.map(({ path }) => path.split('/').at(-1))
			.sort(),
	};
}

test('three runs, one of them with a corrected row: no closing, document or invitation twice', async () => {
	const first = await runSheet([row(1), row(2), row(3)]);
	expect(first.existing).toEqual({
		create: [false, false, false],
		add: [false, false, false],
		again: [false, false, false],
	});
	const all = (what: string, count: number) => Array.from({ length: count }, () => what);
	expect(first.written).toEqual([
		...all('documents', 6),
		...all('place_order', 3),
		...all('transactions', 3),
	]);
	const second = await runSheet([row(1), row(2), row(3)]);
	expect(second.existing).toEqual({
		create: [true, true, true],
		add: [true, true, true],
		again: [true, true, true],
	});
	expect(second.written).toEqual([]);
	const corrected = row(2, { 'Property Address': '22 Harbor Street' });
	const third = await runSheet([row(1), corrected, row(3), row(4)]);
	expect(third.existing).toEqual({
		create: [true, true, true, false],
		add: [true, true, true, false],
		again: [true, true, true, false],
	});
	expect(third.written).toEqual(['documents', 'documents', 'place_order', 'transactions']);
	expect(host.sandbox.world.transactions.size).toBe(4);
	expect(host.sandbox.problems).toEqual([]);
});
