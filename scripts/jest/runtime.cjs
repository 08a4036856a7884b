/**
 * Jest's runtime, which loads modules: here, Node.js does it, once for all files of a worker. Jest's own
 * would load n8n's core again for each file.
 */
const { pathToFileURL } = require('node:url');

const JestRuntime = require('jest-runtime').default;

const { sourceMaps } = require('./loader.cjs');

/** Where jest-circus, which runs the tests, keeps its listeners. A file has its own. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

module.exports = class NodeRuntime extends JestRuntime {
	unstable_shouldLoadAsEsm() {
		return true;
	}

	/** Loads a test file, or a setup file. */
	async unstable_importModule(path) {
		return await import(pathToFileURL(path).href);
	}

	/** Loads jest-circus anew for each test file, because it keeps the tests of one. */
	requireInternalModule(path) {
		delete require.cache[require.resolve(path)];
		delete globalThis[LISTENERS];
		return require(path);
	}

	/** The functions of tests are global, because helpers outlive a file, as do their imports. */
	setGlobalsForRuntime(globals) {
		super.setGlobalsForRuntime(globals);
		globalThis.jest = this.jestGlobals.jestObjectFor(this._testPath);
	}

	/** By which Jest shows the lines of the source. */
	getSourceMaps() {
		return sourceMaps;
	}

	/** Node.js has its own. */
	installGetBuiltinModule() {}
};
