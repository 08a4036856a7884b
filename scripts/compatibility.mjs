/**
 * `npm run compatibility`: installs each n8n of host/ and runs the examples in it, with the packed
 * package. What passed is written to host/compatibility.json, from which `npm run generate` makes the
 * README's table.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildPackage, installAll, installN8n } from './install.mjs';
import { runScript } from './progress.mjs';
import { ROOT, RUN_DIR } from './runtime.mjs';
import { runTests } from './jest/run.mjs';

const HOST = join(ROOT, 'host');
/** The folders of host/, the newest first. */
const FOLDERS = ['n8n', 'n8n-1'];
const RESULTS_DIR = join(RUN_DIR, 'results');
const TESTS = ['test/e2e/examples', 'test/e2e/longWait'];

function resultsOf(file) {
	const { numPassedTests: passed, numTotalTests: total } = JSON.parse(readFileSync(file, 'utf8'));
	return { passed, total };
}

runScript(async () => {
	await installAll();
	await buildPackage();
	mkdirSync(RESULTS_DIR, { recursive: true });
	const results = [];
	for (const name of FOLDERS) {
		const folder = join(HOST, name);
		await installN8n(folder);
		const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		const file = join(RESULTS_DIR, `compatibility-${name}.json`);
		await runTests(['--runInBand', '--json', '--outputFile', file, ...TESTS], {
			SIGN_AND_CLOSE_N8N: name,
		});
		results.push({ n8n: dependencies.n8n, ...resultsOf(file) });
	}
	writeFileSync(join(HOST, 'compatibility.json'), `${JSON.stringify(results, null, '\t')}\n`);
	for (const { n8n, passed, total } of results)
		process.stdout.write(`n8n ${n8n}: ${passed} of ${total} passed\n`);
	return results.every(({ passed, total }) => passed === total) ? 0 : 1;
});
