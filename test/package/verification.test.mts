import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	writeFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { INodeProperties } from 'n8n-workflow';

import { SignAndCloseApi } from '../../credentials/SignAndCloseApi.credentials.ts';
import { RESOURCES } from '../../nodes/SignAndClose/core/operation.ts';
import { operations } from '../../nodes/SignAndClose/operations/index.ts';
import { SignAndClose } from '../../nodes/SignAndClose/SignAndClose.node.ts';
import { SignAndCloseTrigger } from '../../nodes/SignAndClose/SignAndCloseTrigger.node.ts';

/**
 * What n8n's verification asks of the package, looked at on the packed tarball and with n8n's own
 * scanner.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const tarball = join(ROOT, '.run', 'package.tgz');
let unpacked: string;
beforeAll(() => {
	if (!existsSync(tarball))
		throw new Error('The packed package is missing: run this with npm test');
	unpacked = mkdtempSync(join(tmpdir(), 'sign-and-close-package-'));
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
});
afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

/** Without what Jest sets: the scanner's rules change with NODE_ENV. */
const environment = { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: undefined };

/** n8n's scanner in a process of its own, as the verification runs it. */
function scan(
	folder: string,
	patterns: string[] | 'source',
): { passed: boolean; details?: string } {
	const program = `
		import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
		const [folder, patterns] = JSON.parse(process.argv[1]);
		process.stdout.write(JSON.stringify(await analyzePackage(folder, patterns === 'source' ? SOURCE_FILE_PATTERNS : patterns)));`;
	const output = execFileSync(
		process.execPath,
		['--input-type=module', '-e', program, JSON.stringify([folder, patterns])],
		{ cwd: ROOT, env: environment, encoding: 'utf8' },
	);
	return JSON.parse(output.slice(output.indexOf('{'))) as { passed: boolean; details?: string };
}

test('the tarball holds dist, README, LICENSE and package.json, nothing else', () => {
	expect(readdirSync(unpacked).sort()).toEqual(['LICENSE.md', 'README.md', 'dist', 'package.json']);
	const files = readdirSync(join(unpacked, 'dist'), { recursive: true }).map(String);
	expect(files.filter((name) => /\.(ts|map|mts)$/.test(name))).toEqual([]);
	for (const needed of [
		'icons/signAndClose.svg',
		'icons/signAndClose.dark.svg',
		'nodes/SignAndClose/SignAndClose.node.json',
		'nodes/SignAndClose/SignAndCloseTrigger.node.json',
		'nodes/SignAndClose/__schema__/v1.0.0/transaction/get.json',
	]) {
		expect(files).toContain(needed);
	}
});

test('package.json: MIT, strict, no run-time dependencies, no overrides, no scripts that run at installation', () => {
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	expect(manifest).toMatchObject({
		name: 'n8n-nodes-sign-and-close',
		license: 'MIT',
		peerDependencies: { 'n8n-workflow': '*' },
		files: ['dist'],
		n8n: { n8nNodesApiVersion: 1, strict: true },
	});
	expect(manifest.keywords).toContain('n8n-community-node-package');
	for (const absent of ['dependencies', 'overrides', 'resolutions', 'optionalDependencies'])
		expect(manifest).not.toHaveProperty(absent);
	expect(
		Object.keys(manifest.scripts).filter((name) =>
			/^(pre|post)?(install|prepare|publish)/.test(name),
		),
	).toEqual([]);
	for (const file of [...manifest.n8n.credentials, ...manifest.n8n.nodes])
		expect(existsSync(join(unpacked, file))).toBe(true);
});

test("n8n's own scanner is clean on the source", () => {
	const result = scan(ROOT, 'source');
	expect(result.details ?? '').toBe('');
	expect(result.passed).toBe(true);
}, 120_000);

test("n8n's own scanner is clean on the tarball", () => {
	const result = scan(unpacked, ['**/*.js', 'package.json']);
	expect(result.details ?? '').toBe('');
	expect(result.passed).toBe(true);
}, 120_000);

