import { InputFailure } from '../../../../../nodes/SignAndClose/messages/failures.ts';
import { checkTransactionNumber } from '../../../../../nodes/SignAndClose/resources/transaction/ifExists/numberCheck.ts';

/** Numbers that tell transactions apart, and texts that only stand where a number should. */

/** What a person reads. */
function complaint(value: string): string {
	try {
		checkTransactionNumber('Loan Number', value);
	} catch (thrown) {
		expect(thrown).toBeInstanceOf(InputFailure);
		const { message, remedy } = thrown as InputFailure;
		expect(message).toContain(`'Loan Number' is '${value}'`);
		return `${message}. ${remedy}`;
	}
	return '';
}

test.each([
	['7'],
	['0007'],
	['100223123456789012'],
	['LN-7001234'],
	['Loan # 7'],
	['2026-118'],
	['2026/118-A'],
	['case-118'],
	['-118'],
	['A0'],
	['1E5'],
	['12e10'],
	['new-york-7'],
	['Newman'],
	['Nathan'],
	['pending-7'],
	['testimony'],
	['smith-refinance'],
	['hVx_9aQz-'],
	['п-7'],
	['借款7'],
	['n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427'],
])('%s is a number', (value) => {
	expect(complaint(value)).toBe('');
});

test.each([['1.17E+17'], ['1,00E+12'], ['1e+21'], ['1.00223e12'], ['-1.5E+7']])(
	'%s is what a spreadsheet has rounded',
	(value) => {
		expect(complaint(value)).toMatch(/rounded.*text/);
	},
);

test.each([
	['TBD'],
	['t.b.d.'],
	['To be determined'],
	['pending'],
	['Pending...'],
	['N/A'],
	['n.a.'],
	['NA'],
	['none'],
	['Unknown'],
	['new'],
	['test'],
	['TEST 1'],
	['xxx'],
	['?'],
	['???'],
	['-'],
	['— —'],
	['####'],
	['0'],
	['000'],
	['0.00'],
	['000-000'],
	['null'],
	['LN-TBD'],
	['Loan # N/A'],
])('%s is a placeholder', (value) => {
	expect(complaint(value)).toMatch(/tells no transaction from another.*its own number/);
});

test.each([
	['LN-'],
	['LN'],
	['Loan #'],
	['Loan No.'],
	['loan number:'],
	['Order '],
	['2026-'],
	['LN-2026-'],
	['LN-undefined'],
	['LN-null'],
	['[object Object]'],
	['LN-[object Object]'],
])('%s has nothing behind its prefix', (value) => {
	expect(complaint(value)).toMatch(/without a number.*expression/);
});

test.each([['#REF!'], ['LN-#VALUE!'], ['#NAME?'], ['#DIV/0!'], ['#N/A']])(
	'%s is what a formula has left',
	(value) => {
		expect(complaint(value)).toMatch(/formula/);
	},
);
