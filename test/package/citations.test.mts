import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/**
 * What the repository cites exists: pages and headings of docs/ that comments and texts name, and
 * the relative links of every Markdown page.
 */

const ROOT = join(import.meta.dirname, '..', '..');

/** Folders and files whose citations are followed. */
const CITING = [
	'nodes',
	'credentials',
	'sandbox',
	'host',
	'scripts',
	'bench',
	'test',
	'docs',
	...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
];

/** Names of documents that aren't in the repository, whose facts docs/service holds. */
const OUTSIDE = /\b(interface|gaps|live-shapes)(\.md\b| §)/;

const TEXT = /\.(m?[jt]sx?|md|json|ya?ml|html|css)$/;
const NOT_OURS = /(^|\/)(node_modules|runtime|dist)\//;

/** A page of docs/ by its path from the root, with or without a heading. */
const CITATION = /(?<![\w./-])docs\/[\w./-]+?\.md(#[\w-]+)?/g;

function filesOf(place: string): string[] {
	if (!existsSync(join(ROOT, place))) return [];
	if (TEXT.test(place)) return [place];
	return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && TEXT.test(entry.name))
		.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
		.filter((file) => !NOT_OURS.test(file));
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Markdown without its code, in which nothing is a heading or a link. */
function withoutCodeBlocks(markdown: string): string {
	return markdown.replace(/^(```|~~~)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, '');
}

/** The anchors of a page's headings, by GitHub's rules. */
function anchorsOf(markdown: string): Set<string> {
	const anchors = new Set<string>();
	for (const [, heading] of withoutCodeBlocks(markdown).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
		const slug = heading
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
			.replace(/ /g, '-');
		let anchor = slug;
		for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
		anchors.add(anchor);
	}
	return anchors;
}

const known = new Map<string, Set<string>>();

/** Why a path with an optional anchor leads nowhere; undefined when it leads somewhere. */
function whyBroken(target: string): string | undefined {
	const [path, anchor] = target.split('#');
	if (!existsSync(join(ROOT, path))) return `${path} doesn't exist`;
	if (anchor === undefined || !path.endsWith('.md')) return undefined;
	const anchors = known.get(path) ?? anchorsOf(read(path));
	known.set(path, anchors);
	return anchors.has(anchor) ? undefined : `${path} has no heading #${anchor}`;
}

/** The targets of a page's links and images, without those that lead to other hosts. */
function linksOf(markdown: string): string[] {
	const text = withoutCodeBlocks(markdown).replace(/`[^`\n]*`/g, '');
	const patterns = [
		/\]\(\s*<?([^\s)>]+)>?[^)]*\)/g,
		/^\[[^\]]+\]:\s+(\S+)/gm,
		/<(?:a|img|source)\b[^>]*?\s(?:href|src|srcset)="([^"]+)"/g,
	];
	return patterns
		.flatMap((pattern) => [...text.matchAll(pattern)].map(([, target]) => target))
		.filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

const citing = CITING.flatMap(filesOf);

describe('citations', () => {
	it('of pages of docs/ and of their headings lead somewhere', () => {
		const broken = citing.flatMap((file) =>
			[...read(file).matchAll(CITATION)].flatMap(([target]) => {
				const why = whyBroken(target);
				return why === undefined ? [] : [`${file}: ${why}`];
			}),
		);
		expect(broken).toEqual([]);
	});

	it('as relative links of Markdown pages lead somewhere', () => {
		const pages = citing.filter((file) => file.endsWith('.md'));
		const broken = pages.flatMap((file) =>
			linksOf(read(file)).flatMap((link) => {
				const target = link.startsWith('#')
					? file + link
					: normalize(join(dirname(file), decodeURI(link)));
				const why = whyBroken(target);
				return why === undefined ? [] : [`${file}: ${link}: ${why}`];
			}),
		);
		expect(pages).toContain('README.md');
		expect(broken).toEqual([]);
	});

	it('are made of every picture', () => {
		const linked = citing
			.filter((file) => file.endsWith('.md'))
			.flatMap((file) => linksOf(read(file)).map((link) => normalize(join(dirname(file), link))));
		const pictures = readdirSync(join(ROOT, 'docs/images'), { recursive: true })
			.map((name) => join('docs/images', String(name)))
			.filter((name) => name.endsWith('.png'));
		expect(pictures.length).toBeGreaterThan(0);
		expect(pictures.filter((name) => !linked.includes(name))).toEqual([]);
	});

	it('name no document that is not in the repository', () => {
		expect(citing.length).toBeGreaterThan(100);
		expect(citing.filter((file) => OUTSIDE.test(read(file)))).toEqual([]);
	});
});
