import type { IDataObject } from 'n8n-workflow';

import { TITLE, toForm } from '../../support/closing.mts';
import { complaint, run } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** A transaction isn't recognized by what only stands where its number should. */

useSandbox();
beforeEach(() => {
	sandbox.requests.length = 0;
});

const ROWS: IDataObject = {
	resource: 'transaction',
	operation: 'createClosing',
	fieldsFrom: 'row',
	transactionType: 'refinance',
	columns: { mappingMode: 'autoMapInputData', value: null },
	...toForm({ ...TITLE, paper_note_consent: true }),
};
const row = (loan: string | number): IDataObject => ({
	loan_number: loan,
	borrower_email: 'jane@example.com',
	borrower_first_name: 'Jane',
	borrower_last_name: 'Borrower',
	property_address: '1 Main St',
	property_city: 'Boston',
	property_state: 'MA',
	property_zip: '02110',
});
const sheet = (loan: string | number) => ({ items: [{ json: row(loan) }] });

test.each<[string | number, RegExp]>([
	['TBD', /'Loan Number' is 'TBD', which tells no transaction.*its own number/],
	['LN-', /'Loan Number' is 'LN-', a prefix without a number/],
	['1.00E+12', /'loan_number' is '1.00E\+12'.*rounded/],
	[2 ** 60, /'loan_number' is the number 1152921504606847000.*exact.*text/],
])('%p as a loan number is refused, and nothing is asked or sent', async (loan, expected) => {
	expect(await complaint(ROWS, sheet(loan))).toMatch(expected);
	expect(sandbox.requests).toEqual([]);
});

test.each([['N/A'], ['-'], ['none']])('%p is an empty cell', async (loan) => {
	expect((await run(ROWS, sheet(loan))).json.existing).toBe(false);
});
