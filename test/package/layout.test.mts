import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from '@jest/globals';

/** The size of files and folders, as docs/architecture.md promises it. */

const ROOT = join(import.meta.dirname, '..', '..');
const MOST_LINES = 300;
const MOST_FILES = 15;

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.trim()
	.split('\n')
	.filter((file) => /\.(ts|mts|mjs|cjs|js)$/.test(file) && existsSync(join(ROOT, file)));

test('no published file has more than 300 lines', () => {
	const long = sources
		.filter((file) => /^(nodes|credentials)\//.test(file))
		.map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
		.filter(({ lines }) => lines > MOST_LINES);
	expect(long).toEqual([]);
});

test('no folder has more than 15 source files', () => {
	const folders = Map.groupBy(sources, (file) => dirname(file));
	const full = [...folders]
		.map(([folder, files]) => ({ folder, files: files.length }))
		.filter(({ files }) => files > MOST_FILES);
	expect(full).toEqual([]);
});
