/**
 * What tests import from vitest, put together from Jest's parts on top of Mocha, whose tests can run
 * many times in one process.
 */
import { createRequire } from 'node:module';
import { sep } from 'node:path';

import { Suite, Test } from 'mocha';

const require = createRequire(import.meta.url);
const { expect } = require('expect');
const { bind } = require('jest-each');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const TIMEOUT_MS = 60_000;
/** Tests that aren't run, by their title. */
const SKIPPED = new RegExp(process.env.MUTATION_SKIPPED || '$^');

/** The suite of each test file. */
const suites = new Map();
/** The blocks that are being described, the innermost first. */
const open = [];

function currentSuite() {
	if (open.length > 0) return open[0];
	const file = globalThis.currentTestFile;
	if (!suites.has(file)) {
		const title = file.slice(file.lastIndexOf(`${sep}test${sep}`) + 6);
		suites.set(
			file,
			globalThis.describe(title, () => undefined),
		);
	}
	return suites.get(file);
}

function describeBlock(title, body) {
	open.unshift(Suite.create(currentSuite(), title));
	try {
		body();
	} finally {
		open.shift();
	}
}

function addTest(title, body, timeout = TIMEOUT_MS) {
	if (SKIPPED.test(title)) return;
	const made = new Test(title, body.length > 0 ? body : async () => await body());
	made.timeout(timeout);
	made.file = globalThis.currentTestFile;
	currentSuite().addTest(made);
}

const hook =
	(kind) =>
	(body, timeout = TIMEOUT_MS) => {
		const suite = currentSuite();
		suite[kind](async () => await body());
		suite[`_${kind}`].at(-1).timeout(timeout);
	};
const nothing = () => undefined;
const skip = Object.assign(nothing, { each: () => nothing });
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
	config: { rootDir: '.', fakeTimers: {} },
	global: globalThis,
});

export { expect };
export const describe = Object.assign(describeBlock, { each: bind(describeBlock), skip });
export const test = Object.assign(addTest, { each: bind(addTest), skip });
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
const TIMER_METHODS = [
	'advanceTimersByTimeAsync',
	'advanceTimersToNextTimerAsync',
	'getTimerCount',
	'setSystemTime',
	'useFakeTimers',
	'useRealTimers',
];
export const vi = {
	spyOn: mocker.spyOn.bind(mocker),
	restoreAllMocks: () => mocker.restoreAllMocks(),
	...Object.fromEntries(TIMER_METHODS.map((name) => [name, timers[name].bind(timers)])),
};
