/**
 * The order of test files: those that take long go first, so that none of them is left over when the
 * other workers have nothing to do any more. Vitest itself goes by the size of a file, which says
 * little here, until it has run all of them once on this machine.
 */
import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The longest first. A name that fits no file does no harm. */
const LONGEST = [
	'test/load/queue.test.mts',
	'test/e2e/triggerLifecycle.test.mts',
	// It mostly waits, which suits the other two.
	'test/e2e/longWait.test.mts',
	'test/load/deliveries.test.mts',
	'test/e2e/examples.test.mts',
	'test/engine/transport/uploadMemory.test.mts',
	'test/faults/matrix.test.mts',
	'test/engine/matrix/shard3.test.mts',
	'test/engine/matrix/shard2.test.mts',
	'test/engine/matrix/shard1.test.mts',
	'test/engine/transport/pace.test.mts',
	'test/engine/matrix/switches.test.mts',
	'test/engine/secrets/canaries.test.mts',
	'test/engine/transport/limits.test.mts',
	'test/engine/hostile/parameters.test.mts',
];

export default class Sequencer {
	#root;

	constructor({ config }) {
		this.#root = config.root;
	}

	/** @param specifications what Vitest knows of each test file */
	sort(specifications) {
		const places = new Map(specifications.map((one) => [one, this.#placeOf(one.moduleId)]));
		return [...specifications].sort(
			(one, other) =>
				places.get(one).rank - places.get(other).rank ||
				places.get(other).bytes - places.get(one).bytes,
		);
	}

	#placeOf(path) {
		const index = LONGEST.indexOf(relative(this.#root, path).split(sep).join('/'));
		return { rank: index === -1 ? LONGEST.length : index, bytes: statSync(path).size };
	}
}