test('`n8n-node build` gives the same files as our build, codex files aside', () => {
	const copy = mkdtempSync(join(tmpdir(), 'sign-and-close-build-'));
	try {
		for (const name of [
			'credentials',
			'nodes',
			'icons',
			'package.json',
			'tsconfig.json',
			'README.md',
			'LICENSE.md',
		])
			execFileSync('cp', ['-r', join(ROOT, name), copy]);
		symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
		execFileSync(
			process.execPath,
			[join(ROOT, 'node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs'), 'build'],
			{ cwd: copy, env: environment, stdio: 'pipe' },
		);
		const list = (folder: string) =>
			readdirSync(join(folder, 'dist'), { recursive: true })
				.map(String)
				.filter((name) => /\.(js|svg|json)$/.test(name) && !name.endsWith('.node.json'))
				.sort();
		expect(list(copy)).toEqual(list(unpacked));
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}, 120_000);

describe('texts and order, as the UX rules ask', () => {
	const node = new SignAndClose().description;
	const all: Array<[string, INodeProperties]> = [];
	const collect = (where: string, properties: INodeProperties[]) => {
		for (const property of properties) {
			all.push([`${where}: ${property.displayName}`, property]);
			for (const option of property.options ?? []) {
				if ('values' in option) collect(where, option.values);
				else if ('type' in option) collect(where, [option]);
			}
		}
	};
	collect('node', node.properties);
	collect('trigger', new SignAndCloseTrigger().description.properties);
	collect('credential', new SignAndCloseApi().properties);

	test.each(all)('%s', (_name, property) => {
		const { description = '', type, options = [], displayName } = property;
		expect(displayName).toMatch(/^[A-Z]|^eNote/);
		if (type === 'boolean') expect(description).toMatch(/^Whether /);
		if (!/\.\s/.test(description)) expect(description).not.toMatch(/\.$/);
		if (property.placeholder !== undefined && type === 'string')
			expect(property.placeholder).toMatch(/^e\.g\. /);
		if (/secret|password|apiKey|token|ssn/i.test(property.name))
			expect(property.typeOptions?.password).toBe(true);
		if (options.length >= 5) {
			const names = options.map((option) =>
				'displayName' in option ? option.displayName : option.name,
			);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		}
	});
	test('resource first, then operation, neither from an expression; stored values are unique', () => {
		expect(node.properties[0]).toMatchObject({ name: 'resource', noDataExpression: true });
		expect(node.properties[1]).toMatchObject({ name: 'operation', noDataExpression: true });
		expect(new Set(operations.map(({ resource, value }) => `${resource}/${value}`)).size).toBe(
			operations.length,
		);
	});
	test.each(operations.map((operation) => [operation.action, operation] as const))(
		'%s',
		(action, { name, description }) => {
			expect(action.replace(/\beNote\b|\bSMS\b/g, 'x')).toMatch(/^[A-Z][^A-Z]*$/);
			expect(action).not.toMatch(/\b(a|an|the)\b/);
			expect(name).toMatch(/^[A-Z]/);
			if (!/\.\s/.test(description)) expect(description).not.toMatch(/\.$/);
		},
	);
});

/** UPDATE_README=1 npm test -- verification writes the table anew. */
test("the README's table of operations is the list of operations", () => {
	const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
	const rows = operations
		.map(
			({ resource, name, description }) => `| ${RESOURCES[resource]} | ${name} | ${description} |`,
		)
		.sort();
	const table = ['| Resource | Operation | What it does |', '|---|---|---|', ...rows, ''].join(
		'\n',
	);
	const [before, after] = [
		readme.indexOf('| Resource |'),
		readme.indexOf('\n\n', readme.indexOf('| Resource |')) + 1,
	];
	if (process.env.UPDATE_README === '1')
		writeFileSync(join(ROOT, 'README.md'), readme.slice(0, before) + table + readme.slice(after));
	else expect(readme.slice(before, after)).toBe(table);
});

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

test('no file of the package speaks of blame, of this machine or of a brand', () => {
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
