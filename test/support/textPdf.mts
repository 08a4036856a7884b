import { degrees, PDFDocument, PDFName, PDFNumber, StandardFonts } from '@cantoo/pdf-lib';

/** PDFs with texts at known places, and with pages that are hard to read; drawn again, they are the same. */

/** A text in Helvetica, and where its baseline begins, in points from the bottom left. */
export type Text = [text: string, x: number, y: number];

export interface TextPage {
	texts?: Text[];
	fontSize?: number;
	/** By default, letter. */
	size?: [width: number, height: number];
	/** A picture over this part of the page: of all of it, a scan. */
	picture?: number;
	rotate?: number;
	/** x, y, width and height. */
	crop?: [number, number, number, number];
	media?: [number, number, number, number];
	userUnit?: number;
}

/** A gray pixel. */
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function textPdf(pages: readonly TextPage[]): Promise<Buffer> {
	const pdf = await PDFDocument.create({ updateMetadata: false });
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	for (const { texts = [], fontSize = 10, size: [width, height] = [612, 792], ...odd } of pages) {
		const page = pdf.addPage([width, height]);
		if (odd.picture !== undefined)
			page.drawImage(await pdf.embedPng(PIXEL), {
				x: 0,
				y: 0,
				width,
				height: height * odd.picture,
			});
		for (const [text, x, y] of texts) page.drawText(text, { x, y, size: fontSize, font });
		if (odd.rotate !== undefined) page.setRotation(degrees(odd.rotate));
		if (odd.crop !== undefined) page.setCropBox(...odd.crop);
		if (odd.media !== undefined) page.setMediaBox(...odd.media);
		if (odd.userUnit !== undefined)
			page.node.set(PDFName.of('UserUnit'), PDFNumber.of(odd.userUnit));
	}
	return Buffer.from(await pdf.save());
}
