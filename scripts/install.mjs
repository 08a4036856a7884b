/**
 * Installs and builds what is missing. Each part knows whether it is up to date, so that a second
 * run takes no time.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	HOST_DIR,
	nodeEnvironment,
	NODE_HEADERS,
	NODE_PACKAGE,
	NODE_VERSION,
	ownNodeFits,
	ROOT,
	RUNTIME_DIR,
	RUN_DIR,
	runtimeInstalled,
} from './runtime.mjs';
import { during, isInterrupted, onceFor, runLogged, say, step, tail } from './progress.mjs';

const NODE_NEEDED = 20;
/** What n8n's database driver is compiled with, and the apt package of each. */
const TOOLS = [
	['npm', 'npm'],
	['g++', 'g++'],
	['make', 'make'],
	['python3', 'python3'],
	['tar', 'tar'],
];

/**
 * What is missing on this machine, in words, each with its apt package; an empty list when all is
 * there.
 */
export function missingTools() {
	const missing = TOOLS.filter(([command]) => spawnSync(command, ['--version']).status !== 0).map(
		([command, apt]) => ({ what: command, apt }),
	);
	if (Number(process.versions.node.split('.')[0]) < NODE_NEEDED)
		missing.unshift({
			what: `Node.js ${NODE_NEEDED} or newer (this is ${process.versions.node})`,
			apt: 'nodejs',
		});
	return missing;
}

/** The sentence for what is missing. */
export function tellMissing(missing) {
	const names = missing.map(({ what }) => what).join(', ');
	return `This machine lacks ${names}. On Debian or Ubuntu:\n\n  sudo apt-get install ${missing.map(({ apt }) => apt).join(' ')}\n`;
}

async function installRuntime() {
	if (ownNodeFits) return;
	await onceFor(
		join(RUNTIME_DIR, '.stamp'),
		[NODE_VERSION, NODE_PACKAGE],
		runtimeInstalled,
		async () => {
			mkdirSync(RUNTIME_DIR, { recursive: true });
			writeFileSync(join(RUNTIME_DIR, 'package.json'), '{"private": true}\n');
			await step(
				`Installing Node.js ${NODE_VERSION} for n8n`,
				'npm',
				[
					'install',
					'--no-save',
					'--no-package-lock',
					'--no-audit',
					'--no-fund',
					`${NODE_PACKAGE}@${NODE_VERSION}`,
				],
				{ cwd: RUNTIME_DIR },
			);
		},
	);
}

/**
 * npm ci where it works. It gives up on optional packages that are missing from the registry; npm
 * install with the same lock file does not.
 */
async function installLocked(title, cwd) {
	await during(title, async () => {
		const options = { cwd, env: nodeEnvironment() };
		const exact = await runLogged(`${title} ci`, 'npm', ['ci'], options);
		if (exact.code === 0) return;
		if (isInterrupted()) throw new Error(`${title} was stopped`);
		const near = await runLogged(title, 'npm', ['install', '--no-save'], options);
		if (near.code !== 0)
			throw new Error(
				`${title} did not succeed (exit code ${near.code}). The end of ${near.log}:\n\n${tail(near.text)}`,
			);
	});
}

async function installRoot() {
	const modules = join(ROOT, 'node_modules');
	await onceFor(
		join(modules, '.stamp'),
		[join(ROOT, 'package-lock.json')],
		() => existsSync(modules),
		async () => {
			await installLocked('Installing development packages', ROOT);
		},
	);
}

async function installHost() {
	const modules = join(HOST_DIR, 'node_modules');
	const inputs = [
		join(HOST_DIR, 'package.json'),
		join(HOST_DIR, 'package-lock.json'),
		ownNodeFits ? process.version : NODE_VERSION,
	];
	await onceFor(
		join(modules, '.stamp'),
		inputs,
		() => existsSync(join(modules, 'n8n')),
		async () => {
			await installLocked('Installing n8n (2 GB, the longest step)', HOST_DIR);
			const env = {
				...nodeEnvironment(),
				npm_config_ignore_scripts: 'false',
				...(NODE_HEADERS && { npm_config_nodedir: NODE_HEADERS }),
			};
			await step(
				"Compiling n8n's database driver",
				'npm',
				['rebuild', 'sqlite3', 'isolated-vm', '--foreground-scripts'],
				{ cwd: HOST_DIR, env },
			);
		},
	);
}

function sources(folder) {
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
		.sort();
}

/**
 * Builds and packs the package, as publishing would; the tarball is what n8n gets. Returns its
 * place.
 */
export async function buildPackage() {
	const tarball = join(RUN_DIR, 'package.tgz');
	const inputs = [
		...['nodes', 'credentials', 'icons'].flatMap(sources),
		...['package.json', 'tsconfig.json', 'gulpfile.js', 'README.md', 'LICENSE.md'].map((name) =>
			join(ROOT, name),
		),
	];
	await onceFor(
		join(RUN_DIR, 'package.stamp'),
		inputs,
		() => existsSync(tarball) && existsSync(join(ROOT, 'dist')),
		async () => {
			await step('Building the package', 'npm', ['run', 'build'], { env: nodeEnvironment() });
			const folder = join(RUN_DIR, 'pack');
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder, { recursive: true });
			await step('Packing it', 'npm', ['pack', '--pack-destination', folder], {
				env: nodeEnvironment(),
			});
			const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
			renameSync(join(folder, packed), tarball);
		},
	);
	return tarball;
}

/** Everything that start and test need. The two big installations run side by side. */
export async function prepare() {
	if (!existsSync(join(HOST_DIR, 'node_modules', '.stamp')))
		say('First run: installing takes about five minutes, later starts take seconds.');
	await installRuntime();
	const done = await Promise.allSettled([installRoot(), installHost()]);
	const failed = done.find(({ status }) => status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}
