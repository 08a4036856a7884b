import { toRequestEnd } from '../../../../nodes/SignAndClose/transport/pace/turns.ts';

/** What outcomes tell about the pace. */

describe('the end of a request', () => {
	const answer = (status: number, headers = {}) =>
		toRequestEnd({ status, headers, body: undefined });
	test.each([200, 201, 204, 302, 400, 401, 403, 404, 409, 422, 500, 520])(
		'%i: answered',
		(status) => {
			expect(answer(status, { 'retry-after': '5' })).toEqual({ outcome: 'answered' });
		},
	);
	test.each([408, 502, 504, 522, 524])('%i: overloaded', (status) => {
		expect(answer(status)).toEqual({ outcome: 'overloaded' });
	});
	test.each([429, 503])('%i: refused, for as long as it says', (status) => {
		expect(answer(status)).toEqual({ outcome: 'refused' });
		expect(answer(status, { 'retry-after': '5' })).toEqual({ outcome: 'refused', pauseMs: 5000 });
	});
	test('503 pauses the others for two minutes at most', () => {
		expect(answer(503, { 'retry-after': '120' })).toMatchObject({ pauseMs: 120_000 });
		expect(answer(503, { 'retry-after': '121' })).toEqual({ outcome: 'refused' });
		expect(answer(429, { 'retry-after': '121' })).toMatchObject({ pauseMs: 121_000 });
	});
	test('silence is overload, anything else unknown', () => {
		const fault = { code: 'X', nothingSent: false, timedOut: true, lasting: false };
		expect(toRequestEnd(fault)).toEqual({ outcome: 'overloaded' });
		expect(toRequestEnd({ ...fault, timedOut: false })).toEqual({ outcome: 'unknown' });
		expect(toRequestEnd(undefined)).toEqual({ outcome: 'unknown' });
	});
});
