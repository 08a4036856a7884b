import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { N8N_DIR, NODE_BINARY } from '../../scripts/runtime.mjs';

/**
 * The n8n that `npm start` shows. It's installed without peer dependencies, so a package that a
 * built-in node needs can be missing without a word until somebody drags that node onto a canvas.
 */

/** Loads each file that n8n's packages list as a node, and prints those that fail as JSON. */
const LOAD_ALL = `
const failed = [];
let loaded = 0;
for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
	for (const file of require(name + '/package.json').n8n.nodes) {
		try { require(process.cwd() + '/node_modules/' + name + '/' + file); loaded++; }
		catch (error) { failed.push(file + ': ' + error.message.split('\\n')[0]); }
	}
}
require('fs').writeSync(1, JSON.stringify({ loaded, failed }));
process.exit();
`;

test('every built-in node of n8n can be loaded', () => {
	const { stdout, stderr } = spawnSync(NODE_BINARY, ['-e', LOAD_ALL], {
		cwd: N8N_DIR,
		encoding: 'utf8',
		env: { ...process.env, N8N_USER_FOLDER: join(N8N_DIR, 'node_modules', '.cache') },
	});
	const { loaded, failed } = JSON.parse(stdout || JSON.stringify({ failed: [stderr] }));
	expect(failed).toEqual([]);
	expect(loaded).toBeGreaterThan(500);
});
