import type { IDataObject } from 'n8n-workflow';

import {
	readFinalLink,
	simplifyDocument,
} from '../../../nodes/SignAndClose/resources/document/api.ts';
import { simplifyRecord } from '../../../nodes/SignAndClose/resources/notarizationRecord/api.ts';
import {
	isDraft,
	findRecordId,
} from '../../../nodes/SignAndClose/transport/answers/transactionState.ts';
import { formatTransactionAs } from '../../../nodes/SignAndClose/resources/transaction/output.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** What a workflow gets of an answer. */

/** All fields of an output are null, except for these. */
const nulls = (names: string, more: IDataObject) => ({
	...Object.fromEntries(names.split(' ').map((name) => [name, null])),
	...more,
});

test('a whole transaction has its IDs at top level, its record only if there is one', () => {
	const transaction = { id: 'ot_1', notarization_record: { id: 'nr_1' }, status: 'completed' };
	expect(formatTransactionAs('raw', transaction)).toEqual({
		transaction_id: 'ot_1',
		notarization_record_id: 'nr_1',
		...transaction,
	});
	expect(formatTransactionAs('raw', { id: 'ot_1' })).toStrictEqual({
		transaction_id: 'ot_1',
		id: 'ot_1',
	});
});

describe('the ID of the notarization record is read', () => {
	test.each<[string, IDataObject, string | undefined]>([
		['in an object', { notarization_record: { id: 'nr_1' } }, 'nr_1'],
		['in the last object', { notarization_records: [{ id: 'nr_1' }, { id: 'nr_2' }] }, 'nr_2'],
		[
			'from the text rather than from a list',
			{ notarization_record: 'nr_1', notarization_records: ['nr_2'] },
			'nr_1',
		],
		[
			'from a list, beside an empty field',
			{ notarization_record: null, notarization_records: [{ id: 'nr_2' }] },
			'nr_2',
		],
		['as none where there is none', {}, undefined],
	])('%s', (_how, transaction, expected) => {
		expect(findRecordId(transaction)).toBe(expected);
	});
});

test('only what says so is a draft', () => {
	expect(isDraft({ status: 'started', detailed_status: 'draft' })).toBe(true);
	expect(isDraft({ detailed_status: 'recalled' })).toBe(true);
	forEachCase([{ status: 'sent' }, { status: 'completed' }, { status: 'new' }, {}], (transaction) =>
		expect(isDraft(transaction)).toBe(false),
	);
});

describe('a simplified document', () => {
	const NAMES =
		'document_name requirement processing_state completion_state is_enote bundle_position ' +
		'rejection_reason';
	test('has what was answered', () => {
		const document = {
			document_name: 'Deed of Trust',
			requirement: 'notarization',
			processing_state: 'done',
			completion_state: 'rejected',
			is_enote: true,
			bundle_position: 2,
			rejection_reason: 'Illegible',
			tracking_id: 'T-1',
			processing_error: 'Encrypted',
		};
		expect(simplifyDocument('ot_1', { id: 'do_1', ...document, signing_type: 'ESIGN' })).toEqual({
			transaction_id: 'ot_1',
			document_id: 'do_1',
			...document,
			is_finished: false,
		});
	});
	test('says null for what was not, and nothing of errors and references that there are not', () => {
		forEachCase([null, 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427'], (tracking) => {
			const answer = { id: 'do_1', tracking_id: tracking, processing_error: '' };
			expect(simplifyDocument('ot_1', answer)).toEqual(
				nulls(NAMES, { transaction_id: 'ot_1', document_id: 'do_1', is_finished: false }),
			);
		});
	});
	const LINK = 'https://files.example.com/1';
	test.each<[string, IDataObject, boolean]>([
		['with a link', { final_document_url: LINK, completion_state: 'incomplete' }, true],
		['with an older link', { signed_url: LINK }, true],
		['that is complete, where links are not shown', { completion_state: 'complete' }, true],
		['that is incomplete', { completion_state: 'incomplete' }, false],
		[
			'that is complete, where its link is shown to be missing',
			{ completion_state: 'complete', final_document_url: null },
			false,
		],
	])('%s: is it finished?', (_what, document, expected) => {
		expect(simplifyDocument('ot_1', { id: 'do_1', ...document }).is_finished).toBe(expected);
	});
	test('is taken from the newest of its links', () => {
		const links = { final_document_url: 'a', signed_url: 'b', uri: 'c' };
		expect(readFinalLink(links)).toBe('a');
		expect(readFinalLink({ ...links, final_document_url: '' })).toBe('b');
		expect(readFinalLink({ uri: 'c' })).toBe('c');
		expect(readFinalLink({})).toBeUndefined();
	});
});

describe('a simplified notarization record', () => {
	const NAMES =
		'meeting_start meeting_end notary_name notary_county_city notary_registration signer_email ' +
		'retrieval_id retrieval_pin last_name date_completed';
	test('has what was answered', () => {
		const kept = {
			meeting_start: '2026-11-21T10:00:00Z',
			meeting_end: '2026-11-21T10:30:00Z',
			notary_name: 'Nora Notary',
			notary_county_city: 'Suffolk',
			notary_registration: '7',
		};
		const credentials = {
			retrieval_id: 'R-1',
			retrieval_pin: 'E5F6G7',
			last_name: 'Borrower',
			date_completed: '11/21/2026',
		};
		expect(
			simplifyRecord({
				id: 'nr_1',
				...kept,
				signer_info: { email: 'jane@example.com', ssn: '1' },
				notarized_documents: [{}, {}],
				verification_credentials: { ...credentials, access_pin: '7' },
				video_url: 'https://files.example.com/1',
			}),
		).toEqual({
			notarization_record_id: 'nr_1',
			...kept,
			signer_email: 'jane@example.com',
			notarized_documents: 2,
			...credentials,
			has_video: true,
		});
	});
	test('says null, 0 and false for what was not', () => {
		expect(simplifyRecord({ id: 'nr_1', video_url: '' })).toEqual(
			nulls(NAMES, { notarization_record_id: 'nr_1', notarized_documents: 0, has_video: false }),
		);
	});
	test('has the email address of the first signer, where there is no other', () => {
		const signers = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
		expect(simplifyRecord({ signer_info: {}, signers }).signer_email).toBe('a@example.com');
	});
});
