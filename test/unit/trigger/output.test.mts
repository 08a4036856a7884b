import { describe, expect, test } from '@jest/globals';

import { requestIdOf, shownHeaders, toItem } from '../../../nodes/SignAndClose/trigger/output.ts';

/** The items of the trigger: which fields they have, and which they don't have. */

const AT = '2026-01-02T03:04:06.000Z';
const delivery = {
	event: 'transaction.completed',
	transactionId: 'ot_1',
	data: { transaction_id: 'ot_1' },
	key: 'k1',
};
const transaction = { id: 'ot_1', status: 'completed', loan_number: '7' };

describe('the item of an event', () => {
	test('that nobody asked the service about has what was delivered, and no empty fields', () => {
		expect(toItem(delivery, { by: 'delivery', at: AT }, undefined, 'simplifiedV1')).toStrictEqual({
			event: 'transaction.completed',
			transaction_id: 'ot_1',
			delivery_key: 'k1',
			data: { transaction_id: 'ot_1' },
			delivery: { by: 'delivery', at: AT },
		});
	});
	test('has all that is known of it', () => {
		const data = { transaction_id: 'ot_1', document: { document_id: 'do_1', name: 'Deed' } };
		expect(
			toItem(
				{ ...delivery, data, occurred: '2026-01-02T03:04:05.000001Z' },
				{ by: 'delivery', at: AT, requestId: 'req-1', headers: { 'x-case': '7' } },
				{
					kind: 'confirmed',
					transaction: { ...transaction, notarization_record: 'me_1' },
					outdated: false,
				},
				'raw',
			),
		).toStrictEqual({
			event: 'transaction.completed',
			transaction_id: 'ot_1',
			document_id: 'do_1',
			notarization_record_id: 'me_1',
			delivery_key: 'k1',
			confirmed: true,
			outdated: false,
			date_occurred: '2026-01-02T03:04:05.000001Z',
			data,
			transaction: {
				transaction_id: 'ot_1',
				notarization_record_id: 'me_1',
				...transaction,
				notarization_record: 'me_1',
			},
			delivery: { by: 'delivery', at: AT, request_id: 'req-1', headers: { 'x-case': '7' } },
		});
	});
	test('that was confirmed has no record and says nothing of being outdated where nothing is known', () => {
		expect(
			toItem(delivery, { by: 'pull', at: AT }, { kind: 'confirmed', transaction }, 'simplifiedV1'),
		).toStrictEqual({
			event: 'transaction.completed',
			transaction_id: 'ot_1',
			delivery_key: 'k1',
			confirmed: true,
			data: { transaction_id: 'ot_1' },
			transaction: {
				transaction_id: 'ot_1',
				transaction_name: null,
				transaction_type: null,
				status: 'completed',
				detailed_status: null,
				organization_id: null,
				date_created: null,
				date_updated: null,
				notarization_record_id: null,
				documents: [],
			},
			delivery: { by: 'pull', at: AT },
		});
	});
	test('has the transaction in the form that was chosen', () => {
		const item = toItem(delivery, { by: 'pull', at: AT }, { kind: 'confirmed', transaction }, [
			'loan_number',
		]);
		expect(item.transaction).toStrictEqual({ transaction_id: 'ot_1', loan_number: '7' });
	});
	test('that was confirmed by the absence of its transaction has none', () => {
		expect(
			toItem(delivery, { by: 'recovery', at: AT }, { kind: 'confirmed' }, 'simplified'),
		).toStrictEqual({
			event: 'transaction.completed',
			transaction_id: 'ot_1',
			delivery_key: 'k1',
			confirmed: true,
			data: { transaction_id: 'ot_1' },
			delivery: { by: 'recovery', at: AT },
		});
	});
	test('that was not confirmed says why, and of no transaction that it is none', () => {
		expect(
			toItem(
				{ event: 'notary.created', data: {}, key: 'k2' },
				{ by: 'recovery', at: AT },
				{ kind: 'unconfirmed', reason: 'The event has no transaction' },
				'simplified',
			),
		).toStrictEqual({
			event: 'notary.created',
			transaction_id: null,
			delivery_key: 'k2',
			confirmed: false,
			unconfirmed_reason: 'The event has no transaction',
			data: {},
			delivery: { by: 'recovery', at: AT },
		});
	});
});

describe('the headers of a delivery', () => {
	test('are shown if they are known to hold no secret, and no others', () => {
		expect(
			shownHeaders({
				Authorization: 'Bearer x',
				cookie: 'a=1',
				apikey: 'key',
				'x-forwarded-for': '192.0.2.1',
				'x-original-url': '/webhook/a?key=secret',
				'cf-access-jwt-assertion': 'token',
				'proxy-authorization': 'Basic x',
				'x-brand-signature': 'ab',
				'x-case': '7',
				'content-type': 'application/json',
				'User-Agent': 'service/1.0',
				'x-request-id': 'req-1',
			}),
		).toStrictEqual({
			'content-type': 'application/json',
			'User-Agent': 'service/1.0',
			'x-request-id': 'req-1',
		});
	});
	test('have the request ID under the name that the service gave, or the usual one', () => {
		const headers = { 'x-request-id': 'req-1', 'x-trace': 'req-2', 'x-empty': '' };
		expect(requestIdOf(headers)).toBe('req-1');
		expect(requestIdOf(headers, 'x-trace')).toBe('req-2');
		expect(requestIdOf(headers, 'x-empty')).toBeUndefined();
		expect(requestIdOf({})).toBeUndefined();
	});
});
