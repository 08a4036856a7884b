import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Line, Paper } from '../blocks.mts';
import { draw, type Measure } from '../drawing.mts';
import { writeHtml } from '../html.mts';
import { measureWordSpace, readDrawnLines } from './marks.mts';

/** Papers of tools that are written in Python: Debian's own Python has them. */

const PYTHON = '/usr/bin/python3';
const LIBERATION = '/usr/share/fonts/truetype/liberation';

const findScript = (name: string): string => join(import.meta.dirname, name);

export function makeWithReportLab(
	{ pages, look }: Paper,
	path: string,
	folder: string,
	measure: Measure,
): Line[] {
	const sheets = draw(pages, look, measure);
	const spaced = sheets.map((sheet) => ({
		...sheet,
		marks: sheet.marks.map((mark) =>
			'text' in mark ? { ...mark, word: measureWordSpace(mark, measure) } : mark,
		),
	}));
	const input = join(folder, 'sheets.json');
	writeFileSync(input, JSON.stringify(spaced));
	const fonts = look.font === 'libertine' ? [LIBERATION] : [];
	execFileSync(PYTHON, [findScript('reportLab.py'), input, path, ...fonts]);
	return readDrawnLines(sheets, measure);
}

export function makeWithWeasyPrint({ pages, look }: Paper, path: string, folder: string): Line[] {
	const input = join(folder, 'paper.html');
	writeFileSync(input, writeHtml(pages, look, 'sections'));
	const answer = execFileSync(PYTHON, [findScript('weasyPrint.py'), input, path], {
		encoding: 'utf8',
		maxBuffer: 2 ** 28,
	});
	return JSON.parse(answer) as Line[];
}
