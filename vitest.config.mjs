/**
 * Tests are TypeScript (.mts). Types are checked by `npm run lint:types`. Each worker runs one file
 * after the other and loads n8n's core once, so a test leaves nothing behind for the next file.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import Sequencer from './scripts/testSequencer.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);
/** A project for a part of the tests. */
const project = (name, options) => ({ extends: true, test: { name, ...options } });

export default {
	// Else Vite would write into node_modules, which a clone may share with another.
	cacheDir: join(ROOT, '.run', 'vite'),
	resolve: {
		// The form that n8n's core loads. There has to be one only, because classes are compared.
		alias: [{ find: /^n8n-workflow$/, replacement: require.resolve('n8n-workflow') }],
	},
	test: {
		root: ROOT,
		pool: 'forks',
		isolate: false,
		// Waiting and repeating is part of what is tested.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		sequence: { sequencer: Sequencer },
		projects: [
			project('code', {
				include: ['test/**/*.test.mts'],
				exclude: ['test/{e2e,load,measured}/**'],
			}),
			// They start a real n8n and wait for it.
			project('n8n', {
				include: ['test/{e2e,load}/**/*.test.mts'],
				testTimeout: 180_000,
				hookTimeout: 180_000,
			}),
			// They compare times, so nothing else may run beside them.
			project('measured', { include: ['test/measured/**/*.test.mts'] }),
			// Not tests: what scripts run, because it needs the node's sources.
			project('programs', { include: ['test/support/**/*.run.mts'] }),
		],
	},
};
