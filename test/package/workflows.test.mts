import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { ROOT } from '../../scripts/runtime.mjs';
import { forEachCase } from '../support/forEachCase.mts';

/** GitHub's workflows and issue forms, read as GitHub reads them. */

interface Step {
	id?: string;
	name?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}

interface Job {
	needs?: string | string[];
	permissions?: Record<string, string>;
	outputs?: Record<string, string>;
	steps: Step[];
}

interface Workflow {
	on: Record<string, { branches?: string[]; tags?: string[] } | null>;
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

const GITHUB = join(ROOT, '.github');
const TARBALL = '.run/package.tgz';
const read = (name: string) => readFileSync(join(GITHUB, name), 'utf8');
const readWorkflow = (name: string) => parse(read(join('workflows', name))) as Workflow;
const actionsOf = ({ steps }: Job, action: string) =>
	steps.filter(({ uses }) => uses?.startsWith(`actions/${action}@`));
const indexOfRun = ({ steps }: Job, command: string) =>
	steps.findIndex(({ run }) => run?.includes(command));
const ci = readWorkflow('ci.yml');
const publish = readWorkflow('publish.yml');

describe.each([
	['ci.yml', ci],
	['publish.yml', publish],
] as const)('%s', (name, { permissions, jobs }) => {
	const steps = Object.values(jobs).flatMap((job) => job.steps);

	test('actions are pinned by their major version', () => {
		const actions = steps.flatMap(({ uses }) => uses ?? []);
		expect(actions.length).toBeGreaterThan(0);
		forEachCase(actions, (action) => expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/));
	});
	test('every Node.js is 24', () => {
		const nodes = Object.values(jobs).flatMap((job) => actionsOf(job, 'setup-node'));
		expect(nodes).toHaveLength(Object.keys(jobs).length);
		forEachCase(nodes, (node) => expect(node.with).toMatchObject({ 'node-version': 24 }));
	});
	test('reading is the only permission of the whole workflow', () => {
		expect(permissions).toEqual({ contents: 'read' });
	});
	test('names no secret and no registry', () => {
		expect(read(join('workflows', name))).not.toMatch(/secrets\.|_TOKEN|registry/i);
	});
});

describe('publish.yml', () => {
	const { test: testJob, publish: publishJob, scan: scanJob } = publish.jobs;

	test('runs for version tags only', () => {
		expect(publish.on).toEqual({ push: { tags: ['v*'] } });
	});
	test('packs once, then tests, then checks that the tarball is still the same', () => {
		const commands = Object.values(publish.jobs).flatMap(({ steps }) =>
			steps.flatMap(({ run }) => run ?? []),
		);
		expect(commands.filter((run) => /run\.mjs pack|npm (run build|pack)/.test(run))).toHaveLength(
			1,
		);
		const pack = indexOfRun(testJob, 'node scripts/run.mjs pack');
		const runTests = indexOfRun(testJob, 'bash .ci/run');
		const compare = indexOfRun(testJob, `"$SHA256  ${TARBALL}" | sha256sum --check`);
		expect(pack).toBeGreaterThanOrEqual(0);
		expect(runTests).toBeGreaterThan(pack);
		expect(compare).toBeGreaterThan(runTests);
		expect(testJob.steps[pack].id).toBe('pack');
		expect(testJob.steps[pack].run).toContain(`sha256=$(sha256sum ${TARBALL}`);
		expect(testJob.steps[compare].env).toEqual({ SHA256: '${{ steps.pack.outputs.sha256 }}' });
		expect(testJob.steps[compare].run).toContain(`cp ${TARBALL} release/package.tgz`);
	});
	test('publishes the tarball that was tested, after checking its digest', () => {
		expect(publishJob.needs).toBe('test');
		const [upload] = actionsOf(testJob, 'upload-artifact');
		const [download] = actionsOf(publishJob, 'download-artifact');
		expect(testJob.steps.indexOf(upload)).toBe(testJob.steps.length - 1);
		expect(upload.with).toMatchObject({ path: 'release/package.tgz' });
		expect(download.with).toEqual({ name: upload.with?.name, path: 'release' });
		const check = indexOfRun(publishJob, '"$SHA256  release/package.tgz" | sha256sum --check');
		const npm = indexOfRun(publishJob, 'npm publish ./release/package.tgz ');
		expect(check).toBeGreaterThan(publishJob.steps.indexOf(download));
		expect(npm).toBeGreaterThan(check);
		expect(testJob.outputs?.sha256).toBe('${{ steps.pack.outputs.sha256 }}');
		expect(publishJob.steps[check].env).toEqual({ SHA256: '${{ needs.test.outputs.sha256 }}' });
	});
	test('publishes with provenance, in the only job that may request an OIDC token', () => {
		const [{ run }] = publishJob.steps.filter((step) => step.run?.includes('npm publish'));
		expect(run).toBe('npm publish ./release/package.tgz --provenance --access public');
		expect(publishJob.permissions).toEqual({ 'id-token': 'write', contents: 'read' });
		expect(testJob.permissions).toBeUndefined();
		expect(scanJob.permissions).toBeUndefined();
	});
	test('no code of the repository runs in the job that publishes', () => {
		expect(actionsOf(publishJob, 'checkout')).toEqual([]);
	});
	test("n8n's scanner runs on the published version, and its result counts", () => {
		expect(scanJob.needs).toEqual(['test', 'publish']);
		const scan = scanJob.steps[indexOfRun(scanJob, 'npx --yes @n8n/scan-community-package')];
		expect(scan.env).toEqual({
			PACKAGE: 'n8n-nodes-sign-and-close@${{ needs.test.outputs.version }}',
		});
		expect(scan.run).toMatch(/grep -q 'has passed all security checks'/);
		const scanner = join(ROOT, 'node_modules', '@n8n', 'scan-community-package', 'scanner');
		expect(readFileSync(join(scanner, 'cli.mjs'), 'utf8')).toContain(
			'has passed all security checks',
		);
	});
});

