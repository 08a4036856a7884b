import { SERVICE_LIMITS } from '../../../transport/service/limits';
import type { SignerAnswer } from '../../../transport/answers/shapes';
import { asObject, asText } from '../../../values/json';
import { isBlank } from '../../../values/comparison';
import { isEnote } from '../../document/api';
import { OFFICIAL_SIGNER } from '../../document/places/signers';
import { isEmail } from '../../../form/checks';
import { formatFullPhone } from '../../../form/phone';
import { joinWithAnd } from '../../../values/words';
import { formatSignerName } from '../../signer/api';
import { isEsigned } from './documentChecks';
import { listOwners } from './notaryChecks';
import {
	DOCUMENTS_NOT_SHOWN,
	leavesOutUnset,
	sayMissing,
	quoteDocuments,
	onSigners,
	sayOk,
	addOk,
	getDocuments,
	sayUnknown,
	type Facts,
	type Finding,
} from './findings';

/* The signers of a transaction (docs/service/signers.md#signer-answer). */

const CORRECT = "Correct it with 'Transaction: Correct Signer'";

/** docs/service/transactions.md#rules-between-fields */
export const checkDraftSigners = onSigners((all, { transaction, platform }) => {
	const { transaction_type: type } = transaction;
	const limit = SERVICE_LIMITS.signers;
	if (all.length > limit)
		return sayMissing(
			`There are ${all.length} signers, and the service takes up to ${limit}`,
			"Remove some with 'Signers' of 'Transaction: Update', or use two transactions",
		);
	if (all.length > 0)
		return sayOk(all.length === 1 ? 'There is 1 signer' : `There are ${all.length} signers`);
	if (platform === 'realEstate' && type === 'wet_sign')
		return sayOk('What is signed on paper needs no signers');
	// A service that shows only what is documented answers closings on business, too.
	if (isBlank(type) && (platform === 'realEstate' || !leavesOutUnset(transaction)))
		return sayUnknown(
			"There's no signer. Only the type Wet Sign needs none, and the service shows no transaction type",
		);
	return sayMissing("There's no signer", "Add one with 'Signers' of 'Transaction: Update'");
});

/** Checks each signer. */
const onEachSigner = (
	check: (signer: SignerAnswer, index: number, facts: Facts) => Finding | undefined,
	good: string,
) =>
	onSigners((all, facts) =>
		addOk(
			all.flatMap((signer, index) => check(signer, index, facts) ?? []),
			good,
		),
	);

/**
 * Without an address, an answer can show a group whose inbox it hides, or a cosigner
 * (docs/service/signers.md#groups-as-signers, docs/service/signers.md#cosigner).
 */
export const checkSignerEmail = onEachSigner((signer, index) => {
	const { email, recipient_group: group } = signer;
	const address = asText(email) ?? asText(asObject(group).shared_inbox_email);
	const name = formatSignerName(signer);
	if (address !== undefined)
		return isEmail(address)
			? undefined
			: sayMissing(`The email address of ${name} is '${address}', which isn't one`, CORRECT);
	const isNobodyElse = index !== 1 && group !== undefined && isBlank(group);
	return isNobodyElse && email !== undefined
		? sayMissing(`${name} has no email address`, CORRECT)
		: sayUnknown(
				`The service shows no email address of ${name}, as it may do for a shared inbox or a cosigner`,
			);
}, 'Each signer has an email address');

/**
 * Whether codes are sent by text message shows in the identity checks, if a service shows those, and
 * nowhere on business (docs/service/transactions.md#request-names-and-answer-names). The checks are
 * for e-signature documents only (docs/service/signers.md#identity-assurance).
 */
export const checkSignerPhone = onEachSigner((signer, _index, facts) => {
	const { transaction, assuranceField } = facts;
	if (formatFullPhone(signer) !== undefined) return undefined;
	const name = formatSignerName(signer);
	const { multi_factor_authentication: factor } = asObject(signer[assuranceField]);
	const signs = getDocuments(facts)?.some(isEsigned) === true;
	if (asObject(factor).type !== 'sms' || !signs)
		return sayUnknown(
			`The service shows no phone number of ${name}, who needs one only for codes by text message`,
		);
	return leavesOutUnset(transaction)
		? sayMissing(`${name} gets a code by text message, and has no phone number`, CORRECT)
		: sayUnknown(`${name} gets a code by text message, and the service shows no phone number`);
}, 'Each signer has a phone number, or needs none');

/** Designations refer to signers by it (docs/service/documents.md#signer-identifier). */
export const checkExternalIds = onSigners((all) => {
	const byId = new Map<string, string[]>();
	for (const signer of all) {
		const id = asText(signer.external_id?.trim());
		if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), formatSignerName(signer)]);
	}
	const twice = [...byId].filter(([, people]) => people.length > 1);
	return addOk(
		twice.map(([id, people]) =>
			sayMissing(
				`'${id}' is the external ID of ${joinWithAnd(people)}`,
				"Give each signer one of its own with 'Transaction: Correct Signer'",
			),
		),
		'No two signers have the same external ID',
	);
});

/** Not every answer shows whose a designation is (docs/service/documents.md#designations-in-answers). */
export const checkDesignationSigners = onSigners((all, facts) => {
	const documents = getDocuments(facts);
	if (documents === undefined) return sayUnknown(DOCUMENTS_NOT_SHOWN);
	const knownIds = new Set(all.map(({ external_id: id }) => id?.trim()));
	// The service itself places those of an eNote.
	const checked = documents.filter((document) => !isEnote(document));
	const findings = checked.flatMap((document) =>
		[...new Set(listOwners(document))]
			.filter(
				(signer) => signer !== undefined && !OFFICIAL_SIGNER.test(signer) && !knownIds.has(signer),
			)
			.map((signer) =>
				sayMissing(
					`${quoteDocuments([document])} has designations of '${signer}', and no signer has this external ID`,
					"Give it to a signer with 'Transaction: Correct Signer', or delete the document and add it again",
					document,
				),
			),
	);
	const hidden = checked.filter((document) => listOwners(document)?.includes(undefined) !== false);
	if (hidden.length > 0)
		findings.push(
			sayUnknown(`The service doesn't show who signs where in ${quoteDocuments(hidden)}`),
		);
	return addOk(findings, 'Each designation belongs to a signer, the notary or a witness');
});
