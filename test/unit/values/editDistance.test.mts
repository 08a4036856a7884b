import { computeEditDistance } from '../../../nodes/SignAndClose/values/editDistance.ts';

test.each<[string, string, number]>([
	['', '', 0],
	['', 'email', 5],
	['email', '', 5],
	['borower mail', 'borrower email', 2],
	['emial', 'email', 2],
	['city', 'cities', 3],
])('of %j and %j', (from, to, expected) => {
	expect(computeEditDistance(from, to)).toBe(expected);
	expect(computeEditDistance(to, from)).toBe(expected);
});
