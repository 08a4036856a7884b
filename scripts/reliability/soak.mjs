/** `npm run soak -- [--minutes 60] [--seed 1]`: mixed load in a real n8n (bench/soak/soak.mts). */
import { join } from 'node:path';

import { buildPackage, installRuntime } from '../install.mjs';
import { runInForeground, runScript } from '../progress.mjs';
import { NODE_BINARY, nodeEnvironment, ROOT } from '../runtime.mjs';

async function main() {
	await installRuntime();
	await buildPackage();
	const args = [join(ROOT, 'bench', 'soak', 'soak.mts'), ...process.argv.slice(2)];
	return await runInForeground(NODE_BINARY, args, nodeEnvironment());
}

runScript(main);
