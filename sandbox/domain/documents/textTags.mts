/**
 * Text tags: words in a PDF that become designations where they stand
 * (docs/service/documents.md#document-fields). No syntax is published, so the sandbox has its own,
 * whatever `text_tag_syntax` says: `{{signature:kim}}` is a signature of the signer `kim`.
 */

import { decodePDFRawStream, PDFArray, PDFRawStream, type PDFDocument } from '@cantoo/pdf-lib';

import type { Designation } from '../../world/world.mts';

const TAG = /\{\{(\w+):([^{}]+)\}\}/g;
/** The operators that place text and show it: `x y Tm`, `<hex> Tj`, `(text) Tj`. */
const SHOWN = /(-?[\d.]+) (-?[\d.]+) Tm|<([0-9A-Fa-f]+)>\s*Tj|\(((?:\\.|[^\\)])*)\)\s*Tj/g;
const SIZE = { width: 180, height: 24 };

/** The designations that the text tags of a PDF ask for. */
export function readTextTags(pdf: PDFDocument): Designation[] {
	return pdf.getPages().flatMap(({ node }, page_number) => {
		const contents = node.Contents();
		const streams = contents instanceof PDFArray ? contents.asArray() : [contents];
		return streams.flatMap((entry) => {
			const stream = entry && pdf.context.lookup(entry);
			return stream instanceof PDFRawStream
				? tagsOf(Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1'), page_number)
				: [];
		});
	});
}

function tagsOf(operators: string, page_number: number): Designation[] {
	let [x, y] = [0, 0];
	const found: Designation[] = [];
	for (const [, left, bottom, hex, literal] of operators.matchAll(SHOWN)) {
		if (left !== undefined) [x, y] = [Math.round(Number(left)), Math.round(Number(bottom))];
		const text = hex === undefined ? (literal ?? '') : Buffer.from(hex, 'hex').toString('latin1');
		for (const [, type, signer_identifier] of text.matchAll(TAG))
			found.push({ signer_identifier, type, page_number, x, y, ...SIZE });
	}
	return found;
}
