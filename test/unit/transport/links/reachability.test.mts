import { expect, test } from '@jest/globals';

import { whyUnreachable } from '../../../../nodes/SignAndClose/transport/links/linkTargets.ts';

const LIVE = 'https://api.example.com';

const LOCAL = 'http://127.0.0.1:5680';

test.each([
	'http://localhost:5678/webhook/a',
	'http://127.0.0.1:5678/a',
	'http://127.8.9.1/a',
	'http://[::1]:5678/a',
	'http://0.0.0.0:5678/a',
	'http://n8n.localhost/a',
])('%s can be called only from this machine', (callback) => {
	expect(whyUnreachable(callback, LIVE)).toMatch(/only reachable from this machine/);
	expect(whyUnreachable(callback, LOCAL)).toBeUndefined();
});

test.each([
	'http://10.1.2.3/a',
	'http://192.168.1.9:5678/a',
	'http://172.20.0.4/a',
	'http://n8n.local/a',
	'http://n8n.internal/a',
	'http://[fd12::1]/a',
])('%s can be called from its network alone', (callback) => {
	expect(whyUnreachable(callback, LIVE)).toMatch(/private network/);
	expect(whyUnreachable(callback, 'https://192.168.1.4')).toBeUndefined();
});

test.each([
	'https://n8n.example.com/webhook/a',
	'https://172.15.0.1/a',
	'https://11.0.0.1/a',
	'https://localhost.example.com/a',
	'https://local/a',
])('%s can be called', (callback) => {
	expect(whyUnreachable(callback, LIVE)).toBeUndefined();
});

test('a text that is no URL speaks against nothing', () => {
	expect(whyUnreachable('n8n', LIVE)).toBeUndefined();
	expect(whyUnreachable('', '')).toBeUndefined();
});
