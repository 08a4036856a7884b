import { registerHooks } from 'node:module';

import { transformSync } from '@swc/core';

/*
 * Lets a script import the package's sources, and with them the engine of the tests, without a build:
 * as Jest does, swc makes CommonJS of them, whose imports name files without their ending.
 */

const ENDINGS = ['', '.ts', '/index.ts'];

registerHooks({
	resolve(specifier, context, next) {
		const isOurs = context.parentURL?.endsWith('.ts') === true && specifier.startsWith('.');
		if (!isOurs) return next(specifier, context);
		let failure: unknown;
		for (const ending of ENDINGS) {
			try {
				return next(specifier + ending, context);
			} catch (thrown) {
				failure ??= thrown;
			}
		}
		throw failure;
	},
	load(url, context, next) {
		if (!url.endsWith('.ts')) return next(url, context);
		const { source } = next(url, { ...context, format: 'module-typescript' });
		const { code } = transformSync(String(source), {
			filename: url,
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		return { format: 'commonjs', source: code, shortCircuit: true };
	},
});
