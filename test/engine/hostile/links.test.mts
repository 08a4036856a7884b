import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { expectPlainRun } from '../../support/hostile/index.mts';
import { FIXTURES, type Scene } from '../../support/matrix/index.mts';

/**
 * Links to files that a service answers although they lead elsewhere. A proxy before the sandbox
 * puts them into its answers, for every operation that has a file in its output.
 */

const DOWNLOADS = Object.keys(FIXTURES).filter((name) => FIXTURES[name].binary !== undefined);

let sandbox: Sandbox;
let proxy: Server;
let base: string;
let scene: Scene;
/** What the proxy puts in the place of every link to a file. */
let planted: string;
/** What a link to the proxy redirects to. */
let redirect: string;
let opened: Array<{ url: string; key?: string; authorization?: string }>;

/** The same service at another origin, whose name nobody has to look up. */
let strange: Server;

async function startProxy(): Promise<Server> {
	const server = createServer((request, response) => {
		if (request.url!.startsWith('/planted')) {
			opened.push({
				url: request.url!,
				key: request.headers.apikey as string,
				authorization: request.headers.authorization,
			});
			response.writeHead(302, { location: redirect }).end();
			return;
		}
		void fetch(`${sandbox.url}${request.url}`, {
			method: request.method,
			headers: { ApiKey: String(request.headers.apikey) },
		}).then(async (answer) => {
			const text = await answer.text();
			response
				.writeHead(answer.status, { 'content-type': 'application/json' })
				.end(
					text.replaceAll(
						/"http:\/\/127[^"]*\/(files\/|download_asset)[^"]*"/g,
						JSON.stringify(planted),
					),
				);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => await useBinaryMode('filesystem'));

describe.each(DOWNLOADS)('%s', (name) => {
	beforeAll(async () => {
		sandbox = await startSandbox({ processingMs: 0, filesOrigin: 'separate' });
		scene = await FIXTURES[name].build(sandbox);
		[proxy, strange] = [await startProxy(), await startProxy()];
		base = originOf(proxy);
	});
	afterAll(async () => {
		for (const server of [proxy, strange]) {
			server.closeAllConnections();
			server.close();
		}
		await sandbox.close();
	});
	const run = async (link: string, to = '') => {
		[planted, redirect, opened] = [link, to, []];
		const [resource, operation] = name.split('/');
		return await runNode({
			credential: credentialFor(base),
			parameters: { ...scene.parameters, resource, operation },
			items: scene.items.slice(0, 1),
		});
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
	])('a link to %s is not opened, directly or by a redirect', async (link) => {
		for (const outcome of [await run(link), await run(`${base}/planted`, link)]) {
			expect(outcome.error?.message).toMatch(/^The service sent a link that must not be opened: /);
			expect(outcome.error?.description).toMatch(/'Base URL'/);
			expectPlainRun(outcome);
		}
	});
	test('the key goes to no other origin, there and back by redirects', async () => {
		await run(`${originOf(strange)}/planted/1`, `${base}/planted/2`);
		expect(opened[0]).toEqual({ url: '/planted/1', key: undefined, authorization: undefined });
		for (const { url, key } of opened)
			expect({ url, key }).toEqual({
				url,
				key: url === '/planted/1' ? undefined : sandbox.keys.full,
			});
		expect(opened.length).toBeLessThan(15);
	});
});
