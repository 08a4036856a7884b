import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

import ts from 'typescript';

/**
 * The arrows of docs/architecture.md: who may import whom, that nothing imports in a circle, and
 * that what is published needs nothing that a user's n8n does not have.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const NODE = 'nodes/SignAndClose';

/** Besides relative paths. n8n's lint would let a development dependency through. */
const ALLOWED_MODULES = new Set(['n8n-workflow', 'crypto']);

/** Rooms of the published code from top to bottom: a room may import itself and those below it. */
const LAYERS: string[][] = [
	['nodes'],
	['trigger', 'credentials'],
	['resources'],
	['form'],
	['run'],
	['messages'],
	['transport'],
	['values'],
	['pdf'],
];

/** Rooms of everything else: each may import the rooms it names, and the published code if it says so. */
const OTHERS: Record<string, string[]> = {
	sandbox: ['sandbox'],
	// The generators run every operation once, with the fixtures of the tests.
	scripts: ['scripts', 'test', 'sandbox', 'nodes', 'credentials', 'mutation', 'jest.config.mjs'],
	host: ['host', 'scripts', 'sandbox'],
	bench: ['bench', 'host', 'scripts', 'sandbox', 'nodes'],
	test: ['test', 'bench', 'host', 'scripts', 'sandbox', 'nodes', 'credentials'],
};

function filesBelow(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.m?[tj]s$/.test(entry.name))
		.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
		.filter((file) => !/node_modules|runtime\//.test(file));
}

/** Every module that a file names in an import, an export, a require() or an import type. */
function importsOf(file: string): string[] {
	const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true);
	return importedFiles.map(({ fileName }) => fileName);
}

const published = [...filesBelow('nodes'), ...filesBelow('credentials')];
const graph = new Map<string, string[]>();
for (const file of [...published, ...Object.keys(OTHERS).flatMap(filesBelow)]) {
	graph.set(file, importsOf(file));
}

/** The file that a relative import of another file means. */
function resolve(from: string, name: string): string {
	const path = normalize(join(dirname(from), name));
	const candidates = [path, `${path}.ts`, `${path}/index.ts`, `${path}/index.mts`];
	return candidates.find((candidate) => graph.has(candidate)) ?? path;
}

const relativeImportsOf = (file: string) =>
	(graph.get(file) ?? []).filter((name) => name.startsWith('.')).map((name) => resolve(file, name));

/** A published file's path below the node's folder; files of the nodes themselves stand in `nodes`. */
function insideOf(file: string): string {
	if (file.startsWith('credentials/')) return file;
	const inside = file.slice(NODE.length + 1);
	return inside.includes('/') ? inside : `nodes/${inside}`;
}

/** The layer of a published file, by its number in LAYERS. */
function layerOf(file: string): number {
	const [room] = insideOf(file).split('/');
	const layer = LAYERS.findIndex((rooms) => rooms.includes(room));
	if (layer < 0) throw new Error(`${file} is in no room that the architecture knows`);
	return layer;
}

/** The first folder or file of each path below what both have in common. */
function whereTheyPart(a: string, b: string): [string, string] {
	const [left, right] = [a.split('/'), b.split('/')];
	const depth = left.findIndex((part, index) => part !== right[index]) + 1;
	return [left.slice(0, depth).join('/'), right.slice(0, depth).join('/')];
}

test('published files import relative paths, n8n-workflow and crypto, nothing else', () => {
	const foreign = published.flatMap((file) =>
		(graph.get(file) ?? [])
			.filter((name) => !name.startsWith('.') && !ALLOWED_MODULES.has(name))
			.map((name) => `${file} imports ${name}`),
	);
	expect(foreign).toEqual([]);
});

test('published files import published files alone', () => {
	const outside = published.flatMap((file) =>
		relativeImportsOf(file)
			.filter((target) => !published.includes(target))
			.map((target) => `${file} imports ${target}`),
	);
	expect(outside).toEqual([]);
});

test('arrows between the rooms of the published code point down', () => {
	const upwards = published.flatMap((file) =>
		relativeImportsOf(file)
			.filter((target) => layerOf(target) < layerOf(file))
			.map((target) => `${file} imports ${target}`),
	);
	expect(upwards).toEqual([]);
});

test('files and folders beside each other do not import in a circle, on any floor', () => {
	const arrows = new Map<string, Set<string>>();
	for (const file of published) {
		for (const target of relativeImportsOf(file)) {
			const [from, to] = whereTheyPart(file, target);
			if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
		}
	}
	expect(circlesIn(arrows)).toEqual([]);
});

test('a folder of the published code holds at most twelve files', () => {
	const folders = Map.groupBy(
		published.filter((file) => !file.endsWith('.operation.ts') && !file.includes('__schema__')),
		(file) => dirname(file),
	);
	const crowded = [...folders]
		.filter(([, files]) => files.length > 12)
		.map(([folder, files]) => `${folder}: ${files.length}`);
	expect(crowded).toEqual([]);
});

describe('what is not published', () => {
	test.each(Object.entries(OTHERS))('%s imports only what it may', (folder, allowed) => {
		const wrong = filesBelow(folder).flatMap((file) =>
			relativeImportsOf(file)
				.filter((target) => !allowed.includes(target.split('/')[0]))
				.map((target) => `${file} imports ${target}`),
		);
		expect(wrong).toEqual([]);
	});
});

test('the fault service shares no code with what it is used against', () => {
	// It was written from docs/service alone (docs/reliability.md#how-it-was-measured).
	const folder = 'test/support/faultService';
	const foreign = filesBelow(folder).flatMap((file) =>
		(graph.get(file) ?? [])
			.map((name) => (name.startsWith('.') ? resolve(file, name) : name))
			.filter((target) => !target.startsWith(`${folder}/`) && !target.startsWith('node:'))
			.map((target) => `${file} imports ${target}`),
	);
	expect(foreign).toEqual([]);
});

test('nothing imports in a circle', () => {
	const imports = new Map([...graph.keys()].map((file) => [file, relativeImportsOf(file)]));
	expect(circlesIn(imports)).toEqual([]);
});

/** Each way from something back to itself. */
function circlesIn(arrows: ReadonlyMap<string, Iterable<string>>): string[] {
	const state = new Map<string, 'open' | 'done'>();
	const circles: string[] = [];
	const visit = (from: string, path: string[]): void => {
		if (state.get(from) === 'done') return;
		if (state.get(from) === 'open') {
			circles.push([...path.slice(path.indexOf(from)), from].join(' -> '));
			return;
		}
		state.set(from, 'open');
		for (const to of arrows.get(from) ?? []) visit(to, [...path, from]);
		state.set(from, 'done');
	};
	for (const from of arrows.keys()) visit(from, []);
	return circles;
}

test('transport holds no words of the editor', () => {
	// A label in single quotes inside a text is how messages name a field of a form.
	const labels = filesBelow(`${NODE}/transport`).flatMap((file) =>
		[...readFileSync(join(ROOT, file), 'utf8').matchAll(/["`]'[A-Z][A-Za-z ]+'[^"`\n]*["`]/g)].map(
			([text]) => `${file}: ${text}`,
		),
	);
	expect(labels).toEqual([]);
});
