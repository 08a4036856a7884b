/**
 * The folders of this project and the Node.js that runs it. Plain JavaScript without dependencies,
 * because it runs on a fresh clone, before anything is installed, with the machine's own Node.js
 * (20 or newer).
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/**
 * The n8n installation that `npm start` and the tests use. `npm run compatibility` names another one
 * of host/.
 */
export const N8N_DIR = join(ROOT, 'host', process.env.SIGN_AND_CLOSE_N8N ?? 'n8n');
/** The Node.js installation for machines whose own Node.js is too old for n8n. */
export const RUNTIME_DIR = join(ROOT, 'host', 'runtime');
/** What runs leave behind: n8n's data, logs, the packed tarball, archives. Git ignores it. */
export const RUN_DIR = join(ROOT, '.run');

/** n8n 2.41 needs Node.js 24. */
export const NODE_VERSION = '24.21.0';
const MIN_MAJOR = 24;

/** The npm package that holds the Node.js binary and headers for this machine. */
export const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const NODE_HOME = join(RUNTIME_DIR, 'node_modules', NODE_PACKAGE);

/** Whether the machine's own Node.js can run n8n. */
export const systemNodeIsSupported = Number(process.versions.node.split('.')[0]) >= MIN_MAJOR;

/** The Node.js that runs n8n, the sandbox and the tests. */
export const NODE_BINARY = systemNodeIsSupported
	? process.execPath
	: join(NODE_HOME, 'bin', 'node');

/** The folder with headers for native add-ons; undefined with the machine's own Node.js. */
export const NODE_HEADERS = systemNodeIsSupported ? undefined : NODE_HOME;

/** An environment in which `node` is that Node.js. */
export function nodeEnvironment(base = process.env) {
	return {
		...base,
		PATH: `${dirname(NODE_BINARY)}${process.platform === 'win32' ? ';' : ':'}${base.PATH ?? ''}`,
	};
}

export const isRuntimeInstalled = () => existsSync(NODE_BINARY);
