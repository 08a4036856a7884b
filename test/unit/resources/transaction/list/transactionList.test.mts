import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	expires,
	expiryOf,
	hasFailedDocument,
	hasFailedIdentity,
	hasSigner,
	inDetailedStatus,
	nameContains,
	ofOrganization,
	orUnknown,
	type Filter,
} from '../../../../../nodes/SignAndClose/resources/transaction/list/conditions.ts';
import {
	FirstInOrder,
	type Order,
} from '../../../../../nodes/SignAndClose/resources/transaction/list/order.ts';

/**
 * The filters and the order of transactions, held against what is true of made-up transactions. Each
 * is written down the way a service of either platform may write it.
 */

/** What is true of a transaction. */
interface Truth {
	name: string | undefined;
	/** Email addresses of the signers, or inboxes that they share. */
	addresses: Array<{ address: string; shared: boolean }>;
	/** Milliseconds since 1970, at a full second. */
	expiry: number | undefined;
	status: string;
	detailed: string;
	organization: string;
	/** For each signer, the results of the identity checks. */
	checks: Array<Array<'success' | 'failure' | 'pending'>>;
	/** For each document, why it couldn't be processed. */
	documents: Array<string | null>;
}

/** Status, detailed status, and whether there is something left to happen. */
const STATES: Array<[status: string, detailed: string, open: boolean]> = [
	['started', 'draft', true],
	['started', 'recalled', true],
	['sent', 'sent_to_signer', true],
	['sent_to_title_agency', 'sent_to_title_agent', true],
	['sent_to_closing_ops', 'order_placed', true],
	['received', 'viewed', true],
	['received', 'held_for_review', true],
	['partially_completed', 'partially_complete', true],
	['partially_completed', 'esign_complete', true],
	['active', 'meeting_in_progress', true],
	['completed', 'awaiting_payment', true],
	['completed', 'complete', false],
	['completed_with_rejections', 'complete', false],
	['completed_with_rejections', 'complete_with_rejections', false],
	['completed_with_rejections', 'identify_complete_idv_failed', false],
	['completed', 'identify_complete_idv_passed', false],
	['completed', 'wet_sign_complete', false],
	['received', 'declined', false],
	['expired', 'expired', false],
	['of a later version', 'that nobody knows', true],
];
const ADDRESSES = ['jane@example.com', 'joe@example.com', 'desk@example.com'];
const NAMES = ['Refinance 100 Harbor Street', 'Power of attorney', 'Caf\u00e9 lease', ''];
const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 22, 12);

const truth: fc.Arbitrary<Truth> = fc
	.record({
		name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
		addresses: fc.array(
			fc.record({ address: fc.constantFrom(...ADDRESSES), shared: fc.boolean() }),
			{ maxLength: 3 },
		),
		expiry: fc.option(
			fc.integer({ min: -9 * 86_400, max: 9 * 86_400 }).map((seconds) => NOON + seconds * 1000),
			{ nil: undefined },
		),
		state: fc.constantFrom(...STATES),
		organization: fc.constantFrom('or_harbor', 'or_other'),
		checks: fc.array(
			fc.array(fc.constantFrom('success' as const, 'failure' as const, 'pending' as const), {
				maxLength: 3,
			}),
			{ maxLength: 3 },
		),
		documents: fc.array(fc.constantFrom(null, 'The PDF is encrypted'), { maxLength: 3 }),
	})
	.map(({ state: [status, detailed], ...rest }) => ({ ...rest, status, detailed }));

/** How a service writes transactions down. */
interface Style {
	platform: 'business' | 'realEstate';
	/** What stands where nothing is set. */
	unset: 'absent' | 'null' | 'empty';
	date: (time: number) => string;
	expiryName: 'expiry' | 'expiration_time' | 'both';
	upperCase: boolean;
	decomposed: boolean;
	underscore: boolean;
	/** The documented answer names the first signer apart. */
	signerInfo: boolean;
}

/** The ways in which one and the same second is written. */
const DATES: Array<Style['date']> = [
	(time) => new Date(time).toISOString(),
	(time) => new Date(time).toISOString().replace('.000Z', '.000000Z'),
	(time) => new Date(time).toISOString().replace('.000Z', 'Z'),
	(time) => new Date(time).toISOString().replace('.000Z', '+00:00'),
	(time) => new Date(time - 5 * 3_600_000).toISOString().replace('.000Z', '-05:00'),
	// Without a zone, UTC is meant.
	(time) => new Date(time).toISOString().replace('.000Z', ''),
	(time) => new Date(time).toISOString().replace('.000Z', '').replace('T', ' '),
];

const style: fc.Arbitrary<Style> = fc.record({
	platform: fc.constantFrom('business' as const, 'realEstate' as const),
	unset: fc.constantFrom('absent' as const, 'null' as const, 'empty' as const),
	date: fc.constantFrom(...DATES),
	expiryName: fc.constantFrom('expiry' as const, 'expiration_time' as const, 'both' as const),
	upperCase: fc.boolean(),
	decomposed: fc.boolean(),
	underscore: fc.boolean(),
	signerInfo: fc.boolean(),
});

