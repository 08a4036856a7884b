import type { GlyphRun } from '../../../../pdf/content/marks';
import { findLines, type TextLine } from '../../../../pdf/search/lines';
import { isHyphen } from '../../../../pdf/search/normalization';
import { joinGlyphs } from '../listing/labels';

/*
 * Lines of a page of which one goes on with the next: a label may stand in two lines, which begin at the
 * same edge.
 */

/** How far apart, in em, baselines of a label in two lines are. */
const NEAREST_LINE = 0.5;
const FARTHEST_LINE = 1.6;

/** How different, in em, its letters are in size. */
const SAME_SIZE = 0.2;

/** How far apart, in units of user space, its lines may begin. */
const SAME_EDGE = 3;

/** What's on a page. */
export type Runs = readonly GlyphRun[];

/** The lines of a page, each with the one that goes on with it. */
export function findBlockLines(runs: Runs): TextLine[][] {
	const lines = findLines(runs);
	const lowerLines = new Map<string, TextLine>();
	for (const line of lines.flat()) {
		const [{ start, baseline, em }] = line.glyphs;
		const edge = Math.round(start / SAME_EDGE);
		const toKey = (near: number) => [near, line.cosine, line.sine].join();
		const next = [edge, edge - 1, edge + 1]
			.flatMap((near) => lowerLines.get(toKey(near)) ?? [])
			.find(({ glyphs: [first] }) => {
				const distance = (baseline - first.baseline) / em;
				const isAlike = Math.abs(first.em - em) <= SAME_SIZE * em;
				return isAlike && distance >= NEAREST_LINE && distance <= FARTHEST_LINE;
			});
		lowerLines.set(toKey(edge), line);
		if (next === undefined) continue;
		next.brokenWord = readBrokenWord(line);
		joinLines(line, next);
	}
	return lines;
}

/** The beginning of a word that goes on with the next line, such as "Co-". */
function readBrokenWord({ glyphs }: TextLine): string | undefined {
	const word = joinGlyphs(glyphs).split(' ').at(-1) ?? '';
	return /\p{L}$/u.test(word.slice(0, -1)) && isHyphen(word.slice(-1)) ? word : undefined;
}

function joinLines(line: TextLine, next: TextLine): void {
	line.text += next.text.slice(0, next.length);
	line.glyphs = [...line.glyphs, ...next.glyphs.slice(0, next.glyphCount)];
	const owners = next.owners.slice(0, next.length).map((owner) => owner + line.glyphCount);
	line.owners = [...line.owners, ...owners];
}
