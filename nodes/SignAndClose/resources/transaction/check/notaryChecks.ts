import type { DocumentAnswer } from '../../../transport/answers/shapes';
import { isBlank } from '../../../values/comparison';
import { asText } from '../../../values/json';
import { isNotarized, listFlagWords } from '../../document/api';
import {
	getDocuments,
	quoteDocuments,
	sayOk,
	sayUnknown,
	sayWarning,
	type CheckRule,
	type Facts,
} from './findings';

/* Whether a notary is needed, can come, and has places. */

/** Whose the places of a document are, undefined where one doesn't show it; none where they aren't shown. */
export const listOwners = ({ signing_designations: designations }: DocumentAnswer) =>
	designations?.map(({ signer_identifier: signer }) => asText(signer)?.trim());

/** Types and forms without a notary (docs/service/closings.md#transaction-types, docs/service/transactions.md#config-id). */
const WITHOUT_NOTARY = new Set<unknown>(['wet_sign', 'real_estate_esign', 'real_estate_proof']);
const FORMS_WITHOUT_NOTARY = new Set<unknown>(
	'sign verify identify real_estate_sign real_estate_verify real_estate_identify'.split(' '),
);

/** Whether a document needs a notary; undefined where nothing shows it. */
function needsNotary(document: DocumentAnswer): boolean | undefined {
	const { requirement, notarization_required: flag } = document;
	if (
		isNotarized(document) ||
		requirement === 'identity_confirmation' ||
		document.identity_confirmation_required === true
	)
		return true;
	const isHidden =
		isBlank(requirement) || (typeof flag !== 'boolean' && listFlagWords(document) === undefined);
	return isHidden ? undefined : false;
}

/** Whether something of a transaction needs a notary; undefined where nothing shows it. */
export function needsAnyNotary(facts: Facts): boolean | undefined {
	const needs = getDocuments(facts)?.map(needsNotary) ?? [undefined];
	return needs.includes(true) || (needs.includes(undefined) ? undefined : false);
}

/** Notarized documents all of whose places are shown, and are for others. */
const listWithoutNotary = (facts: Facts): DocumentAnswer[] =>
	(getDocuments(facts) ?? []).filter((document) => {
		const owners = listOwners(document) ?? [];
		return isNotarized(document) && owners.length > 0 && !owners.some(mayBeNotary);
	});

const mayBeNotary = (owner: string | undefined) => owner === undefined || owner === 'notary';

/** docs/service/documents.md#rules-of-requirements */
export const checkNotarization: CheckRule = (facts) => {
	const { transaction_type: type, config_id: form } = facts.transaction;
	const needs = needsAnyNotary(facts);
	const withoutNotary = facts.platform === 'business' ? listWithoutNotary(facts) : [];
	if (withoutNotary.length > 0)
		return sayWarning(
			`${quoteDocuments(withoutNotary)} has places to sign, and none is for the notary`,
			"If the notary needs one, delete it, and add it again with 'Where to Sign' of 'Document: Add'",
		);
	if (needs === true) return sayOk('A notary is needed');
	if (WITHOUT_NOTARY.has(type) || FORMS_WITHOUT_NOTARY.has(form))
		return sayOk('Such a transaction needs no notary');
	return needs === undefined
		? sayUnknown("The service doesn't show whether a document needs a notary")
		: sayWarning(
				'No document needs a notary or confirms an identity, which some services refuse',
				"Set 'Requirement' with 'Document: Update' if one does",
			);
};

/** Which notaries these are isn't published (docs/service/notarization.md#notaries-of-a-transaction). */
export const checkNotary: CheckRule = (facts) => {
	const needs = needsAnyNotary(facts);
	if (needs === false) return sayOk('No document needs a notary');
	const { notaries = { reason: "The service wasn't asked" } } = facts;
	if ('reason' in notaries)
		return sayUnknown(`It's unknown whether a notary can come. ${notaries.reason}`);
	const { length } = notaries.entries;
	if (length > 0)
		return sayOk(
			length === 1 ? '1 notary can meet the signers' : `${length} notaries can meet the signers`,
		);
	return needs === undefined
		? sayUnknown(
				'The service shows no notary who can meet the signers, and not whether one is needed',
			)
		: sayWarning(
				'The service shows no notary who can meet the signers',
				"See 'Notary: Get Many', or ask the service whether its own notaries come",
			);
};
