/**
 * Installs and builds what is missing. Each part is skipped when it is up to date, so that later
 * runs start at once.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	N8N_DIR,
	nodeEnvironment,
	NODE_HEADERS,
	NODE_PACKAGE,
	NODE_VERSION,
	systemNodeIsSupported,
	ROOT,
	RUNTIME_DIR,
	RUN_DIR,
	isRuntimeInstalled,
} from './runtime.mjs';
import {
	isInterrupted,
	lastLines,
	printLine,
	runLogged,
	runStep,
	showProgress,
} from './progress.mjs';
import { runIfOutdated } from './upToDate.mjs';

const MIN_NODE_MAJOR = 20;
/** The tools that compile n8n's database driver, each with its apt package. */
const TOOLS = [
	['npm', 'npm'],
	['g++', 'g++'],
	['make', 'make'],
	['python3', 'python3'],
	['tar', 'tar'],
];

/** The tools that this machine lacks, each with its apt package. */
export function findMissingTools() {
	const missing = TOOLS.filter(([command]) => spawnSync(command, ['--version']).status !== 0).map(
		([command, apt]) => ({ name: command, apt }),
	);
	if (Number(process.versions.node.split('.')[0]) < MIN_NODE_MAJOR)
		missing.unshift({
			name: `Node.js ${MIN_NODE_MAJOR} or newer (this is ${process.versions.node})`,
			apt: 'nodejs',
		});
	return missing;
}

/** Says what is missing and how to install it. */
export function describeMissingTools(missing) {
	const names = missing.map(({ name }) => name).join(', ');
	return `This machine lacks ${names}. To install on Debian or Ubuntu:\n\n  sudo apt-get install ${missing.map(({ apt }) => apt).join(' ')}\n`;
}

/** Installs the Node.js that n8n needs, where the machine's own is older. */
export async function installRuntime() {
	if (systemNodeIsSupported) return;
	await runIfOutdated(
		join(RUNTIME_DIR, '.stamp'),
		[NODE_VERSION, NODE_PACKAGE],
		isRuntimeInstalled,
		async () => {
			mkdirSync(RUNTIME_DIR, { recursive: true });
			writeFileSync(join(RUNTIME_DIR, 'package.json'), '{"private": true}\n');
			await runStep(
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
 * Installs what the lock file lists, with `npm ci` if possible. `npm ci` fails when the registry
 * lacks an optional package; `npm install` with the same lock file doesn't.
 */
async function installLocked(title, cwd) {
	await showProgress(title, async () => {
		const options = { cwd, env: nodeEnvironment() };
		const strict = await runLogged(`${title} ci`, 'npm', ['ci'], options);
		if (strict.code === 0) return;
		if (isInterrupted()) throw new Error(`${title} was stopped`);
		const lenient = await runLogged(title, 'npm', ['install', '--no-save'], options);
		if (lenient.code !== 0)
			throw new Error(
				`${title}: npm exited with code ${lenient.code}. The end of ${lenient.log}:\n\n${lastLines(lenient.text)}`,
			);
	});
}

async function installDevelopmentPackages() {
	const modules = join(ROOT, 'node_modules');
	await runIfOutdated(
		join(modules, '.stamp'),
		[join(ROOT, 'package-lock.json')],
		() => existsSync(modules),
		async () => {
			await installLocked('Installing development packages', ROOT);
		},
	);
}

/**
 * Installs an n8n of host/.
 * @param folder of the one that `npm start` and the tests use, or of another one
 */
export async function installN8n(folder = N8N_DIR) {
	const modules = join(folder, 'node_modules');
	const inputs = [
		join(folder, 'package.json'),
		join(folder, 'package-lock.json'),
		systemNodeIsSupported ? process.version : NODE_VERSION,
	];
	await runIfOutdated(
		join(modules, '.stamp'),
		inputs,
		() => existsSync(join(modules, 'n8n')),
		async () => {
			await installLocked('Installing n8n (2 GB, the longest step)', folder);
			const env = {
				...nodeEnvironment(),
				npm_config_ignore_scripts: 'false',
				...(NODE_HEADERS && { npm_config_nodedir: NODE_HEADERS }),
			};
			await runStep(
				"Compiling n8n's database driver",
				'npm',
				['rebuild', 'sqlite3', 'isolated-vm', '--foreground-scripts'],
				{ cwd: folder, env },
			);
		},
	);
}

function filesIn(folder) {
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
		.sort();
}

/**
 * Builds and packs the package. The tests install this tarball, and a release publishes it.
 * @returns the tarball's path
 */
export async function buildPackage() {
	const tarball = join(RUN_DIR, 'package.tgz');
	const inputs = [
		...['nodes', 'credentials', 'icons'].flatMap(filesIn),
		...['package.json', 'tsconfig.json', 'gulpfile.js', 'README.md', 'LICENSE.md'].map((name) =>
			join(ROOT, name),
		),
	];
	await runIfOutdated(
		join(RUN_DIR, 'package.stamp'),
		inputs,
		() => existsSync(tarball) && existsSync(join(ROOT, 'dist')),
		async () => {
			await runStep('Building the package', 'npm', ['run', 'build'], { env: nodeEnvironment() });
			const folder = join(RUN_DIR, 'pack');
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder, { recursive: true });
			await runStep('Packing the package', 'npm', ['pack', '--pack-destination', folder], {
				env: nodeEnvironment(),
			});
			const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
			renameSync(join(folder, packed), tarball);
		},
	);
	return tarball;
}

/** Installs everything that the commands need. The two big installations run side by side. */
export async function installAll() {
	if (!existsSync(join(N8N_DIR, 'node_modules', '.stamp')))
		printLine('First run: the installation takes about five minutes. Later starts take seconds.');
	await installRuntime();
	const results = await Promise.allSettled([installDevelopmentPackages(), installN8n()]);
	const failed = results.find(({ status }) => status === 'rejected');
	if (failed !== undefined) throw failed.reason;
}
