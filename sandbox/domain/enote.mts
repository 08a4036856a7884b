import { append, newDocument } from './documents.mts';
import { linesPdf } from './pdf.mts';
import { Refusal, refuse } from './refusal.mts';
import { readResource } from './fileSource.mts';
import { needDraft } from './rules.mts';
import type { Document, Fields, Transaction, World } from '../state/world.mts';

/** The eNote of a closing (interface.md §4, Add eNote; gaps.md §6). */

/**
 * POST R/transactions/{id}/enote: only while the transaction is a draft. `borrowers[].ssn` is
 * looked at and forgotten.
 */
export async function addEnote(
	world: World,
	transaction: Transaction,
	{ file, type, container }: Fields,
): Promise<Document> {
	// interface.md §4, Add eNote: lender only; gaps.md §9: 403 where a feature is not available.
	if (world.settings.account !== 'lender')
		throw new Refusal(403, 'Only a lender account may add an eNote');
	needDraft(transaction);
	if (findEnote(transaction) !== undefined) refuse('The transaction has an eNote already');
	if (type === 'EORIGINAL_CONTAINER' && container?.document_id === undefined)
		refuse('container.document_id is needed for EORIGINAL_CONTAINER');
	const xml = await readResource(file);
	const root = rootOf(xml.toString('utf8'));
	if (root === undefined) return refuse('The eNote is not an XML file');
	// interface.md §4: SMARTDoc documents of version 1.02; a seed may be any XML from which the
	// service makes one.
	if (
		type === 'ENOTE' &&
		!(/^(\w+:)?SMART_DOCUMENT$/.test(root.name) && root.text.includes('1.02'))
	)
		refuse('The eNote is not a SMART document of version 1.02');
	needDraft(transaction);
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
	append(world, transaction, document);
	return document;
}

export function findEnote({ documents }: Transaction): Document | undefined {
	return documents.find(({ isEnote }) => isEnote);
}

/** DELETE R/transactions/{id}/enote. */
export function needEnote(transaction: Transaction): Document {
	const enote = findEnote(transaction);
	if (enote === undefined) throw new Refusal(404, 'The transaction has no eNote');
	return enote;
}

/** The root element when every element is closed in order; undefined when the text is no XML. */
export function rootOf(xml: string): { name: string; text: string } | undefined {
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
	for (const [tag, closing, name, selfClosing] of bare.matchAll(
		/<(\/?)([A-Za-z_][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/g,
	)) {
		if (root !== undefined && open.length === 0) return undefined;
		root ??= { name, text: tag };
		if (closing && open.pop() !== name) return undefined;
		if (!closing && !selfClosing) open.push(name);
	}
	const strays = bare
		.replace(/<(\/?)([A-Za-z_][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/g, '')
		.includes('<');
	if (root === undefined || open.length > 0 || strays) return undefined;
	return { name: root.name, text: bare };
}
