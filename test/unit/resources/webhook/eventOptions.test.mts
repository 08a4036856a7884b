import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import {
	eventOptions,
	offeredOptions,
} from '../../../../nodes/SignAndClose/resources/webhook/eventOptions.ts';

/** The names in the tables of docs/service/webhooks.md, which no list of the code was copied to. */
const DOCUMENTED = [
	...readFileSync(new URL('../../../../docs/service/webhooks.md', import.meta.url), 'utf8')
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

test('each event has a short name of its own, and below it that of the service', () => {
	const options = eventOptions().filter(({ value }) => !String(value).endsWith('*'));
	const names = options.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(names.filter((name) => name.length > 36 || /transaction/i.test(name))).toEqual([]);
	for (const { value, description } of options)
		expect(description).toMatch(new RegExp(`^${String(value)}: .`));
});

test('what a service offers can be chosen, with the wildcards, which it may not list', () => {
	const offered = ['transaction.archived', 'transaction.*', 'transaction.sent', 'notary.paused'];
	const options = offeredOptions(offered);
	expect(options.map(({ value }) => value)).toEqual([
		'*',
		'notary.*',
		'transaction.*',
		'transaction.archived',
		'notary.paused',
		'transaction.sent',
	]);
	expect(options.map(({ name }) => name)).toContain('Notary Paused');
	expect(options.find(({ value }) => value === 'transaction.archived')).toEqual({
		name: 'Archived',
		value: 'transaction.archived',
		description: 'transaction.archived',
	});
});
