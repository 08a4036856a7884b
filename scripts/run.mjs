/**
 * The entry of `npm start` and `npm test`, and of packing for a release. Works on a fresh clone:
 * names what the machine lacks, installs and builds the rest, and runs the program with the right
 * Node.js.
 */
import { relative } from 'node:path';

import { buildPackage, describeMissingTools, findMissingTools, installAll } from './install.mjs';
import { isInterrupted, printLine, runInForeground, SIGNALS, stopCommands } from './progress.mjs';
import { nodeEnvironment, NODE_BINARY, ROOT } from './runtime.mjs';

const [, , command, ...args] = process.argv;
const PROGRAMS = {
	start: ['host/start.mts'],
	test: ['scripts/test.mjs', 'first'],
	'test:all': ['scripts/test.mjs', 'all'],
};
const COMMANDS = [...Object.keys(PROGRAMS), 'pack'];
const USAGE =
	'Usage: npm start [-- --once | --tour | --verbose], npm test [-- filter], npm run test:all or: node scripts/run.mjs pack';
/** What a shell reports for a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

async function main() {
	if (!COMMANDS.includes(command)) throw new Error(USAGE);
	const missing = findMissingTools();
	if (missing.length > 0) throw new Error(describeMissingTools(missing));
	for (const signal of SIGNALS) process.on(signal, stopCommands);
	await installAll();
	// The tests pack by themselves, beside their lint checks.
	if (!command.startsWith('test')) {
		const tarball = await buildPackage();
		if (command === 'pack') printLine(`Packed: ${relative(ROOT, tarball)}`);
	}
	if (isInterrupted()) return EXIT_INTERRUPTED;
	if (command === 'pack') return 0;
	return await runInForeground(
		NODE_BINARY,
		['--disable-warning=ExperimentalWarning', ...PROGRAMS[command], ...args],
		nodeEnvironment(),
	);
}

main().then(
	(code) => process.exit(code),
	(error) => {
		if (isInterrupted()) process.exit(EXIT_INTERRUPTED);
		process.stderr.write(`\n${error.message}\n`);
		process.exit(1);
	},
);
