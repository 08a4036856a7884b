import { describe, expect, test } from '@jest/globals';

import { OpenRequests } from '../../../../../nodes/SignAndClose/service/transport/pace/openRequests.ts';

/** Which requests take a place, and which of them hang. Times are milliseconds. */

/** Requests that were sent at these times. */
function sent(...times: number[]) {
	const open = new OpenRequests({ hangMs: 100, mostAtOnce: 4 });
	const requests = times.map((at) => ({ at }));
	for (const request of requests) open.add(request);
	return { open, requests };
}

describe('an open request', () => {
	test('takes a place until it has hung for long', () => {
		const { open } = sent(0, 50);
		expect([0, 99, 100, 149, 150].map((now) => open.placesTaken(now))).toEqual([2, 2, 1, 1, 0]);
		expect(open.size).toBe(2);
	});
	test('takes none after its end', () => {
		const { open, requests } = sent(0, 50);
		open.delete(requests[0], true);
		expect([open.placesTaken(60), open.size]).toEqual([1, 1]);
	});
	test('leaves places until there are none, and never more than are ever sent at once', () => {
		const { open } = sent(0, 0, 200, 200);
		expect(sent(0, 0).open.isFull(50, 3)).toBe(false);
		expect(sent(0, 0).open.isFull(50, 2)).toBe(true);
		expect(sent(0, 0, 0).open.isFull(100, 1)).toBe(false);
		expect(open.isFull(250, 3)).toBe(true);
	});
	test('hangs alone when one was answered that was sent long after it', () => {
		const { open, requests } = sent(0, 99, 100, 300);
		const [first, near, later, last] = requests;
		open.delete(near, true);
		open.delete(last, false);
		expect(open.hangsAlone(first)).toBe(false);
		open.delete(later, true);
		expect(open.hangsAlone(first)).toBe(true);
		expect(open.hangsAlone(near)).toBe(false);
	});
});
