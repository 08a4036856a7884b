import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { readTransaction } from '../../../../nodes/SignAndClose/transport/answers/answers.ts';
import {
	listEligibleNotaries,
	listNotaries,
	retrieveNotary,
} from '../../../../nodes/SignAndClose/resources/notary/api.ts';
import {
	chosenSigner,
	findSigners,
	hasCompleted,
	signerName,
	signersOf,
} from '../../../../nodes/SignAndClose/resources/signer/api.ts';
import { inTurn, thrownBy, withClient } from '../../../support/live/client.mts';
import type { AskedFor } from '../../../support/live/service.mts';

/** How signers are found and named, and which notaries are listed. */

describe('a signer is named by', () => {
	const whole = {
		first_name: 'Jane',
		last_name: 'Borrower',
		email: 'jane@example.com',
		signer_id: 'oc_1',
	};
	test.each<[string, IDataObject, string]>([
		['names and email', {}, 'Jane Borrower · jane@example.com'],
		['names alone', { email: null }, 'Jane Borrower'],
		['one name and email', { first_name: '' }, 'Borrower · jane@example.com'],
		['the other name and email', { last_name: undefined }, 'Jane · jane@example.com'],
		['email alone', { first_name: '', last_name: null }, 'jane@example.com'],
		['the ID, without anything else', { first_name: '', last_name: '', email: '' }, 'oc_1'],
	])('%s', (_what, change, expected) => {
		expect(signerName({ ...whole, ...change })).toBe(expected);
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
		expect(chosenSigner(transaction, wanted).signer_id).toBe(expected);
	});
	test.each([
		['the ID of one is the external ID of another one', 'oc_1', ['oc_1', 'oc_2']],
		['two have the email address', 'jane@example.com', ['oc_1', 'oc_3']],
	])('by a person, when %s', (_when, wanted, found) => {
		expect(ids(findSigners(transaction, wanted))).toEqual(found);
		expect(() => chosenSigner(transaction, wanted)).toThrow(
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
			expect(() => chosenSigner(transaction, wanted)).toThrow(
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
	expect(signersOf(readTransaction({ id: 'ot_1', signers: [] })!)).toEqual([]);
	for (const signers of [undefined, null])
		expect(() => signersOf({ id: 'ot_1', signers })).toThrow(
			expect.objectContaining({
				reason: { code: 'incompletelyRead', missing: ['signers'], toWriteBack: false },
			}),
		);
});

test('a signer has completed in one state only', () => {
	expect(hasCompleted({ signing_status: 'complete' })).toBe(true);
	for (const status of ['incomplete', 'sent', undefined])
		expect(hasCompleted({ signing_status: status })).toBe(false);
});

describe('the notaries', () => {
	const NOTARIES = [
		{ id: 'no_1', us_state_abbr: 'MA' },
		{ id: 'no_2', us_state_abbr: 'tx' },
		{ id: 'no_3' },
		{ id: 'no_4', us_state_abbr: 'ma' },
	];
	type Query = Parameters<typeof listNotaries>[1];
	/** The IDs that are listed, and what the service was asked for. */
	const list = async (query: Query) =>
		await withClient(inTurn(NOTARIES), async (service, { requests }) => ({
			ids: (await listNotaries(service, query)).map(({ id }) => id),
			requests,
		}));
	const onRealEstate = ({ path }: AskedFor) => path.includes('mortgage');

	test('of an organization and a state are asked for on business', async () => {
		const { ids, requests } = await list({
			platform: 'business',
			organizationId: 'or_1',
			state: 'MA',
		});
		expect(requests.map(({ query }) => query)).toEqual([
			{ organization_id: 'or_1', us_state_abbr: 'MA' },
		]);
		expect(ids).toEqual(['no_1', 'no_3', 'no_4']);
	});
	test('of any state are all that the service lists', async () => {
		const { ids, requests } = await list({ platform: 'business' });
		expect(requests.map(({ query }) => query)).toEqual([{}]);
		expect(ids).toEqual(['no_1', 'no_2', 'no_3', 'no_4']);
	});
	test('of a state are chosen here, where real estate takes no query', async () => {
		const { ids, requests } = await list({ platform: 'realEstate', state: 'TX' });
		expect(requests.map(({ query }) => query)).toEqual([{}]);
		expect(onRealEstate(requests[0])).toBe(true);
		expect(ids).toEqual(['no_2', 'no_3']);
	});
});

describe('a notary', () => {
	const NORA = { id: 'us_1', status: 'compliant' };
	test('is retrieved on its platform, the path of which is fixed on real estate', async () => {
		for (const [platform, path] of [
			['business', '/v1/notaries/us_1'],
			['realEstate', '/mortgage/v1/notaries/us_1'],
		] as const)
			await withClient(inTurn(NORA), async (service, { requests }) => {
				expect(await retrieveNotary(service, 'us_1', platform)).toEqual(NORA);
				expect(requests.map(({ method, path }) => [method, path])).toEqual([['GET', path]]);
			});
	});
	test('without an ID is none', async () => {
		for (const body of [{}, [], '', { id: '' }, { status: 'compliant' }])
			await withClient(inTurn(body), async (service) => {
				expect(await thrownBy(retrieveNotary(service, 'us_1', 'business'))).toMatchObject({
					reason: { code: 'unexpectedAnswer' },
				});
			});
	});
	test('can meet the signers of a transaction, if the service lists them for it', async () => {
		for (const body of [[NORA], { notaries: [NORA] }])
			await withClient(inTurn(body), async (service, { requests }) => {
				expect(await listEligibleNotaries(service, 'ot_1', 'realEstate')).toEqual([NORA]);
				expect(requests[0].path).toBe('/mortgage/v2/transactions/ot_1/notaries');
			});
	});
});
