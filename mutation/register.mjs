/**
 * Loads tests and the published code in one process without Vitest (node --import): tests as ES
 * modules, as Node.js reads them, the code as CommonJS, as n8n loads it. Vitest would start a process
 * and load n8n's core again for each change, which takes seconds.
 */
import { readFileSync } from 'node:fs';
import { createRequire, Module, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const ts = require('typescript');

const GLOBALS = new URL('globals.mjs', import.meta.url).href;
const WORKFLOW = pathToFileURL(require.resolve('n8n-workflow')).href;
const PUBLISHED = /\/(nodes|credentials)\/.*\.ts$/;

Module._extensions['.ts'] = (module, filename) => {
	const { outputText } = ts.transpileModule(readFileSync(filename, 'utf8'), {
		compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
	});
	module._compile(outputText, filename);
};

registerHooks({
	resolve(specifier, context, next) {
		if (specifier === 'vitest') return { url: GLOBALS, shortCircuit: true };
		// Mocha imports one test file after the other.
		if (specifier.endsWith('.test.mts')) globalThis.currentTestFile = fileURLToPath(specifier);
		// Its form as an ES module is for browsers only; and n8n's core uses this one.
		if (specifier === 'n8n-workflow' && context.parentURL?.endsWith('.mts'))
			return { url: WORKFLOW, shortCircuit: true };
		return next(specifier, context);
	},
	load(url, context, next) {
		if (!PUBLISHED.test(url)) return next(url, context);
		const file = fileURLToPath(url);
		const names = Object.keys(require(file)).map(
			(name) => `export const ${name} = published.${name};`,
		);
		return {
			format: 'module',
			shortCircuit: true,
			source: [
				"import { createRequire } from 'node:module';",
				`const published = createRequire(import.meta.url)(${JSON.stringify(file)});`,
				...names,
			].join('\n'),
		};
	},
});
