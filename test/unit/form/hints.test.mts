import { describeDifferences, describeNotSent } from '../../../nodes/SignAndClose/form/hints.ts';
import type { FieldDifference } from '../../../nodes/SignAndClose/values/comparison.ts';

/** The hint about fields that the service shows with another value than the one it was sent. */

const LABELS: Record<string, string> = { name: 'Document Name', transactionName: 'Title' };
const params = { label: (name: string) => LABELS[name] ?? name };

test.each<[string, unknown, unknown, string]>([
	['name', 'Deed', 'Deed.pdf', "'Document Name': sent 'Deed', the service shows 'Deed.pdf'"],
	['transaction_name', 'A', 'B', "'Title': sent 'A', the service shows 'B'"],
	['tracking_id', 7, true, "'Tracking ID': sent '7', the service shows 'true'"],
	['name', '', 'Deed', "'Document Name': sent nothing, the service shows 'Deed'"],
	['name', ['A'], [null], `'Document Name': sent '["A"]', the service shows nothing`],
	[
		'name',
		'a'.repeat(201),
		{ city: 'Ames' },
		`'Document Name': sent '${'a'.repeat(200)}...', the service shows '{"city":"Ames"}'`,
	],
])('of %s, sent %j and shown %j', (field, wanted, shown, expected) => {
	const difference: FieldDifference = { field, expected: wanted, actual: shown };
	expect(describeDifferences(params, [difference])).toBe(expected);
	expect(describeDifferences(params, [difference, difference])).toBe(`${expected}. ${expected}`);
	expect(describeDifferences(params, [])).toBeUndefined();
});

test('what was not sent back is named by why it was not', () => {
	expect(describeNotSent({ notShown: [], unknown: [] })).toBeUndefined();
	expect(describeNotSent()).toBeUndefined();
	const hint = describeNotSent({ notShown: ['title_agency'], unknown: ['pet_name', 'nickname'] });
	expect(hint).toMatch(/shows no title agency of.*\. .*shows pet name, nickname, which.*know/);
});
