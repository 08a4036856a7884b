import type { IDataObject } from 'n8n-workflow';

import {
	simplifyTransaction,
	formatTransactionAs,
} from '../../../../nodes/SignAndClose/resources/transaction/output.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../../support/live/answers.mts';

/** What a workflow gets of a transaction, in each form. */

const SECRETS = /https?:|token|link/i;

/** A closing as the service answers it, without what doesn't matter here. */
const CLOSING: IDataObject = {
	id: 'ot_1',
	organization_id: 'or_1',
	transaction_name: 'Refinance 100 Harbor Street',
	transaction_type: 'refinance',
	status: 'partially_completed',
	detailed_status: 'partially_complete',
	loan_number: '7001234',
	file_number: 'F-7',
	external_id: 'case-7',
	expiry: '2026-12-31T23:59:59.000Z',
	expiration_time: '2026-12-31T23:59:59.000Z',
	date_created: '2026-11-21T10:00:00Z',
	date_updated: '2026-11-21T11:00:00Z',
	notarization_record: { id: 'me_1', video_url: 'https://a.example/video' },
	audit_trail_url: 'https://a.example/trail',
	signers: [
		{
			signer_id: 'oc_1',
			external_id: 'borrower-1',
			first_name: 'Jane',
			middle_name: 'Ann',
			last_name: 'Borrower',
			email: 'jane@example.com',
			signing_status: 'complete',
			phone: { country_code: '1', number: '6175550123' },
			transaction_access_link: 'https://a.example/sign',
			sdk_token: 'https://a.example/sign',
		},
		{
			signer_id: 'oc_2',
			first_name: '',
			last_name: 'Borrower',
			email: '',
			recipient_group: { shared_inbox_email: 'closings@example.com' },
			signing_status: 'incomplete',
		},
	],
	documents: [
		{
			id: 'do_1',
			document_name: 'Deed of Trust',
			requirement: 'notarization',
			tracking_id: 'T-1',
			processing_state: 'done',
			processing_error: 'The PDF is encrypted',
			final_document_url: 'https://a.example/deed',
			signing_designations: [{}],
		},
	],
};

describe('simplified', () => {
	test('it says which case it is, how far it is, who is missing and until when', () => {
		expect(simplifyTransaction(CLOSING)).toStrictEqual({
			transaction_id: 'ot_1',
			transaction_name: 'Refinance 100 Harbor Street',
			status: 'partially_completed',
			detailed_status: 'partially_complete',
			ended: false,
			signed: '1 of 2',
			waiting_for: 'Borrower',
			never_opened: null,
			loan_number: '7001234',
			external_id: 'case-7',
			file_number: 'F-7',
			expiry: '2026-12-31T23:59:59.000Z',
			notarization_record_id: 'me_1',
			signers: [
				{
					signer_id: 'oc_1',
					signer_external_id: 'borrower-1',
					name: 'Jane Ann Borrower',
					email: 'jane@example.com',
					signing_status: 'complete',
					open: false,
				},
				{
					signer_id: 'oc_2',
					signer_external_id: null,
					name: 'Borrower',
					email: 'closings@example.com',
					signing_status: 'incomplete',
					open: true,
				},
			],
			documents: [
				{
					document_id: 'do_1',
					document_name: 'Deed of Trust',
					requirement: 'notarization',
					tracking_id: 'T-1',
					processing_state: 'done',
					processing_error: 'The PDF is encrypted',
				},
			],
		});
	});

	test('what is unset is null, however the service writes it', () => {
		const nulls = Object.fromEntries(
			(
				'transaction_name status detailed_status ended loan_number external_id file_number ' +
				'expiry notarization_record_id'
			)
				.split(' ')
				.map((name) => [name, null]),
		);
		forEachCase([{}, { loan_number: '', expiry: '', transaction_name: null }], (unset) =>
			expect(simplifyTransaction({ id: 'ot_1', ...unset, signers: [], documents: [] })).toEqual({
				transaction_id: 'ot_1',
				...nulls,
				signed: '0 of 0',
				waiting_for: '',
				never_opened: '',
				signers: [],
				documents: [],
			}),
		);
		expect(
			simplifyTransaction({ id: 'ot_1', documents: [{ id: 'do_1', processing_error: '' }] })
				.documents,
		).toEqual([
			{
				document_id: 'do_1',
				document_name: null,
				requirement: null,
				tracking_id: null,
				processing_state: null,
				processing_error: null,
			},
		]);
	});

	test("lists that the answer doesn't have are null, which isn't the same as empty", () => {
		expect(simplifyTransaction({ id: 'ot_1' })).toMatchObject({ signers: null, documents: null });
	});

	test('the status stands in for a detailed status that is missing', () => {
		const shown = simplifyTransaction({ id: 'ot_1', status: 'started', detailed_status: '' });
		expect(shown.detailed_status).toBe('started');
	});

	test('it has no links, on both platforms', () => {
		forEachCase(
			[CLOSING, liveClosing([liveDocument()]), liveClosing([liveBusinessDocument()])],
			(answer) => expect(JSON.stringify(simplifyTransaction(answer))).not.toMatch(SECRETS),
		);
	});
});

