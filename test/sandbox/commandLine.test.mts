/** `npm run sandbox`: its options and its output. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../sandbox/index.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

describe('command line', () => {
	const run = promisify(execFile);
	const main = new URL('../../sandbox/main.mts', import.meta.url).pathname;
	test('a port in use is named', async () => {
		const failed = await run(process.execPath, [main, '--port', String(sandbox.port)]).catch(
			(thrown) => thrown,
		);
		expect([failed.code, failed.stderr]).toEqual([
			1,
			expect.stringMatching(new RegExp(`Port ${sandbox.port} is in use`)),
		]);
	});
	test('prints address, console, key and organization, and closes on Ctrl-C', async () => {
		const child = execFile(process.execPath, [main, '--port', '0']);
		let text = '';
		for await (const chunk of child.stdout!) {
			text += chunk;
			if (text.includes('Ctrl-C')) child.kill('SIGINT');
		}
		expect(text).toMatch(
			/http:\/\/127\.0\.0\.1:\d+\/console[\s\S]*demo-full-access-key[\s\S]*or_harbor/,
		);
		expect(child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))).toBe(0);
	});
});
