import fc from 'fast-check';

import {
	parseDelivery,
	parseRecordedDelivery,
} from '../../../../nodes/SignAndClose/resources/webhook/deliveries.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

describe('the key of a delivery', () => {
	const payloads = fc.record({
		event: fc.string({ minLength: 1 }),
		data: fc.record(
			{ transaction_id: fc.string({ minLength: 1 }), more: fc.jsonValue() },
			{ requiredKeys: [] },
		),
	});
	const dated = fc.record({
		event: fc.constantFrom('transaction.completed', 'transaction.sent'),
		data: fc.record({
			transaction_id: fc.constantFrom('ot_1', 'ot_2', 'ot_3'),
			date_occurred: fc.constantFrom('2026-11-21T10:00:00.000000Z', '2026-11-21T10:00:00.000001Z'),
		}),
	});
	test('is the same as a text and as an object, whatever the order of the fields', () => {
		fc.assert(
			fc.property(payloads, ({ event, data }) => {
				const text = JSON.stringify({ event, data });
				const turned = JSON.stringify({
					data: Object.fromEntries(Object.entries(data).reverse()),
					event,
				});
				expect(parseDelivery(turned)?.key).toBe(parseDelivery(text)?.key);
				expect(parseDelivery(JSON.parse(text))?.key).toBe(parseDelivery(text)?.key);
			}),
		);
	});
	test('differs for any other event, transaction or date', () => {
		fc.assert(
			fc.property(
				dated,
				dated,
				(one, other) =>
					(parseDelivery(one)!.key === parseDelivery(other)!.key) ===
					(JSON.stringify(one) === JSON.stringify(other)),
			),
		);
	});
	test('with a date, a field that a repeat adds does not count', () => {
		const body = {
			event: 'transaction.sent',
			data: { transaction_id: 'ot_1', date_occurred: 'x' },
		};
		expect(parseDelivery({ ...body, data: { ...body.data, signers: [] } })?.key).toBe(
			parseDelivery(body)?.key,
		);
	});
	test('covers what the event is about: two events of a transaction can have the same date', () => {
		const keyOf = (more: object, event = 'transaction.document.processed') =>
			parseDelivery({ event, data: { transaction_id: 'ot_1', date_occurred: 'x', ...more } })!.key;
		const signer = (more: object) => ({ signers: [{ signer_id: 'oc_1', ...more }] });
		const keys = [
			keyOf({}),
			keyOf({ document: { document_id: 'do_1' } }),
			keyOf({ document: { document_id: 'do_2' } }),
			keyOf({ meeting: { meeting_id: 'do_1' } }),
			keyOf({ notary_id: 'do_1' }),
			keyOf(signer({ kba_passed: true })),
			keyOf(signer({ kba_passed: false })),
			keyOf(signer({ signing_status: 'complete' })),
			keyOf({ signers: [{ signer_id: 'oc_2' }] }),
		];
		expect(new Set(keys).size).toBe(keys.length);
	});
	test('leaves out what a repeat may have otherwise: links, names, the order of signers', () => {
		const keyOf = (document: object, signers: object[]) =>
			parseDelivery({
				event: 'transaction.document.processed',
				data: { transaction_id: 'ot_1', date_occurred: 'x', document, signers },
			})!.key;
		const [one, two] = [{ signer_id: 'oc_1' }, { signer_id: 'oc_2' }];
		expect(keyOf({ document_id: 'do_1', name: 'Deed' }, [one, two])).toBe(
			keyOf({ document_id: 'do_1', name: 'Deed of trust' }, [{ ...two, first_name: 'Joe' }, one]),
		);
	});
	test('what is no event is undefined, never an exception', () => {
		fc.assert(
			fc.property(fc.anything(), (given) =>
				['object', 'undefined'].includes(typeof parseDelivery(given)),
			),
		);
		forEachCase(['', '[]', '{"event":1}', '{"event":""}', null, 7], (given) =>
			expect(parseDelivery(given)).toBeUndefined(),
		);
	});
});

describe('forms of a payload that live services send', () => {
	const status = {
		transaction_id: 'ot_1',
		transaction_detailed_status: 'partially_complete',
		date_occurred: '2026-11-21T10:00:00.000000Z',
		signers: [{ signer_id: 'oc_1', external_id: 'borrower-1', signing_status: 'complete' }],
	};
	const event = 'transaction.partially_completed';
	test('the signing status as a text, as an object, and in a record without its envelope is one event', () => {
		const delivered = parseDelivery(JSON.stringify({ event, data: status }))!;
		expect(delivered).toMatchObject({ event, transactionId: 'ot_1', data: status });
		forEachCase(
			[
				{ event, data: status },
				JSON.stringify({ event, data: status }),
				{ event, data: JSON.stringify(status) },
				status,
				JSON.stringify(status),
			],
			(payload) => expect(parseRecordedDelivery({ event, payload })).toEqual(delivered),
		);
	});
	test('the older singular name is the plural, with the same key', () => {
		const [older, newer] = ['rejection', 'rejections'].map(
			(end) => `transaction.completed_with_${end}`,
		);
		forEachCase(
			[{ transaction_id: 'ot_1', date_occurred: 'x' }, { transaction_id: 'ot_1' }],
			(data) => {
				const delivered = parseDelivery({ event: older, data });
				expect(delivered?.event).toBe(newer);
				expect(delivered).toEqual(parseDelivery({ event: newer, data }));
			},
		);
	});
	test('a record of something else is no event', () => {
		forEachCase(
			[{}, { event, payload: 'gone' }, { event, payload: [] }, { payload: {} }],
			(record) => expect(parseRecordedDelivery(record as never)).toBeUndefined(),
		);
	});
});