/** A transaction as a service answers it. */
function written(told: Truth, how: Style): IDataObject {
	const unset = { absent: undefined, null: null, empty: '' }[how.unset];
	const either = (text: string) => (how.upperCase ? text.toUpperCase() : text);
	const people = told.addresses.map(({ address, shared }) =>
		shared
			? { email: unset, recipient_group: { shared_inbox_email: either(address) } }
			: { email: either(address), recipient_group: unset },
	);
	const signers = told.checks.map((results) => ({
		esign_authentication_records: results.map((status) => ({
			status,
			verified: status === 'success',
		})),
	}));
	const name = told.name && either(told.name);
	const expiry = told.expiry === undefined ? unset : how.date(told.expiry);
	const names = how.expiryName === 'both' ? ['expiry', 'expiration_time'] : [how.expiryName];
	return JSON.parse(
		JSON.stringify({
			id: 'ot_1',
			transaction_name: (how.decomposed ? name?.normalize('NFD') : name) ?? unset,
			status: told.status,
			detailed_status: told.detailed,
			organization_id: how.underscore ? told.organization : told.organization.replace('_', ''),
			signers: [...people, ...signers],
			...(how.signerInfo && people.length > 0 && { signer_info: people[0] }),
			documents: told.documents.map((why) =>
				how.platform === 'business'
					? { processing_state: 'done' }
					: {
							processing_state: 'done',
							processing_error: why ?? (how.unset === 'empty' ? '' : null),
						},
			),
			...Object.fromEntries(names.map((field) => [field, expiry])),
		}),
	) as IDataObject;
}

/** Holds a filter against what it is about, for any transaction in any style. */
function holds(filter: Filter, expected: (told: Truth, how: Style) => boolean | undefined): void {
	fc.assert(
		fc.property(truth, style, (told, how) => {
			expect(filter(written(told, how))).toBe(expected(told, how));
		}),
		{ numRuns: 500 },
	);
}

describe('filters, for transactions of both platforms in every style', () => {
	test.each(ADDRESSES.map((address) => [address]))('the signer %s, in any case', (address) =>
		holds(hasSigner(` ${address.toUpperCase()} `), (told) =>
			told.addresses.some((one) => one.address === address),
		),
	);
	test.each(['harbor', 'CAF\u00c9', 'Power of attorney', 'nowhere'])(
		'the name contains %s',
		(text) =>
			holds(nameContains(text), (told) =>
				(told.name ?? '').toLowerCase().includes(text.toLowerCase()),
			),
	);
	test.each([
		['before', { to: NOON }],
		['after', { from: NOON }],
		['between', { from: NOON - DAY_MS, to: NOON + DAY_MS }],
	])(
		'expires %s a time',
		(_name, { from = -Infinity, to = Infinity }: { from?: number; to?: number }) =>
			holds(
				expires({ from, to }),
				({ expiry }) => expiry !== undefined && expiry >= from && expiry <= to,
			),
	);
	test('open: there is something left to happen', () =>
		holds(inDetailedStatus(['open']), ({ status, detailed }) =>
			STATES.some(([one, other, open]) => one === status && other === detailed && open),
		));
	test('several detailed statuses, one of them open or not', () => {
		holds(inDetailedStatus(['declined', 'expired']), ({ detailed }) =>
			['declined', 'expired'].includes(detailed),
		);
		holds(
			inDetailedStatus(['open', 'declined']),
			({ status, detailed }) =>
				detailed === 'declined' ||
				STATES.some(([one, other, open]) => one === status && other === detailed && open),
		);
	});
	test('the organization, with or without the underscore of its ID', () => {
		holds(ofOrganization('or_harbor'), ({ organization }) => organization === 'or_harbor');
		holds(ofOrganization('orharbor'), ({ organization }) => organization === 'or_harbor');
	});
	test('an identity check failed and none was passed since', () =>
		holds(
			hasFailedIdentity,
			({ detailed, checks }) =>
				detailed === 'identify_complete_idv_failed' ||
				checks.some((results) => results.includes('failure') && !results.includes('success')),
		));
	test("a document couldn't be processed, which business doesn't show", () =>
		holds(hasFailedDocument, ({ documents }, { platform }) =>
			platform === 'realEstate' || documents.length === 0
				? documents.some((why) => why !== null)
				: undefined,
		));
});

