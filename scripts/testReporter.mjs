/**
 * Vitest's reporter for `npm test`: one line per finished test file, failures in full, and a line
 * from time to time for files that are still running.
 */
const HEARTBEAT_MS = 15_000;

export default class Reporter {
	#running = new Map();
	#timer;

	onTestRunStart() {
		this.#timer = setInterval(() => {
			for (const [file, startTime] of this.#running) {
				const seconds = Math.round((Date.now() - startTime) / 1000);
				if (seconds * 1000 >= HEARTBEAT_MS)
					this.#print(`  ...     ${file} is still running (${seconds} s)`);
			}
		}, HEARTBEAT_MS);
	}

	onTestModuleQueued({ relativeModuleId }) {
		this.#running.set(relativeModuleId, Date.now());
	}

	onTestModuleEnd(module) {
		const file = module.relativeModuleId;
		const seconds = ((Date.now() - (this.#running.get(file) ?? Date.now())) / 1000).toFixed(1);
		this.#running.delete(file);
		const states = ['passed', 'failed', 'skipped'];
		const tests = states.map((state) => [...module.children.allTests(state)]);
		const counts = states
			.map((state, index) => ({ state, count: tests[index].length }))
			.filter(({ state, count }) => count > 0 || state === 'passed')
			.map(({ state, count }) => `${count} ${state}`)
			.join(', ');
		this.#print(`  ${module.ok() ? 'ok    ' : 'FAILED'}  ${file} (${counts}, ${seconds} s)`);
		const suites = [module, ...module.children.allSuites()];
		for (const suite of suites) this.#printErrors(suite.fullName ?? file, suite.errors());
		for (const failed of tests[1]) this.#printErrors(failed.fullName, failed.result().errors);
	}

	onTestRunEnd(_modules, unhandledErrors) {
		clearInterval(this.#timer);
		this.#printErrors('Outside of tests', unhandledErrors);
	}

	#printErrors(title, errors) {
		for (const { message, stack, diff } of errors)
			this.#print([`\n  ${title}`, stack ?? message, diff].filter(Boolean).join('\n'));
	}

	#print(text) {
		process.stdout.write(`${text}\n`);
	}
}
