/**
 * Tests are TypeScript (.mts), which Node.js reads as it is; `npm run lint:types` checks the types. All
 * files of a worker share what is loaded (scripts/jest), so a test leaves nothing behind for the next
 * file.
 */
import { slowness } from './scripts/slowness.mjs';

/** What ends a test that hangs: many times what any test takes on a machine as fast as the makers'. */
const LIMIT_MS = 1_200_000;

/** For workers and the programs that they start. Jest reads this file once, at the start of a run. */
process.env.SIGN_AND_CLOSE_SLOWNESS ??= String(slowness());

/** The test in a real n8n that `npm test` has: the packed package, a closing, its event, its archive. */
const FIRST_IN_N8N = 'test/e2e/closing.test.mts';
const IN_N8N = ['/test/e2e/', '/test/load/'];
/** They compare times or memory, so nothing else may run beside them. */
const MEASURED = ['/test/measured/', '/test/unit/pdf/hostile'];
/** They take long: many cases of what other tests have one of each, and services that stall or limit. */
const LONG = [
	'/test/faults/',
	'/test/engine/(hostile|secrets|transport)/',
	'/test/engine/matrix/switches',
	'/test/engine/messages/remedies',
	'/test/engine/transaction/(ifExistsTwice|downloadPackage|found\\w+|fortySheets|sheets|pairs/differences|replaceDocuments/placesJudged)',
	'/test/engine/trigger/webhookMethods/unpublishing',
	'/test/sandbox/console',
	'/test/unit/transport/pace/simulated',
];

/** A part of the tests. What isn't one, but needs Jest, is named *.run.mts. */
const project = (displayName, testRegex, testPathIgnorePatterns = []) => ({
	displayName,
	roots: ['<rootDir>/test'],
	testRegex,
	testPathIgnorePatterns,
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json'],
	transform: {},
	runtime: '<rootDir>/scripts/jest/runtime.cjs',
	testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
	cacheDirectory: '<rootDir>/.run/jest',
});
const testsIn = (folders) => folders.map((folder) => `${folder}.*\\.test\\.mts$`);

export default {
	testTimeout: Math.round(LIMIT_MS * Number(process.env.SIGN_AND_CLOSE_SLOWNESS)),
	reporters: ['default', '<rootDir>/scripts/jest/reporter.cjs'],
	// A timer that a test has left behind doesn't hold up the end, as it doesn't in a worker.
	forceExit: true,
	projects: [
		project('code', ['\\.test\\.mts$'], [...IN_N8N, ...MEASURED, ...LONG]),
		project('n8n', [FIRST_IN_N8N]),
		project('long', testsIn(LONG)),
		project('long-n8n', testsIn(IN_N8N), [FIRST_IN_N8N]),
		project('measured', testsIn(MEASURED)),
		project('programs', ['\\.run\\.mts$']),
	],
};