describe('what a transaction does not show', () => {
	test.each<[string, Filter, IDataObject, boolean | undefined]>([
		['its signers', hasSigner('jane@example.com'), {}, undefined],
		[
			'its signers but one',
			hasSigner('jane@example.com'),
			{ signer_info: { email: 'Jane@Example.com' } },
			true,
		],
		['any signer', hasSigner('jane@example.com'), { signers: [] }, false],
		[
			'its second signer but apart',
			hasSigner('j@example.com'),
			{ signers: [], cosigner_info: { email: 'j@example.com' } },
			true,
		],
		['its name', nameContains('a'), { transaction_name: null }, false],
		['its organization', ofOrganization('or_1'), { organization_id: null }, undefined],
		['its organization, where that may be ours', orUnknown(ofOrganization('or_1')), {}, true],
		['that it is ours', orUnknown(ofOrganization('or_1')), { organization_id: 'or_2' }, false],
		['its state', inDetailedStatus(['declined']), {}, undefined],
		['whether it is over', inDetailedStatus(['open']), {}, true],
		['a readable expiry', expires({ to: NOON }), { expiry: 'next week' }, undefined],
		['its identity checks', hasFailedIdentity, { signers: [{ email: 'j@example.com' }] }, false],
		[
			'the status of a check that was passed',
			hasFailedIdentity,
			{ signers: [{ esign_authentication_records: [{ status: 'failure' }, { verified: true }] }] },
			false,
		],
		['its signers, to the identity checks', hasFailedIdentity, {}, undefined],
		['its documents', hasFailedDocument, { documents: null }, undefined],
		[
			'the processing of one document',
			hasFailedDocument,
			{ documents: [{ processing_error: null }, {}] },
			undefined,
		],
		[
			'the processing of one, but of another',
			hasFailedDocument,
			{ documents: [{}, { processing_error: 'x' }] },
			true,
		],
		[
			'why the processing of one failed',
			hasFailedDocument,
			{ documents: [{}, { processing_state: 'failed' }] },
			true,
		],
	])('%s', (_what, filter, transaction, expected) => {
		expect(filter(transaction)).toBe(expected);
	});
	test.each<[IDataObject, string[], string[]]>([
		[{ status: 'started' }, ['draft', 'started'], ['recalled']],
		[{ status: 'started', recall_reason: 'Wrong name' }, ['recalled', 'started'], ['draft']],
		[{ status: 'sent', detailed_status: '' }, ['sent_to_signer'], ['draft']],
		[{ status: 'expired', detailed_status: null }, ['expired'], ['open']],
		[{ status: 'completed' }, ['complete'], ['open', 'complete_with_rejections']],
		[{ detailed_status: 'declined' }, ['declined'], ['open']],
	])('%j: where the detailed status is missing, the status tells', (transaction, is, isNot) => {
		for (const status of is) expect(inDetailedStatus([status])(transaction)).toBe(true);
		for (const status of isNot) expect(inDetailedStatus([status])(transaction)).toBe(false);
	});
});

describe('the expiry', () => {
	test.each<[string, IDataObject, number | undefined]>([
		['a day counts to its end', { expiry: '2026-11-22' }, Date.UTC(2026, 10, 22, 23, 59, 59)],
		['of real estate alone', { expiration_time: '2026-11-22T12:00:00Z' }, NOON],
		['the one that can be read', { expiry: 'soon', expiration_time: '2026-11-22T12:00:00Z' }, NOON],
		['none', { expiry: '', expiration_time: null }, undefined],
		['spaces are none', { expiry: '  ' }, undefined],
		["one that can't be read", { expiry: 'soon' }, Number.NaN],
		["a number that can't be one", { expiry: '7' }, Number.NaN],
	])('%s', (_name, transaction, expected) => {
		expect(expiryOf(transaction)).toBe(expected);
	});
});

describe('the order', () => {
	const FIELDS = { created: 'date_created', updated: 'date_updated', expiry: 'expiry' } as const;
	const order = fc.record<Order>({
		by: fc.constantFrom('created' as const, 'expiry' as const, 'updated' as const),
		descending: fc.boolean(),
	});
	// Few times, so that many are equal.
	const times = fc.array(
		fc.oneof(
			fc.integer({ min: 0, max: 4 }).map((minute) => NOON + minute * 60_000),
			fc.constantFrom(undefined, Number.NaN),
		),
		{ maxLength: 30 },
	);
	test('is that of a stable sort; what has no date comes last', () => {
		fc.assert(
			fc.property(
				order,
				times,
				fc.constantFrom(...DATES),
				fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Number.POSITIVE_INFINITY)),
				fc.integer({ min: 0, max: 5 }),
				({ by, descending }, list, date, most, spare) => {
					const first = new FirstInOrder({ by, descending }, most, spare);
					const all = list.map((time, index) => ({
						id: index,
						[FIELDS[by]]: time === undefined ? null : Number.isNaN(time) ? 'some day' : date(time),
					}));
					for (const transaction of all) first.add(transaction);
					const dated = [...list.keys()].filter((index) => Number.isFinite(list[index]));
					// Insertion by comparing pairs: nothing moves past an equal one.
					const sorted: number[] = [];
					for (const index of dated) {
						const comesBefore = (other: number) =>
							descending ? list[other]! >= list[index]! : list[other]! <= list[index]!;
						const at = sorted.findLastIndex(comesBefore) + 1;
						sorted.splice(at, 0, index);
					}
					const undated = [...list.keys()].filter((index) => !dated.includes(index));
					const expected = [...sorted, ...undated].slice(0, most);
					expect(first.all().map(({ id }) => id)).toEqual(expected);
				},
			),
			{ numRuns: 500 },
		);
	});
});
