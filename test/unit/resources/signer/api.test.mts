import type { IDataObject } from 'n8n-workflow';

import { toTransaction } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import {
	requireSigner,
	findSigners,
	formatSignerName,
	requireSigners,
} from '../../../../nodes/SignAndClose/resources/signer/api.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** How signers are found and named. */

describe('a signer is named by', () => {
	const whole = {
		first_name: 'Jane',
		last_name: 'Borrower',
		email: 'jane@example.com',
		signer_id: 'oc_1',
	};
	test.each<[string, IDataObject, string]>([
		['names and email', {}, 'Jane Borrower · jane@example.com'],
		['one name and email', { first_name: '' }, 'Borrower · jane@example.com'],
		['email alone', { first_name: '', last_name: null }, 'jane@example.com'],
		['the ID, without anything else', { first_name: '', last_name: '', email: '' }, 'oc_1'],
	])('%s', (_what, change, expected) => {
		expect(formatSignerName({ ...whole, ...change })).toBe(expected);
	});
});

describe('a signer is chosen', () => {
	const transaction = {
		id: 'ot_1',
		signers: [
			{ signer_id: 'oc_1', external_id: 'a', email: 'Jane@Example.com' },
			{ signer_id: 'oc_2', external_id: 'oc_1', email: 'joe@example.com' },
			{ signer_id: 'oc_3', external_id: 'B_1', email: 'JANE@example.com' },
			{ email: null, first_name: 'Sam' },
		],
	};
	const ids = (found: IDataObject[]) => found.map(({ signer_id: id }) => id);

	test.each([
		['by the ID', 'oc_2', 'oc_2'],
		['by the ID without its underscore', 'oc3', 'oc_3'],
		['by the external ID', 'B_1', 'oc_3'],
		['by the email address, in other letters', 'JOE@example.COM', 'oc_2'],
	])('%s', (_how, wanted, expected) => {
		expect(ids(findSigners(transaction, wanted))).toEqual([expected]);
		expect(requireSigner(transaction, wanted).signer_id).toBe(expected);
	});
	test.each([
		['the ID of one is the external ID of another one', 'oc_1', ['oc_1', 'oc_2']],
		['two have the email address', 'jane@example.com', ['oc_1', 'oc_3']],
	])('by a person, when %s', (_when, wanted, found) => {
		expect(ids(findSigners(transaction, wanted))).toEqual(found);
		expect(() => requireSigner(transaction, wanted)).toThrow(
			expect.objectContaining({
				reason: {
					code: 'signerAmbiguous',
					signer: wanted,
					present: transaction.signers
						.filter(({ signer_id: id }) => found.includes(String(id)))
						.map(({ email }) => email),
				},
				flags: { final: true },
			}),
		);
	});
	test.each(['oc_9', 'b_1', 'B1', 'jane@example.co', 'null', 'undefined', ''])(
		'but nobody as "%s"',
		(wanted) => {
			expect(findSigners(transaction, wanted)).toEqual([]);
			expect(() => requireSigner(transaction, wanted)).toThrow(
				expect.objectContaining({
					reason: {
						code: 'signerNotInTransaction',
						signer: wanted,
						present: ['Jane@Example.com', 'joe@example.com', 'JANE@example.com', 'Sam'],
					},
					flags: { final: true },
				}),
			);
			expect(findSigners({ id: 'ot_1' }, wanted)).toEqual([]);
		},
	);
});

test('signers that are not shown are not taken for none', () => {
	expect(requireSigners(toTransaction({ id: 'ot_1', signers: [] })!)).toEqual([]);
	forEachCase([undefined, null], (signers) =>
		expect(() => requireSigners({ id: 'ot_1', signers })).toThrow(
			expect.objectContaining({
				reason: { code: 'incompletelyRead', missing: ['signers'], toWriteBack: false },
			}),
		),
	);
});
