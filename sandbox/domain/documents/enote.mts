/** The eNote of a closing (docs/service/closings.md#enote). */

import { appendDocument, newDocument } from './addDocument.mts';
import { readResource } from './fileSource.mts';
import { linesPdf } from './pdf.mts';
import { Refusal, refuse } from '../refusal.mts';
import { requireDraft } from '../transitions.mts';
import type { Document, Fields, Transaction, World } from '../../world/world.mts';

const TAG = /<(\/?)([A-Za-z_][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/g;

/**
 * POST R/transactions/{id}/enote, only while the transaction is a draft. `borrowers[].ssn` is never
 * stored.
 */
export async function addEnote(
	world: World,
	transaction: Transaction,
	{ file, type, container }: Fields,
): Promise<Document> {
	// Only lenders add eNotes. A feature that is not available answers 403
	// (docs/service/errors.md#statuses).
	if (world.settings.account !== 'lender')
		throw new Refusal(403, 'Only a lender account may add an eNote');
	requireDraft(transaction);
	if (findEnote(transaction) !== undefined) refuse('The transaction has an eNote already');
	if (type === 'EORIGINAL_CONTAINER' && container?.document_id === undefined)
		refuse('container.document_id is needed for EORIGINAL_CONTAINER');
	const xml = await readResource(file);
	const root = rootOf(xml.toString('utf8'));
	if (root === undefined) return refuse('The eNote is not an XML file');
	// An eNote is a SMARTDoc document of version 1.02. A seed may be any XML, as the service makes
	// the eNote from it.
	if (
		type === 'ENOTE' &&
		!(/^(\w+:)?SMART_DOCUMENT$/.test(root.name) && root.text.includes('1.02'))
	)
		refuse('The eNote is not a SMART document of version 1.02');
	requireDraft(transaction);
	const uploaded = await linesPdf('Promissory note', [
		`Made from ${xml.length} bytes of XML (${root.name}), type ${type}`,
	]);
	const document = newDocument(world, transaction, {
		name: 'eNote',
		uploaded,
		pages: 1,
		body: { requirement: 'esign' },
	});
	document.isEnote = true;
	appendDocument(world, transaction, document);
	return document;
}

function findEnote({ documents }: Transaction): Document | undefined {
	return documents.find(({ isEnote }) => isEnote);
}

/** @throws Refusal 404 when the transaction has no eNote */
export function requireEnote(transaction: Transaction): Document {
	const enote = findEnote(transaction);
	if (enote === undefined) throw new Refusal(404, 'The transaction has no eNote');
	return enote;
}

/** The root element, or undefined when the text isn't XML whose elements are closed in order. */
function rootOf(xml: string): { name: string; text: string } | undefined {
	const bare = xml
		.replace(/^\uFEFF/, '')
		.replace(
			/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^>[]*(\[[\s\S]*?\])?>/g,
			'',
		)
		.trim();
	if (!bare.startsWith('<') || !bare.endsWith('>')) return undefined;
	const open: string[] = [];
	let root: { name: string; text: string } | undefined;
	for (const [tag, closing, name, selfClosing] of bare.matchAll(TAG)) {
		if (root !== undefined && open.length === 0) return undefined;
		root ??= { name, text: tag };
		if (closing && open.pop() !== name) return undefined;
		if (!closing && !selfClosing) open.push(name);
	}
	const hasStray = bare.replace(TAG, '').includes('<');
	if (root === undefined || open.length > 0 || hasStray) return undefined;
	return { name: root.name, text: bare };
}
