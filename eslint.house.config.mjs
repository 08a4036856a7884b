/**
 * Lint for everything that is not published: sandbox, host, scripts, tests. The package itself is
 * under n8n's own config (eslint.config.mjs), and its names and sizes are held here.
 */
import js from '@eslint/js';
import globals from 'globals';
import ts from 'typescript-eslint';

import names from './scripts/lint/names.mjs';

/** Files whose outputs, or what they store, have a field whose name says nothing alone. */
const FIELDS = {
	'resources/document/add/ifExists': ['added'],
	'resources/transaction/copy/*': ['what'],
	'resources/transaction/createAndSend/**/*': ['what'],
	'resources/transaction/replaceDocuments/*': ['what'],
	'resources/transaction/package/*': ['why'],
	'trigger/memory': ['answered', 'shown'],
};

export default ts.config(
	{ ignores: ['**/node_modules/**', 'host/runtime/**', 'dist/**', '.run/**'] },
	{
		files: ['**/*.mts', '**/*.mjs', '**/*.js', '**/*.cjs'],
		extends: [js.configs.recommended, ...ts.configs.recommended],
		languageOptions: { globals: globals.node },
		linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
		rules: {
			// Answers of the service and of n8n are looked at where they have no types.
			'@typescript-eslint/no-explicit-any': 'off',
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
			eqeqeq: 'error',
			'no-console': 'error',
			'no-var': 'error',
			'prefer-const': 'error',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { names },
		languageOptions: { parser: ts.parser },
		linterOptions: { reportUnusedDisableDirectives: 'off', noInlineConfig: true },
		rules: {
			'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
			'max-lines-per-function': [
				'error',
				{ max: 45, skipBlankLines: true, skipComments: true, IIFEs: true },
			],
			'names/empty-names': 'error',
			'names/function-names': 'error',
		},
	},
	...Object.entries(FIELDS).map(([file, fields]) => ({
		files: [`nodes/SignAndClose/${file}.ts`],
		rules: { 'names/empty-names': ['error', fields] },
	})),
	{ files: ['test/**'], languageOptions: { globals: globals.jest } },
	{ files: ['**/*.js', '**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
