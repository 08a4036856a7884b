import { deliver, event, runOf } from '../../support/delivery.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	expectCleanPrototype,
	expectPlain,
	expectUsualPrototypes,
	HOSTILE_IDS,
	TEN_MEGABYTES,
} from '../../support/hostile/index.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Hostile calls of the trigger's URL, by somebody who knows its secret: each is answered with 200 or
 * 400, and never with a failure of n8n.
 */

useSandbox();

const NESTED = 200_000;
const NAMES = [
	...Object.values(HOSTILE_IDS),
	'prototype',
	'toString',
	'valueOf',
	'hasOwnProperty',
	TEN_MEGABYTES.slice(0, 50_000),
];
/** The ways in which a delivery can be handled. */
const WAYS = [
	{ confirm: false },
	{ confirm: false, events: ['transaction.*'] },
	{ confirm: true, events: ['*', 'transaction.completed'] },
	{
		confirm: true,
		onlyRunIf: { row: [{ field: 'transaction_type', comparison: 'equals', value: 'refinance' }] },
	},
	{ options: { eventSource: 'pull' } },
];

describe.each(WAYS)('with %j', (parameters) => {
	test.each(NAMES.map((name) => [name.slice(0, 30), name]))('the name %j', async (_, name) => {
		sandbox.requests.length = 0;
		await forEachCase([event({}, name), event({ transaction_id: name })], async (body) => {
			const { status, item } = await deliver(body, { parameters });
			expect([status, typeof (item?.event ?? '')]).toEqual([200, 'string']);
			expectPlain(item?.unconfirmed_reason as string | undefined);
		});
		forEachCase(sandbox.requests, ({ path }) =>
			expect(path).toMatch(/^(\/mortgage\/v1)?\/transactions\/[^/?#;@\\]+$/),
		);
	});
});

describe('bodies', () => {
	const deep = (open: string, close: string) => `${open.repeat(NESTED)}1${close.repeat(NESTED)}`;
	test.each([
		['a list', '[]', 400],
		['lists in lists', deep('[', ']'), 400],
		['data of lists in lists', `{"event": "a.b", "data": ${deep('[', ']')}}`, 400],
		['data of objects in objects', `{"event": "a.b", "data": ${deep('{"a":', '}')}}`, 400],
		['a field of lists in lists', `{"event": "a.b", "x": ${deep('[', ']')}}`, 400],
		['data that is a text of lists', JSON.stringify({ event: 'a.b', data: deep('[', ']') }), 400],
		['an empty object', '{}', 400],
		['an event that is a list', '{"event": ["transaction.completed"], "data": {}}', 400],
		['an event that is an object', '{"event": {"toString": 1}, "data": {}}', 400],
		['an empty event', '{"event": "", "data": {}}', 400],
		['data that is a list', '{"event": "a.b", "data": [1, [2]]}', 200],
		['data that is text', '{"event": "a.b", "data": "text"}', 200],
		['data that is nothing', '{"event": "a.b", "data": null}', 200],
		['an ID that is a list', '{"event": "a.b", "data": {"transaction_id": ["ot_1"]}}', 200],
		['an ID that is an object', '{"event": "a.b", "data": {"transaction_id": {}}}', 200],
		['a date that is none', '{"event": "a.b", "data": {"date_occurred": {"a": 1}}}', 200],
		[
			'keys of the prototype',
			'{"event": "a.b", "data": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}, "__proto__": {"polluted": 1, "event": "c.d"}}',
			200,
		],
		[
			'keys of the prototype in data that is text',
			JSON.stringify({ event: 'a.b', data: '{"\\u005f_proto__": {"polluted": 1}}' }),
			200,
		],
	])('%s', async (_name, body, expected) => {
		await forEachCase([false, true], async (confirm) => {
			const { status, item } = await deliver(body, { parameters: { options: { confirm } } });
			expect(status).toBe(expected);
			expectUsualPrototypes(item);
			if (item !== undefined) {
				const { items, error } = await runOf([{ json: item }], { confirm });
				expect(error).toBeUndefined();
				for (const { json } of items) expectUsualPrototypes(json);
			}
			expectCleanPrototype();
		});
	});
});
