import {
	toEventOutput,
	buildJoinKeys,
} from '../../../nodes/SignAndClose/trigger/delivery/output.ts';
import { buildSignerResults } from '../../../nodes/SignAndClose/resources/signer/output.ts';

/** The items of the trigger: what joins an event with other lists comes first. */

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
const ARRIVAL = { by: 'delivery' as const, at: AT, requestId: 'req-1' };
const CONFIRMED = { kind: 'confirmed' as const, transaction: TRANSACTION, outdated: false };
const SETTINGS = { retrieve: true, form: ['loan_number'] };

describe('the item of an event', () => {
	test('begins with the join keys, and has the results of its signers', () => {
		const item = toEventOutput(DELIVERY, ARRIVAL, CONFIRMED, SETTINGS);
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
		expect(
			toEventOutput(delivery, { by: 'recovery', at: AT }, unconfirmed, SETTINGS),
		).toStrictEqual({
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
		expect(toEventOutput(DELIVERY, ARRIVAL, unconfirmed, SETTINGS)).toMatchObject({
			loan_number: '7',
			status: 'received',
			confirmed: false,
			unconfirmed_reason: reason,
			transaction: { transaction_id: 'ot_1' },
		});
	});
	test('has nothing of the transaction where that is not wanted', () => {
		const item = toEventOutput(DELIVERY, ARRIVAL, CONFIRMED, { ...SETTINGS, retrieve: false });
		expect(item).toMatchObject({ loan_number: null, status: null, confirmed: true });
		expect(item.transaction).toBeUndefined();
	});
	test('that nobody asked the service about has what was delivered, and no empty fields', () => {
		const delivery = { event: 'transaction.sent', transactionId: 'ot_1', data: {}, key: 'k1' };
		expect(toEventOutput(delivery, { by: 'delivery', at: AT }, undefined, SETTINGS)).toStrictEqual({
			event: 'transaction.sent',
			transaction_id: 'ot_1',
			loan_number: null,
			external_id: null,
			status: null,
			signers_open: null,
			delivery_key: 'k1',
			data: {},
			delivery: { by: 'delivery', at: AT },
		});
	});
	test('about a document has its ID', () => {
		const data = { transaction_id: 'ot_1', document: { document_id: 'do_1', name: 'Deed' } };
		const item = toEventOutput({ ...DELIVERY, data }, ARRIVAL, CONFIRMED, SETTINGS);
		expect(item).toMatchObject({ document_id: 'do_1', data });
	});
});

describe('what is known of signers', () => {
	test('a list that the answer does not have is not an empty one', () => {
		expect(buildJoinKeys('ot_1', { status: 'sent' }).signers_open).toBeNull();
		expect(buildJoinKeys('ot_1', { status: 'sent', signers: [] }).signers_open).toBe(0);
		expect(buildJoinKeys('ot_1', { ...TRANSACTION, status: 'completed' }).signers_open).toBe(0);
	});
	test('how far they are, where the event says that instead', () => {
		expect(
			buildSignerResults({ signers: [{ signer_id: 'oc_1', signing_status: 'in_progress' }] }),
		).toEqual([
			{ signer_id: 'oc_1', signer_external_id: null, name: null, signing_status: 'in_progress' },
		]);
	});
	test('nothing, where the event has no results', () => {
		expect(buildSignerResults({})).toBeUndefined();
		expect(buildSignerResults({ signers: [{ signer_id: 'oc_1' }] })).toBeUndefined();
	});
});
