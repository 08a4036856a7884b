import { expect, test } from '@jest/globals';
import fc from 'fast-check';

import { checkBaseUrl } from '../../../../../nodes/SignAndClose/service/transport/credential/baseUrl.ts';

test('checkBaseUrl never throws, and accepts no URL with a query or a fragment', () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			const check = checkBaseUrl(value);
			if (check.ok) expect(new URL(check.url).search + new URL(check.url).hash).toBe('');
			else expect(check.fault).toMatch(/^[a-zA-Z]+$/);
		}),
	);
	expect(checkBaseUrl(' https://api.example.com/ ')).toEqual({
		ok: true,
		url: 'https://api.example.com',
		origin: 'https://api.example.com',
	});
});
