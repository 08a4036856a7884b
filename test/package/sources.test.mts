import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from '@jest/globals';

import { listOfOperations } from '../../scripts/generate.mjs';
import { operations } from '../../nodes/SignAndClose/operations/index.ts';

/** How the sources of the package are laid out. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const OPERATIONS = join(ROOT, 'nodes', 'SignAndClose', 'operations');

function operationFiles(): string[] {
	return readdirSync(OPERATIONS, { recursive: true })
		.map(String)
		.filter((name) => name.endsWith('.operation.ts'))
		.sort();
}

test('list.ts names every operation file, and no other', () => {
	const text = readFileSync(join(OPERATIONS, 'list.ts'), 'utf8');
	if (text !== listOfOperations()) throw new Error('Not up to date: npm run generate');
	expect(operations).toHaveLength(operationFiles().length);
});

test.each(operationFiles())('%s has at most 150 lines', (file) => {
	const lines = readFileSync(join(OPERATIONS, file), 'utf8').split('\n').length - 1;
	expect(lines).toBeLessThanOrEqual(150);
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
