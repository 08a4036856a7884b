/** How documents look in answers (docs/service/documents.md#document-answer). */

import { groupName } from '../../domain/documents/designations.mts';
import { isNotarized } from '../../domain/signingMethods.mts';
import { uuidOf } from '../../world/ids.mts';
import type { LinkVersion } from '../../http/signedLinks.mts';
import type { Document, Fields, Platform, Transaction, World } from '../../world/world.mts';

interface DocumentViewOptions {
	/** Of the call. The same document looks different on the other one. */
	platform: Platform;
	/** Whether the call is Get Document. */
	single?: boolean;
	links?: LinkVersion;
}

/**
 * A document in one of two forms: with flags, or with nulls and without flags
 * (docs/service/documents.md#two-forms-of-the-answer).
 */
export function documentView(
	world: World,
	transaction: Transaction,
	document: Document,
	{ platform, single = false, links = 'v1' }: DocumentViewOptions,
): Fields {
	const finished = document.final !== undefined && transaction.released;
	const link = finished ? world.links.sign(`final/${document.id}`, links) : null;
	if (world.settings.profile === 'documented')
		return {
			...namesAndDates(document),
			final_document_url: link,
			notarization_required: isNotarized(document),
			witness_required: document.flags.witness_required ?? false,
		};
	const actions = allowedActions(document);
	const both = {
		...namesAndDates(document),
		allowed_actions: actions,
		bundle_position: document.position,
		completion_state:
			document.final !== undefined && document.rejectionReason === undefined
				? 'complete'
				: 'incomplete',
		processing_state: processingState(world, document),
		...designationsView(document, platform),
	};
	// Either link leads to the finished PDF (docs/service/documents.md#document-answer).
	const finalLink = { [world.settings.switches.finalLink]: link };
	const { flags, requirement } = document;
	if (platform === 'business' && !single)
		return {
			...both,
			esign_required: flags.esign_required ?? requirement === 'esign',
			identity_confirmation_required:
				flags.identity_confirmation_required ?? requirement === 'identity_confirmation',
			notarization_required: isNotarized(document),
			vaulted: flags.vaulted ?? false,
			...(flags.tracking_id !== undefined && { tracking_id: flags.tracking_id }),
			// What is null in the other form is left out of this one.
			...(finished && finalLink),
		};
	return {
		...both,
		permissions: actions,
		is_enote: document.isEnote,
		processing_error: document.processingError ?? null,
		rejection_reason: document.rejectionReason ?? null,
		rejection_anecdote: null,
		signing_type: isNotarized(document) ? 'NOTARIZATION' : 'ESIGN',
		tracking_id: flags.tracking_id ?? null,
		...finalLink,
	};
}

/** Failed, or done with a processing_error (docs/service/documents.md#processing). */
function processingState({ settings }: World, { state }: Document): string {
	return state === 'failed' ? settings.switches.failedProcessing : state;
}

function namesAndDates({ id, created, updated, name, requirement }: Document): Fields {
	return {
		id,
		date_created: created,
		date_updated: updated,
		document_name: name,
		requirement,
	};
}

/**
 * The flags that no answer has, in words (docs/service/documents.md#allowed-actions). Which
 * documents are collateral is not published: our default is the eNote and what goes to the vault.
 */
function allowedActions(document: Document): string[] {
	const { flags, isEnote } = document;
	return [
		isNotarized(document) && 'NOTARIZATION_REQUIRED',
		flags.witness_required === true && 'WITNESS_REQUIRED',
		flags.customer_can_annotate === true && 'CUSTOMER_CAN_ANNOTATE',
		(isEnote || flags.vaulted === true) && 'COLLATERAL_DOCUMENT',
	].filter((word) => word !== false);
}

/**
 * Designations as they were sent, or on real estate without what was sent
 * (docs/service/documents.md#designations-in-answers).
 */
function designationsView({ id, designations, groups }: Document, platform: Platform): Fields {
	if (platform === 'business')
		return { signing_designations: designations, signing_designation_groups: groups };
	const idOf = (index: number) => `ad${uuidOf(`${id}/designation/${index}`)}`;
	const groupId = (name: string | undefined) =>
		name === undefined ? null : uuidOf(`${id}/group/${name}`);
	return {
		signing_designations: designations.map((designation, index) => {
			const trigger = designations.findIndex(
				({ primary_designation_identifier: own }) =>
					own !== undefined && own === designation.conditional_on_primary,
			);
			return {
				id: idOf(index),
				designation_group_id: groupId(groupName(designation)),
				primary_designation: trigger === -1 ? null : { id: idOf(trigger) },
			};
		}),
		signing_designation_groups: groups.map((group) => ({ id: groupId(group.name), ...group })),
	};
}
