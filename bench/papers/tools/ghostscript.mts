import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Line, Paper } from '../blocks.mts';
import { draw, type Mark, type Measure, type Sheet } from '../drawing.mts';
import { measureWordSpace, readDrawnLines } from './marks.mts';

/** Papers as PostScript, which Ghostscript makes a PDF of, as print drivers do. */

/** Bytes of letters that ISO Latin 1 doesn't have, and their names in PostScript. */
const ODD_LETTERS: Record<string, [byte: number, name: string]> = {
	'’': [0x92, 'quoteright'],
	'“': [0x93, 'quotedblleft'],
	'”': [0x94, 'quotedblright'],
	'–': [0x96, 'endash'],
	"'": [0x27, 'quotesingle'],
	'-': [0x2d, 'hyphen'],
};

const PROLOGUE = `%!PS-Adobe-3.0
/encoding ISOLatin1Encoding 256 array copy def
${Object.values(ODD_LETTERS)
	.map(([byte, name]) => `encoding ${byte} /${name} put`)
	.join('\n')}
[/Helvetica /Helvetica-Bold /Times-Roman /Times-Bold] {
	dup findfont dup length dict begin
		{ 1 index /FID ne { def } { pop pop } ifelse } forall
		/Encoding encoding def
	currentdict end definefont pop
} forall
<< /PageSize [612 792] >> setpagedevice
`;

/** Dingbats of PostScript, by their byte. */
const DINGBATS: Record<string, number> = { '✔': 0x34, '❏': 0x6f };

function quote(text: string): string {
	const bytes = [...text].map(
		(letter) => ODD_LETTERS[letter]?.[0] ?? DINGBATS[letter] ?? letter.codePointAt(0),
	);
	return `<${bytes.map((byte = 0) => byte.toString(16).padStart(2, '0')).join('')}>`;
}

export function makeWithGhostscript(
	{ pages, look }: Paper,
	path: string,
	folder: string,
	measure: Measure,
): Line[] {
	const sheets = draw(pages, look, measure);
	const input = join(folder, 'paper.ps');
	writeFileSync(input, PROLOGUE + sheets.map((sheet) => writeSheet(sheet, measure)).join('\n'));
	const options = ['-q', '-dNOPAUSE', '-dBATCH', '-dAutoRotatePages=/None', '-sDEVICE=pdfwrite'];
	execFileSync('gs', [...options, `-sOutputFile=${path}`, input]);
	return readDrawnLines(sheets, measure);
}

function writeSheet({ marks, change }: Sheet, measure: Measure): string {
	const odd = {
		rotated: '[ {ThisPage} << /Rotate 90 >> /PUT pdfmark',
		cropped: '[ /CropBox [18 18 594 774] /PAGE pdfmark',
	};
	return `${change === undefined ? '' : odd[change]}\n${marks.map((mark) => writeMark(mark, measure)).join('\n')}\nshowpage`;
}

function writeMark(mark: Mark, measure: Measure): string {
	if ('line' in mark) {
		const [x1, y1, x2, y2] = mark.line;
		return `newpath ${x1} ${y1} moveto ${x2} ${y2} lineto stroke`;
	}
	if ('box' in mark) return `${mark.box.join(' ')} ${mark.isFilled ? 'rectfill' : 'rectstroke'}`;
	if ('field' in mark) throw new Error('PostScript has no form fields');
	const { text, x, y, size, font, spacing = 0, angle = 0 } = mark;
	const word = measureWordSpace(mark, measure);
	return `gsave /${font} findfont ${size} scalefont setfont ${x} ${y} translate ${angle} rotate 0 0 moveto ${word} 0 32 ${spacing} 0 ${quote(text)} awidthshow grestore`;
}