describe('who has not signed, in fields that an email can use', () => {
	const ann = { first_name: 'Ann', last_name: 'Lee', signing_status: 'complete' };
	const bob = { first_name: 'Bob', last_name: 'Ray', signing_status: 'in_progress' };
	const inbox = { recipient_group: { shared_inbox_email: 'team@example.com' } };
	const sent = { status: 'sent', detailed_status: 'sent_to_signer' };
	const flat = (state: IDataObject, signers: unknown) => {
		const { ended, signed, waiting_for } = simplifyTransaction({
			id: 'ot_1',
			...state,
			...(signers !== undefined && { signers: signers as IDataObject[] }),
		});
		return [ended, signed, waiting_for];
	};

	test.each<[string, IDataObject, unknown, unknown[]]>([
		['somebody', sent, [ann, bob], [false, '1 of 2', 'Bob Ray']],
		[
			'several, an inbox and one without a name or address',
			sent,
			[
				bob,
				{ ...inbox, signing_status: 'incomplete' },
				{ signer_id: 'oc_3', signing_status: 'incomplete' },
			],
			[false, '0 of 3', 'Bob Ray, team@example.com, oc_3'],
		],
		['nobody', sent, [ann], [false, '1 of 1', '']],
		['signers that are not shown', sent, undefined, [false, null, null]],
		['a signer who is not shown to have signed or not', sent, [bob, inbox], [false, null, null]],
		['a status of tomorrow', sent, [{ ...bob, signing_status: 'witnessed' }], [false, null, null]],
		[
			'a draft, whose signers nobody has invited',
			{ status: 'started' },
			[bob],
			[false, '0 of 1', ''],
		],
		[
			'a recalled draft without signing statuses',
			{ status: 'started', detailed_status: 'recalled' },
			[inbox],
			[false, null, ''],
		],
		[
			'a completed transaction',
			{ status: 'completed', detailed_status: 'complete' },
			[ann, ann],
			[true, '2 of 2', ''],
		],
		[
			'one that waits for a payment',
			{ status: 'completed', detailed_status: 'awaiting_payment' },
			[ann],
			[false, '1 of 1', ''],
		],
		['an expired one', { status: 'expired' }, [ann, bob], [true, '1 of 2', '']],
		['a declined one', { ...sent, detailed_status: 'declined' }, [bob], [true, '0 of 1', '']],
		['a deleted one', { status: 'deleted' }, [bob], [true, '0 of 1', '']],
		['a state of tomorrow', { status: 'new' }, [bob], [null, '0 of 1', null]],
		['no state', {}, [ann], [null, '1 of 1', '']],
	])('%s', (_what, state, signers, expected) => {
		expect(flat(state, signers)).toEqual(expected);
	});
});

describe('with selected fields', () => {
	test('no name changes what a copy of it inherits', () => {
		const answer = JSON.parse('{"id":"ot_1","__proto__":{"a":1}}') as IDataObject;
		const shown = formatTransactionAs(['__proto__', 'cost'], answer);
		expect(Object.keys(shown)).toEqual(['transaction_id', 'cost']);
	});
	test('a field of the service that the list lacks can be named, what every object has is none', () => {
		expect(
			formatTransactionAs(['cost', 'constructor', 'toString'], { ...CLOSING, cost: 2250 }),
		).toEqual({
			transaction_id: 'ot_1',
			cost: 2250,
			constructor: null,
			toString: null,
		});
	});
});

test("references of the node's own are left out of it", () => {
	const reference = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';
	const { external_id: external, documents } = simplifyTransaction({
		...CLOSING,
		external_id: reference,
		documents: [{ id: 'do_1', tracking_id: reference }],
	});
	expect(external).toBeNull();
	expect(documents).toMatchObject([{ document_id: 'do_1', tracking_id: null }]);
});
