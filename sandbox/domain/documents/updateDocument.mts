/**
 * Changing and deleting documents (docs/service/documents.md#update-a-document,
 * docs/service/documents.md#delete-a-document).
 */

import { startSplit } from './addDocument.mts';
import { allGroups, checkDesignations } from './designations.mts';
import { readResource } from './fileSource.mts';
import { checkFlags, flagsOf, withoutHiddenFlags } from './flags.mts';
import { inspectPdf } from './pdf.mts';
import { startProcessing } from './processing.mts';
import { hasTextTags } from './textTags.mts';
import { refuse } from '../refusal.mts';
import { addToAuditLog, requireModifiable } from '../transitions.mts';
import type { Document, Fields, Platform, Transaction, World } from '../../world/world.mts';

const COMMON_FIELDS =
	'name requirement notarization_required witness_required identity_confirmation_required ' +
	'customer_can_annotate tracking_id';
/** The fields that live services take in an update. They ignore all others. */
const UPDATE_FIELDS: Record<Platform, Set<string>> = {
	business: new Set(`${COMMON_FIELDS} pdf_bookmarked document_url_version`.split(' ')),
	realEstate: new Set(`${COMMON_FIELDS} authorization_header`.split(' ')),
};

/**
 * PUT or PATCH .../documents/{id}. What is not sent stays.
 * @param platform of the call
 * @returns false when the document is being split, and so is gone
 */
export async function updateDocument(
	world: World,
	transaction: Transaction,
	document: Document,
	sent: Fields,
	platform: Platform,
): Promise<boolean> {
	requireModifiable(transaction);
	if (document.isEnote) refuse('An eNote can not be updated: delete it and add it again');
	const body = takenFields(world, sent, platform);
	checkFlags(transaction, { ...document.flags, requirement: document.requirement, ...body });
	const content = body.resource ?? body.document;
	const uploaded =
		content === undefined
			? document.uploaded
			: await readResource(content, body.authorization_header);
	const found =
		content === undefined ? undefined : await inspectPdf(uploaded, hasTextTags(world, body));
	const pages = found?.pages ?? document.pages;
	requireModifiable(transaction);
	const name = body.name ?? body.filename ?? body.document_name ?? document.name;
	if (String(body.pdf_bookmarked) === 'true') {
		transaction.documents.splice(transaction.documents.indexOf(document), 1);
		startSplit(world, transaction, uploaded, name);
		return false;
	}
	const requirement = body.requirement ?? document.requirement;
	const designations = body.signing_designations ?? document.designations;
	const groups = allGroups(designations, body.signing_designation_groups ?? document.groups);
	checkDesignations({ signers: transaction.signers, designations, groups, pages });
	Object.assign(document, {
		name,
		requirement,
		position: body.bundle_position ?? document.position,
		flags: withoutHiddenFlags(requirement, { ...document.flags, ...flagsOf(body) }),
		uploaded,
		pages,
		designations,
		groups,
		updated: world.clock.stamp(),
	});
	addToAuditLog(world, transaction, `document updated: ${document.name}`);
	if (found !== undefined) {
		document.state = 'pending';
		document.found = found;
		startProcessing(world, transaction, document);
	}
	return true;
}

/** Documented is every attribute that Add Document takes. */
function takenFields({ settings }: World, sent: Fields, platform: Platform): Fields {
	if (settings.switches.updateDocument === 'everyAttribute') return sent;
	return Object.fromEntries(
		Object.entries(sent).filter(([name]) => UPDATE_FIELDS[platform].has(name)),
	);
}

/** DELETE .../documents/{id}. */
export function deleteDocument(world: World, transaction: Transaction, document: Document): void {
	requireModifiable(transaction);
	transaction.documents.splice(transaction.documents.indexOf(document), 1);
	addToAuditLog(world, transaction, `document deleted: ${document.name}`);
}
