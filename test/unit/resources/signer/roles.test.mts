import {
	takeRoles,
	parseRole,
	readRoleId,
	requireRole,
	ROLE_NAMES,
	type SignerWithRole,
} from '../../../../nodes/SignAndClose/resources/signer/roles.ts';
import { findSignerId } from '../../../../nodes/SignAndClose/resources/document/places/formFields/fieldNames.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Roles of signers, and the external IDs that are made of them. */

const withRoles = (...all: Array<string | [role: string, id: string]>): SignerWithRole[] =>
	all.map((entry) => {
		const [role, external_id] = [entry].flat();
		return {
			...(role && { role: requireRole(role, 'Role') }),
			...(external_id && { external_id }),
		};
	});
const idsOf = (...all: Parameters<typeof withRoles>) =>
	takeRoles(withRoles(...all), 'Signers').signers.map(({ external_id: id }) => id);

test.each([
	['Borrower', 'borrower', undefined],
	['applicant', 'borrower', undefined],
	['Co-Borrower', 'borrower', 2],
	['coborrower', 'borrower', 2],
	['borrower-2', 'borrower', 2],
	['Second Buyer', 'buyer', 2],
	['Buyer 3', 'buyer', 3],
	['Trustee', 'trustee', undefined],
])('"%s" is the role %s, %s', (text, party, number) => {
	expect(parseRole(text)).toEqual({ party, number });
});
test.each([
	'Co-Borower',
	'signer-2',
	'Signer',
	'Notary',
	'witness1',
	'jane',
	'Borrower Spouse',
	'',
])('"%s" is no role', (text) => {
	expect(parseRole(text)).toBeUndefined();
});
test('each role that forms offer is one', () => {
	forEachCase(ROLE_NAMES, (name) => expect(parseRole(name)).toBeDefined());
});
test('a word that is no role is refused, naming those there are', () => {
	expect(() => requireRole('Guarantor', 'Role')).toThrow("'Role' is 'Guarantor'");
});
test('a role makes an external ID, unless there is one', () => {
	expect(idsOf('Borrower', 'Co-Borrower', 'Seller', ['Trustee', 'jane'], '')).toEqual([
		'borrower-1',
		'borrower-2',
		'seller-1',
		'jane',
		undefined,
	]);
});
test('signers of one role are numbered in their order, and a number that is entered wins', () => {
	expect(idsOf('Buyer', 'Buyer', 'Borrower', 'Borrower 1')).toEqual([
		'buyer-1',
		'buyer-2',
		'borrower-2',
		'borrower-1',
	]);
});
test('two signers of the same role and number are refused', () => {
	expect(() => idsOf('Co-Borrower', 'Borrower 2')).toThrow(
		"'Signers' has the role Borrower 2 twice",
	);
});
test('signers keep nothing of it but the external ID', () => {
	const { signers, roles } = takeRoles(withRoles('Co-Borrower', ['Seller', 'x']), 'Signers');
	expect(signers).toEqual([{ external_id: 'borrower-2' }, { external_id: 'x' }]);
	expect([...roles]).toEqual([
		['borrower-2', { parties: [{ party: 'borrower', number: 2 }], hasMadeId: true }],
		['x', { parties: [{ party: 'seller', number: 1 }], hasMadeId: false }],
	]);
});
test('the name of a form field tells the signer by a role, or by the external ID', () => {
	const { roles } = takeRoles(withRoles(['Seller', 'signer-1'], ['Buyer', 'signer-2']), 'Signers');
	const find = (party: string, number: number) =>
		findSignerId({ party, number }, { ids: ['signer-1', 'signer-2'], roles }, []);
	expect(find('seller', 1)).toBe('signer-1');
	expect(find('buyer', 1)).toBe('signer-2');
	expect(find('signer', 2)).toBe('signer-2');
	expect(find('buyer', 2)).toBeUndefined();
});
test('only an external ID of this form is read as made of a role', () => {
	expect(readRoleId('trustee-12')).toEqual({ party: 'trustee', number: 12 });
	forEachCase(['signer-1', 'Borrower-1', 'borrower1', 'notary-1', 'borrower-0', undefined], (id) =>
		expect(readRoleId(id)).toBeUndefined(),
	);
});
