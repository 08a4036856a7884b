import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING, TITLE } from '../../support/closing.mts';
import { attempt, BUSINESS, complaint, hints, JANE, run, transaction } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** What becomes of a create whose transaction exists already. */

useSandbox();
beforeEach(() => {
	sandbox.requests.length = 0;
	sandbox.world.transactions.clear();
});

const ROWS: IDataObject = {
	resource: 'transaction',
	operation: 'createClosing',
	fieldsFrom: 'row',
	transactionType: 'refinance',
	columns: { mappingMode: 'autoMapInputData', value: null },
	additionalFields: { ...TITLE, paper_note_consent: true },
};
const row = (loan: unknown, more: IDataObject = {}): IDataObject => ({
	loan_number: loan,
	borrower_email: 'jane@example.com',
	borrower_first_name: 'Jane',
	borrower_last_name: 'Borrower',
	property_address: '1 Main St',
	property_city: 'Boston',
	property_state: 'MA',
	property_zip: '02110',
	...more,
});
const items = (...rows: IDataObject[]) => ({ items: rows.map((json) => ({ json })) });
const posts = () => sandbox.requests.filter(({ method }) => method === 'POST');
const lists = () =>
	sandbox.requests.filter(({ method, path }) => method === 'GET' && /\/transactions$/.test(path));
const held = () => [...sandbox.world.transactions.values()];
const outputs = ({ items: all }: { items: Array<{ json: IDataObject }> }, field: string) =>
	all.map(({ json }) => json[field]);

describe('rows', () => {
	test('are created once: the second run returns the same closings', async () => {
		const sheet = items(row('1'), row('2'), row('3'));
		const first = await run(ROWS, sheet);
		expect(outputs(first, 'existing')).toEqual([false, false, false]);
		expect(hints(first)).toContain('3 created');
		const second = await run(ROWS, items(row('1'), row('2'), row('3'), row('4')));
		expect(outputs(second, 'existing')).toEqual([true, true, true, false]);
		expect(outputs(second, 'transaction_id').slice(0, 3)).toEqual(outputs(first, 'transaction_id'));
		expect(hints(second)).toContain('1 created, 3 found');
		expect(held()).toHaveLength(4);
	});
	test('without a number are created each time, and the hint says so', async () => {
		await run(ROWS, items(row('')));
		const second = await run(ROWS, items(row('')));
		expect(held()).toHaveLength(2);
		expect(lists()).toEqual([]);
		expect(hints(second)).toContain('1 created without a number, so again in every run');
	});
	test('of one run with one number: the second is refused, naming both', async () => {
		const said = await complaint(ROWS, items(row('1'), row('2'), row('1')));
		expect(said).toMatch(/'Loan Number' of item 3 is 1, as in item 1/);
		const continued = await attempt(ROWS, {
			...items(row('3'), row('3')),
			node: { onError: 'continueErrorOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(continued.errorItems).toHaveLength(1);
		expect(held().filter(({ fields }) => fields.loan_number === '3')).toHaveLength(1);
	});
});
