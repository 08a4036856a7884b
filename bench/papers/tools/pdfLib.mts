import { writeFileSync } from 'node:fs';

import {
	degrees,
	PDFDocument,
	rgb,
	setCharacterSpacing,
	setWordSpacing,
	StandardFonts,
	type PDFFont,
	type PDFPage,
} from '@cantoo/pdf-lib';

import type { Line, Paper } from '../blocks.mts';
import { draw, type FontName, type Mark, type Measure, type Sheet } from '../drawing.mts';
import { measureWordSpace, readDrawnLines } from './marks.mts';

/** Papers that pdf-lib draws. */

type Fonts = Record<FontName, PDFFont>;

const NAMES: Record<FontName, StandardFonts> = {
	Helvetica: StandardFonts.Helvetica,
	'Helvetica-Bold': StandardFonts.HelveticaBold,
	'Times-Roman': StandardFonts.TimesRoman,
	'Times-Bold': StandardFonts.TimesRomanBold,
	ZapfDingbats: StandardFonts.ZapfDingbats,
};

async function embedFonts(pdf: PDFDocument): Promise<Fonts> {
	const fonts = {} as Fonts;
	for (const name of Object.keys(NAMES) as FontName[])
		fonts[name] = await pdf.embedFont(NAMES[name]);
	return fonts;
}

/** pdf-lib draws without kerning, but measures with it: so letter by letter. */
const measureWith =
	(fonts: Fonts): Measure =>
	(text, font, size) =>
		[...text].reduce((width, letter) => width + fonts[font].widthOfTextAtSize(letter, size), 0);

/** The widths of the fonts that every reader has. */
export const loadMeasure = async (): Promise<Measure> =>
	measureWith(await embedFonts(await PDFDocument.create()));

export async function makeWithPdfLib({ pages, look }: Paper, path: string): Promise<Line[]> {
	const pdf = await PDFDocument.create();
	const fonts = await embedFonts(pdf);
	const measure = measureWith(fonts);
	const sheets = draw(pages, look, measure);
	for (const sheet of sheets) drawSheet(pdf, sheet, fonts, measure);
	writeFileSync(path, await pdf.save());
	return readDrawnLines(sheets, measure);
}

function drawSheet(pdf: PDFDocument, { marks, change }: Sheet, fonts: Fonts, measure: Measure) {
	const page = pdf.addPage([612, 792]);
	for (const mark of marks) drawMark(pdf, page, mark, fonts, measure);
	if (change === 'rotated') page.setRotation(degrees(90));
	if (change === 'cropped') page.setCropBox(18, 18, 576, 756);
}

function drawMark(pdf: PDFDocument, page: PDFPage, mark: Mark, fonts: Fonts, measure: Measure) {
	if ('line' in mark) {
		const [x1, y1, x2, y2] = mark.line;
		page.drawLine({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, thickness: 0.7 });
	} else if ('box' in mark) {
		const [x, y, width, height] = mark.box;
		const color = mark.isFilled ? { color: rgb(0, 0, 0) } : {};
		page.drawRectangle({
			x,
			y,
			width,
			height,
			borderWidth: 0.6,
			borderColor: rgb(0, 0, 0),
			...color,
		});
	} else if ('field' in mark) {
		const { x, y, width, height, field, size } = mark;
		const form = pdf.getForm();
		const textField = form.createTextField(`name ${form.getFields().length + 1}`);
		textField.setText(field);
		textField.addToPage(page, { x, y, width, height, borderWidth: 0, font: fonts.Helvetica });
		textField.setFontSize(size);
	} else {
		const { text, x, y, size, font, spacing = 0, angle = 0 } = mark;
		page.pushOperators(
			setCharacterSpacing(spacing),
			setWordSpacing(measureWordSpace(mark, measure)),
		);
		page.drawText(text, { x, y, size, font: fonts[font], rotate: degrees(angle) });
	}
}
