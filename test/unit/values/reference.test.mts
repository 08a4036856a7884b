import {
	isOwnReference,
	newReference,
	referenceFor,
} from '../../../nodes/SignAndClose/values/reference.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** References of the node's own, which nothing else may have. */

test("ten thousand references are all different, and all known as the node's own", () => {
	const references = new Set(Array.from({ length: 10_000 }, newReference));
	expect(references.size).toBe(10_000);
	forEachCase(references, (reference) =>
		expect([reference.length, isOwnReference(reference)]).toEqual([40, true]),
	);
});

test('a reference of texts is the same for the same texts only, and looks like the others', () => {
	const reference = referenceFor('ot1', 'ab', '1');
	expect([reference.length, isOwnReference(reference)]).toEqual([40, true]);
	expect(referenceFor('ot1', 'ab', '1')).toBe(reference);
	const others = [
		['ot1', 'ab', '2'],
		['ot1', 'ab1'],
		['ot1a', 'b', '1'],
	];
	forEachCase(others, (other) => expect(referenceFor(...other)).not.toBe(reference));
});

const OWN = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';
test.each([
	OWN.slice(0, -1),
	`${OWN}0`,
	` ${OWN}`,
	OWN.toUpperCase(),
	OWN.replace('1', 'g'),
	'',
	[OWN],
	undefined,
])('%j is not one', (value) => {
	expect(isOwnReference(value)).toBe(false);
});
