import { describe, expect, test } from '@jest/globals';

import {
	asError,
	asFailure,
	Failure,
	findFailure,
	inDoubt,
	isNotFound,
	saysNotFound,
	ServiceFailure,
	type Refusal,
} from '../../../../nodes/SignAndClose/transport/failure/failure.ts';

/** Wraps what was thrown, as n8n and Node.js do. */
function wrapped(thrown: unknown, times = 1): unknown {
	let outer = thrown;
	for (let time = 0; time < times; time++) outer = new Error('wrapped', { cause: outer });
	return outer;
}
const OWN = new ServiceFailure({ code: 'noContent' }, { httpStatus: 200 });
const round = () => {
	const error: Error & { cause?: unknown } = new Error('round');
	error.cause = error;
	return error;
};

describe('our own failure', () => {
	test('is found below what others wrap around it, at most four times', () => {
		for (const times of [0, 1, 4]) {
			expect(findFailure(wrapped(OWN, times))).toBe(OWN);
			expect(asFailure(wrapped(OWN, times), new Failure('other'))).toBe(OWN);
		}
		expect(findFailure(wrapped(OWN, 5))).toBeUndefined();
	});
	test('is the outermost one', () => {
		const outer = Object.assign(new Failure('outer'), { cause: OWN });
		expect(findFailure(wrapped(outer))).toBe(outer);
	});
	test('is not found where there is none, and causes may go round in a circle', () => {
		const otherwise = new Failure('other');
		for (const thrown of [
			undefined,
			null,
			'text',
			{ cause: OWN },
			new Error('?'),
			new Error('?', { cause: null }),
			wrapped('text'),
			round(),
		]) {
			expect(findFailure(thrown)).toBeUndefined();
			expect(asFailure(thrown, otherwise)).toBe(otherwise);
		}
	});
	test('has the name of its class', () => {
		expect([new Failure('x').name, OWN.name, OWN.message]).toEqual([
			'Failure',
			'ServiceFailure',
			'noContent',
		]);
		expect(new Failure('x').flags).toEqual({});
	});
	test('in doubt is the same failure, and keeps what else is known', () => {
		const failure = new ServiceFailure(
			{ code: 'unreachable', fault: 'ECONNRESET', attempts: 1 },
			{ httpStatus: 502, final: false, lookedUp: true },
		);
		const doubted = inDoubt(failure);
		expect(doubted).toBeInstanceOf(ServiceFailure);
		expect(doubted).toMatchObject({ reason: failure.reason });
		expect(doubted.flags).toEqual({ ...failure.flags, inDoubt: true });
		expect(failure.flags.inDoubt).toBeUndefined();
		const plain = inDoubt(new Failure('in words', { final: true }));
		expect([plain.message, plain.flags]).toEqual(['in words', { final: true, inDoubt: true }]);
		expect(plain).not.toBeInstanceOf(ServiceFailure);
	});
});

test('anything thrown can be thrown again as an error', () => {
	expect(asError(OWN)).toBe(OWN);
	for (const thrown of ['text', 5, undefined, null])
		expect(asError(thrown)).toEqual(new Error(String(thrown)));
});

describe('what is missing', () => {
	const refusal = (more: Partial<Refusal>, httpStatus = 404) =>
		new ServiceFailure(
			{ code: 'refused', status: 404, asked: 'read', said: [], attempts: 1, ...more },
			{ httpStatus },
		);
	test('is told by status 404, whoever answered', () => {
		expect(isNotFound(refusal({}))).toBe(true);
		expect(isNotFound(wrapped(refusal({})))).toBe(true);
		expect(isNotFound(new Failure('in words', { httpStatus: 404 }))).toBe(true);
		for (const thrown of [refusal({}, 410), OWN, new Failure('x'), new Error('404'), undefined])
			expect(isNotFound(thrown)).toBe(false);
	});
	test.each<[boolean, string, unknown]>([
		[true, 'JSON of 404', refusal({ structured: true })],
		[true, 'JSON of 404 that others wrapped', wrapped(refusal({ structured: true }))],
		[false, 'a web page of 404', refusal({ structured: false })],
		[false, 'an unknown body of 404', refusal({})],
		[false, 'JSON of 410', refusal({ structured: true, status: 410 })],
		[
			false,
			'another reason',
			new ServiceFailure({ code: 'unexpectedAnswer', status: 404, structured: true } as never, {
				httpStatus: 404,
			}),
		],
		[
			false,
			'a failure in words',
			Object.assign(new Failure('x', { httpStatus: 404 }), {
				reason: { code: 'refused', status: 404, structured: true },
			}),
		],
		[false, 'an error', new Error('404')],
		[false, 'nothing', undefined],
	])('it is %p that the service itself says so with %s', (expected, _what, thrown) => {
		expect(saysNotFound(thrown)).toBe(expected);
	});
});
