/**
 * Where things are and which Node.js runs them. Plain JavaScript without dependencies, because it
 * is loaded on a fresh clone, before anything is installed, by whatever Node.js the machine has (20
 * or newer).
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const HOST_DIR = join(ROOT, 'host', 'n8n');
export const RUNTIME_DIR = join(ROOT, 'host', 'runtime');
/**
 * State of runs: user folders of n8n, logs, the packed tarball, archives. Not under version
 * control.
 */
export const RUN_DIR = join(ROOT, '.run');

/** n8n 2.41 needs Node.js 24. */
export const NODE_VERSION = '24.21.0';
const NEEDED_MAJOR = 24;

/** The npm package that holds the Node.js binary and headers for this machine. */
export const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const NODE_HOME = join(RUNTIME_DIR, 'node_modules', NODE_PACKAGE);

/** Whether the Node.js that runs now can run n8n. */
export const ownNodeFits = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;

/** The Node.js that runs n8n, the sandbox and the tests. */
export const NODE_BINARY = ownNodeFits ? process.execPath : join(NODE_HOME, 'bin', 'node');

/** Headers for native addons; undefined when the machine's own Node.js is used. */
export const NODE_HEADERS = ownNodeFits ? undefined : NODE_HOME;

/** Environment in which `node` and `npm` mean that Node.js. */
export function nodeEnvironment(base = process.env) {
	return {
		...base,
		PATH: `${dirname(NODE_BINARY)}${process.platform === 'win32' ? ';' : ':'}${base.PATH ?? ''}`,
	};
}

export const runtimeInstalled = () => existsSync(NODE_BINARY);
