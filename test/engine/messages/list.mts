import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

/** Every message of nodes/SignAndClose/messages, as its tables have it, so that none can be left out. */

const ROOT = join(import.meta.dirname, '../../../nodes/SignAndClose/messages');

/** The tables: the word before their keys, the file and the constant. */
const TABLES = [
	['code', 'explanations', 'TEXTS'],
	['code', 'connectionTexts', 'CONNECTION_TEXTS'],
	['code', 'transactionTexts', 'TRANSACTION_TEXTS'],
	['stands', 'explanations', 'STANDS'],
	['text', 'remedies', 'REMEDIES'],
	['text', 'remedies', 'NAMING'],
	['status', 'refusals', 'BY_MEANING'],
	['fault', 'connectionTexts', 'FAULTS'],
	['base URL', 'connectionTexts', 'BASE_URL_FAULTS'],
] as const;

/** The keys of an object, or the first entries of a list's rows, as they stand in the source. */
function keysIn(file: string, constant: string): string[] {
	const text = readFileSync(join(ROOT, `${file}.ts`), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const declared = source.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => [...declarationList.declarations])
		.find(({ name }) => name.getText() === constant);
	const given = declared?.initializer;
	const value = given && ts.isSatisfiesExpression(given) ? given.expression : given;
	if (value !== undefined && ts.isObjectLiteralExpression(value))
		return value.properties.flatMap(({ name }) => name?.getText().replace(/^'|'$/g, '') ?? []);
	if (value !== undefined && ts.isArrayLiteralExpression(value))
		return value.elements.map((row) => (row as ts.ArrayLiteralExpression).elements[0].getText());
	throw new Error(`${file}.ts has no table ${constant}`);
}

const OPERATIONS = join(ROOT, '../resources/transaction');
/** Where sending, creating and correcting refuse an item in their own words. */
const OWN = [
	...['form', 'item', 'refusals', 'steps/endStep'].map((name) => `createAndSend/${name}.ts`),
	...['lookup', 'identity', 'claims', 'createWrite'].map((name) => `ifExists/${name}.ts`),
	...['closing', 'contacts', 'fields', 'business'].map((name) => `create/${name}.ts`),
	...['copy.operation', 'existing', 'plan'].map((name) => `copy/${name}.ts`),
	...['item', 'refusals', 'steps'].map((name) => `replaceDocuments/${name}.ts`),
	'change/changeFields.ts',
	'create/create.operation.ts',
	'check/checks.ts',
];

/** The beginnings of the remedies with which a file refuses an item. */
function refusalsIn(file: string): string[] {
	const text = readFileSync(join(OPERATIONS, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const firstText = (node: ts.Node): string | undefined =>
		ts.isStringLiteralLike(node)
			? node.text
			: ts.isTemplateExpression(node)
				? node.head.text || node.templateSpans[0].literal.text
				: ts.forEachChild(node, firstText);
	const visit = (node: ts.Node): void => {
		const called = ts.isNewExpression(node) || ts.isCallExpression(node) ? node : undefined;
		const name = called?.expression.getText().replace(/^params\./, '') ?? '';
		const place = { InputFailure: 2, ExplainedFailure: 1, refuse: 1, createEmptyFailure: 1 }[name];
		const remedy = place === undefined ? undefined : called!.arguments![place];
		const words = remedy && firstText(remedy);
		// What goes through a function of its own has its words where that is called.
		if (words !== undefined && !/^\w+$|^Nothing was created\. $/.test(words))
			found.push(`${file}: ${words.slice(0, 60)}`);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Its words are those of the fault. */
const WORDED_BY_FAULT = 'code: unreachable';

/** The keys of all messages, e.g. `text: enote required`. */
export const MESSAGES: string[] = [
	...TABLES.flatMap(([kind, file, constant]) =>
		keysIn(file, constant).map((key) => `${kind}: ${key}`),
	).filter((message) => message !== WORDED_BY_FAULT),
	// These have no tables of their own.
	...['redirect', 'unavailable', 'link', 'no change'].map((key) => `other: ${key}`),
	...OWN.flatMap(refusalsIn),
];
