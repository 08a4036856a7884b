import { describe, expect, test } from '@jest/globals';

import { notePlatform } from '../../../nodes/SignAndClose/service/resources/transactionState.ts';
import { hasFilters, passes } from '../../../nodes/SignAndClose/trigger/events/filters.ts';

/** The trigger's filters by the transaction of an event. */

describe('filters', () => {
	test.each([
		[{}, false],
		[{ external_id: '', organization_id: '' }, false],
		[{ external_id: '', transaction_type: 'heloc' }, true],
		[{ platform: 'business' }, true],
	])('%j: whether any is filled in: %s', (filters, expected) => {
		expect(hasFilters(filters)).toBe(expected);
	});
	test('let everything pass while none is filled in', () => {
		expect(passes({}, {})).toBe(true);
		expect(
			passes({}, { external_id: '', organization_id: '', platform: '', transaction_type: '' }),
		).toBe(true);
	});
});

describe('what an answer does not show', () => {
	const closing = { street_address: { line1: '100 Harbor Street' } };
	test.each([
		['the organization', {}, { organization_id: 'or_1' }, true],
		['the type of a closing', closing, { transaction_type: 'refinance' }, true],
		[
			'the type of a business transaction, which has none',
			{},
			{ transaction_type: 'heloc' },
			false,
		],
		['an external ID, which was never set', closing, { external_id: 'case-*' }, false],
	])('%s', (_name, transaction, filters, expected) => {
		expect(passes(transaction, filters)).toBe(expected);
	});
	test('an organization is the same with and without its underscore', () => {
		const filters = { organization_id: 'or_harbor' };
		expect(passes({ organization_id: 'orharbor' }, filters)).toBe(true);
		expect(passes({ organization_id: 'or_bank' }, filters)).toBe(false);
	});
	test('the address of a closing: the platform that has answered counts', () => {
		const platform = (transaction: object, asked?: 'business' | 'realEstate') => {
			notePlatform(transaction as never, asked);
			return ['business', 'realEstate'].filter((each) =>
				passes(transaction as never, { platform: each }),
			);
		};
		expect(platform({}, 'realEstate')).toEqual(['realEstate']);
		expect(platform({ street_address: null }, 'realEstate')).toEqual(['realEstate']);
		expect(platform({}, 'business')).toEqual(['business']);
		expect(platform({})).toEqual(['business']);
		// A service that offers only the documented endpoints answers closings there, too.
		expect(platform({ ...closing }, 'business')).toEqual(['realEstate']);
	});
});

describe('the pattern of external IDs', () => {
	test.each([
		['abc', 'abc', true],
		['ABC', 'abc', true],
		['abc', 'aBC', true],
		['abc', 'ab', false],
		['abc', 'bc', false],
		['abc', 'abcd', false],
		['abc', '*', true],
		['abc', '***', true],
		['abc', 'a*', true],
		['abc', 'b*', false],
		['abc', '*c', true],
		['abc', '*b', false],
		['abc', 'abc*', true],
		['abc', '*abc', true],
		// The part between two asterisks may be at the very beginning.
		['abc', '*a*c', true],
		['abc', '*abc*', true],
		['abc', 'a*b*c', true],
		['abc', 'a*x*c', false],
		['abc', '*x*', false],
		['abc', 'x*b*', false],
		['a-b-c-d', 'a*c*d', true],
		['a-b-c-d', 'a*c*b*d', false],
		// The end may follow the beginning at once, but no character counts twice.
		['ab', 'a*b', true],
		['abc', 'ab*bc', false],
		['aba', 'ab*ba', false],
		['abba', 'ab*ba', true],
		['abbb', 'a*bb*bb', false],
		['abbbb', 'a*bb*bb', true],
		['a', 'a*a', false],
		// Nothing but the asterisk has a meaning of its own.
		['abc', 'a.c', false],
		['abc', 'a?c', false],
		['a.c', 'a.*', true],
	])('%j and the pattern %j: %s', (externalId, pattern, expected) => {
		expect(passes({ external_id: externalId }, { external_id: pattern })).toBe(expected);
	});
	test.each([
		['*', true],
		['**', true],
		['*e*', false],
		['* *', false],
		['undefined', false],
		['null', false],
	])('a transaction without one and the pattern %j: %s', (pattern, expected) => {
		expect(passes({}, { external_id: pattern })).toBe(expected);
		expect(passes({ external_id: null }, { external_id: pattern })).toBe(expected);
	});
});

describe('the other filters', () => {
	test.each([
		[{ street_address: { city: 'Boston' } }, 'realEstate'],
		[{ street_address: {} }, 'realEstate'],
		[{ street_address: null }, 'business'],
		[{ street_address: '100 Harbor Street' }, 'business'],
		[{}, 'business'],
	])('the platform of %j is %s', (transaction, platform) => {
		for (const wanted of ['realEstate', 'business'])
			expect(passes(transaction, { platform: wanted })).toBe(wanted === platform);
	});
	test('organization and type have to be the same, and all filters have to pass', () => {
		const transaction = {
			external_id: 'case-1',
			organization_id: 'or_1',
			transaction_type: 'refinance',
		};
		const filters = {
			external_id: 'case-*',
			organization_id: 'or_1',
			platform: 'business',
			transaction_type: 'refinance',
		};
		expect(passes(transaction, filters)).toBe(true);
		for (const other of [
			{ external_id: 'other-*' },
			{ organization_id: 'or_12' },
			{ platform: 'realEstate' },
			{ transaction_type: 'Refinance' },
		])
			expect(passes(transaction, { ...filters, ...other })).toBe(false);
	});
});
