/**
 * Splits a bookmarked PDF into one document per bookmark
 * (docs/service/documents.md#bookmarked-pdfs).
 */

import {
	PDFArray,
	PDFDict,
	PDFDocument,
	PDFHexString,
	PDFName,
	PDFRef,
	PDFString,
	type PDFObject,
} from '@cantoo/pdf-lib';

import { save } from './pdf.mts';

interface Part {
	title: string;
	bytes: Buffer;
	pages: number;
}

interface Bookmark {
	title: string;
	page: number;
}

/** A file with more bookmarks at one level is broken: they form a loop. */
const MAX_BOOKMARKS = 2000;

/**
 * Splits at the top level of the outline. Pages before the first bookmark go to the first document.
 * A PDF without bookmarks stays whole.
 */
export async function splitPdf(bytes: Buffer): Promise<Part[]> {
	const source = await PDFDocument.load(bytes, { updateMetadata: false });
	const count = source.getPageCount();
	const marks = readBookmarks(source).sort((a, b) => a.page - b.page);
	if (marks.length === 0) return [{ title: 'Document', bytes, pages: count }];
	const parts: Part[] = [];
	for (const [index, { title, page }] of marks.entries()) {
		const first = index === 0 ? 0 : page;
		// Where two bookmarks share a page, both documents get it.
		const end = Math.max((marks[index + 1]?.page ?? count) - 1, page);
		const target = await PDFDocument.create();
		const wanted = Array.from({ length: end - first + 1 }, (_, offset) => first + offset);
		for (const copied of await target.copyPages(source, wanted)) target.addPage(copied);
		parts.push({ title, bytes: await save(target), pages: wanted.length });
	}
	return parts;
}

function readBookmarks(pdf: PDFDocument): Bookmark[] {
	const outlines = pdf.catalog.lookupMaybe(PDFName.of('Outlines'), PDFDict);
	const pageOf = new Map(pdf.getPages().map(({ ref }, index) => [ref.toString(), index]));
	const found: Bookmark[] = [];
	let item = outlines?.lookupMaybe(PDFName.of('First'), PDFDict);
	for (let seen = 0; item !== undefined && seen < MAX_BOOKMARKS; seen++) {
		const page = pageOf.get(targetOf(pdf, item)?.toString() ?? '');
		if (page !== undefined)
			found.push({
				title: textOf(item.lookup(PDFName.of('Title'))) || `Document ${found.length + 1}`,
				page,
			});
		item = item.lookupMaybe(PDFName.of('Next'), PDFDict);
	}
	return found;
}

/**
 * The page that a bookmark leads to, by a destination or by an action with one. Named destinations
 * are looked up.
 */
function targetOf(pdf: PDFDocument, item: PDFDict): PDFObject | undefined {
	const action = item.lookupMaybe(PDFName.of('A'), PDFDict);
	let target = item.lookup(PDFName.of('Dest')) ?? action?.lookup(PDFName.of('D'));
	if (target instanceof PDFName)
		target = pdf.catalog.lookupMaybe(PDFName.of('Dests'), PDFDict)?.lookup(target);
	else if (target instanceof PDFString || target instanceof PDFHexString) {
		const tree = pdf.catalog
			.lookupMaybe(PDFName.of('Names'), PDFDict)
			?.lookupMaybe(PDFName.of('Dests'), PDFDict);
		target = tree && findNamed(tree, target.decodeText());
	}
	if (target instanceof PDFDict) target = target.lookup(PDFName.of('D'));
	if (!(target instanceof PDFArray)) return undefined;
	const page = target.get(0);
	return page instanceof PDFRef ? page : undefined;
}

function findNamed(node: PDFDict, name: string, depth = 0): PDFObject | undefined {
	const names = node.lookupMaybe(PDFName.of('Names'), PDFArray);
	for (let index = 0; names !== undefined && index + 1 < names.size(); index += 2) {
		if (textOf(names.lookup(index)) === name) return names.lookup(index + 1);
	}
	const kids = node.lookupMaybe(PDFName.of('Kids'), PDFArray);
	for (let index = 0; kids !== undefined && depth < 20 && index < kids.size(); index++) {
		const found = findNamed(kids.lookup(index, PDFDict), name, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

function textOf(value: PDFObject | undefined): string {
	return value instanceof PDFString || value instanceof PDFHexString
		? value.decodeText().trim()
		: '';
}
