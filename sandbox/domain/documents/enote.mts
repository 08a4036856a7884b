/** The eNote of a closing (docs/service/closings.md#enote). */

import { newDocument } from './addDocument.mts';
import { readResource } from './fileSource.mts';
import { inspectPdf, linesPdf } from './pdf.mts';
import { published, Refusal, refuse } from '../refusal.mts';
import { isHybrid } from '../signingMethods.mts';
import { addToAuditLog, isDraft } from '../transitions.mts';
import type { Designation, Document, Fields, Transaction, World } from '../../world/world.mts';

const TAG = /<(\/?)([A-Za-z_][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/g;

/** What an eNote is named in answers (docs/service/closings.md#enote-answer). */
const NAME = 'enote.xml';
const CONTAINER_FIELDS = ['document_id', 'transaction_id', 'transaction_name'];
const TYPES = new Set(['SCHEMA', 'ENOTE', 'EORIGINAL_CONTAINER']);

/**
 * POST R/transactions/{id}/enote, only while the transaction is a draft. `borrowers[].ssn` is never
 * stored.
 */
export async function addEnote(
	world: World,
	transaction: Transaction,
	body: Fields,
): Promise<Document> {
	checkEnote(world, transaction, body);
	const paper = await readEnote(body);
	requireModifiableEnote(transaction);
	const { pdf, lines = [], note } = paper;
	const uploaded = pdf ?? (await linesPdf('Promissory note', lines));
	const { pages } = await inspectPdf(uploaded);
	const document = newDocument(world, transaction, {
		name: NAME,
		uploaded,
		found: { pages, textTags: [] },
		body: { requirement: 'readonly', signing_designations: designationsOf(transaction) },
	});
	// It is processed at once.
	Object.assign(document, { isEnote: true, state: 'done', found: undefined, note });
	transaction.documents.push(document);
	addToAuditLog(world, transaction, 'eNote added');
	const payload = { document: { document_id: document.id, name: NAME } };
	world.emit('transaction.document.upload', transaction, payload);
	world.emit('transaction.document.processed', transaction, payload);
	return document;
}

/** @throws Refusal 400, 403 or 422 (docs/service/errors.md#errors-of-enotes) */
function checkEnote(
	world: World,
	transaction: Transaction,
	{ file, type, integration, borrowers, container }: Fields,
): void {
	// Only lenders add eNotes. A feature that is not available answers 403
	// (docs/service/errors.md#statuses).
	if (world.settings.account !== 'lender')
		throw new Refusal(403, 'Only a lender account may add an eNote');
	if (isHybrid(transaction)) throw published('noEnoteInHybrid');
	if (transaction.fields.transaction_type === 'wet_sign') throw published('noEnoteOnPaper');
	requireModifiableEnote(transaction);
	if (borrowers !== undefined && !Array.isArray(borrowers)) throw published('borrowersNotArray');
	if (findEnote(transaction) !== undefined) refuse('The transaction has an eNote already');
	if ((type === undefined) === (integration === undefined))
		refuse('An eNote needs either a type or an integration');
	if (type !== undefined && !TYPES.has(type)) refuse(`Invalid value for type: ${type}`);
	if (integration !== undefined && integration !== 'DOCUTECH')
		refuse(`Invalid value for integration: ${integration}`);
	if (type === 'EORIGINAL_CONTAINER') {
		const missing = CONTAINER_FIELDS.filter((name) => container?.[name] === undefined);
		if (missing.length > 0) refuse(`container.${missing[0]} is needed for EORIGINAL_CONTAINER`);
	} else if (file === undefined) refuse('The eNote has no file');
}

/** The service changes an eNote only while the transaction is a draft. */
function requireModifiableEnote(transaction: Transaction): void {
	if (!isDraft(transaction)) throw published('sentWithEnote');
}

/** What the eNote shows on paper, a PDF or lines of text, and its XML if it came as a whole. */
async function readEnote({
	file,
	type,
	integration,
	container,
}: Fields): Promise<{ pdf?: Buffer; lines?: string[]; note?: Buffer }> {
	if (integration !== undefined) {
		if (!/^https?:\/\//i.test(String(file))) refuse('file is not the URL of a PDF');
		const pdf = await readResource(file);
		if ((await inspectPdf(pdf)).error !== undefined) refuse('file is not the URL of a PDF');
		return { pdf };
	}
	if (type === 'EORIGINAL_CONTAINER')
		return { lines: [`Copy of the eNote ${container.document_id} in the vault`] };
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
	const lines = [`Made from ${xml.length} bytes of XML (${root.name}), type ${type}`];
	return { lines, ...(type === 'ENOTE' && { note: xml }) };
}

/** Signature and date of the primary signer. */
function designationsOf({ signers: [signer] }: Transaction): Designation[] {
	const place = {
		signer_identifier: signer?.external_id ?? 'signer1',
		page_number: 0,
		x: 72,
		width: 180,
		height: 24,
	};
	return [
		{ ...place, y: 160, type: 'signature' },
		{ ...place, y: 120, type: 'date_signed' },
	];
}

/** DELETE R/transactions/{id}/enote. */
export function deleteEnote(world: World, transaction: Transaction): void {
	const enote = findEnote(transaction);
	if (enote === undefined) throw published('noDocument');
	requireModifiableEnote(transaction);
	transaction.documents.splice(transaction.documents.indexOf(enote), 1);
	addToAuditLog(world, transaction, 'eNote deleted');
}

function findEnote({ documents }: Transaction): Document | undefined {
	return documents.find(({ isEnote }) => isEnote);
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
