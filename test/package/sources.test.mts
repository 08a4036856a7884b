import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from '@jest/globals';

import { operations } from '../../nodes/SignAndClose/operations/index.ts';

/** How the sources of the package are laid out. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('an operation is one file of at most 150 lines and one line of the list', () => {
	const folder = join(ROOT, 'nodes', 'SignAndClose', 'operations');
	const files = readdirSync(folder, { recursive: true })
		.map(String)
		.filter((name) => name.endsWith('.operation.ts'))
		.sort();
	const list = readFileSync(join(folder, 'list.ts'), 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('export'));
	expect(
		list
			.map((line) => /from '\.\/(.+)';$/.exec(line)?.[1])
			.map((name) => `${name}.ts`)
			.sort(),
	).toEqual(files);
	expect(operations).toHaveLength(files.length);
	for (const file of files)
		expect([file, readFileSync(join(folder, file), 'utf8').split('\n').length <= 150]).toEqual([
			file,
			true,
		]);
});

test('no source file turns a check off, uses any, or has 400 lines or more', () => {
	const files = execFileSync('git', ['ls-files', 'nodes', 'credentials'], {
		cwd: ROOT,
		encoding: 'utf8',
	})
		.split('\n')
		.filter((name) => name.endsWith('.ts'));
	expect(files.length).toBeGreaterThan(30);
	for (const file of files) {
		const text = readFileSync(join(ROOT, file), 'utf8');
		expect(text).not.toMatch(/eslint-disable|@ts-ignore|@ts-expect-error|: any\b|as any\b/);
		expect(text.split('\n').length).toBeLessThan(400);
	}
});
