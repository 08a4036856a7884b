/** Jest's environment of a test file that Stryker runs with a change: many of them in one process. */
const { mixinJestEnvironment } = require('@stryker-mutator/jest-runner');

const WorkerEnvironment = require('../scripts/jest/environment.cjs');

/** Tests that aren't run, by their title. */
const SKIPPED = new RegExp(process.env.MUTATION_SKIPPED || '$^');

const { stackTraceLimit } = Error;

/** The change that a test has noticed, so that the others needn't run. */
let noticed = null;

class MutationEnvironment extends WorkerEnvironment {
	/**
	 * While code is loaded, no change is active, because it stays for the next ones; and errors have no
	 * stack, because some are part of a test's name, which has to be the same in each run.
	 */
	async setup() {
		globalThis.__stryker__.activeMutant = '';
		Error.stackTraceLimit = 0;
	}

	handleTestEvent({ name, test }) {
		const stryker = globalThis.__stryker__;
		if (name === 'run_start') {
			stryker.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
			Error.stackTraceLimit = stackTraceLimit;
		}
		if (name === 'test_start' && (SKIPPED.test(test.name) || stryker.activeMutant === noticed))
			test.mode = 'skip';
		if (name === 'test_done' && test.errors.length > 0) noticed = stryker.activeMutant;
	}
}

module.exports = mixinJestEnvironment(MutationEnvironment);
