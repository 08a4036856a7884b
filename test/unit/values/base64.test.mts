import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import fc from 'fast-check';

import { Base64Decoder, decodeBase64 } from '../../../nodes/SignAndClose/values/base64.ts';
import { forEachCase } from '../../support/forEachCase.mts';

const decoded = (text: string) => Buffer.concat([...decodeBase64(text)]);

test('what Node.js writes as base64 is decoded, however it is written', () => {
	const blanks = fc.constantFrom('', '\n', ' ', '\r\n\t');
	fc.assert(
		fc.property(fc.uint8Array(), fc.array(blanks, { minLength: 1 }), (bytes, between) => {
			const text = Buffer.from(bytes).toString('base64');
			const spaced = [...text].map((letter, at) => letter + between[at % between.length]).join('');
			const plain = Buffer.from(bytes).toString('base64url');
			forEachCase([text, text.replace(/=+$/, ''), spaced, plain], (written) =>
				expect([...decoded(written)]).toEqual([...bytes]),
			);
		}),
	);
});

test('whatever the pieces, they are decoded as the whole', () => {
	fc.assert(
		fc.property(fc.uint8Array(), fc.array(fc.nat(9)), (bytes, sizes) => {
			const decoder = new Base64Decoder();
			const text = Buffer.from(bytes).toString('base64');
			const parts: Buffer[] = [];
			let at = 0;
			for (const size of sizes) parts.push(decoder.take(text.slice(at, (at += size)), false)!);
			parts.push(decoder.take(text.slice(at), true)!);
			expect([...Buffer.concat(parts)]).toEqual([...bytes]);
		}),
	);
});

test('what Node.js would leave out of base64 is refused', () => {
	const long = 'A'.repeat(65_536);
	forEachCase(['A', 'A===', 'AB=C', 'AA==AAAA', 'data:AAAA', 'AAAA!', `${long}!`], (text) =>
		expect(() => decoded(text)).toThrow(RangeError),
	);
	forEachCase([`${long}==${long}`, `${long}AA==${long}`, `${long}A`, `${long}\\${long}`], (text) =>
		expect(() => decoded(text)).toThrow(RangeError),
	);
	forEachCase(['', ' ', '=', '=='], (text) => expect(decoded(text)).toHaveLength(0));
});

test('a text of 40 million characters is read where V8 optimizes no regular expressions', () => {
	const file = join(import.meta.dirname, '../../../nodes/SignAndClose/values/base64.ts');
	const script = `import(${JSON.stringify(file)}).then(({ decodeBase64 }) => {
		let bytes = 0;
		for (const piece of decodeBase64('A'.repeat(4e7))) bytes += piece.length;
		console.log(bytes);
	})`;
	const { stdout } = spawnSync(process.execPath, ['--no-regexp-optimization', '-e', script], {
		encoding: 'utf8',
		env: { ...process.env, NODE_OPTIONS: '' },
	});
	expect(stdout.trim()).toBe('30000000');
});
