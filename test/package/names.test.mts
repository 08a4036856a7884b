import { readFileSync } from 'node:fs';

import ts from 'typescript';

import { publishedSources } from './publishedSources.mts';

test('an exported name stands for one thing', () => {
	const homes = new Map<string, Set<string>>();
	for (const file of publishedSources()) {
		const text = readFileSync(file, 'utf8');
		const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
		for (const name of statements.flatMap(exportedNames))
			homes.set(name, (homes.get(name) ?? new Set()).add(file));
	}
	const several = [...homes].filter(([, files]) => files.size > 1);
	expect(several.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([]);
});

/** The names that a statement declares and exports. */
function exportedNames(statement: ts.Statement): string[] {
	const isExported =
		ts.canHaveModifiers(statement) &&
		ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
	if (isExported !== true) return [];
	const declared: readonly ts.NamedDeclaration[] = ts.isVariableStatement(statement)
		? statement.declarationList.declarations
		: [statement as ts.DeclarationStatement];
	return declared.flatMap(({ name }) =>
		name !== undefined && ts.isIdentifier(name) ? [name.text] : [],
	);
}
