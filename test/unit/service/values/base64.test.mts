import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { isBase64 } from '../../../../nodes/SignAndClose/service/values/base64.ts';

test('what Node.js writes as base64 is base64, and nothing else that it reads as such', () => {
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
			const text = Buffer.from(bytes).toString('base64');
			expect(isBase64(text)).toBe(true);
			expect(isBase64(text.replace(/=+$/, ''))).toBe(true);
			expect(isBase64(`${text}!`)).toBe(false);
		}),
	);
	for (const text of ['', '=', '==', 'A===', 'AB=C', 'AB CD', 'data:AAAA'])
		expect(isBase64(text)).toBe(false);
	expect(isBase64(`${'A'.repeat(200_000)}-`)).toBe(false);
	expect(isBase64(`${'A'.repeat(65_536)}-${'A'.repeat(65_536)}`)).toBe(false);
});

test('a text of 40 million characters is judged where V8 optimizes no regular expressions', () => {
	const file = join(import.meta.dirname, '../../../../nodes/SignAndClose/service/values/base64.ts');
	const script = `import(${JSON.stringify(file)}).then(({ isBase64 }) => console.log(isBase64('A'.repeat(4e7))))`;
	const { stdout } = spawnSync(process.execPath, ['--no-regexp-optimization', '-e', script], {
		encoding: 'utf8',
		env: { ...process.env, NODE_OPTIONS: '' },
	});
	expect(stdout.trim()).toBe('true');
});
