import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import {
	eventOptions,
	eventTitle,
	offeredOptions,
} from '../../../nodes/SignAndClose/fields/shared/eventOptions.ts';

/** The names in the tables of docs/service/webhooks.md, which no list of the code was copied to. */
const DOCUMENTED = [
	...readFileSync(new URL('../../../docs/service/webhooks.md', import.meta.url), 'utf8')
		.split('## Event records')[0]
		.matchAll(/^\| `((?:transaction|notary)\.[^`]+)`/gm),
].map(([, name]) => name);
const named = (options: Array<{ value: unknown }>) =>
	options.map(({ value }) => String(value)).filter((value) => !value.endsWith('*'));

test('every event of the service can be chosen, and no other, sorted by name', () => {
	const options = eventOptions();
	expect(DOCUMENTED.length).toBeGreaterThan(30);
	expect(named(options).sort()).toEqual(DOCUMENTED.sort());
	expect(options.map(({ name }) => name)).toEqual(
		[...options.map(({ name }) => name)].sort((a, b) => a.localeCompare(b)),
	);
	expect(options.every(({ description }) => (description ?? '').length > 10)).toBe(true);
});

test('a name that repeats its prefix stays as it is, its title does not repeat it', () => {
	const name = 'transaction.transaction.automated_identity_verification_by_idv_service_passed';
	expect(named(eventOptions())).toContain(name);
	expect(eventTitle(name)).toBe(
		'Transaction Automated Identity Verification by IDV Service Passed',
	);
});

test('what a service offers can be chosen, with the wildcards, which it may not list', () => {
	const offered = ['transaction.archived', 'transaction.*', 'transaction.sent'];
	const options = offeredOptions(offered);
	expect(options.map(({ value }) => value)).toEqual([
		'*',
		'notary.*',
		'transaction.*',
		'transaction.archived',
		'transaction.sent',
	]);
	expect(options.find(({ value }) => value === 'transaction.archived')).toEqual({
		name: 'Transaction Archived',
		value: 'transaction.archived',
		description: 'transaction.archived',
	});
});
