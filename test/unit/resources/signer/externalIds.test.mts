import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { withExternalIds } from '../../../../nodes/SignAndClose/resources/signer/input.ts';

/** External IDs of new signers that were given none. */

const given = (...ids: Array<string | undefined>) =>
	ids.map((id, index) => ({
		signer: { email: `s${index}@example.com`, ...(id !== undefined && { external_id: id }) },
		checks: index,
	}));
const idsOf = (...ids: Array<string | undefined>) =>
	withExternalIds(given(...ids)).map(({ signer }) => signer.external_id);

test('signers without one get the number of their place', () => {
	expect(idsOf(undefined, undefined, undefined)).toEqual(['signer-1', 'signer-2', 'signer-3']);
	expect(idsOf('borrower-1', undefined)).toEqual(['borrower-1', 'signer-2']);
	expect(idsOf(undefined, '')).toEqual(['signer-1', 'signer-2']);
});
test('a number that another signer has is passed over', () => {
	expect(idsOf(undefined, 'signer-1', undefined)).toEqual(['signer-2', 'signer-1', 'signer-3']);
	expect(idsOf('signer-2', undefined)).toEqual(['signer-2', 'signer-3']);
});
test('nothing else of a signer changes', () => {
	expect(withExternalIds(given(undefined))).toEqual([
		{ signer: { email: 's0@example.com', external_id: 'signer-1' }, checks: 0 },
	]);
});
test('no two signers have the same one', () => {
	const id = fc.option(fc.constantFrom('signer-1', 'signer-2', 'signer-3', 'signer-4', 'a', ''), {
		nil: undefined,
	});
	fc.assert(
		fc.property(fc.array(id, { maxLength: 10 }), (ids) => {
			const own = ids.filter((one) => one !== undefined && one !== '');
			fc.pre(new Set(own).size === own.length);
			const all = idsOf(...ids);
			expect(new Set(all).size).toBe(ids.length);
			expect(all.every((one) => typeof one === 'string' && one !== '')).toBe(true);
		}),
	);
});
