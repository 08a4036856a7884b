import { expect, test } from '@jest/globals';

import { differenceHint } from '../../../../nodes/SignAndClose/resources/shared/outputHints.ts';

/** The hint about fields that the service shows with another value than the one it was sent. */

const LABELS: Record<string, string> = { name: 'Document Name', transactionName: 'Title' };
const params = { label: (name: string) => LABELS[name] ?? name };
const hint = (field: string, wanted: unknown, shown: unknown) =>
	differenceHint(params, [{ field, wanted, shown }]);

test('shows both values and the label of the field', () => {
	expect(hint('name', 'Deed', 'Deed.pdf')).toBe(
		"'Document Name': sent 'Deed', the service shows 'Deed.pdf'",
	);
	expect(hint('transaction_name', 'A', 'B')).toBe("'Title': sent 'A', the service shows 'B'");
	expect(hint('tracking_id', 7, true)).toBe("'tracking_id': sent '7', the service shows 'true'");
});
test('says when one of them is nothing', () => {
	expect(hint('name', '', 'Deed')).toBe("'Document Name': sent nothing, the service shows 'Deed'");
	expect(hint('name', 'Deed', [null])).toBe(
		"'Document Name': sent 'Deed', the service shows nothing",
	);
});
test('shows lists and objects as JSON, and long values in part', () => {
	expect(hint('name', { city: 'Ames' }, ['Boone'])).toBe(
		`'Document Name': sent '{"city":"Ames"}', the service shows '["Boone"]'`,
	);
	expect(hint('name', 'a'.repeat(201), 'b'.repeat(200))).toBe(
		`'Document Name': sent '${'a'.repeat(200)}...', the service shows '${'b'.repeat(200)}'`,
	);
});
test('joins several, and says nothing of none', () => {
	expect(
		differenceHint(params, [
			{ field: 'name', wanted: 'A', shown: 'B' },
			{ field: 'x', wanted: 1, shown: 2 },
		]),
	).toBe("'Document Name': sent 'A', the service shows 'B'. 'x': sent '1', the service shows '2'");
	expect(differenceHint(params, [])).toBeUndefined();
});
