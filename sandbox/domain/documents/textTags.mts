/**
 * Text tags: words in a PDF that become designations where they stand
 * (docs/service/documents.md#text-tags). The service's own syntax is not published, so the sandbox
 * has another: `{{signature:kim}}` is a signature of the signer `kim`, whatever its colour.
 */

import type { TextItem } from 'pdfjs-dist/types/src/display/api.js';

import { checkDesignations } from './designations.mts';
import { Refusal } from '../refusal.mts';
import { addToAuditLog } from '../transitions.mts';
import type { Designation, Document, Fields, Transaction, World } from '../../world/world.mts';

const TAG = /\{\{\s*(\w+)\s*:\s*([^{}\n]+?)\s*\}\}/g;
const SIZE = { width: 180, height: 24 };
/** What is larger than others, by its type. */
const SIZES: Record<string, typeof SIZE> = { seal: { width: 160, height: 48 } };

/** Whether the tags of a document are read: as it says, or else as the account has it. */
export function hasTextTags({ settings }: World, { text_tag_syntax: syntax }: Fields): boolean {
	const isEnabled = !settings.missingFeatures.includes('text_tags');
	return isEnabled && (syntax ?? settings.defaultTextTagSyntax) !== undefined;
}

/**
 * The designations that the text tags of a PDF ask for.
 * @throws what pdf.js throws when it can't read the PDF
 */
export async function readTextTags(bytes: Buffer): Promise<Designation[]> {
	// Loading it takes a while, and few documents have tags.
	const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
	const task = getDocument({
		data: new Uint8Array(bytes),
		verbosity: 0,
		isEvalSupported: false,
		useSystemFonts: false,
		disableFontFace: true,
	});
	try {
		const pdf = await task.promise;
		const found: Designation[] = [];
		for (let number = 1; number <= pdf.numPages; number++) {
			const page = await pdf.getPage(number);
			const { items } = await page.getTextContent();
			const texts = items.filter((item) => 'str' in item);
			found.push(...tagsOf(texts, number - 1));
			page.cleanup();
		}
		return found;
	} finally {
		await task.destroy();
	}
}

/** A tag can be in several items, and an item can have more than the tag. */
function tagsOf(items: TextItem[], page_number: number): Designation[] {
	let text = '';
	const places: Array<{ x: number; y: number }> = [];
	for (const { str, transform, width, hasEOL } of items) {
		const [a, b, , , x, y] = transform as number[];
		// Where a character begins inside an item is known roughly: as if all were equally wide.
		const step = width / (str.length || 1) / (Math.hypot(a, b) || 1);
		const shown = hasEOL ? `${str}\n` : str;
		text += shown;
		for (let at = 0; at < shown.length; at++)
			places.push({ x: Math.round(x + a * step * at), y: Math.round(y + b * step * at) });
	}
	return [...text.matchAll(TAG)].map(({ 1: type, 2: signer_identifier, index }) => ({
		signer_identifier,
		type,
		page_number,
		...places[index],
		...(SIZES[type] ?? SIZE),
	}));
}

/**
 * Makes the tags of a processed document its designations, except those that Add Document would
 * refuse: the audit log has them.
 */
export function placeTextTags(world: World, transaction: Transaction, document: Document): void {
	const { signers } = transaction;
	for (const tag of document.found?.textTags ?? []) {
		try {
			checkDesignations({ signers, designations: [tag], groups: [], pages: document.pages });
			document.designations.push(tag);
		} catch (thrown) {
			if (!(thrown instanceof Refusal)) throw thrown;
			const what = `text tag not placed: ${document.name}, page ${tag.page_number + 1}`;
			addToAuditLog(world, transaction, `${what}: ${thrown.message}`);
		}
	}
}
