import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forEachCase } from '../support/forEachCase.mts';

/**
 * What n8n's verification asks of the package, checked on the packed tarball and with n8n's own
 * scanner. `npm test` packs it first.
 */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const tarball = join(ROOT, '.run', 'package.tgz');
const unpacked = mkdtempSync(join(tmpdir(), 'sign-and-close-package-'));
beforeAll(() => {
	if (!existsSync(tarball))
		throw new Error('The packed package is missing: run this with npm test');
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
	forEachCase(
		[
			'icons/signAndClose.svg',
			'icons/signAndClose.dark.svg',
			'nodes/SignAndClose/SignAndClose.node.json',
			'nodes/SignAndClose/SignAndCloseTrigger.node.json',
			'nodes/SignAndClose/__schema__/v1.0.0/transaction/get.json',
			'nodes/SignAndClose/__schema__/v2.0.0/output.json',
		],
		(needed) => expect(files).toContain(needed),
	);
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
	forEachCase(['dependencies', 'overrides', 'resolutions', 'optionalDependencies'], (absent) =>
		expect(manifest).not.toHaveProperty(absent),
	);
	expect(
		Object.keys(manifest.scripts).filter((name) =>
			/^(pre|post)?(install|prepare|publish)/.test(name),
		),
	).toEqual([]);
	forEachCase([...manifest.n8n.credentials, ...manifest.n8n.nodes], (file) =>
		expect(existsSync(join(unpacked, file))).toBe(true),
	);
});

test("n8n's own scanner is clean on the source", () => {
	const result = scan(ROOT, 'source');
	expect(result.details ?? '').toBe('');
	expect(result.passed).toBe(true);
});

test("n8n's own scanner is clean on the tarball", () => {
	const result = scan(unpacked, ['**/*.js', 'package.json']);
	expect(result.details ?? '').toBe('');
	expect(result.passed).toBe(true);
});

test('`n8n-node build` gives files of the same names as our build, codex files aside', () => {
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
});
