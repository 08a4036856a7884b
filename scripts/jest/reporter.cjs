/** What Jest's own reporter leaves out: which test files are still running, and which tests were skipped. */
const { relative } = require('node:path');

const HEARTBEAT_MS = 30_000;

module.exports = class Reporter {
	#running = new Map();
	#timer;

	onRunStart() {
		this.#timer = setInterval(() => {
			for (const [file, since] of this.#running) {
				const seconds = Math.round((Date.now() - since) / 1000);
				if (seconds * 1000 >= HEARTBEAT_MS)
					process.stdout.write(`...  ${file} is running (${seconds} s)\n`);
			}
		}, HEARTBEAT_MS);
	}

	onTestFileStart({ path, context }) {
		this.#running.set(relative(context.config.rootDir, path), Date.now());
	}

	onTestFileResult({ path, context }) {
		this.#running.delete(relative(context.config.rootDir, path));
	}

	onRunComplete(_contexts, { testResults }) {
		clearInterval(this.#timer);
		const skipped = testResults.flatMap(({ testResults: tests }) =>
			tests.filter(({ status }) => status === 'pending'),
		);
		// With a filter by name, all others are.
		if (!process.argv.some((arg) => /^(-t|--testNamePattern)/.test(arg)))
			for (const { fullName } of skipped) process.stdout.write(`Skipped: ${fullName}\n`);
	}
};
