import { SERVICE_LIMITS } from '../../../transport/service/limits';
import type { SignerAnswer } from '../../../transport/answers/answers';
import { asObject, asText } from '../../../values/json';
import { isEmpty } from '../../../values/same';
import { isEnote } from '../../document/api';
import { OFFICIAL } from '../../document/checks';
import { isEmail } from '../../shared/checks';
import { fullPhone } from '../../shared/phone';
import { signerName } from '../../signer/api';
import { isEsigned, listOwners } from './documents';
import {
	DOCUMENTS_NOT_SHOWN,
	leavesOutUnset,
	listed,
	missing,
	named,
	ofSigners,
	ok,
	orOk,
	ownDocuments,
	unknown,
	type Facts,
	type Found,
} from './finding';

/* The signers of a transaction (docs/service/signers.md#signer-answer). */

const CORRECT = "Correct it with 'Transaction: Correct Signer'";

/** docs/service/transactions.md#rules-between-fields */
export const signers = ofSigners((all, { transaction, platform }) => {
	const { transaction_type: type } = transaction;
	const most = SERVICE_LIMITS.signers;
	if (all.length > most)
		return missing(
			`There are ${all.length} signers, and the service takes up to ${most}`,
			"Remove some with 'Signers' of 'Transaction: Update', or use two transactions",
		);
	if (all.length > 0)
		return ok(all.length === 1 ? 'There is 1 signer' : `There are ${all.length} signers`);
	if (platform === 'realEstate' && type === 'wet_sign')
		return ok('What is signed on paper needs no signers');
	// A service that shows only what is documented answers closings on business, too.
	if (isEmpty(type) && (platform === 'realEstate' || !leavesOutUnset(transaction)))
		return unknown(
			"There's no signer. Only the type Wet Sign needs none, and the service shows no transaction type",
		);
	return missing("There's no signer", "Add one with 'Signers' of 'Transaction: Update'");
});

/** Checks each signer. */
const ofEach = (
	check: (signer: SignerAnswer, index: number, facts: Facts) => Found | undefined,
	good: string,
) =>
	ofSigners((all, facts) =>
		orOk(
			all.flatMap((signer, index) => check(signer, index, facts) ?? []),
			good,
		),
	);

/**
 * Without an address, an answer can show a group whose inbox it hides, or a cosigner
 * (docs/service/signers.md#groups-as-signers, docs/service/signers.md#cosigner).
 */
export const signerEmail = ofEach((signer, index) => {
	const { email, recipient_group: group } = signer;
	const address = asText(email) ?? asText(asObject(group).shared_inbox_email);
	const who = signerName(signer);
	if (address !== undefined)
		return isEmail(address)
			? undefined
			: missing(`The email address of ${who} is '${address}', which isn't one`, CORRECT);
	const isNobodyElse = index !== 1 && group !== undefined && isEmpty(group);
	return isNobodyElse && email !== undefined
		? missing(`${who} has no email address`, CORRECT)
		: unknown(
				`The service shows no email address of ${who}, as it may do for a shared inbox or a cosigner`,
			);
}, 'Each signer has an email address');

/**
 * Whether codes are sent by text message shows in the identity checks, if a service shows those, and
 * nowhere on business (docs/service/transactions.md#request-names-and-answer-names). The checks are
 * for e-signature documents only (docs/service/signers.md#identity-assurance).
 */
export const signerPhone = ofEach((signer, _index, facts) => {
	const { transaction, assuranceField } = facts;
	if (fullPhone(signer) !== undefined) return undefined;
	const who = signerName(signer);
	const { multi_factor_authentication: factor } = asObject(signer[assuranceField]);
	const signs = ownDocuments(facts)?.some(isEsigned) === true;
	if (asObject(factor).type !== 'sms' || !signs)
		return unknown(
			`The service shows no phone number of ${who}. It's needed for codes by text message, which not every answer shows`,
		);
	return leavesOutUnset(transaction)
		? missing(`${who} gets a code by text message, and has no phone number`, CORRECT)
		: unknown(`${who} gets a code by text message, and the service shows no phone number`);
}, 'Each signer has a phone number, or needs none');

/** Designations refer to signers by it (docs/service/documents.md#signer-identifier). */
export const externalIds = ofSigners((all) => {
	const byId = new Map<string, string[]>();
	for (const signer of all) {
		const id = asText(signer.external_id?.trim());
		if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), signerName(signer)]);
	}
	const twice = [...byId].filter(([, people]) => people.length > 1);
	return orOk(
		twice.map(([id, people]) =>
			missing(
				`'${id}' is the external ID of ${listed(people)}`,
				"Give each signer one of its own with 'Transaction: Correct Signer'",
			),
		),
		'No two signers have the same external ID',
	);
});

/** Not every answer shows whose a designation is (docs/service/documents.md#designations-in-answers). */
export const designationSigners = ofSigners((all, facts) => {
	const documents = ownDocuments(facts);
	if (documents === undefined) return unknown(DOCUMENTS_NOT_SHOWN);
	const known = new Set(all.map(({ external_id: id }) => id?.trim()));
	// The service itself places those of an eNote.
	const placed = documents.filter((document) => !isEnote(document));
	const found = placed.flatMap((document) =>
		[...new Set(listOwners(document))]
			.filter((signer) => signer !== undefined && !OFFICIAL.test(signer) && !known.has(signer))
			.map((signer) =>
				missing(
					`${named([document])} has designations of '${signer}', and no signer has this external ID`,
					"Give it to a signer with 'Transaction: Correct Signer', or delete the document and add it again",
					document,
				),
			),
	);
	const unseen = placed.filter((document) => listOwners(document)?.includes(undefined) !== false);
	if (unseen.length > 0)
		found.push(unknown(`The service doesn't show whose the designations of ${named(unseen)} are`));
	return orOk(found, 'Each designation belongs to a signer, the notary or a witness');
});
