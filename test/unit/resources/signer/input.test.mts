import fc from 'fast-check';

import { buildAssurance } from '../../../../nodes/SignAndClose/resources/signer/identityChecks.ts';
import { withExternalIds } from '../../../../nodes/SignAndClose/resources/signer/people.ts';

/** External IDs of new signers that were given none, and their identity checks. */

const given = (...ids: Array<string | undefined>) =>
	ids.map((id, index) => ({
		email: `s${index}@example.com`,
		...(id !== undefined && { external_id: id }),
	}));
const idsOf = (...ids: Array<string | undefined>) =>
	withExternalIds(given(...ids)).map((signer) => signer.external_id);

test('signers without an external ID get the number of their place, unless another one has it', () => {
	expect(idsOf('borrower-1', undefined, '')).toEqual(['borrower-1', 'signer-2', 'signer-3']);
	expect(idsOf(undefined, 'signer-1', undefined)).toEqual(['signer-2', 'signer-1', 'signer-3']);
	expect(withExternalIds(given(undefined))).toEqual([
		{ email: 's0@example.com', external_id: 'signer-1' },
	]);
});
test('no two signers get the same external ID', () => {
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

// A live service requires the boolean in the middle.
test.each([
	[[], undefined],
	[['selfie'], { id_verification: { selfie: true }, knowledge_based_authentication: false }],
	[['knowledge'], { knowledge_based_authentication: true }],
	[
		['sms'],
		{ knowledge_based_authentication: false, multi_factor_authentication: { type: 'sms' } },
	],
])('the identity checks %j are sent as %j', (checks, expected) => {
	expect(buildAssurance(new Set(checks))).toEqual(expected);
});
