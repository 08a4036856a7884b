import { describe, expect, test } from '@jest/globals';

import { toOutput } from '../../../nodes/SignAndClose/trigger/outputV2.ts';
import { joinKeys, signerResults } from '../../../nodes/SignAndClose/trigger/subject.ts';

/** The items of version 2: what joins an event with other lists comes first. */

const AT = '2026-01-02T03:04:06.000Z';
const DELIVERY = {
	event: 'transaction.signer.kba_failed',
	transactionId: 'ot_1',
	occurred: '2026-01-02T03:04:05.000001Z',
	data: {
		transaction_id: 'ot_1',
		signers: [
			{
				signer_id: 'oc_1',
				external_id: 'borrower-1',
				first_name: 'Jane',
				middle_name: null,
				last_name: 'Borrower',
				kba_passed: false,
				selfie_passed: true,
				transaction_access_link: 'https://service.example/secret',
			},
		],
	},
	key: 'k1',
};
const TRANSACTION = {
	id: 'ot_1',
	status: 'received',
	loan_number: '7',
	notarization_record: 'me_1',
	signers: [
		{ signer_id: 'oc_1', signing_status: 'complete' },
		{ signer_id: 'oc_2', signing_status: 'incomplete' },
	],
};
const ARRIVAL = { by: 'delivery' as const, at: AT, requestId: 'req-1', headers: { 'x-case': '7' } };
const CONFIRMED = { kind: 'confirmed' as const, transaction: TRANSACTION, outdated: false };
const V2 = { typeVersion: 2, retrieve: true, form: ['loan_number'] };

describe('the item of an event', () => {
	test('begins with the join keys, has the results of its signers, and no headers', () => {
		const item = toOutput(DELIVERY, ARRIVAL, CONFIRMED, V2);
		expect(item).toStrictEqual({
			event: 'transaction.signer.kba_failed',
			transaction_id: 'ot_1',
			loan_number: '7',
			external_id: null,
			status: 'received',
			signers_open: 1,
			notarization_record_id: 'me_1',
			signers: [
				{
					signer_id: 'oc_1',
					signer_external_id: 'borrower-1',
					name: 'Jane Borrower',
					kba_passed: false,
					selfie_passed: true,
				},
			],
			delivery_key: 'k1',
			confirmed: true,
			outdated: false,
			date_occurred: DELIVERY.occurred,
			data: DELIVERY.data,
			transaction: { transaction_id: 'ot_1', loan_number: '7' },
			delivery: { by: 'delivery', at: AT, request_id: 'req-1' },
		});
		expect(Object.keys(item).slice(0, 6)).toEqual([
			'event',
			'transaction_id',
			'loan_number',
			'external_id',
			'status',
			'signers_open',
		]);
	});
	test('has all join keys where nothing is known of the transaction', () => {
		const delivery = { event: 'notary.created', data: {}, key: 'k2' };
		const unconfirmed = { kind: 'unconfirmed' as const, reason: 'The event has no transaction' };
		expect(toOutput(delivery, { by: 'recovery', at: AT }, unconfirmed, V2)).toStrictEqual({
			event: 'notary.created',
			transaction_id: null,
			loan_number: null,
			external_id: null,
			status: null,
			signers_open: null,
			delivery_key: 'k2',
			confirmed: false,
			unconfirmed_reason: 'The event has no transaction',
			data: {},
			delivery: { by: 'recovery', at: AT },
		});
	});
	test('shows the transaction as it is, where that speaks against the event', () => {
		const reason = "The transaction has the status 'received'";
		const unconfirmed = { kind: 'unconfirmed' as const, reason, transaction: TRANSACTION };
		expect(toOutput(DELIVERY, ARRIVAL, unconfirmed, V2)).toMatchObject({
			loan_number: '7',
			status: 'received',
			confirmed: false,
			unconfirmed_reason: reason,
			transaction: { transaction_id: 'ot_1' },
		});
	});
	test('has nothing of the transaction where that is not wanted', () => {
		const item = toOutput(DELIVERY, ARRIVAL, CONFIRMED, { ...V2, retrieve: false });
		expect(item).toMatchObject({ loan_number: null, status: null, confirmed: true });
		expect(item.transaction).toBeUndefined();
	});
	test('says of a change which state there was before', () => {
		const data = { transaction_id: 'ot_1', previous_status: 'sent', status: 'received' };
		const item = toOutput({ ...DELIVERY, data }, { by: 'change', at: AT }, CONFIRMED, V2);
		expect(item).toMatchObject({ previous_status: 'sent', status: 'received' });
		expect(item.signers).toBeUndefined();
	});
	test('of version 1 stays as it was', () => {
		const item = toOutput(DELIVERY, ARRIVAL, CONFIRMED, { ...V2, typeVersion: 1 });
		expect(Object.keys(item).join(' ')).toBe(
			'event transaction_id notarization_record_id delivery_key confirmed outdated date_occurred data transaction delivery',
		);
		expect(item.delivery).toEqual({
			by: 'delivery',
			at: AT,
			request_id: 'req-1',
			headers: { 'x-case': '7' },
		});
	});
});

describe('what is known of signers', () => {
	test('a list that the answer does not have is not an empty one', () => {
		expect(joinKeys('ot_1', { status: 'sent' }).signers_open).toBeNull();
		expect(joinKeys('ot_1', { status: 'sent', signers: [] }).signers_open).toBe(0);
		expect(joinKeys('ot_1', { ...TRANSACTION, status: 'completed' }).signers_open).toBe(0);
	});
	test('how far they are, where the event says that instead', () => {
		expect(
			signerResults({ signers: [{ signer_id: 'oc_1', signing_status: 'in_progress' }] }),
		).toEqual([
			{ signer_id: 'oc_1', signer_external_id: null, name: null, signing_status: 'in_progress' },
		]);
	});
	test('nothing, where the event has no results', () => {
		expect(signerResults({})).toBeUndefined();
		expect(signerResults({ signers: [{ signer_id: 'oc_1' }] })).toBeUndefined();
	});
});
