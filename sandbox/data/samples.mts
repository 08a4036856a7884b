/**
 * Documents of an imaginary refinance for the example workflows: real PDFs, and an eNote in the
 * mortgage industry's XML.
 */

import { PDFDocument, StandardFonts, rgb } from '@cantoo/pdf-lib';

interface Sample {
	title: string;
	pages: number;
	/** The page with a line for the signature, from 0. */
	signHere?: number;
}

const SAMPLES: Record<string, Sample> = {
	'deed-of-trust': { title: 'Deed of Trust', pages: 2, signHere: 1 },
	'closing-disclosure': { title: 'Closing Disclosure', pages: 1 },
	'borrower-affidavit': { title: 'Borrower Affidavit', pages: 1, signHere: 0 },
};

/** An eNote: a SMART document of version 1.02. */
export const SAMPLE_ENOTE = `<?xml version="1.0" encoding="UTF-8"?>
<SMART_DOCUMENT MISMOVersionIdentifier="1.02" PopulatingSystemDocumentIdentifier="note-7001234">
	<HEADER><DOCUMENT_INFORMATION _Type="Note" _StateType="MA"/></HEADER>
	<DATA><MAIN><LOAN LenderLoanIdentifier="7001234"><MORTGAGE_TERMS OriginalLoanAmount="350000.00" NoteRatePercent="5.250" LoanAmortizationTermMonths="360"/></LOAN></MAIN></DATA>
</SMART_DOCUMENT>
`;

const written = new Map<string, Promise<Buffer>>();

/**
 * The bytes of a sample PDF, or undefined when there is no such sample. Each is written once, because
 * most closings have some.
 */
export async function samplePdf(name: string): Promise<Buffer | undefined> {
	if (!Object.hasOwn(SAMPLES, name)) return undefined;
	const pdf = written.get(name) ?? write(SAMPLES[name]);
	written.set(name, pdf);
	return Buffer.from(await pdf);
}

async function write(sample: Sample): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const font = await pdf.embedFont(StandardFonts.TimesRoman);
	for (let index = 0; index < sample.pages; index++) {
		const page = pdf.addPage([612, 792]);
		page.drawText(sample.title, { x: 72, y: 700, size: 24, font });
		page.drawText(
			`Loan 7001234 - 100 Harbor Street, Boston, MA - page ${index + 1} of ${sample.pages}`,
			{ x: 72, y: 672, size: 11, font },
		);
		for (let line = 0; line < 18; line++)
			page.drawRectangle({
				x: 72,
				y: 630 - line * 18,
				width: 468 - ((line * 37) % 90),
				height: 5,
				color: rgb(0.86, 0.87, 0.89),
			});
		if (sample.signHere !== index) continue;
		page.drawLine({ start: { x: 72, y: 178 }, end: { x: 272, y: 178 } });
		page.drawText('Borrower', { x: 72, y: 164, size: 10, font });
	}
	const fixed = new Date('2026-01-02T03:04:05Z');
	pdf.setCreationDate(fixed);
	pdf.setModificationDate(fixed);
	return Buffer.from(await pdf.save());
}
