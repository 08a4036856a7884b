import fc from 'fast-check';

import {
	mayOpen,
	describeUnreachable,
} from '../../../../nodes/SignAndClose/transport/links/linkHosts.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** Links that a service, or somebody who can make it say one, wants n8n to open. */

const opens = (link: string, base = 'https://api.example.com/v1') =>
	mayOpen(new URL(link), new URL(base));

describe('with a public base URL', () => {
	test.each([
		'https://files.example.net/a.pdf?signature=x',
		'https://api.example.com/files/1',
		'https://8.8.8.8/a.pdf',
		'https://[2606:4700::1]/a.pdf',
	])('%s may be opened', (link) => expect(opens(link)).toBe(true));
	test.each([
		['without encryption', 'http://files.example.net/a.pdf'],
		['without encryption at the own host', 'http://api.example.com/a.pdf'],
		['loopback, full-width digits', 'https://１２７.0.0.1/a.pdf'],
		['loopback, IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/a.pdf'],
		['loopback, with a final dot', 'https://localhost./a.pdf'],
		['a name below it', 'https://app.LOCALHOST/a.pdf'],
		['metadata, IPv4 in IPv6', 'https://[::ffff:a9fe:a9fe]/latest/meta-data/'],
		['metadata, by name', 'https://metadata.google.internal/computeMetadata/v1/'],
		['a user', 'https://user@files.example.net/a.pdf'],
		['a user that looks like the host', 'https://api.example.com@evil.example/a.pdf'],
		['a password', 'https://:secret@api.example.com/a.pdf'],
		['a file', 'file:///etc/passwd'],
		['data', 'data:application/pdf;base64,JVBERi0='],
		['a script', 'javascript:alert(1)'],
		['a blob', 'blob:https://api.example.com/1'],
	])('a link to %s must not be opened', (_name, link) => expect(opens(link)).toBe(false));
	test('no IPv4 address of this machine or a private network may be opened, in any notation', () => {
		const near = fc.oneof(
			fc.tuple(fc.constantFrom(0, 10, 127), fc.nat(255), fc.nat(255), fc.nat(255)),
			fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
			fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
			fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
		);
		fc.assert(
			fc.property(near, ([a, b, c, d]) => {
				const number = a * 2 ** 24 + b * 2 ** 16 + c * 256 + d;
				const hex = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16)).join(':');
				for (const host of [
					`${a}.${b}.${c}.${d}`,
					String(number),
					`0x${number.toString(16)}`,
					`0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
					`${a}.${b}.${c * 256 + d}`,
					`[::ffff:${hex}]`,
					`[64:ff9b::${hex}]`,
				])
					expect({ host, opens: opens(`https://${host}/`) }).toEqual({ host, opens: false });
			}),
		);
	});
});

describe('with another base URL', () => {
	test('on this machine, links to this machine may be opened, without encryption too', () => {
		forEachCase(['http://127.0.0.1:5001/a', 'http://localhost:1/a', 'https://[::1]/a'], (link) =>
			expect(opens(link, 'http://127.0.0.1:5000')).toBe(true),
		);
		expect(opens('https://files.example.net/a', 'http://localhost:5000')).toBe(true);
		forEachCase(['http://169.254.169.254/a', 'http://10.0.0.1/a', 'http://metadata/a'], (link) =>
			expect(opens(link, 'http://127.0.0.1:5000')).toBe(false),
		);
	});
	test('in a private network, links to such a network may be opened, none to this machine', () => {
		expect(opens('https://10.1.1.1/a', 'https://192.168.0.5')).toBe(true);
		expect(opens('https://127.0.0.1/a', 'https://192.168.0.5')).toBe(false);
		expect(opens('https://169.254.169.254/a', 'https://192.168.0.5')).toBe(false);
	});
});

