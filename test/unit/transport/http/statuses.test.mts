import { readFileSync } from 'node:fs';

import * as statuses from '../../../../nodes/SignAndClose/transport/http/statuses.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** The table of statuses, compared with docs/service and with lists that were written by hand. */

const ALL = Array.from({ length: 900 }, (_value, index) => 100 + index);
const FROM_500 = ALL.filter((status) => status >= 500);
/** A gateway's own. */
const GATEWAY = [520, 521, 522, 523, 524];

type Asks = (status: number | undefined) => boolean;

/** The questions, and the statuses that answer each of them with yes. */
const QUESTIONS: Record<string, [Asks, number[]]> = {
	isSuccess: [
		(status) => status !== undefined && statuses.isSuccess(status),
		ALL.filter((status) => status >= 200 && status < 300),
	],
	isRepeatedRead: [statuses.isRepeatedRead, [408, 425, 500, 502, 503, 504, ...GATEWAY]],
	mayPass: [statuses.mayPass, [408, 425, 429, ...FROM_500]],
	leavesOutcomeUnknown: [statuses.leavesOutcomeUnknown, [302, 303, 408, ...FROM_500]],
	isClosed: [statuses.isClosed, [429, 503]],
	isOverloaded: [statuses.isOverloaded, [408, 502, 504, 522, 524]],
	isOfRequest: [statuses.isOfRequest, [400, 422]],
	isOfKey: [statuses.isOfKey, [401, 402, 403]],
	isOfPlatform: [statuses.isOfPlatform, [401, 403, 404]],
	lacksCall: [statuses.lacksCall, [404, 405, 501]],
	isOfDeadLink: [statuses.isOfDeadLink, [404, 410]],
	isOfOldLink: [statuses.isOfOldLink, [400, 401, 403, 404, 410]],
	isLastingRefusal: [
		statuses.isLastingRefusal,
		ALL.filter((status) => status >= 400 && status < 500 && ![408, 425, 429].includes(status)),
	],
};

test('each question is answered with yes by its statuses, and by no other', () => {
	forEachCase(Object.entries(QUESTIONS), ([, [asks, expected]]) => {
		expect(ALL.filter(asks)).toEqual(expected);
		expect(asks(undefined)).toBe(false);
	});
});

test('every function of the table is one of the questions, or says what a status means', () => {
	const functions = Object.entries(statuses).filter(([, value]) => typeof value === 'function');
	expect(functions.map(([name]) => name).sort()).toEqual(
		[...Object.keys(QUESTIONS), 'getStatusMeaning', 'listStatuses'].sort(),
	);
});

test('each status says one thing, and the others what their hundred says', () => {
	const named: Record<number, string> = {
		400: 'badValue',
		401: 'unknownKey',
		403: 'forbidden',
		404: 'notFound',
		408: 'unavailable',
		409: 'conflict',
		413: 'tooBig',
		422: 'againstRule',
		425: 'unavailable',
		429: 'limited',
	};
	const byHundred = ['refused', 'success', 'redirect', 'refused', 'unavailable'];
	forEachCase(ALL, (status) =>
		expect(statuses.getStatusMeaning(status)).toBe(
			named[status] ?? byHundred[Math.min(Math.floor(status / 100), 5) - 1],
		),
	);
	expect(statuses.getStatusMeaning(undefined)).toBeUndefined();
});

test('what is repeated may pass, and a write is never in doubt after a lasting refusal', () => {
	forEachCase(ALL, (status) => {
		if (statuses.isRepeatedRead(status) || statuses.isClosed(status))
			expect(statuses.mayPass(status)).toBe(true);
		if (statuses.isLastingRefusal(status))
			expect(statuses.leavesOutcomeUnknown(status)).toBe(false);
	});
});

/** What docs/service/errors.md says of a status, and what the table has to say then. */
const DOCUMENTED: Record<string, string> = {
	'bad parameter': 'badValue',
	'not authenticated': 'unknownKey',
	'feature not available': 'forbidden',
	'not found': 'notFound',
	'content not ready': 'conflict',
	'a rule of the service': 'againstRule',
	'too many requests': 'limited',
	'try again': 'unavailable',
};

test('each status of docs/service means what its table says', () => {
	const text = readFileSync(new URL('../../../../docs/service/errors.md', import.meta.url), 'utf8');
	const [, table] = /\n## Statuses\n([^]*?)\n### /.exec(text) ?? [];
	const rows = [...(table ?? '').matchAll(/^\| (\d{3}) +\| ([^|]*)\|/gm)];
	expect(rows).toHaveLength(Object.keys(DOCUMENTED).length);
	forEachCase(rows, ([, status, words]) => {
		const [meaning] = Object.keys(DOCUMENTED).filter((known) => words.startsWith(known));
		expect(statuses.getStatusMeaning(Number(status))).toBe(DOCUMENTED[meaning]);
	});
	// The calls that name a status name one of these, or success without a body.
	const named = [...text.matchAll(/\| +((?:[45]\d\d)(?:, [45]\d\d)*) +\|/g)].flatMap(([, list]) =>
		list.split(', ').map(Number),
	);
	expect(named.length).toBeGreaterThan(50);
	forEachCase([...new Set(named)], (status) =>
		expect(statuses.getStatusMeaning(status)).not.toBe('refused'),
	);
});

test('the statuses of a meaning are those with a row of their own', () => {
	expect(statuses.listStatuses('redirect')).toEqual([301, 302, 303, 307, 308]);
	expect(statuses.listStatuses('forbidden')).toEqual([403]);
	expect(statuses.listStatuses('unavailable')).toEqual([
		...[408, 425, 500, 501, 502, 503, 504],
		...GATEWAY,
	]);
});
