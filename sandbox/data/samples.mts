/**
 * Documents of an imaginary refinance for the example workflows: real PDFs, and an eNote in the
 * mortgage industry's XML.
 */

import { readFile } from 'node:fs/promises';

import { PDFDocument, PDFName, PDFString, StandardFonts, rgb, type PDFPage } from '@cantoo/pdf-lib';

interface Sample {
	title: string;
	pages: number;
	/** Whether a notary signs below the borrower. */
	isNotarized?: boolean;
	/** Whether two borrowers sign. */
	isJoint?: boolean;
	/** Whether its page is a picture, in which no text can be found. */
	isScan?: boolean;
}

const SAMPLES: Record<string, Sample> = {
	note: { title: 'Note', pages: 1 },
	'joint-note': { title: 'Joint Note', pages: 1, isJoint: true },
	'deed-of-trust': { title: 'Deed of Trust', pages: 2, isNotarized: true },
	'joint-deed-of-trust': {
		title: 'Joint Deed of Trust',
		...{ pages: 2, isNotarized: true, isJoint: true },
	},
	'rider-to-deed-of-trust': { title: 'Rider to Deed of Trust', pages: 1 },
	'closing-disclosure': { title: 'Closing Disclosure', pages: 1 },
	'borrower-affidavit': { title: 'Borrower Affidavit', pages: 1, isNotarized: true },
	'new-closing-disclosure': { title: 'New Closing Disclosure', pages: 1 },
	'new-deed-of-trust': { title: 'New Deed of Trust', pages: 3, isNotarized: true },
	'scanned-deed-of-trust': { title: 'Scanned Deed of Trust', pages: 1, isScan: true },
};

/** The papers of a closing as an office has them, each with the name of its file. */
export const SAMPLE_PAPERS = Object.entries(SAMPLES).map(([name, { title }]) => ({
	name,
	fileName: `${title}.pdf`,
}));

/**
 * The same document with text tags, as the sandbox reads them, in white text on its lines, or with
 * fields of a form there.
 */
const VARIANT = /-(tagged|form)$/;

/** The lines on the last page, with what is written below them. */
const BORROWER_LINES = [
	{ label: 'Borrower Signature', x: 72, y: 180, width: 200, tag: '{{signature:borrower-1}}' },
	{
		...{ label: 'Date', x: 320, y: 180, width: 120, tag: '{{date_signed:borrower-1}}' },
		field: 'Borrower Date',
	},
];
/** How far the first borrower signs above the second one. */
const ABOVE = 70;
const JOINT_LINES = [
	...BORROWER_LINES.map((line) => ({ ...line, y: line.y + ABOVE })),
	{ ...BORROWER_LINES[0], label: 'Co-Borrower Signature', tag: '{{signature:borrower-2}}' },
	{ ...BORROWER_LINES[1], tag: '{{date_signed:borrower-2}}', field: 'Co-Borrower Date' },
];
const NOTARY_LINES = [
	{ label: 'Notary Signature', x: 72, y: 110, width: 200, tag: '{{signature:notary}}' },
	{ label: 'Notary Seal', x: 320, y: 90, width: 160, tag: '{{seal:notary}}' },
];

/** A line to sign on. */
interface Line {
	label: string;
	x: number;
	y: number;
	width: number;
	tag: string;
	/** The name of its field, if that isn't the label. */
	field?: string;
}

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
	const plain = name.replace(VARIANT, '');
	if (!Object.hasOwn(SAMPLES, plain)) return undefined;
	const sample = SAMPLES[plain];
	const pdf =
		written.get(name) ?? (sample.isScan ? scan() : write(sample, VARIANT.exec(name)?.[1]));
	written.set(name, pdf);
	return Buffer.from(await pdf);
}

async function write(sample: Sample, variant: string | undefined): Promise<Buffer> {
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
	}
	const last = pdf.getPage(sample.pages - 1);
	const lines: Line[] = [
		...(sample.isJoint ? JOINT_LINES : BORROWER_LINES),
		...(sample.isNotarized ? NOTARY_LINES : []),
	];
	if (variant === 'form') addFields(pdf, last, lines);
	for (const line of lines) {
		const { label, x, y, width, tag } = line;
		if (variant === 'tagged') last.drawText(tag, { x, y, size: 8, font, color: rgb(1, 1, 1) });
		last.drawLine({ start: { x, y: y - 2 }, end: { x: x + width, y: y - 2 } });
		last.drawText(label, { x, y: y - 16, size: 10, font });
	}
	return await save(pdf);
}

/** Adds a form of empty fields, one on each line. */
function addFields(pdf: PDFDocument, page: PDFPage, lines: readonly Line[]): void {
	const fields = lines.map(({ label, field = label, x, y, width }) =>
		pdf.context.register(
			pdf.context.obj({
				Type: 'Annot',
				Subtype: 'Widget',
				FT: field.endsWith('Date') ? 'Tx' : 'Sig',
				T: PDFString.of(field),
				Rect: [x, y, x + width, y + 24],
				F: 4,
			}),
		),
	);
	page.node.set(PDFName.of('Annots'), pdf.context.obj(fields));
	pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: fields }));
}

/** The last page of the deed as a scanner takes it: a picture, a little askew. */
async function scan(): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	const picture = await pdf.embedJpg(
		await readFile(new URL('assets/scanned-deed.jpg', import.meta.url)),
	);
	pdf.addPage([612, 792]).drawImage(picture, { x: 0, y: 0, width: 612, height: 792 });
	return await save(pdf);
}

/** The bytes of a PDF, the same in every run. */
async function save(pdf: PDFDocument): Promise<Buffer> {
	const fixed = new Date('2026-01-02T03:04:05Z');
	pdf.setCreationDate(fixed);
	pdf.setModificationDate(fixed);
	return Buffer.from(await pdf.save());
}
