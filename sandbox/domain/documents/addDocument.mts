/**
 * Adding documents (docs/service/documents.md#add-a-document), and splitting bookmarked ones
 * (docs/service/documents.md#bookmarked-pdfs).
 */

import { allGroups, checkDesignations } from './designations.mts';
import { readResource } from './fileSource.mts';
import { inspectPdf, type Inspected } from './pdf.mts';
import { startProcessing } from './processing.mts';
import { checkFlags, flagsOf, withoutHiddenFlags } from './flags.mts';
import { splitPdf } from './splitPdf.mts';
import { hasTextTags } from './textTags.mts';
import { refuse } from '../refusal.mts';
import { addToAuditLog, isDraft, requireModifiable } from '../transitions.mts';
import { MAX_TRANSACTION_BYTES } from '../../world/config.mts';
import type { Document, Fields, Transaction, World } from '../../world/world.mts';

/**
 * What becomes of a document without requirement. Published for a bare string at the create of a
 * business transaction (docs/service/transactions.md#documents-at-creation).
 */
const DEFAULT_REQUIREMENT = 'notarization';

/**
 * POST .../documents. `resource`, or by its other name `document`, is a URL, base64, a template or
 * the bytes of a multipart file.
 * @returns undefined when the document is being split. Its parts appear later
 */
export async function addDocument(
	world: World,
	transaction: Transaction,
	body: Fields,
): Promise<Document | undefined> {
	requireModifiable(transaction);
	checkFlags(transaction, body);
	const content = body.resource ?? body.document;
	if (content === undefined) refuse('The document has no resource');
	const uploaded = await readResource(content, body.authorization_header);
	const found = await inspectPdf(uploaded, hasTextTags(world, body));
	// Fetching and reading takes time, in which the transaction may have been sent.
	requireModifiable(transaction);
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
		startSplit(world, transaction, uploaded, nameOf(body, transaction));
		return undefined;
	}
	const document = newDocument(world, transaction, {
		name: nameOf(body, transaction),
		uploaded,
		found,
		body,
	});
	checkDesignations({ ...document, signers: transaction.signers });
	appendDocument(world, transaction, document);
	return document;
}

interface NewDocument {
	name: string;
	uploaded: Buffer;
	found: Inspected;
	body: Fields;
}

export function newDocument(
	world: World,
	transaction: Transaction,
	{ name, uploaded, found, body }: NewDocument,
): Document {
	const now = world.clock.stamp();
	const requirement = body.requirement ?? DEFAULT_REQUIREMENT;
	const designations = body.signing_designations ?? [];
	return {
		id: world.newId('do_'),
		name,
		requirement,
		created: now,
		updated: now,
		position: body.bundle_position ?? transaction.documents.length,
		isEnote: false,
		isConsentForm: false,
		uploaded,
		pages: found.pages,
		state: 'pending',
		found,
		designations,
		groups: allGroups(designations, body.signing_designation_groups),
		flags: withoutHiddenFlags(requirement, flagsOf(body)),
	};
}

function nameOf(body: Fields, transaction: Transaction): string {
	const given = body.filename ?? body.name ?? body.document_name;
	if (given !== undefined) return String(given);
	const content = body.resource ?? body.document;
	const fromUrl =
		typeof content === 'string' && /^https?:\/\//i.test(content)
			? new URL(content).pathname.split('/').at(-1)
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
	startProcessing(world, transaction, document);
}

/**
 * Makes a document of each bookmark, which takes about five minutes of the sandbox's time. What was
 * sent with the bookmarked PDF does not go to its parts: their parameters can be set only after the
 * split. A PDF that can't be read becomes one document, which fails.
 */
export function startSplit(
	world: World,
	transaction: Transaction,
	uploaded: Buffer,
	name: string,
): void {
	transaction.splitting += 1;
	addToAuditLog(world, transaction, 'splitting a bookmarked document');
	world.clock.later(world.settings.splitSeconds * 1000, async () => {
		const { error } = await inspectPdf(uploaded);
		const parts =
			error === undefined ? await splitPdf(uploaded) : [{ title: name, bytes: uploaded }];
		const withTags = hasTextTags(world, {});
		const found = await Promise.all(
			parts.map(async ({ bytes }) => await inspectPdf(bytes, withTags)),
		);
		transaction.splitting -= 1;
		if (!world.transactions.has(transaction.id) || !isDraft(transaction)) return;
		for (const [index, { title, bytes }] of parts.entries())
			appendDocument(
				world,
				transaction,
				newDocument(world, transaction, {
					name: title,
					uploaded: bytes,
					found: found[index],
					body: {},
				}),
			);
	});
}
