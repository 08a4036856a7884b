/** `npm run sandbox`: its options and its output. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../sandbox/index.mts';
import { parseSwitch, SWITCH_VALUES } from '../../sandbox/world/config.mts';
import { sandbox, useSandbox } from './support/useSandbox.mts';

useSandbox();

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
	test('an option or a switch that does not have this value is named', async () => {
		const refused = async (text: string) => {
			const { code, stderr } = await run(process.execPath, [main, '--switch', text]).catch(
				(thrown) => thrown,
			);
			return [code, stderr.split('\n')[0]];
		};
		expect(await refused('put=undo')).toEqual([
			1,
			'--switch put=undo: put must be merge or replace',
		]);
		const wrong = await run(process.execPath, [main, '--layout', 'square']).catch(
			(thrown) => thrown,
		);
		expect(wrong.stderr).toMatch(/^--layout square must be both or documented or current/);
		expect(await refused('colour=red')).toEqual([
			1,
			expect.stringMatching(/^--switch colour=red must begin with put, unknownFields/),
		]);
	});
	test('prints address, console, key and organization, and closes on Ctrl-C', async () => {
		const child = execFile(process.execPath, [main, '--port', '0', '--switch', 'put=replace']);
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

describe('switches', () => {
	test('those of the options are set, the others keep their defaults', async () => {
		const strict = await startSandbox({ switches: { put: 'replace', testEnvironment: false } });
		expect(strict.world.settings.switches).toEqual({
			...sandbox.world.settings.switches,
			put: 'replace',
			testEnvironment: false,
		});
		expect(sandbox.world.settings.switches).toMatchObject({ put: 'merge', testEnvironment: true });
		await strict.close();
	});
	test('the README lists each of them with its values', () => {
		const readme = readFileSync(new URL('../../sandbox/README.md', import.meta.url), 'utf8');
		const listed = [...readme.matchAll(/^\| `(\w+)` +\| (`[^|]+`) +\|/gm)].map(
			([, name, values]) => [name, values.replaceAll('`', '')],
		);
		expect(Object.fromEntries(listed)).toEqual(
			Object.fromEntries(
				Object.entries(SWITCH_VALUES).map(([name, values]) => [name, values.join(', ')]),
			),
		);
	});
	test('the command line takes words and booleans', () => {
		expect(parseSwitch('unknownFields=ignore')).toEqual({ unknownFields: 'ignore' });
		expect(parseSwitch('consentForms=false')).toEqual({ consentForms: false });
	});
});