describe('how near a host is', () => {
	/** Links to each kind of place may be opened from other base URLs. */
	const PLACES: Record<string, boolean[]> = {
		public: [true, true, true],
		private: [false, true, false],
		loopback: [false, false, true],
		never: [false, false, false],
	};
	const placeOf = (host: string) => {
		const answers = ['https://api.example.com', 'https://10.9.9.9', 'https://127.9.9.9'].map(
			(base) => opens(`https://${host}/`, base),
		);
		return Object.keys(PLACES).find((place) => String(PLACES[place]) === String(answers));
	};
	test.each([
		['public', '1.2.3.4'],
		['loopback', '0.255.255.255'],
		['private', '10.0.0.0'],
		['private', '10.255.255.255'],
		['public', '100.63.255.255'],
		['private', '100.64.0.0'],
		['private', '100.127.255.255'],
		['public', '100.128.0.0'],
		['loopback', '127.0.0.0'],
		['loopback', '127.255.255.255'],
		['public', '169.253.255.255'],
		['never', '169.254.0.0'],
		['never', '169.254.255.255'],
		['public', '169.255.0.0'],
		['public', '172.15.255.255'],
		['private', '172.16.0.0'],
		['private', '172.31.255.255'],
		['public', '172.32.0.0'],
		['public', '192.167.255.255'],
		['private', '192.168.0.0'],
		['private', '192.168.255.255'],
		['public', '192.169.0.0'],
		['public', '198.17.255.255'],
		['never', '198.18.0.0'],
		['never', '198.19.255.255'],
		['public', '198.20.0.0'],
		['public', '223.255.255.255'],
		['never', '224.0.0.0'],
		['never', '255.255.255.255'],
		['public', '10.0.0.1.example.com'],
		['public', 'localhost.example.com'],
		['public', 'notlocalhost'],
		['loopback', 'a.localhost'],
		['public', 'my-metadata.example.com'],
		['never', 'metadata.example.com'],
		['never', 'instance-data'],
		['loopback', '[::]'],
		['loopback', '[::1]'],
		['loopback', '[::2]'],
		['public', '[2606:4700:1:2:3:4:5:6]'],
		['public', '[::8.8.8.8]'],
		['private', '[::10.1.1.1]'],
		['public', '[::ffff:8.8.8.8]'],
		['private', '[::ffff:192.168.1.1]'],
		['never', '[::ffff:0:169.254.1.1]'],
		['public', '[64:ff9b::8.8.8.8]'],
		['private', '[64:ff9b::10.1.1.1]'],
		['public', '[2002:808:808::1]'],
		['private', '[2002:a01:101::1]'],
		['loopback', '[2002:7f00:1:2:3:4:5:6]'],
		['public', '[fbff::1]'],
		['private', '[fc00::1]'],
		['private', '[fdff:1:2:3:4:5:6:7]'],
		['public', '[fe00::1]'],
		['public', '[fe7f::1]'],
		['never', '[fe80::1:2:3]'],
		['never', '[fec0::1]'],
		['never', '[ff02::1]'],
	])('is %s for %s', (place, host) => {
		expect(placeOf(host)).toBe(place);
	});
});

test('the own host is always fine, with a protocol that can be sent and no user', () => {
	expect(opens('https://169.254.10.10:8443/a', 'https://169.254.10.10')).toBe(true);
	expect(opens('https://metadata/a', 'https://metadata')).toBe(true);
	for (const link of ['ftp://127.0.0.1/a', 'file://127.0.0.1/a', 'http://user@127.0.0.1/a'])
		expect({ link, opens: opens(link, 'http://127.0.0.1:5000') }).toEqual({ link, opens: false });
});

describe('whether the service can call a URL', () => {
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
		expect(describeUnreachable(callback, LIVE)).toMatch(/only reachable from this machine/);
		expect(describeUnreachable(callback, LOCAL)).toBeUndefined();
	});

	test.each([
		'http://10.1.2.3/a',
		'http://192.168.1.9:5678/a',
		'http://172.20.0.4/a',
		'http://n8n.local/a',
		'http://n8n.internal/a',
		'http://[fd12::1]/a',
	])('%s can be called from its network alone', (callback) => {
		expect(describeUnreachable(callback, LIVE)).toMatch(/private network/);
		expect(describeUnreachable(callback, 'https://192.168.1.4')).toBeUndefined();
	});

	test.each([
		'https://n8n.example.com/webhook/a',
		'https://172.15.0.1/a',
		'https://11.0.0.1/a',
		'https://localhost.example.com/a',
		'https://local/a',
	])('%s can be called', (callback) => {
		expect(describeUnreachable(callback, LIVE)).toBeUndefined();
	});

	test('a text that is no URL speaks against nothing', () => {
		expect(describeUnreachable('n8n', LIVE)).toBeUndefined();
		expect(describeUnreachable('', '')).toBeUndefined();
	});
});
