import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { listOfOperations } from '../../scripts/generate.mjs';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { forEachCase } from '../support/forEachCase.mts';
import { publishedSources } from './publishedSources.mts';

/** How the sources of the package are laid out. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const RESOURCES = join(ROOT, 'nodes', 'SignAndClose', 'resources');

function operationFiles(): string[] {
	return readdirSync(RESOURCES, { recursive: true })
		.map(String)
		.filter((name) => name.endsWith('.operation.ts'))
		.sort();
}

test('list.ts names every operation file, and no other', () => {
	const text = readFileSync(join(RESOURCES, 'list.ts'), 'utf8');
	if (text !== listOfOperations()) throw new Error('Not up to date: npm run generate');
	expect(operations).toHaveLength(operationFiles().length);
});

test('no source file turns a check off, uses any, or has 400 lines or more', () => {
	const files = publishedSources();
	expect(files.length).toBeGreaterThan(30);
	forEachCase(files, (file) => {
		const text = readFileSync(join(ROOT, file), 'utf8');
		expect(text).not.toMatch(/eslint-disable|@ts-ignore|@ts-expect-error|: any\b|as any\b/);
		expect(text.split('\n').length).toBeLessThan(400);
	});
});
