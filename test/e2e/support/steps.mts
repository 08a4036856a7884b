/** Steps of a page of docs, with the words that it marks. */

/** A marked word, and the words before it back to the mark before. */
export interface Mark {
	/** `name` of a button, field or node; `choice` of a list; `value` to enter; `example` to import. */
	kind: 'name' | 'choice' | 'value' | 'example';
	text: string;
	before: string;
}

/** A numbered step. */
export interface Step {
	number: number;
	text: string;
	marks: Mark[];
}

const NUMBER = /^(\d+)\. /m;
const MARK =
	/\*\*(?<name>[^*]+)\*\*|_(?<choice>[^_]+)_|`(?<value>[^`]+)`|\]\(\.\.\/examples\/(?<example>[\w-]+)\.json\)/g;
/** A picture, or a link, of which the text alone counts, unless it leads to an example. */
const LINK = /!?\[([^\]]*)\]\((?!\.\.\/examples)[^)]*\)/g;

/**
 * Reads the numbered steps below a heading.
 * @throws when the page has no such heading
 */
export function readSteps(page: string, heading: string): Step[] {
	const [, section] = page.split(`\n## ${heading}\n`);
	if (section === undefined) throw new Error(`The page has no heading ${heading}`);
	const [, ...parts] = section.split(/\n## /)[0].split(NUMBER);
	return Array.from({ length: parts.length / 2 }, (_, index) => {
		const text = parts[2 * index + 1].replace(LINK, '$1').replace(/\s+/g, ' ').trim();
		return { number: Number(parts[2 * index]), text, marks: readMarks(text) };
	});
}

function readMarks(text: string): Mark[] {
	let end = 0;
	return [...text.matchAll(MARK)].map((match) => {
		const [kind, marked] = Object.entries(match.groups!).find(([, value]) => value !== undefined)!;
		const before = text.slice(end, match.index).trim();
		end = match.index + match[0].length;
		return { kind: kind as Mark['kind'], text: marked, before };
	});
}
