import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

/** A text in the sources: of a message, a hint, a log line or a field. */
export interface SourceText {
	/** File and line. */
	where: string;
	/** Where something is filled in while the node runs, it has {}. */
	text: string;
}

const ROOT = join(import.meta.dirname, '..', '..');
/** What is published. */
const PACKAGE = ['nodes', 'credentials'];
/** What a person sees beside it: the sandbox's console, and what is told in the terminal. */
export const BESIDE = [
	'sandbox/console',
	'sandbox/main.mts',
	'host/start.mts',
	'host/demo',
	'host/run',
];
/** Tables of words as sheets and fonts have them. Nobody reads them. */
const TABLES =
	/\/(?:sheet\/(?:words|headings|rowFields)|pdf\/fonts\/\w+|transport\/answers\/shapes)\.ts$/;

/** Names of fields of the service, which a file splits at the spaces. */
const NAMES = /^[a-z\d_. ]*_[a-z\d_. ]*$/;

/**
 * Every text of more than one word in sources, comments left out.
 * @param places files and folders; by default, what is published
 */
export function sourceTexts(places = PACKAGE): SourceText[] {
	return places.flatMap(filesOf).flatMap(textsOf);
}

function filesOf(place: string): string[] {
	const path = join(ROOT, place);
	if (!statSync(path).isDirectory()) return [path];
	return readdirSync(path, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => !TABLES.test(file));
}

function textsOf(file: string): SourceText[] {
	const text = readFileSync(file, 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: SourceText[] = [];
	const visit = (node: ts.Node): void => {
		// What texts of the service are recognized by stands before a colon.
		if (ts.isImportDeclaration(node) || isName(node)) return;
		const words = wordsOf(node);
		if (words !== undefined && /\p{L}.* |\s.*\p{L}/su.test(words) && !NAMES.test(words)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			found.push({ where: `${relative(ROOT, file)}:${line + 1}`, text: words });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const isName = (node: ts.Node) =>
	ts.isPropertyAssignment(node.parent ?? node) &&
	(node.parent as ts.PropertyAssignment).name === node;

function wordsOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}
