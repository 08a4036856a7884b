import type { IDataObject } from 'n8n-workflow';

import {
	buildExpiryFilter,
	readExpiry,
	hasFailedDocument,
	hasFailedIdentity,
	buildSignerFilter,
	buildStatusFilter,
	buildNameFilter,
	buildOrganizationFilter,
	type TransactionFilter,
} from '../../../../../nodes/SignAndClose/resources/transaction/list/conditions.ts';
import { forEachCase } from '../../../../support/forEachCase.mts';

/** The filters that the service's list doesn't have, for transactions as either platform answers them. */

const NOON = Date.UTC(2026, 10, 22, 12);
const jane = buildSignerFilter(' Jane@example.com ');
const inbox = { recipient_group: { shared_inbox_email: 'JANE@example.com' } };
const checked = (...records: IDataObject[]) => ({
	signers: [{ email: 'j@example.com' }, { esign_authentication_records: records }],
});

test.each<[string, TransactionFilter, IDataObject, boolean | undefined]>([
	['signer, in any case', jane, { signers: [{ email: 'JANE@EXAMPLE.com' }] }, true],
	['signer, by a shared inbox', jane, { signers: [{ email: null, ...inbox }] }, true],
	[
		'signer, as the second',
		jane,
		{ signers: [], cosigner_info: { email: 'jane@example.com' } },
		true,
	],
	['signer, apart from the list', jane, { signer_info: { email: 'jane@example.com' } }, true],
	['other signers', jane, { signers: [{ email: 'joe@example.com' }] }, false],
	['no signers', jane, { signers: [] }, false],
	['signers not shown', jane, {}, undefined],
	['name, in any case', buildNameFilter('CAFÉ'), { transaction_name: 'Cafe\u0301 lease' }, true],
	['another name', buildNameFilter('nowhere'), { transaction_name: 'Lease' }, false],
	['no name', buildNameFilter('a'), { transaction_name: null }, false],
	['organization', buildOrganizationFilter('or_1'), { organization_id: 'or1' }, true],
	['another organization', buildOrganizationFilter('or1'), { organization_id: 'or_2' }, false],
	['organization not shown', buildOrganizationFilter('or_1'), { organization_id: null }, undefined],
	[
		'expires at this time',
		buildExpiryFilter({ from: NOON, to: NOON }),
		{ expiry: '2026-11-22T07:00:00-05:00' },
		true,
	],
	['expires later', buildExpiryFilter({ to: NOON }), { expiry: '2026-11-22T12:00:01Z' }, false],
	[
		'expired before',
		buildExpiryFilter({ from: NOON }),
		{ expiration_time: '2026-11-22T11:59:59' },
		false,
	],
	['never expires', buildExpiryFilter({ to: NOON }), { expiry: null }, false],
	['unreadable expiry', buildExpiryFilter({ to: NOON }), { expiry: 'next week' }, undefined],
	['identity check failed', hasFailedIdentity, checked({ status: 'failure' }), true],
	['passed since', hasFailedIdentity, checked({ status: 'failure' }, { verified: true }), false],
	[
		'failed, as the state says',
		hasFailedIdentity,
		{ detailed_status: 'identify_complete_idv_failed' },
		true,
	],
	['identity check not failed', hasFailedIdentity, { signers: [{}] }, false],
	['identity checks not shown', hasFailedIdentity, {}, undefined],
	[
		'document failed, by the error',
		hasFailedDocument,
		{ documents: [{}, { processing_error: 'x' }] },
		true,
	],
	[
		'document failed, by the state',
		hasFailedDocument,
		{ documents: [{}, { processing_state: 'failed' }] },
		true,
	],
	['documents processed', hasFailedDocument, { documents: [{ processing_error: null }] }, false],
	[
		'one document not shown',
		hasFailedDocument,
		{ documents: [{ processing_error: '' }, {}] },
		undefined,
	],
	['documents not shown', hasFailedDocument, { documents: null }, undefined],
])('%s', (_what, filter, transaction, expected) => {
	expect(filter(transaction)).toBe(expected);
});

describe('detailed status', () => {
	test.each<[IDataObject, string[], string[]]>([
		[{ status: 'received', detailed_status: 'viewed' }, ['viewed', 'open'], ['received']],
		[{ status: 'received', detailed_status: 'declined' }, ['declined'], ['open']],
		[{ status: 'completed', detailed_status: 'awaiting_payment' }, ['open'], ['completed']],
		[{ status: 'new', detailed_status: 'newer' }, ['open', 'newer'], ['draft']],
		// Where it's missing, the status counts.
		[{ status: 'started' }, ['draft', 'open'], ['recalled']],
		[{ status: 'started', recall_reason: 'Wrong name' }, ['recalled'], ['draft']],
		[{ status: 'expired', detailed_status: null }, ['expired'], ['open']],
		// Nobody says which of the two fields shows it.
		[{ status: 'sent', detailed_status: 'canceled' }, ['canceled'], ['open', 'waiting']],
		[
			{ status: 'canceled', detailed_status: 'sent_to_signer' },
			['canceled'],
			['open', 'sent_to_signer'],
		],
		[{ status: 'started', detailed_status: 'canceled' }, ['canceled'], ['open', 'draft']],
	])('%j', (transaction, is, isNot) => {
		forEachCase(is, (status) =>
			expect(buildStatusFilter([status, 'other'])(transaction)).toBe(true),
		);
		expect(buildStatusFilter(isNot)(transaction)).toBe(false);
	});
	test('is unknown where no status is shown', () => {
		expect(buildStatusFilter(['declined'])({})).toBeUndefined();
	});
});

test.each<[IDataObject, number | undefined]>([
	[{ expiry: '2026-11-22' }, Date.UTC(2026, 10, 22, 23, 59, 59)],
	[{ expiry: 'soon', expiration_time: '2026-11-22T12:00:00.000000Z' }, NOON],
	[{ expiry: ' ', expiration_time: null }, undefined],
	[{ expiry: '7' }, Number.NaN],
])('the expiry of %j', (transaction, expected) => {
	expect(readExpiry(transaction)).toBe(expected);
});
