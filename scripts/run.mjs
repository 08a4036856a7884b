/**
 * `npm start` and `npm test`, from a fresh clone on: names what the machine lacks, installs,
 * builds, and hands over to the real thing under the right Node.js.
 */
import { join } from 'node:path';

import { nodeEnvironment, NODE_BINARY, ROOT } from './runtime.mjs';
import { buildPackage, missingTools, prepare, tellMissing } from './install.mjs';
import { handOver, isInterrupted, SIGNALS, stopAll } from './progress.mjs';

const [, , command, ...args] = process.argv;
const PROGRAMS = { start: join('host', 'start.mts'), test: join('scripts', 'test.mts') };
/** What a shell reports for a program that Ctrl-C ended. */
const INTERRUPTED = 130;

async function main() {
	if (PROGRAMS[command] === undefined)
		throw new Error('Use: npm start [-- --once], or: npm test [-- filter]');
	const missing = missingTools();
	if (missing.length > 0) throw new Error(tellMissing(missing));
	for (const signal of SIGNALS) process.on(signal, stopAll);
	await prepare();
	if (command === 'start') await buildPackage();
	if (isInterrupted()) return INTERRUPTED;
	return await handOver(
		NODE_BINARY,
		['--disable-warning=ExperimentalWarning', join(ROOT, PROGRAMS[command]), ...args],
		nodeEnvironment(),
	);
}

main().then(
	(code) => process.exit(code),
	(reason) => {
		if (isInterrupted()) process.exit(INTERRUPTED);
		process.stderr.write(`\n${reason.message}\n`);
		process.exit(1);
	},
);
