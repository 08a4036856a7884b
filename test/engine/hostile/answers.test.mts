import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { credentialFor } from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	expectCleanPrototype,
	expectPlainRun,
	expectUsualPrototypes,
	TEN_MEGABYTES,
} from '../../support/hostile/index.mts';
import { useScene } from '../../support/hostile/scene.mts';
import { FIXTURES } from '../../support/matrix/index.mts';

/**
 * Hostile answers of the service, for every operation: what a person reads of them is plain text,
 * what comes out of the node changes no object's prototype, and links that lead elsewhere aren't
 * opened.
 */

const MARKUP = '<a href="https://evil.example">Log in again</a><script>alert(1)</script>';
const POLLUTED =
	'"__proto__": {"polluted": 1}, "\\u005f_proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}';
const REFUSALS: unknown[] = [
	{ errors: [`Sorry: ${MARKUP}`] },
	`Sorry: ${MARKUP}`,
	{ errors: { [MARKUP]: ['is odd'] } },
	// Escapes of a terminal, lines of a log, another direction, half of a character.
	{ error: '\u001b[2J\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007' },
	{ message: 'Not now\r\n2026-11-22 | info | Workflow was deleted by admin\n' },
	{ errors: ['\u202etxet nekorb\u2066'] },
	{ errors: ['\ud800'] },
	{ errors: [TEN_MEGABYTES] },
	{ errors: Array.from({ length: 20_000 }, (_, index) => `Text ${index} ${MARKUP}`) },
	{ errors: { request: 'invalid value for constructor - expected valueOf' } },
	'{"__proto__": {"polluted": 1}, "errors": {"__proto__": ["odd"]}}',
	`${'{"errors":'.repeat(20_000)}"odd"${'}'.repeat(20_000)}`,
];

const ASKING = Object.keys(FIXTURES).filter((name) => FIXTURES[name].offline !== true);

describe.each(ASKING)('%s', (name) => {
	const { shownRefusal: told, limits } = FIXTURES[name];
	const own = useScene(name);
	afterEach(() => own.sandbox.faults.clear());
	const answered = async (status: number, body: unknown, more: Record<string, string> = {}) => {
		own.sandbox.faults.clear();
		const headers = { 'content-type': 'application/json', ...more };
		own.sandbox.faults.add({ ...own.scene.request, status, body, headers, times: Infinity });
		const outcome = await own.run({}, [undefined], { limits });
		expectPlainRun(outcome);
		expectCleanPrototype();
		return outcome.items.map(({ json }) => json);
	};
	test('refusals', async () => {
		const trace = { 'x-amz-trace-id': `Root=1 ${MARKUP} ${'x'.repeat(5_000)}` };
		await forEachCase(REFUSALS, async (body) => {
			const items = await answered(422, body, trace);
			expect(String(told?.(items).message ?? items[0].error).length).toBeGreaterThan(20);
		});
	});
	test('keys of the prototype', async () => {
		for (const body of [
			`{${POLLUTED}, "id": "x1", "documents": [{${POLLUTED}, "id": "x2"}], "signers": [{${POLLUTED}}]}`,
			`[{${POLLUTED}, "id": "x1"}]`,
		])
			for (const json of await answered(200, body)) expectUsualPrototypes(json);
	});
});

const DOWNLOADS = Object.keys(FIXTURES).filter((name) => FIXTURES[name].binary !== undefined);

describe.each(DOWNLOADS)('links in the answers of %s', (name) => {
	const own = useScene(name, { filesOrigin: 'separate' });
	/** Two origins of a proxy before the sandbox, which puts links into its answers. */
	let servers: Server[];
	/** What stands in the place of every link to a file, and where a link to a proxy redirects. */
	let [planted, redirect] = ['', ''];
	let opened: Array<{ url?: string; key?: unknown; authorization?: string }> = [];
	const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	beforeAll(async () => {
		servers = [0, 1].map(() =>
			createServer(async ({ url, method, headers: { apikey: key, authorization } }, response) => {
				if (url!.startsWith('/planted')) {
					opened.push({ url, key, authorization });
					response.writeHead(302, { location: redirect }).end();
					return;
				}
				const headers = { ApiKey: String(key) };
				const answer = await fetch(own.sandbox.url + url, { method, headers });
				const link = /"http:\/\/127[^"]*\/(files\/|download_asset)[^"]*"/g;
				response
					.writeHead(answer.status, { 'content-type': 'application/json' })
					.end((await answer.text()).replaceAll(link, JSON.stringify(planted)));
			}).listen(0, '127.0.0.1'),
		);
		await Promise.all(servers.map(async (server) => await once(server, 'listening')));
	});
	afterAll(() => {
		for (const server of servers) {
			server.closeAllConnections();
			server.close();
		}
	});
	const run = async (link: string, to = '') => {
		[planted, redirect, opened] = [link, to, []];
		const credential = credentialFor(originOf(servers[0]));
		return await own.run({}, [undefined], { credential, node: {} });
	};
	test.each([
		'https://169.254.169.254/latest/meta-data/iam',
		'http://0xa9fea9fe/latest',
		'https://[::ffff:169.254.169.254]/latest',
		'https://metadata.google.internal/computeMetadata/v1/',
		'http://10.0.0.1/a.pdf',
		'https://192.168.1.1/a.pdf',
		'file:///etc/passwd',
		'data:application/pdf;base64,JVBERi0xLjcK',
		'javascript:alert(1)',
		'ftp://127.0.0.1/a.pdf',
		'gopher://127.0.0.1:6379/_FLUSHALL',
		'https://user:password@127.0.0.1/a.pdf',
	])('one to %s is not opened, directly or by a redirect', async (link) => {
		forEachCase(
			[await run(link), await run(`${originOf(servers[0])}/planted`, link)],
			(outcome) => {
				const { message, description } = outcome.error!;
				// What is missing of a package is named before that.
				expect(`${message}. ${description}`).toMatch(
					/(^|: )The service sent a link that must not be opened: .*'Base URL'/,
				);
				expectPlainRun(outcome);
			},
		);
	});
	test('the key goes to no other origin, there and back by redirects', async () => {
		await run(`${originOf(servers[1])}/planted/1`, `${originOf(servers[0])}/planted/2`);
		const foreign = opened.filter(({ url }) => url === '/planted/1');
		const back = opened.filter(({ url }) => url !== '/planted/1');
		expect(foreign.length).toBeGreaterThan(0);
		forEachCase(foreign, (one) =>
			expect(one).toEqual({ url: '/planted/1', key: undefined, authorization: undefined }),
		);
		forEachCase(back, ({ key }) => expect(key).toBe(own.sandbox.keys.full));
		// There, five redirects, and no more.
		expect(back.length).toBeLessThanOrEqual(5 * foreign.length);
	});
});
