import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../../../nodes/SignAndClose/transport/answers/shapes.ts';
import { mayStillSign } from '../../../../nodes/SignAndClose/resources/signer/api.ts';
import { formatSigner } from '../../../../nodes/SignAndClose/resources/signer/output.ts';
import { simplifyTransaction } from '../../../../nodes/SignAndClose/resources/transaction/output.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Who is open, and what a workflow gets of a signer. */

/** States of transactions that nobody can sign any more (docs/service/states.md). */
const OVER: Array<[status: string, detailed: string | undefined]> = [
	['completed', 'complete'],
	['completed', undefined],
	['completed_with_rejections', 'complete_with_rejections'],
	['sent', 'declined'],
	['expired', 'expired'],
	['deleted', undefined],
	['sent', 'canceled'],
	['started', 'canceled'],
	['canceled', 'sent_to_signer'],
	['canceled', undefined],
];
/** States of transactions that signers still have to sign, now or later. */
const UNDER_WAY: Array<[status: string, detailed: string | undefined]> = [
	['started', 'draft'],
	['started', undefined],
	['sent_to_closing_ops', 'order_placed'],
	['sent', 'sent_to_signer'],
	['partially_completed', 'partially_complete'],
	['sent', 'on_hold'],
	['of tomorrow', 'unheard of'],
];
const state = fc.constantFrom(...OVER, ...UNDER_WAY);
const transactionOf = ([status, detailed]: readonly [string, string | undefined]) => ({
	status,
	...(detailed !== undefined && { detailed_status: detailed }),
});
/** A signer as both platforms write one: signed, not signed, or without a word about it. */
const signer = fc.record(
	{
		signing_status: fc.constantFrom('incomplete', 'in_progress', 'complete', '', null),
		link_expired: fc.boolean(),
	},
	{ requiredKeys: [] },
);

describe('a signer is open', () => {
	test.each(UNDER_WAY)('%s, %s: until signing is complete', (...at) => {
		forEachCase(['in_progress', undefined, ''], (status) =>
			expect(mayStillSign(transactionOf(at), { signing_status: status })).toBe(true),
		);
		expect(mayStillSign(transactionOf(at), { signing_status: 'complete' })).toBe(false);
	});
	test.each(OVER)('%s, %s: nobody is', (...at) => {
		expect(mayStillSign(transactionOf(at), { signing_status: 'in_progress' })).toBe(false);
	});
	test('in all outputs alike: of the transaction, of the signer, raw or simplified', () => {
		fc.assert(
			fc.property(state, fc.array(signer, { maxLength: 10 }), (at, signers) => {
				const transaction = { id: 'ot_1', ...transactionOf(at), signers } as TransactionAnswer;
				const open = signers.map((each) => mayStillSign(transaction, each as IDataObject));
				const inTransaction = simplifyTransaction(transaction).signers as IDataObject[];
				expect(inTransaction.map((each) => each.open)).toEqual(open);
				forEachCase(['simplified', 'raw', ['open']] as const, (form) =>
					expect(
						signers.map((each) => formatSigner(form, transaction, each as IDataObject).open),
					).toEqual(open),
				);
			}),
		);
	});
});

const TRANSACTION: TransactionAnswer = {
	id: 'ot_1',
	transaction_name: 'Refinance 100 Harbor Street',
	status: 'partially_completed',
	loan_number: '7001234',
	external_id: 'case-7',
	expiration_time: '2026-12-31T23:59:59.000Z',
};
const KEYS = {
	transaction_id: 'ot_1',
	transaction_name: 'Refinance 100 Harbor Street',
	loan_number: '7001234',
	external_id: 'case-7',
	file_number: null,
	status: 'partially_completed',
	expiry: '2026-12-31T23:59:59.000Z',
};
const JANE: IDataObject = {
	signer_id: 'oc_1',
	email: 'jane@example.com',
	first_name: 'Jane',
	last_name: 'Borrower',
	external_id: 'borrower-1',
	signing_status: 'in_progress',
	transaction_access_link: 'https://a.example/sign',
	phone: { country_code: '1', number: '6175550123' },
};

describe('a signer comes out', () => {
	test('simplified, with what tells the transaction and without links and phone', () => {
		expect(formatSigner('simplified', TRANSACTION, JANE)).toStrictEqual({
			...KEYS,
			signer_id: 'oc_1',
			name: 'Jane Borrower',
			email: 'jane@example.com',
			signing_status: 'in_progress',
			open: true,
			signer_external_id: 'borrower-1',
			identity_status: null,
			identity_reasons: [],
		});
	});
	test('raw, with all that was answered: external_id is that of the transaction', () => {
		expect(formatSigner('raw', TRANSACTION, JANE)).toStrictEqual({
			...JANE,
			...KEYS,
			signer_external_id: 'borrower-1',
			open: true,
		});
	});
	test('with selected fields and the IDs', () => {
		expect(
			formatSigner(['name', 'transaction_access_link', 'dob'], TRANSACTION, JANE),
		).toStrictEqual({
			transaction_id: 'ot_1',
			signer_id: 'oc_1',
			name: 'Jane Borrower',
			transaction_access_link: 'https://a.example/sign',
			dob: null,
		});
	});
});

describe('the identity of a signer', () => {
	const identityOf = (records: unknown) => {
		const { identity_status: status, identity_reasons: reasons } = formatSigner(
			'simplified',
			TRANSACTION,
			{ ...JANE, esign_authentication_records: records as IDataObject[] },
		);
		return { status, reasons };
	};
	const failure = {
		status: 'failure',
		verified: false,
		failure_reasons: [
			{
				check: 'kba',
				category: 'kba_mismatch',
				reasons: ['Two answers are wrong', 'Time is up'],
				required: true,
				verification_type: 'id',
			},
		],
	};
	const success = { status: 'success', verified: true };

	test.each<[string, unknown, { status: string | null; reasons: string[] }]>([
		['is unknown without records', undefined, { status: null, reasons: [] }],
		[
			'is unknown where the only record was deleted',
			[{ ...failure, status: 'deleted' }],
			{ status: null, reasons: [] },
		],
		['was confirmed', [success], { status: 'success', reasons: [] }],
		['was confirmed, without a status', [{ verified: 'true' }], { status: 'success', reasons: [] }],
		[
			'was not',
			[failure],
			{ status: 'failure', reasons: ['kba_mismatch: Two answers are wrong; Time is up'] },
		],
		['waits', [{ status: 'pending', failure_reasons: null }], { status: 'pending', reasons: [] }],
		['is in a new state', [{ status: 'rechecked' }], { status: 'rechecked', reasons: [] }],
	])('%s', (_name, records, expected) => {
		expect(identityOf(records)).toEqual(expected);
	});
	test('does not depend on the order of its records, and what succeeded in the end counts', () => {
		const states = ['success', 'failure', 'unknown', 'skipped', 'pending', 'action_required'];
		const record = fc.record({ status: fc.constantFrom(...states) });
		fc.assert(
			fc.property(fc.array(record, { minLength: 1 }), (records) => {
				const { status } = identityOf(records);
				expect(identityOf([...records].reverse()).status).toBe(status);
				const has = (wanted: string) => records.some((each) => each.status === wanted);
				expect(status === 'success').toBe(has('success'));
				expect(status === 'failure').toBe(!has('success') && has('failure'));
			}),
		);
	});
});
