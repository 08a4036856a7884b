import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import ts from 'typescript';

import type * as Finding from '../../nodes/SignAndClose/pdf/finding/phrases.ts';
import type * as Pages from '../../nodes/SignAndClose/pdf/pages.ts';

/** The node's reader of PDFs, compiled from its sources into a folder. */
export type Reader = Pick<typeof Pages, 'readPages'> & Pick<typeof Finding, 'findPhrases'>;

const SOURCE = join(import.meta.dirname, '..', '..', 'nodes', 'SignAndClose', 'pdf');

export function compiledReader(folder: string): Reader {
	for (const name of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.ts')) continue;
		const { outputText } = ts.transpileModule(readFileSync(join(SOURCE, name), 'utf8'), {
			compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
		});
		const file = join(folder, name.replace(/\.ts$/, '.js'));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, outputText);
	}
	const require = createRequire(join(folder, 'index.js'));
	const pages = require('./pages.js') as typeof Pages;
	const finding = require('./finding/phrases.js') as typeof Finding;
	return { readPages: pages.readPages, findPhrases: finding.findPhrases };
}
