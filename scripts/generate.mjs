/**
 * `npm run generate`: writes what is derived from the operations' files, which is the list of
 * operations, the README's tables of them and of events, the output schemas that the editor previews, the headings
 * of docs/rows.md and the checks of docs/check.md, the record of what saved workflows hold, and the
 * tables of docs/service, which are derived from sandbox/openapi.yaml. Run it after adding an operation or changing a description, an output or
 * what is known of the service.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { installRuntime } from './install.mjs';
import { ROOT } from './runtime.mjs';
import { runProgram } from './jest/run.mjs';

const SCHEMAS = join(ROOT, 'nodes', 'SignAndClose', '__schema__');
const SERVICE = join(ROOT, 'docs', 'service');
const PAGES = ['rows.md', 'check.md'].map((name) => join(ROOT, 'docs', name));
const RESOURCES = join(ROOT, 'nodes', 'SignAndClose', 'resources');
const LIST = join(RESOURCES, 'list.ts');
const CONTRACT = ['interface.yaml', 'stored.json'].map((name) =>
	join(ROOT, 'test', 'contract', name),
);

/** The text of resources/list.ts: one line for each operation's file. */
export function listOfOperations() {
	const files = readdirSync(RESOURCES, { recursive: true })
		.map((file) => String(file).replaceAll('\\', '/'))
		.filter((file) => file.endsWith('.operation.ts'))
		.sort();
	const lines = files.map((file) => {
		const text = readFileSync(join(RESOURCES, file), 'utf8');
		const name = /^export const (\w+) = defineOperation\(/m.exec(text)?.[1];
		if (name === undefined) {
			throw new Error(
				`resources/${file} exports no operation: export const <name> = defineOperation({ ... })`,
			);
		}
		return `export { ${name} } from './${file.replace(/\.ts$/, '')}';`;
	});
	return [
		'/*',
		' * Every operation of the node by name. `npm run generate` writes this list from the files below',
		' * it; dropdowns, fields and dispatch follow from it.',
		' */',
		...lines,
		'',
	].join('\n');
}

/** The generated files as they are now: path and text. */
function generatedFiles() {
	const schemas = existsSync(SCHEMAS)
		? readdirSync(SCHEMAS, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
		: [];
	const pages = [...PAGES, ...readdirSync(SERVICE).map((name) => join(SERVICE, name))];
	return new Map(
		[LIST, ...CONTRACT, join(ROOT, 'README.md'), ...pages, ...schemas].map((file) => [
			relative(ROOT, file),
			readFileSync(file, 'utf8'),
		]),
	);
}

async function main() {
	if (!existsSync(join(ROOT, 'node_modules')))
		throw new Error('The packages are not installed yet: npm ci');
	await installRuntime();
	const before = generatedFiles();
	// First, because everything else is derived from it.
	writeFileSync(LIST, listOfOperations());
	process.stdout.write('Running every operation once against the sandbox ...\n');
	const { status, stdout, stderr } = runProgram(['scripts/generated/writeAll.mts']);
	if (status !== 0)
		throw new Error(`README, schemas and docs were not written.\n\n${stderr}${stdout}`);
	const after = generatedFiles();
	const changes = [
		...[...after].filter(([file]) => !before.has(file)).map(([file]) => `new      ${file}`),
		...[...after]
			.filter(([file, text]) => before.has(file) && before.get(file) !== text)
			.map(([file]) => `changed  ${file}`),
		...[...before.keys()].filter((file) => !after.has(file)).map((file) => `removed  ${file}`),
	];
	for (const change of changes) process.stdout.write(`${change}\n`);
	const schemas = [...after.keys()].filter((file) => file.includes('__schema__')).length;
	process.stdout.write(
		`list.ts, README.md, docs and ${schemas} output schemas are up to date` +
			`${changes.length === 0 ? '; nothing had to change' : ''}.\n`,
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	main().catch((reason) => {
		process.stderr.write(`${reason.message}\n`);
		process.exitCode = 1;
	});
