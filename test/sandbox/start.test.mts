/** How the sandbox starts: the command line, switches, seeds and the clock. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { SWITCH_VALUES } from '../../sandbox/world/config.mts';
import { sandbox, useSandbox } from './support/useSandbox.mts';

useSandbox();

const MAIN = new URL('../../sandbox/main.mts', import.meta.url).pathname;

test.each([
	['a port in use', () => ['--port', String(sandbox.port)], /^Port \d+ is in use/],
	[
		'a switch without this value',
		() => ['--switch', 'put=undo'],
		/^--switch put=undo: put must be merge or replace$/m,
	],
	[
		'a switch that does not exist',
		() => ['--switch', 'colour=red'],
		/^--switch colour=red must begin with put, unknownFields/,
	],
	[
		'an option without this value',
		() => ['--layout', 'square'],
		/^--layout square must be both or documented or current/,
	],
])('the command line names %s', async (_name, options, text) => {
	const run = promisify(execFile)(process.execPath, [MAIN, ...options()]);
	await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(text) });
});

test('the command line prints address, console, key and organization, and ends on Ctrl-C', async () => {
	const child = execFile(process.execPath, [MAIN, '--port', '0', '--switch', 'put=replace']);
	const exit = new Promise((resolve) => child.once('exit', resolve));
	let text = '';
	for await (const chunk of child.stdout!) {
		text += chunk;
		if (text.includes('Ctrl-C')) child.kill('SIGINT');
	}
	expect(text).toMatch(
		/http:\/\/127\.0\.0\.1:\d+\/console[\s\S]*demo-full-access-key[\s\S]*or_harbor/,
	);
	expect(await exit).toBe(0);
});

test('the README lists every switch with its values', () => {
	const readme = readFileSync(new URL('../../sandbox/README.md', import.meta.url), 'utf8');
	const listed = [...readme.matchAll(/^\| `(\w+)` +\| (`[^|]+`) +\|/gm)];
	expect(
		Object.fromEntries(listed.map(([, name, values]) => [name, values.replaceAll('`', '')])),
	).toEqual(
		Object.fromEntries(
			Object.entries(SWITCH_VALUES).map(([name, values]) => [name, values.join(', ')]),
		),
	);
});
