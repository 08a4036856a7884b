/**
 * Adding documents (docs/service/documents.md#add-a-document), and splitting bookmarked ones
 * (docs/service/documents.md#bookmarked-pdfs).
 */

import { checkDesignations } from './designations.mts';
import { readResource } from './fileSource.mts';
import { inspectPdf } from './pdf.mts';
import { splitPdf } from './splitPdf.mts';
import { refuse } from '../refusal.mts';
import { addToAuditLog, isDraft, requireDraft } from '../transitions.mts';
import { MAX_TRANSACTION_BYTES } from '../../world/config.mts';
import type { Document, Fields, Transaction, World } from '../../world/world.mts';

/** The flags of a document, kept as they came. Its other attributes have fields of their own. */
const FLAGS = (
	'notarization_required witness_required esign_required identity_confirmation_required ' +
	'signing_requires_meeting customer_can_annotate tracking_id text_tag_syntax vaulted'
).split(' ');

/**
 * POST .../documents. `resource` is a URL, base64 or the bytes of a multipart file.
 * @returns undefined when the document is being split. Its parts appear later
 */
export async function addDocument(
	world: World,
	transaction: Transaction,
	body: Fields,
): Promise<Document | undefined> {
	requireDraft(transaction);
	checkRequirement(transaction, body.requirement);
	const uploaded = await readResource(body.resource, body.authorization_header);
	const pages = await inspectPdf(uploaded);
	// Fetching and reading takes time, in which the transaction may have been sent.
	requireDraft(transaction);
	if (
		transaction.documents.reduce(
			(sum, document) => sum + document.uploaded.length,
			uploaded.length,
		) > MAX_TRANSACTION_BYTES
	)
		refuse('Transaction is too big (max is 500MB)');
	if (body.pdf_bookmarked === true) {
		if (body.signing_designations !== undefined)
			refuse('signing_designations can be set only after the split');
		startSplit(world, transaction, uploaded, body);
		return undefined;
	}
	const document = newDocument(world, transaction, {
		name: nameOf(body, transaction),
		uploaded,
		pages,
		body,
	});
	checkDesignations({
		signers: transaction.signers,
		designations: document.designations,
		groups: document.groups,
		pages,
	});
	appendDocument(world, transaction, document);
	return document;
}

export function checkRequirement(transaction: Transaction, requirement: unknown): void {
	// esign_supervised is for wet_sign only (docs/service/documents.md#requirements).
	if (requirement === 'esign_supervised' && transaction.fields.transaction_type !== 'wet_sign')
		refuse('esign_supervised is for wet_sign only');
}

interface NewDocument {
	name: string;
	uploaded: Buffer;
	pages: number;
	body: Fields;
}

export function newDocument(
	world: World,
	transaction: Transaction,
	{ name, uploaded, pages, body }: NewDocument,
): Document {
	const now = world.clock.stamp();
	return {
		id: world.newId('do_'),
		name,
		requirement: body.requirement,
		created: now,
		updated: now,
		position: body.bundle_position ?? transaction.documents.length,
		isEnote: false,
		uploaded,
		pages,
		state: 'pending',
		designations: body.signing_designations ?? [],
		groups: body.signing_designation_groups ?? [],
		flags: flagsOf(body),
	};
}

export function flagsOf(body: Fields): Fields {
	return Object.fromEntries(
		FLAGS.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
	);
}

function nameOf(
	{ filename, name, document_name, resource }: Fields,
	transaction: Transaction,
): string {
	const given = filename ?? name ?? document_name;
	if (given !== undefined) return String(given);
	const fromUrl =
		typeof resource === 'string' && /^https?:\/\//i.test(resource)
			? new URL(resource).pathname.split('/').at(-1)
			: undefined;
	return fromUrl || `Document ${transaction.documents.length + 1}`;
}

/**
 * Adds a document to the transaction: pending first, done a moment later
 * (docs/service/documents.md#processing).
 */
export function appendDocument(world: World, transaction: Transaction, document: Document): void {
	transaction.documents.push(document);
	addToAuditLog(world, transaction, `document added: ${document.name}`);
	const payload = { document: { document_id: document.id, name: document.name } };
	world.emit('transaction.document.upload', transaction, payload);
	world.clock.later(world.settings.processingMs, () => {
		if (document.state === 'done') return;
		document.state = 'done';
		document.updated = world.clock.stamp();
		world.emit('transaction.document.processed', transaction, payload);
	});
}

/** Makes a document of each bookmark, which takes about five minutes of the sandbox's time. */
export function startSplit(
	world: World,
	transaction: Transaction,
	uploaded: Buffer,
	body: Fields,
): void {
	transaction.splitting += 1;
	addToAuditLog(world, transaction, 'splitting a bookmarked document');
	world.clock.later(world.settings.splitSeconds * 1000, async () => {
		const parts = await splitPdf(uploaded);
		transaction.splitting -= 1;
		if (!world.transactions.has(transaction.id) || !isDraft(transaction)) return;
		const { bundle_position: position, ...rest } = body;
		for (const [index, { title, bytes, pages }] of parts.entries()) {
			const at = position === undefined ? {} : { bundle_position: position + index };
			appendDocument(
				world,
				transaction,
				newDocument(world, transaction, {
					name: title,
					uploaded: bytes,
					pages,
					body: { ...rest, ...at },
				}),
			);
		}
	});
}
