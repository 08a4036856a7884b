import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

/** Every message of nodes/SignAndClose/messages, as its tables have it, so that none can be left out. */

const ROOT = join(import.meta.dirname, '../../../nodes/SignAndClose/messages');

/** The tables: the word before their keys, the file and the constant. */
const TABLES = [
	['code', 'explanations', 'TEXTS'],
	['stands', 'explanations', 'STANDS'],
	['text', 'refusalRemedies', 'REMEDIES'],
	['text', 'refusalRemedies', 'NAMING'],
	['status', 'refusals', 'BY_MEANING'],
	['fault', 'connection', 'FAULTS'],
	['base URL', 'connection', 'BASE_URL_FAULTS'],
] as const;

/** The keys of an object, or the first entries of a list's rows, as they stand in the source. */
function keysIn(file: string, constant: string): string[] {
	const text = readFileSync(join(ROOT, `${file}.ts`), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const declared = source.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => [...declarationList.declarations])
		.find(({ name }) => name.getText() === constant);
	const value = declared?.initializer;
	if (value !== undefined && ts.isObjectLiteralExpression(value))
		return value.properties.map(({ name }) => name!.getText().replace(/^'|'$/g, ''));
	if (value !== undefined && ts.isArrayLiteralExpression(value))
		return value.elements.map((row) => (row as ts.ArrayLiteralExpression).elements[0].getText());
	throw new Error(`${file}.ts has no table ${constant}`);
}

/** The keys of all messages, e.g. `text: enote required`. */
export const MESSAGES: string[] = [
	...TABLES.flatMap(([kind, file, constant]) =>
		keysIn(file, constant).map((key) => `${kind}: ${key}`),
	),
	// These have no tables of their own.
	...['unreachable', 'redirect', 'unavailable', 'link'].map((key) => `other: ${key}`),
];
