/** Jest's runtime of the tests, for many runs in one process: each loads its test files anew. */
const { pathToFileURL } = require('node:url');

const NodeRuntime = require('../scripts/jest/runtime.cjs');

let loaded = 0;

module.exports = class MutationRuntime extends NodeRuntime {
	async unstable_importModule(path) {
		// scripts/jest/loader.cjs goes by the ending.
		return await import(`${pathToFileURL(path).href}?${++loaded}.mts`);
	}
};
