/** What a document requires: its requirement and its flags (docs/service/documents.md#requirements). */

import { refuse } from '../refusal.mts';
import type { Fields, Transaction } from '../../world/world.mts';

const BOOLEANS = (
	'notarization_required witness_required esign_required identity_confirmation_required ' +
	'signing_requires_meeting customer_can_annotate vaulted'
).split(' ');
const TEXTS_KEPT = ['tracking_id', 'text_tag_syntax'];

const REQUIREMENTS = new Set(
	'esign notarization readonly non_essential identity_confirmation esign_supervised'.split(' '),
);

/**
 * The flags of a document. Its other attributes have fields of their own. The text `true` passes
 * for a boolean (docs/service/api.md#base-url-and-requests).
 */
export function flagsOf(body: Fields): Fields {
	const sent = (name: string) => body[name] !== undefined && body[name] !== null;
	return Object.fromEntries([
		...BOOLEANS.filter(sent).map((name) => [name, String(body[name]) === 'true']),
		...TEXTS_KEPT.filter(sent).map((name) => [name, body[name]]),
	]);
}

/** A hidden document is neither annotated nor witnessed (docs/service/documents.md#rules-of-requirements). */
export function withoutHiddenFlags(requirement: string, flags: Fields): Fields {
	return requirement === 'non_essential'
		? { ...flags, customer_can_annotate: false, witness_required: false }
		: flags;
}

/** @throws Refusal 422 for a requirement that isn't one, or for flags that exclude each other */
export function checkFlags(transaction: Transaction, body: Fields): void {
	const { requirement } = body;
	if (requirement !== undefined && !REQUIREMENTS.has(requirement))
		refuse(`Invalid value for requirement: ${requirement}`);
	if (requirement === 'esign_supervised' && transaction.fields.transaction_type !== 'wet_sign')
		refuse('esign_supervised is for wet_sign only');
	const { notarization_required, identity_confirmation_required } = flagsOf(body);
	if (notarization_required === true && identity_confirmation_required === true)
		refuse('notarization_required and identity_confirmation_required exclude each other');
}
