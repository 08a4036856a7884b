/**
 * Changing and deleting documents (docs/service/documents.md#update-a-document,
 * docs/service/documents.md#delete-a-document).
 */

import { checkRequirement, flagsOf, startSplit } from './addDocument.mts';
import { checkDesignations } from './designations.mts';
import { readResource } from './fileSource.mts';
import { inspectPdf } from './pdf.mts';
import { refuse } from '../refusal.mts';
import { addToAuditLog, requireDraft } from '../transitions.mts';
import type { Document, Fields, Transaction, World } from '../../world/world.mts';

/**
 * PUT or PATCH .../documents/{id}: takes every attribute that Add Document accepts. What is not
 * sent stays.
 */
export async function updateDocument(
	world: World,
	transaction: Transaction,
	document: Document,
	body: Fields,
): Promise<void> {
	requireDraft(transaction);
	if (document.isEnote) refuse('An eNote can not be updated: delete it and add it again');
	checkRequirement(transaction, body.requirement ?? document.requirement);
	const uploaded =
		body.resource === undefined
			? document.uploaded
			: await readResource(body.resource, body.authorization_header);
	const pages = body.resource === undefined ? document.pages : await inspectPdf(uploaded);
	requireDraft(transaction);
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
	addToAuditLog(world, transaction, `document updated: ${document.name}`);
}

/** DELETE .../documents/{id}. */
export function deleteDocument(world: World, transaction: Transaction, document: Document): void {
	requireDraft(transaction);
	transaction.documents.splice(transaction.documents.indexOf(document), 1);
	addToAuditLog(world, transaction, `document deleted: ${document.name}`);
}
