import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { forEachCase } from '../support/forEachCase.mts';
import { publishedSources } from './publishedSources.mts';

/** HTTP statuses are judged in one file: transport/http/statuses.ts. */

const ROOT = join(import.meta.dirname, '..', '..');
const TABLE = 'nodes/SignAndClose/transport/http/statuses.ts';

/** Statuses that are no other number of the code, either. */
const ALWAYS = /^(?:20[1-8]|30[1-8]|40[1-9]|41\d|42[1-9]|431|451|50[1-8]|52[0-6])$/;
/** Round numbers are limits as well, so they're statuses only beside such a name. */
const ROUND = /^[2345]00$/;
const NAME = /status|httpcode|\bcode\b|answer\(|refuse\(|unexpected/i;

/** The numbers of a source that stand for statuses. */
function statusesIn(file: string, text: string): string[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isNumericLiteral(node)) {
			const around = node.parent.getText(source);
			if (ALWAYS.test(node.text) || (ROUND.test(node.text) && NAME.test(around)))
				found.push(`${node.text} in ${around}`);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

test('no published file but the table has the number of a status', () => {
	const files = publishedSources();
	forEachCase(files, (file) => {
		const found = statusesIn(file, readFileSync(join(ROOT, file), 'utf8'));
		if (file === TABLE) expect(found.length).toBeGreaterThan(25);
		else expect(found).toEqual([]);
	});
});

test.each([
	'if (status === 404) return;',
	'const GONE = new Set([404, 410]);',
	'const late = status >= 500;',
	'refuse(context, 400);',
	'throw unexpectedAnswer(200);',
	'const texts = { 409: "conflict" };',
])('%j has one', (text) => {
	expect(statusesIn('x.ts', text)).not.toEqual([]);
});

test.each(['const LONGEST = 200;', 'wait(500);', '/* 404 */ const text = "status 404";'])(
	'%j has none',
	(text) => {
		expect(statusesIn('x.ts', text)).toEqual([]);
	},
);
