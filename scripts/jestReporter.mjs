/**
 * How `npm test` shows Jest at work: a line a test file as it ends, failures in full, a sign of
 * life in between.
 */
import { relative } from 'node:path';

const HEARTBEAT_MS = 15_000;

export default class Reporter {
	#running = new Map();
	#timer;
	#root = process.cwd();

	onRunStart() {
		this.#timer = setInterval(() => {
			for (const [path, began] of this.#running) {
				const seconds = Math.round((Date.now() - began) / 1000);
				if (seconds * 1000 >= HEARTBEAT_MS)
					this.#say(`  ...     ${relative(this.#root, path)} is running (${seconds} s)`);
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
		const bad = failed > 0 || result.testExecError !== undefined;
		const counts = [
			`${passed} passed`,
			failed > 0 && `${failed} failed`,
			pending + todo > 0 && `${pending + todo} skipped`,
		]
			.filter(Boolean)
			.join(', ');
		this.#say(
			`  ${bad ? 'FAILED' : 'ok    '}  ${relative(this.#root, path)} (${counts}, ${seconds} s)`,
		);
		if (bad) this.#say(result.failureMessage ?? result.testExecError?.message ?? '');
	}

	onRunComplete() {
		clearInterval(this.#timer);
	}

	getLastError() {
		return undefined;
	}

	#say(text) {
		process.stdout.write(`${text}\n`);
	}
}
