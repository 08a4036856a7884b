import type { IDataObject } from 'n8n-workflow';

import { listUnopened } from '../../../../nodes/SignAndClose/resources/signer/api.ts';
import { buildProgressFields } from '../../../../nodes/SignAndClose/resources/signer/output.ts';
import { buildStatusFilter } from '../../../../nodes/SignAndClose/resources/transaction/list/conditions.ts';

/** Who was invited and has never opened the invitation, as far as an answer shows it. */

const ann = { first_name: 'Ann', email: 'ann@example.com', signing_status: 'incomplete' };
const bob = { first_name: 'Bob', email: 'bob@example.com', signing_status: 'incomplete' };
const opened = { ...bob, signing_status: 'in_progress' };
const sent = { status: 'sent', detailed_status: 'sent_to_signer' };

test.each<[string, IDataObject, string | null]>([
	['sent', { ...sent, signers: [ann] }, 'Ann · ann@example.com'],
	['sent to two', { ...sent, signers: [ann, bob] }, 'Ann · ann@example.com, Bob · bob@example.com'],
	['without a detailed status', { status: 'sent', signers: [ann] }, 'Ann · ann@example.com'],
	['without a signing status', { ...sent, signers: [{ email: 'a@b.co' }] }, 'a@b.co'],
	['received', { status: 'received', detailed_status: 'viewed', signers: [ann] }, ''],
	['received, and shown late', { ...sent, status: 'received', signers: [ann] }, ''],
	['viewed', { status: 'sent', detailed_status: 'viewed', signers: [ann] }, ''],
	['started', { status: 'sent', detailed_status: 'started', signers: [ann] }, ''],
	['started by the signer', { ...sent, signers: [opened] }, ''],
	['attempted', { status: 'sent', detailed_status: 'attempted', signers: [ann] }, ''],
	['one of two has opened', { ...sent, signers: [ann, opened] }, null],
	['one of two, nobody says which', { status: 'received', signers: [ann, bob] }, null],
	['both have opened', { status: 'received', signers: [opened, opened] }, ''],
	['on hold', { status: 'sent', detailed_status: 'on_hold', signers: [ann] }, null],
	['without emails', { status: 'active', detailed_status: 'active', signers: [ann] }, null],
	[
		'a group',
		{ ...sent, signers: [{ recipient_group: { shared_inbox_email: 'team@a.co' } }] },
		'team@a.co',
	],
	['signers not shown', sent, null],
	['a state of tomorrow', { status: 'sparkling', signers: [ann] }, null],
	['a draft', { status: 'started', detailed_status: 'draft', signers: [ann] }, ''],
	[
		'with the closing team',
		{ status: 'sent_to_closing_ops', detailed_status: 'order_placed', signers: [ann] },
		'',
	],
	[
		'with the title agency',
		{ status: 'sent_to_title_agency', detailed_status: 'sent_to_title_agent', signers: [ann] },
		'',
	],
	['expired', { status: 'expired', signers: [ann] }, ''],
	['declined', { status: 'sent', detailed_status: 'declined', signers: [ann] }, ''],
	['canceled', { ...sent, status: 'canceled', signers: [ann] }, ''],
	['canceled in the details', { ...sent, detailed_status: 'canceled', signers: [ann] }, ''],
])('%s', (_what, transaction, expected) => {
	expect(buildProgressFields(transaction).never_opened).toBe(expected);
	const isFound = expected === null ? undefined : expected !== '';
	expect(buildStatusFilter(['unopened'])(transaction)).toBe(isFound);
	expect(listUnopened(transaction)?.length).toBe(expected?.split(', ').filter(Boolean).length);
});