describe("publish.yml's checks, run in a shell", () => {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		version: string;
	};
	const shell = (script: string | undefined, folder: string, env: Record<string, string>) =>
		spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script ?? 'false'], {
			cwd: folder,
			env: { ...process.env, ...env },
			encoding: 'utf8',
		});
	const inFolder = (work: (folder: string) => void) => {
		const folder = mkdtempSync(join(tmpdir(), 'sign-and-close-workflow-'));
		try {
			work(folder);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	};

	test('a tag must be the version in package.json', () => {
		const [check] = publish.jobs.test.steps.filter(({ id }) => id === 'version');
		inFolder((folder) => {
			const output = join(folder, 'output');
			const run = (tag: string) =>
				shell(check.run, ROOT, { GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output });
			expect(run(`v${version}`).status).toBe(0);
			expect(readFileSync(output, 'utf8')).toBe(`version=${version}\n`);
			for (const tag of [version, 'v99.0.0', `v${version}-rc.1`])
				expect([tag, run(tag).status]).toEqual([tag, 1]);
		});
	});

	// GitHub's machines have jq; this one may not.
	const hasJq = spawnSync('jq', ['--version']).status === 0;
	(hasJq ? test : test.skip)('the tarball must have the digest and the version of the tag', () => {
		const { steps } = publish.jobs.publish;
		const [check] = steps.filter(({ run }) => run?.includes('sha256sum --check'));
		inFolder((folder) => {
			mkdirSync(join(folder, 'package'));
			mkdirSync(join(folder, 'release'));
			writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ version: '1.2.3' }));
			spawnSync('tar', ['-czf', 'release/package.tgz', 'package'], { cwd: folder });
			const tarball = readFileSync(join(folder, 'release', 'package.tgz'));
			const digest = createHash('sha256').update(tarball).digest('hex');
			const run = (tag: string, SHA256: string) =>
				shell(check.run, folder, { GITHUB_REF_NAME: tag, SHA256 }).status;
			expect(run('v1.2.3', digest)).toBe(0);
			expect(run('v1.2.4', digest)).toBe(1);
			expect(run('v1.2.3', digest.replace(/./g, '0'))).toBe(1);
		});
	});
});
