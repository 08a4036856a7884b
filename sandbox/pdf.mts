import { PDFDocument, StandardFonts, rgb, type PDFFont } from '@cantoo/pdf-lib';

import { Refusal } from './refusal.mts';

/** Real PDFs in and out: what is uploaded is read, what is finished is drawn on the uploaded pages. */

export interface Designation {
	signer_identifier: string;
	type: string;
	page_number: number;
	x: number;
	y: number;
	width: number;
	height: number;
	optional?: boolean;
	primary_designation_identifier?: string;
	conditional_on_primary?: string;
}

const MAX_BYTES = 30 * 1024 * 1024;
/** Fixed, so that a run repeats byte for byte. */
const FIXED_DATE = new Date('2026-01-02T03:04:05Z');

/**
 * Checks an uploaded file (interface.md §8: PDF only; gaps.md §2: 30 MB).
 * @returns number of pages
 * @throws Refusal 422
 */
export async function inspectPdf(bytes: Buffer): Promise<number> {
	if (bytes.length > MAX_BYTES) throw new Refusal(422, 'File is too big (max is 30MB)');
	if (!bytes.subarray(0, 1024).includes('%PDF-')) throw new Refusal(422, 'Only PDF files are supported');
	try {
		return (await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true })).getPageCount();
	} catch {
		throw new Refusal(422, 'The PDF file can not be read');
	}
}

export interface Finish {
	designations: Designation[];
	/** External id (or `notary`) -> name to write. */
	names: Record<string, string>;
	footer: string;
}

/** The finished document: designations filled in, a footer on each page that says how it was completed. */
export async function finishPdf(bytes: Buffer, { designations, names, footer }: Finish): Promise<Buffer> {
	const pdf = await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true });
	const script = await pdf.embedFont(StandardFonts.TimesRomanItalic);
	const plain = await pdf.embedFont(StandardFonts.Helvetica);
	const pages = pdf.getPages();
	for (const place of designations) {
		const page = pages[place.page_number];
		const name = names[place.signer_identifier] ?? place.signer_identifier;
		const text = designationText(place.type, name);
		const font: PDFFont = place.type === 'signature' || place.type === 'initials' ? script : plain;
		const size = Math.max(6, Math.min(place.height * 0.7, 22));
		page?.drawText(text, { x: place.x, y: place.y + place.height * 0.25, size, font, color: rgb(0.05, 0.1, 0.45), maxWidth: place.width });
	}
	for (const page of pages) page.drawText(footer, { x: 36, y: 14, size: 7, font: plain, color: rgb(0.35, 0.35, 0.35) });
	return await save(pdf);
}

function designationText(type: string, name: string): string {
	switch (type) {
		case 'initials':
			return name.split(' ').map((part) => part.charAt(0)).join('');
		case 'date_signed':
			return FIXED_DATE.toISOString().slice(0, 10);
		case 'checkmark':
		case 'radio_checkmark':
			return 'X';
		default:
			return name;
	}
}

/** A PDF of plain lines: the audit trail. */
export async function linesPdf(title: string, lines: string[]): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
	let page = pdf.addPage([612, 792]);
	page.drawText(title, { x: 54, y: 730, size: 18, font: bold });
	let y = 700;
	for (const line of lines) {
		if (y < 54) {
			page = pdf.addPage([612, 792]);
			y = 738;
		}
		page.drawText(line.replace(/[^\x20-\x7e]/g, '?'), { x: 54, y, size: 10, font });
		y -= 16;
	}
	return await save(pdf);
}

async function save(pdf: PDFDocument): Promise<Buffer> {
	pdf.setCreationDate(FIXED_DATE);
	pdf.setModificationDate(FIXED_DATE);
	pdf.setProducer('sandbox');
	return Buffer.from(await pdf.save());
}
