import { MAX_TRANSACTION_BYTES } from '../state/config.mts';
import { checkDesignations } from './designations.mts';
import { inspectPdf } from './pdf.mts';
import { refuse } from './refusal.mts';
import { readResource } from './fileSource.mts';
import { needDraft } from './rules.mts';
import { splitPdf } from './splitPdf.mts';
import {
	isDraft,
	note,
	type Document,
	type Fields,
	type Transaction,
	type World,
} from '../state/world.mts';

/**
 * Adding, changing and splitting documents (interface.md §4, Add Document, Update Document; gaps.md
 * §4).
 */

/** What is kept as flags of a document; the rest has fields of its own. */
const FLAGS =
	'notarization_required witness_required esign_required identity_confirmation_required signing_requires_meeting customer_can_annotate tracking_id text_tag_syntax vaulted'.split(
		' ',
	);

/**
 * POST .../documents; `resource` is a URL, base64 or the bytes of a multipart file.
 * @returns undefined when the document is being split: the documents appear later (interface.md
 *   §3.5)
 */
export async function addDocument(
	world: World,
	transaction: Transaction,
	body: Fields,
): Promise<Document | undefined> {
	needDraft(transaction);
	checkRequirement(transaction, body.requirement);
	const uploaded = await readResource(body.resource, body.authorization_header);
	const pages = await inspectPdf(uploaded);
	// Fetching and reading took time; the transaction may have been sent meanwhile.
	needDraft(transaction);
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
	append(world, transaction, document);
	return document;
}

function checkRequirement(transaction: Transaction, requirement: unknown): void {
	// gaps.md §4: esign_supervised for wet_sign only.
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

function flagsOf(body: Fields): Fields {
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

/** Puts a document on the transaction: pending first, done a moment later (gaps.md §4). */
export function append(world: World, transaction: Transaction, document: Document): void {
	transaction.documents.push(document);
	note(world, transaction, `document added: ${document.name}`);
	const payload = { document: { document_id: document.id, name: document.name } };
	world.emit('transaction.document.upload', transaction, payload);
	world.clock.later(world.settings.processingMs, () => {
		if (document.state === 'done') return;
		document.state = 'done';
		document.updated = world.clock.stamp();
		world.emit('transaction.document.processed', transaction, payload);
	});
}

/**
 * Each bookmark becomes a document; it takes about five minutes of the sandbox's clock
 * (interface.md §3.5).
 */
function startSplit(world: World, transaction: Transaction, uploaded: Buffer, body: Fields): void {
	transaction.splitting += 1;
	note(world, transaction, 'splitting a bookmarked document');
	world.clock.later(world.settings.splitSeconds * 1000, async () => {
		const parts = await splitPdf(uploaded);
		transaction.splitting -= 1;
		if (!world.transactions.has(transaction.id) || !isDraft(transaction)) return;
		const { bundle_position: position, ...rest } = body;
		for (const [index, { title, bytes, pages }] of parts.entries()) {
			const at = position === undefined ? {} : { bundle_position: position + index };
			append(
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

/**
 * PUT or PATCH .../documents/{id}: every attribute that Add Document accepts (interface.md §4);
 * what is not sent stays.
 */
export async function updateDocument(
	world: World,
	transaction: Transaction,
	document: Document,
	body: Fields,
): Promise<void> {
	needDraft(transaction);
	if (document.isEnote) refuse('An eNote can not be updated: delete it and add it again');
	checkRequirement(transaction, body.requirement ?? document.requirement);
	const uploaded =
		body.resource === undefined
			? document.uploaded
			: await readResource(body.resource, body.authorization_header);
	const pages = body.resource === undefined ? document.pages : await inspectPdf(uploaded);
	needDraft(transaction);
	const designations = body.signing_designations ?? document.designations;
	const groups = body.signing_designation_groups ?? document.groups;
	checkDesignations({ signers: transaction.signers, designations, groups, pages });
	if (body.pdf_bookmarked === true) {
		transaction.documents.splice(transaction.documents.indexOf(document), 1);
		startSplit(world, transaction, uploaded, {
			...document.flags,
			...body,
			requirement: body.requirement ?? document.requirement,
			signing_designations: undefined,
		});
	}
	Object.assign(document, {
		name: body.name ?? body.filename ?? body.document_name ?? document.name,
		requirement: body.requirement ?? document.requirement,
		position: body.bundle_position ?? document.position,
		flags: { ...document.flags, ...flagsOf(body) },
		uploaded,
		pages,
		designations,
		groups,
		updated: world.clock.stamp(),
	});
	note(world, transaction, `document updated: ${document.name}`);
}

/** DELETE .../documents/{id} (gaps.md §1). */
export function deleteDocument(world: World, transaction: Transaction, document: Document): void {
	needDraft(transaction);
	transaction.documents.splice(transaction.documents.indexOf(document), 1);
	note(world, transaction, `document deleted: ${document.name}`);
}
