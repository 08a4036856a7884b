import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Designation, Transaction } from '../../../../sandbox/world/world.mts';
import { storeFile } from '../../../support/engine.mts';
import { textPdf, type Text, type TextPage } from '../../../support/textPdf.mts';

/**
 * The papers of loans, and a judge of what was sent: it knows where each label stands, because it has
 * drawn them, and whose signature belongs there, because it has made up the people.
 */

/** A paper is called by its name, and has these labels on its last page. */
export interface Paper {
	name: string;
	labels: string[];
	/** What its last page has beside them, if that's unusual. */
	page?: Partial<TextPage>;
	/** The names of form fields, each above the label in this position. */
	fields?: string[];
	/** What the file has in place of a PDF. */
	content?: string;
}

const LEFT = 72;
const DATE_LEFT = 320;
/** The page that is signed, from 0. */
const SIGNED_PAGE = 1;
/** How far above its label a place may begin, in points, and how far beside it. */
const HIGHEST = 20;
const NEAR = 2;
/** The baseline of a label, from the bottom. */
const baselineOf = (index: number): number => 720 - index * 55;
/** Who signs with a notary doesn't date it. */
const isDated = (label: string): boolean => label.endsWith(' Signature') && !/Notary/.test(label);

/** A page of text, and one with the labels, each with a date on its right if a signer dates it. */
export async function drawPaper({
	name,
	labels,
	page,
	fields = [],
	content,
}: Paper): Promise<Buffer> {
	if (content !== undefined) return Buffer.from(content);
	const lines = labels.flatMap((label, index): Text[] => [
		[label, LEFT, baselineOf(index)],
		...(isDated(label) ? [['Date', DATE_LEFT, baselineOf(index)] as Text] : []),
	]);
	const pages = await textPdf([{ texts: [[name, LEFT, 700]] }, { texts: lines, ...page }]);
	return fields.length === 0 ? pages : await addFields(pages, fields);
}

/** Adds an empty signature field above each label. */
async function addFields(bytes: Buffer, names: readonly string[]): Promise<Buffer> {
	const pdf = await PDFDocument.load(bytes);
	const fields = names.map((name, index) => {
		const bottom = baselineOf(index) + NEAR;
		return pdf.context.register(
			pdf.context.obj({
				...{ Type: 'Annot', Subtype: 'Widget', FT: 'Sig', T: PDFString.of(name), F: 4 },
				Rect: [LEFT, bottom, LEFT + 180, bottom + 20],
			}),
		);
	});
	pdf.getPage(SIGNED_PAGE).node.set(PDFName.of('Annots'), pdf.context.obj(fields));
	pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: fields }));
	return Buffer.from(await pdf.save());
}

/** A place at the label in this position, as designations give it by hand. */
export const placeByHand = (signer: string, index: number) => ({
	...{ signer_identifier: signer, type: 'signature', page_number: SIGNED_PAGE },
	...{ x: LEFT, y: baselineOf(index) + NEAR, width: 180, height: 20 },
});

/** An item with its row and its papers. */
export async function packUp(
	json: INodeExecutionData['json'],
	papers: readonly Paper[],
): Promise<INodeExecutionData> {
	const binary: INodeExecutionData['binary'] = {};
	for (const [index, paper] of papers.entries())
		binary[`file${index}`] = await storeFile(
			await drawPaper(paper),
			`${paper.name}.pdf`,
			'application/pdf',
		);
	return { json, binary };
}

/** The label that a place stands right above. */
function findLabel(labels: string[], { page_number: page, x, y }: Designation): string {
	const isAbove = (left: number, index: number) =>
		page === SIGNED_PAGE &&
		Math.abs(x - left) <= NEAR &&
		y > baselineOf(index) &&
		y <= baselineOf(index) + HIGHEST;
	const signed = labels.find((_label, index) => isAbove(LEFT, index));
	const dated = labels.find((_label, index) => isAbove(DATE_LEFT, index));
	return signed ?? (dated === undefined ? `nothing at ${page}/${x}/${y}` : `${dated}, date`);
}

/**
 * What the service has of a document, as the paper shows it: the label below each place, and the
 * email address of who signs there.
 */
export function readPlaces({ signers, documents }: Transaction, { name, labels }: Paper): string[] {
	const document = documents.find((one) => one.name === name);
	if (document === undefined) return [`${name} isn't there`];
	return document.designations
		.map((place) => {
			const signer = signers.find(({ external_id: id }) => id === place.signer_identifier);
			const type = place.type === 'date_signed' ? ', date' : '';
			const label = findLabel(labels, place);
			const whose = String(signer?.email ?? place.signer_identifier);
			return label.endsWith(', date') === (type !== '') ? `${label}: ${whose}` : `${label}${type}?`;
		})
		.sort();
}

/**
 * What is to be there, by who signs at which label. A label of nobody has no place.
 * @param people email addresses by the words before "Signature"
 * @param isDatedBySigners whether they have a place for the date beside it
 */
export function expectPlaces(
	{ labels }: Paper,
	people: Record<string, string>,
	isDatedBySigners = true,
): string[] {
	const all: Record<string, string> = { ...people, Notary: 'notary' };
	return labels
		.flatMap((label) => {
			const whose = all[label.replace(/ Signature$/, '')];
			if (whose === undefined) return [];
			const hasDate = isDatedBySigners && isDated(label);
			return [`${label}: ${whose}`, ...(hasDate ? [`${label}, date: ${whose}`] : [])];
		})
		.sort();
}
