import type { Line } from '../blocks.mts';
import type { Mark, Measure, Sheet } from '../drawing.mts';

/** Where the characters of a drawing are, by the widths of its fonts, as a tool has drawn it. */
export const readDrawnLines = (sheets: readonly Sheet[], measure: Measure): Line[] =>
	sheets.flatMap(({ marks }, index) => {
		const lines: Line[] = [];
		for (const mark of marks) {
			const line = readMark(mark, index + 1, measure);
			const before = lines[lines.length - 1];
			if (line !== undefined && 'text' in mark && mark.isPart) {
				before.text += line.text;
				before.xs.push(...line.xs);
				before.baselines.push(...line.baselines);
			} else if (line !== undefined) lines.push(line);
		}
		return lines;
	});

/** The line of a mark that has one, and isn't turned. */
function readMark(mark: Mark, page: number, measure: Measure): Line | undefined {
	if ('field' in mark) {
		const measureBefore = (before: string) => measure(before, 'Helvetica', mark.size);
		return toLine(page, mark.field, mark.x + 2, mark.y + 3, measureBefore);
	}
	if (!('text' in mark) || mark.angle !== undefined || mark.font === 'ZapfDingbats')
		return undefined;
	const word = measureWordSpace(mark, measure);
	const measureBefore = (before: string) =>
		measure(before, mark.font, mark.size) +
		before.length * (mark.spacing ?? 0) +
		(before.split(' ').length - 1) * word;
	return toLine(page, mark.text, mark.x, mark.y, measureBefore);
}

/** What each space of a justified line is wider than usual. */
export function measureWordSpace(mark: Extract<Mark, { text: string }>, measure: Measure): number {
	const spaces = mark.text.split(' ').length - 1;
	if (mark.width === undefined || spaces === 0) return 0;
	return (mark.width - measure(mark.text, mark.font, mark.size)) / spaces;
}

function toLine(
	page: number,
	text: string,
	x: number,
	y: number,
	measureBefore: (before: string) => number,
): Line {
	const units = text.split('');
	return {
		page,
		text,
		xs: units.map((_, at) => x + measureBefore(text.slice(0, at))),
		baselines: units.map(() => y),
	};
}
