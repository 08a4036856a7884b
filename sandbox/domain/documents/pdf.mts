/** Reads uploaded PDFs, and draws on them what signers and notaries write. */

import { PDFDocument, StandardFonts, rgb, type PDFFont, type PDFPage } from '@cantoo/pdf-lib';

import { readTextTags } from './textTags.mts';
import { refuse } from '../refusal.mts';
import type { Designation } from '../../world/world.mts';

/** Fixed, so that a run repeats byte for byte. */
const FIXED_DATE = new Date('2026-01-02T03:04:05Z');
const INK = rgb(0.05, 0.1, 0.45);
const GREY = rgb(0.35, 0.35, 0.35);
const SEAL = rgb(0.45, 0.1, 0.1);

/** `%PDF-` has to be within the first bytes of a file. */
const HEAD_BYTES = 1024;

/** What reading an uploaded PDF has found. */
export interface Inspected {
	/** 0 for a PDF that can't be read. */
	pages: number;
	/** Why it can't be read. The service finds it out while it processes the document. */
	error?: string;
	/** The designations that its text asks for. */
	textTags: Designation[];
}

/**
 * Reads an uploaded file.
 * @param withTags whether its text tags are read, too
 * @throws Refusal 422 unless it is a PDF (docs/service/api.md#limits)
 */
export async function inspectPdf(bytes: Buffer, withTags = false): Promise<Inspected> {
	if (!bytes.subarray(0, HEAD_BYTES).includes('%PDF-')) refuse('Only PDF files are supported');
	try {
		const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
		const pages = pdf.getPageCount();
		if (pages === 0) return { pages, error: 'The PDF file has no pages', textTags: [] };
		return { pages, textTags: withTags ? await readTextTags(bytes) : [] };
	} catch (thrown) {
		const encrypted = thrown instanceof Error && /encrypted/i.test(thrown.message);
		const error = encrypted ? 'The PDF file is encrypted' : 'The PDF file can not be read';
		return { pages: 0, error, textTags: [] };
	}
}

interface FinalContent {
	designations: Designation[];
	/** What to write for a designation. */
	valueOf: (designation: Designation) => string;
	footer: string;
	/** Text around the notary's seal; undefined where no notary took part. */
	seal?: string;
}

interface Fonts {
	script: PDFFont;
	plain: PDFFont;
}

/**
 * The finished document: with designations filled in, the notary's seal, and a footer on each page
 * that says how it was completed.
 */
export async function finishPdf(
	bytes: Buffer,
	{ designations, valueOf, footer, seal }: FinalContent,
): Promise<Buffer> {
	const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
	const fonts: Fonts = {
		script: await pdf.embedFont(StandardFonts.TimesRomanItalic),
		plain: await pdf.embedFont(StandardFonts.Helvetica),
	};
	const pages = pdf.getPages();
	for (const place of designations) {
		const page = pages[place.page_number];
		if (page === undefined) continue;
		if (place.type === 'seal')
			drawSeal(
				page,
				fonts,
				place.x + place.width / 2,
				place.y + place.height / 2,
				Math.min(place.width, place.height) / 2,
				seal ?? '',
			);
		else drawValue(page, fonts, place, valueOf(place));
	}
	const sealed = designations.some(({ type }) => type === 'seal');
	const last = pages.at(-1);
	if (seal !== undefined && !sealed && last !== undefined)
		drawSeal(last, fonts, last.getWidth() - 74, 74, 38, seal);
	for (const page of pages)
		page.drawText(printable(footer), { x: 36, y: 14, size: 7, font: fonts.plain, color: GREY });
	return await save(pdf);
}

function drawValue(
	page: PDFPage,
	{ script, plain }: Fonts,
	place: Designation,
	value: string,
): void {
	const handwritten =
		place.type === 'signature' || place.type === 'initials' || place.type === 'signature_and_date';
	const font = handwritten ? script : plain;
	const text = printable(value);
	const widest = place.width / Math.max(font.widthOfTextAtSize(text, 1), 0.1);
	const size = Math.max(5, Math.min(place.height * 0.7, 22, widest));
	page.drawText(text, { x: place.x, y: place.y + place.height * 0.25, size, font, color: INK });
	if (handwritten)
		page.drawLine({
			start: { x: place.x, y: place.y },
			end: { x: place.x + place.width, y: place.y },
			thickness: 0.5,
			color: INK,
		});
}

function drawSeal(
	page: PDFPage,
	{ plain }: Fonts,
	x: number,
	y: number,
	radius: number,
	text: string,
): void {
	page.drawCircle({ x, y, size: radius, borderColor: SEAL, borderWidth: 1.5 });
	page.drawCircle({ x, y, size: radius * 0.86, borderColor: SEAL, borderWidth: 0.5 });
	const size = Math.max(3, radius * 0.19);
	printable(text)
		.split('|')
		.forEach((line, index, lines) => {
			const width = plain.widthOfTextAtSize(line, size);
			page.drawText(line, {
				x: x - width / 2,
				y: y + ((lines.length - 1) / 2 - index) * size * 1.4 - size / 3,
				size,
				font: plain,
				color: SEAL,
			});
		});
}

/** A PDF of plain lines: audit trail, eNote, templates. */
export async function linesPdf(title: string, lines: string[]): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
	pdf.setTitle(title);
	let page = pdf.addPage([612, 792]);
	page.drawText(printable(title), { x: 54, y: 730, size: 18, font: bold });
	let y = 700;
	for (const line of lines) {
		if (y < 54) {
			page = pdf.addPage([612, 792]);
			y = 738;
		}
		page.drawText(printable(line), { x: 54, y, size: 10, font });
		y -= 16;
	}
	return await save(pdf);
}

/** Replaces what the built-in fonts can't draw: they have only Latin letters. */
function printable(text: string): string {
	return text.replace(/[^\x20-\x7e\xa1-\xff]/g, '?');
}

/** Saves a PDF without anything that differs from run to run. */
export async function save(pdf: PDFDocument): Promise<Buffer> {
	pdf.setCreationDate(FIXED_DATE);
	pdf.setModificationDate(FIXED_DATE);
	pdf.setProducer('sandbox');
	return Buffer.from(await pdf.save());
}
