import { readFileSync } from 'node:fs';

import {
	isSelected,
	toSubscriptions,
} from '../../../../nodes/SignAndClose/resources/webhook/eventSelection.ts';
import {
	buildEventOptions,
	listEventsOfGroup,
	FINISHED_GROUP,
	buildGroupedOptions,
} from '../../../../nodes/SignAndClose/resources/webhook/events.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** The names in the tables of docs/service/webhooks.md, which no list of the code was copied to. */
const DOCUMENTED = [
	...readFileSync(new URL('../../../../docs/service/webhooks.md', import.meta.url), 'utf8')
		.split('## Event records')[0]
		.matchAll(/^\| `((?:transaction|notary)\.[^`]+)`/gm),
].map(([, name]) => name);
const byName = <T extends { name: string }>(options: T[]) =>
	[...options].sort((a, b) => a.name.localeCompare(b.name));
const IDENTITY = 'transaction.automated_identity_verification_by_idv_service';
const OFFERED = ['transaction.archived', 'transaction.*', 'transaction.sent', 'notary.paused'];

describe('the options', () => {
	test('are every event of the service, and no other, sorted, each with a short name of its own', () => {
		const options = buildEventOptions();
		expect(options).toEqual(byName(options));
		const single = options.filter(({ value }) => !String(value).endsWith('*'));
		expect(DOCUMENTED.length).toBeGreaterThan(30);
		expect(single.map(({ value }) => value).sort()).toEqual(DOCUMENTED.sort());
		const names = single.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(names.filter((name) => name.length > 36 || /transaction/i.test(name))).toEqual([]);
		forEachCase(single, ({ value, description }) =>
			expect(description).toMatch(new RegExp(`^${String(value)}(: .{7}|$)`)),
		);
	});
	test('have at most four words', () => {
		for (const { name } of buildEventOptions())
			expect([name, name.split(' ').length <= 4]).toEqual([name, true]);
	});
	test('are what a service offers, unknown events as they are, and the wildcards, which it may not list', () => {
		expect(buildEventOptions(OFFERED).map(({ name, value }) => [name, value])).toEqual([
			['Any Event', '*'],
			['Any Notary Event', 'notary.*'],
			['Any Transaction Event', 'transaction.*'],
			['Archived', 'transaction.archived'],
			['Notary Paused', 'notary.paused'],
			['Sent', 'transaction.sent'],
		]);
	});
	test('with groups: each is followed by its events; none of which the service has no event', () => {
		expect(buildGroupedOptions(OFFERED).map(({ name, value }) => [name, value])).toEqual([
			['Any Event', '*'],
			['Any Notary Event', 'notary.*'],
			['Any Transaction Event', 'transaction.*'],
			['Other: Archived', 'transaction.archived'],
			['Other: Notary Paused', 'notary.paused'],
			['Progress: All Its Events', 'group:progress'],
			['Progress: Sent', 'transaction.sent'],
		]);
		const all = buildGroupedOptions();
		expect(all).toEqual(byName(all));
		const values = all.map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
		expect(values).toEqual(expect.arrayContaining([...DOCUMENTED, FINISHED_GROUP]));
		// An event of two groups is listed in one of them only.
		const attention = all.find(({ value }) => value === 'group:attention');
		expect(attention?.description).toMatch(/completed with rejections/);
	});
});

describe('the groups', () => {
	const events = (group: string) => listEventsOfGroup(`group:${group}`)!;
	test('have together all events but "updated", which follows any other', () => {
		const grouped = ['documents', 'finished', 'attention', 'notaries', 'progress'].flatMap(events);
		expect(DOCUMENTED.filter((event) => !grouped.includes(event))).toEqual(['transaction.updated']);
	});
	test('say what is finished and what needs attention', () => {
		const rejected = 'transaction.completed_with_rejections';
		expect(listEventsOfGroup(FINISHED_GROUP)).toEqual(['transaction.completed', rejected]);
		expect(events('attention')).toEqual(
			expect.arrayContaining([rejected, 'transaction.declined', 'transaction.expired']),
		);
	});
	test.each(['transaction.completed', 'group:unknown', 'group:constructor'])(
		'%s is none',
		(selected) => expect(listEventsOfGroup(selected)).toBeUndefined(),
	);
});

describe('what is selected', () => {
	test.each([
		['transaction.sent', 'transaction.*', true],
		['notary.created', 'transaction.*', false],
		['transaction_copy.sent', 'transaction.*', false],
		['transaction.sent', 'transaction.sen', false],
		['anything', '*', true],
		// The older singular name.
		['transaction.completed_with_rejection', 'transaction.completed_with_rejections', true],
		['transaction.completed_with_rejections', 'transaction.completed_with_rejection', true],
		// A text of the service names these without the second prefix.
		[`${IDENTITY}_failed`, `transaction.${IDENTITY}_failed`, true],
		[`${IDENTITY}_passed`, `transaction.${IDENTITY}_failed`, false],
	])('%s by %s: %s', (event, pattern, expected) => {
		expect(isSelected(event, [pattern])).toBe(expected);
	});
	test.each([
		[['*', 'transaction.*', 'transaction.sent'], ['*']],
		[
			['b', 'a', 'b'],
			['a', 'b'],
		],
		[
			['transaction.*', 'transaction.sent', 'notary.created'],
			['notary.created', 'transaction.*'],
		],
		[['transaction.completed_with_rejection'], ['transaction.completed_with_rejections']],
		[[`${IDENTITY}_passed`], [`transaction.${IDENTITY}_passed`]],
	])('%j is subscribed to as %j', (chosen, subscribed) => {
		expect(toSubscriptions(chosen)).toEqual(subscribed);
	});
});
