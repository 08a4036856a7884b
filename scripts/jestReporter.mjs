/**
 * Jest's reporter for `npm test`: one line per finished test file, failures in full, and a line from
 * time to time for files that are still running.
 */
import { relative } from 'node:path';

const HEARTBEAT_MS = 15_000;

export default class Reporter {
	#running = new Map();
	#timer;
	#root = process.cwd();

	onRunStart() {
		this.#timer = setInterval(() => {
			for (const [path, startTime] of this.#running) {
				const seconds = Math.round((Date.now() - startTime) / 1000);
				if (seconds * 1000 >= HEARTBEAT_MS)
					this.#print(`  ...     ${relative(this.#root, path)} is still running (${seconds} s)`);
			}
		}, HEARTBEAT_MS);
	}

	onTestFileStart({ path }) {
		this.#running.set(path, Date.now());
	}

	onTestFileResult({ path }, result) {
		const seconds = ((Date.now() - (this.#running.get(path) ?? Date.now())) / 1000).toFixed(1);
		this.#running.delete(path);
		const {
			numPassingTests: passed,
			numFailingTests: failed,
			numPendingTests: pending,
			numTodoTests: todo,
		} = result;
		const hasFailed = failed > 0 || result.testExecError !== undefined;
		const counts = [
			`${passed} passed`,
			failed > 0 && `${failed} failed`,
			pending + todo > 0 && `${pending + todo} skipped`,
		]
			.filter(Boolean)
			.join(', ');
		this.#print(
			`  ${hasFailed ? 'FAILED' : 'ok    '}  ${relative(this.#root, path)} (${counts}, ${seconds} s)`,
		);
		if (hasFailed) this.#print(result.failureMessage ?? result.testExecError?.message ?? '');
	}

	onRunComplete() {
		clearInterval(this.#timer);
	}

	getLastError() {
		return undefined;
	}

	#print(text) {
		process.stdout.write(`${text}\n`);
	}
}
