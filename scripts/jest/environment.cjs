/**
 * Jest's environment of a test file: the worker itself. n8n compares classes and keeps its services in
 * one container, and its core takes two seconds to load, so all files of a worker share what is loaded.
 */
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const { blockNames, isOutside } = require('../../host/run/hostNames.cjs');

// Nothing that a test asks for is outside. Where no server of names answers, each name would take a
// thread for seconds, in which files and other names wait.
blockNames(isOutside);

module.exports = class WorkerEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;
	#before = { console: globalThis.console, exit: process.exit };

	constructor({ projectConfig }) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	async setup() {}

	/** Gives back what Jest replaces for a file. */
	async teardown() {
		this.fakeTimersModern.dispose();
		globalThis.console = this.#before.console;
		process.exit = this.#before.exit;
	}

	getVmContext() {
		return null;
	}
};
