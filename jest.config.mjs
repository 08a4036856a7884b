/**
 * Tests are ES modules in TypeScript (.mts); the package itself stays CommonJS (.ts). swc turns
 * each into what Node loads, types are checked by `npm run lint:types`. Run with
 * NODE_OPTIONS=--experimental-vm-modules (scripts/run.mjs does).
 */
const swc = (module) => [
	'@swc/jest',
	{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: module } },
];

export default {
	testMatch: ['<rootDir>/test/**/*.test.mts'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'js', 'json', 'node'],
	extensionsToTreatAsEsm: ['.mts'],
	transform: { '\\.mts$': swc('es6'), '\\.ts$': swc('commonjs') },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/', '<rootDir>/.run/'],
	testEnvironment: 'node',
	// A worker that holds more between two files is replaced: some of what a file leaves is never freed.
	workerIdleMemoryLimit: '1500MB',
	testSequencer: '<rootDir>/scripts/jestSequencer.mjs',
	// Waiting and repeating is part of what is tested.
	testTimeout: 60_000,
};
