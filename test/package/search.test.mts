import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { forEachCase } from '../support/forEachCase.mts';

/**
 * What the editor's node search finds. n8n's own search modules decide, among n8n's own nodes: the
 * display name counts, the aliases count, the description doesn't, and a phrase has to be in one of
 * them, with its letters in this order.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const HOST = join(ROOT, 'host', 'n8n', 'node_modules');
const fromN8n = createRequire(join(HOST, 'n8n', 'package.json'));
const { sublimeSearch } = fromN8n('@n8n/utils/search/sublime-search') as {
	sublimeSearch(phrase: string, items: Entry[]): Result[];
};
const { reRankSearchResults } = fromN8n('@n8n/utils/search/re-rank-search-results') as {
	reRankSearchResults(results: Result[], factors: Record<string, Popularity>): Result[];
};

/** An entry of the node list, in the editor's shape. */
interface Entry {
	key: string;
	properties: { displayName: string; codex: { alias: string[] } };
}
interface Result {
	score: number;
	item: Entry;
}
type Popularity = Record<string, number>;

interface NodeType {
	name: string;
	displayName: string;
	hidden?: boolean;
	codex?: { alias?: string[] };
}

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as unknown;
const aliasesOf = (file: string) =>
	(json(ROOT, 'nodes', 'SignAndClose', file) as { alias: string[] }).alias;

/** The nodes of one of n8n's packages, each once. */
function nodesOf(name: string): Entry[] {
	const types = json(HOST, name, 'dist', 'types', 'nodes.json') as NodeType[];
	const shown = new Map(
		types.filter((type) => type.hidden !== true).map((type) => [`${name}.${type.name}`, type]),
	);
	return [...shown].map(([key, { displayName, codex }]) => ({
		key,
		properties: { displayName, codex: { alias: codex?.alias ?? [] } },
	}));
}

const OURS = 'n8n-nodes-sign-and-close.signAndClose';
const entry = (key: string, displayName: string, alias: string[]): Entry => ({
	key,
	properties: { displayName, codex: { alias } },
});
const action = entry(OURS, 'Sign and Close', aliasesOf('SignAndClose.node.json'));
const trigger = entry(
	`${OURS}Trigger`,
	'Sign and Close Trigger',
	aliasesOf('SignAndCloseTrigger.node.json'),
);
const all = [...nodesOf('n8n-nodes-base'), ...nodesOf('@n8n/n8n-nodes-langchain'), action, trigger];
const isTrigger = ({ key }: Entry) => key.endsWith('Trigger');
/** The editor shows a trigger and its action node as one entry. */
const merged = all.filter(
	(node) => !isTrigger(node) || !all.some(({ key }) => `${key}Trigger` === node.key),
);

/** What n8n adds for nodes that are used much. A table of the editor that it builds with itself. */
const popularity = readPopularity();

function readPopularity(): Popularity {
	const folder = join(HOST, 'n8n-editor-ui', 'dist', 'assets');
	for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
		const rows = readFileSync(join(folder, file), 'utf8').matchAll(
			/\{id:[`"']([^`"']+)[`"'],popularity:([\d.]+)\}/g,
		);
		const table = Object.fromEntries([...rows].map(([, id, value]) => [id, Number(value) * 100]));
		if (Object.keys(table).length > 100) return table;
	}
	throw new Error("The editor's table of popular nodes wasn't found");
}

/** The names of the entries for what somebody types, as the editor finds and orders them. */
function ranked(typed: string, among: Entry[]): string[] {
	const phrase = typed.toLowerCase().replace('trigger', '').trimEnd();
	return reRankSearchResults(sublimeSearch(phrase, among), { popularity }).map(
		({ item }) => item.key,
	);
}

const firstThree = (typed: string, among: Entry[]) => ranked(typed, among).slice(0, 3);

const isFound = (typed: string, among: Entry[]) =>
	firstThree(typed, among).some((key) => key.startsWith(OURS));

/** What people in an office type who have a contract, a closing or a deed in mind. */
const PHRASES = [
	'affidavit',
	'closing',
	'closing package',
	'contract',
	'deed',
	'deed of trust',
	'e-sign',
	'enote',
	'escrow',
	'esign',
	'get contract signed',
	'identity check',
	'kba',
	'loan',
	'mortgage',
	'notarise',
	'notarization',
	'notarize',
	'notary',
	'online closing',
	'online notary',
	'power of attorney',
	'promissory note',
	'real estate',
	'refinance',
	'remote online notarization',
	'send document for signature',
	'send for signature',
	'send pdf',
	'settlement',
	'sign',
	'sign and close',
	'sign pdf',
	'signature',
	'title',
	'title agency',
	'wet sign',
];

describe('somebody types what they want', () => {
	test.each(PHRASES)('%s', (typed) => {
		expect(firstThree(typed, merged)).toContain(OURS);
	});
	test('while they type it', () => {
		for (const typed of ['notar', 'mortg', 'contr', 'sign p', 'esig', 'refin', 'Loan Clos'])
			expect({ typed, found: isFound(typed, merged) }).toEqual({ typed, found: true });
	});
	test("what n8n's ranking puts behind nodes that are used much, which have the letters too", () => {
		expect(ranked('ron', merged)).toContain(OURS);
	});
	test('the name of a product that signs documents, which is no alias of ours', () => {
		// It finds "document signing", whose letters it has in this order.
		expect(firstThree('docusign', merged)).toContain(OURS);
	});
});

test.each(['contract signed', 'document signed', 'closing completed', 'signed', 'sign and close'])(
	'somebody looks for a trigger: %s',
	(typed) => {
		expect(firstThree(typed, all.filter(isTrigger))).toContain(`${OURS}Trigger`);
	},
);

describe('the aliases', () => {
	test.each([
		['of the action node', action],
		['of the trigger', trigger],
	])('%s are each there once, and none names a company or its product', (_whose, node) => {
		const { alias } = node.properties.codex;
		expect(new Set(alias.map((name) => name.toLowerCase())).size).toBe(alias.length);
		// Whoever types a company's name looks for its node, and must not be led to another one.
		expect(
			alias.filter((name) =>
				/docusign|adobe|dropbox|hello|panda|proof|notarize\.com|qualia|snapdocs/i.test(name),
			),
		).toEqual([]);
	});
	test("no other node of n8n's is pushed from what it is for", () => {
		forEachCase(
			[
				['jwt', 'n8n-nodes-base.jwt'],
				['extract', 'n8n-nodes-base.extractFromFile'],
				['webhook', 'n8n-nodes-base.webhook'],
				['merge', 'n8n-nodes-base.merge'],
				['google docs', 'n8n-nodes-base.googleDocs'],
			],
			([typed, key]) => expect(firstThree(typed, merged)[0]).toBe(key),
		);
	});
});
