import {
	shortenDigest,
	buildDocumentReference,
	isOwnReference,
	createReference,
	readReference,
	hashSettings,
} from '../../../nodes/SignAndClose/values/reference.ts';
import { forEachCase } from '../../support/forEachCase.mts';

/** References of the node's own, which nothing else may have. */

test("ten thousand references are all different, and all known as the node's own", () => {
	const references = new Set(Array.from({ length: 10_000 }, createReference));
	expect(references.size).toBe(10_000);
	forEachCase(references, (reference) =>
		expect([reference.length, isOwnReference(reference)]).toEqual([40, true]),
	);
});

describe('the reference of a document', () => {
	const DIGEST = '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8';
	const PLACE = { signer_identifier: 'signer-1', type: 'signature', page_number: 0, x: 1, y: 2 };
	const FIELDS = { signing_designations: [PLACE, { ...PLACE, x: 9 }], witness_required: true };
	const made = (digest = DIGEST, fields = {}, tail = '000000') =>
		buildDocumentReference('createAndSend', digest, { ...FIELDS, ...fields }, tail);

	test('says who has made it, of which content, and how it was wanted', () => {
		expect(made()).toHaveLength(41);
		expect(isOwnReference(made())).toBe(true);
		expect(readReference(made())).toEqual({
			maker: 'createAndSend',
			tail: '000000',
			content: shortenDigest(DIGEST),
			...hashSettings(FIELDS),
		});
		expect(readReference(buildDocumentReference('rule', DIGEST, {}))?.maker).toBe('rule');
		expect(buildDocumentReference('add', DIGEST, {})).not.toBe(
			buildDocumentReference('add', DIGEST, {}),
		);
	});
	test('is the same for the same document, whatever the order of its fields and places', () => {
		const [one, other] = FIELDS.signing_designations;
		const { x, ...rest } = one;
		expect(made(DIGEST, { signing_designations: [other, { x, ...rest }] })).toBe(made());
		expect(made(DIGEST, { filename: 'Deed', requirement: 'esign', vaulted: false })).toBe(made());
	});
	test.each<[string, string]>([
		['content', made('0'.repeat(64))],
		['a place', made(DIGEST, { signing_designations: [PLACE] })],
		['a flag', made(DIGEST, { vaulted: true })],
		['a second one of the same', made(DIGEST, {}, '000001')],
	])('is another one with another value: %s', (_what, reference) => {
		expect(reference).not.toBe(made());
	});
	test.each([createReference(), '1042', undefined])('%j says nothing of a document', (value) => {
		expect(readReference(value)).toBeUndefined();
	});
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
