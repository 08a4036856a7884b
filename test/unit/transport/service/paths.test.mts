import fc from 'fast-check';

import { fillPath } from '../../../../nodes/SignAndClose/transport/service/paths.ts';
import { explainedMessage } from '../../../support/explainedMessage.mts';
import { HOSTILE_IDS } from '../../../support/hostile/index.mts';

describe('fillPath', () => {
	test('an id stays one segment, whatever it holds', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1 }), (id) => {
				fc.pre(id.trim() !== '' && !/^\.+$/.test(id.trim()) && id.isWellFormed());
				const url = new URL(
					`https://x.example${fillPath('/transactions/{transactionId}/documents', { transactionId: id })}`,
				);
				const parts = url.pathname.split('/');
				expect(parts).toHaveLength(4);
				expect(decodeURIComponent(parts[2])).toBe(id.trim());
				expect(url.search + url.hash).toBe('');
			}),
		);
	});
	test('any text at all is one segment, or refused by the name of its parameter', () => {
		const text = fc.oneof(
			fc.string({ unit: fc.integer({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
			fc.constantFrom(...Object.values(HOSTILE_IDS), 'x'.repeat(1_001)),
		);
		fc.assert(
			fc.property(text, (id) => {
				const said = explainedMessage(() => {
					const path = fillPath('/documents/{documentId}', { documentId: id });
					expect(path).toMatch(/^\/documents\/[^/?#;\\@\s]+$/);
					expect(new URL(path, 'https://x.example').pathname.split('/')).toHaveLength(3);
				});
				if (said !== undefined) expect(said).toMatch(/'Document'/);
			}),
		);
	});
	test.each(['', ' ', '.', '..', '...'])('refuses %p and names the parameter', (id) => {
		expect(
			explainedMessage(() => fillPath('/transactions/{transactionId}', { transactionId: id })),
		).toMatch(/'Transaction'/);
	});
});
