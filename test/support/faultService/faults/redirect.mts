import type { Fault, Target, Wire } from '../types.mts';
import { before, both } from './build.mts';

/** Redirects. The key and a write's body must not follow one to another origin. */

const group = 'redirect';
const STATUSES = [301, 302, 303, 307, 308];

type Location = (target: Target, wire: Wire) => string;

function redirect(name: string, status: number, location: Location): Fault[] {
	return both(group, name, {
		reaches: 'odd',
		strike: (target, wire) =>
			wire.reply(
				status,
				{ location: location(target, wire), 'content-type': 'text/plain' },
				'moved',
			),
	});
}

const ELSEWHERE: Record<string, Location> = {
	file: () => 'file:///etc/passwd',
	javascript: () => 'javascript:alert(1)',
	data: () => 'data:application/json,{"id":"ot_data"}',
	ftp: () => 'ftp://127.0.0.1/closing',
	garbage: () => 'http://[not-a-host',
	empty: () => '',
	'no-host': () => 'http:///nothing',
	'closed-port': () => 'http://127.0.0.1:1/',
	metadata: (_target, wire) => `${wire.elsewhere}/latest/meta-data`,
	'login-page': (_target, wire) => `${wire.elsewhere}/login?next=${encodeURIComponent('/')}`,
	'user-in-url': (target, wire) => wire.elsewhere.replace('://', '://user:secret@') + target.path,
	'protocol-relative': (target, wire) => wire.elsewhere.replace('http:', '') + target.path,
};

export const redirectFaults: Fault[] = [
	...STATUSES.flatMap((status) => [
		// The address itself: whoever follows it is answered honestly, unless the method changes.
		...redirect(`${status}-to-itself`, status, (target, wire) => wire.origin + target.path),
		...redirect(`${status}-elsewhere`, status, (target, wire) => wire.elsewhere + target.path),
		...redirect(`${status}-loop`, status, (_target, wire) => `${wire.origin}/loop/${status}/1`),
	]),
	...redirect('307-relative', 307, ({ path }) => path),
	...Object.entries(ELSEWHERE).flatMap(([name, location]) =>
		redirect(`302-${name}`, 302, location),
	),
	...[301, 302, 307].flatMap((status) =>
		both(group, `${status}-location-missing`, {
			reaches: 'odd',
			strike: (_target, wire) => wire.reply(status, { 'content-type': 'text/plain' }, 'moved'),
		}),
	),
	...both(group, '300-choices', {
		reaches: 'odd',
		strike: (_target, wire) =>
			wire.reply(300, { 'content-type': 'text/html' }, '<a href="/a">a</a> <a href="/b">b</a>'),
	}),
	before(group, '304-not-modified', {
		reaches: 'odd',
		strike: (_target, wire) => wire.reply(304, { etag: '"nothing"' }),
	}),
	before(group, '305-use-proxy', {
		reaches: 'odd',
		strike: (_target, wire) => wire.reply(305, { location: wire.elsewhere }),
	}),
];
