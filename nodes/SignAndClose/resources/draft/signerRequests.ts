import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/shapes';
import { ServiceFailure, type FailureReason } from '../../transport/failure/failure';
import { asObject, asObjects, asText } from '../../values/json';
import { isBlank } from '../../values/comparison';
import { toCountryPhone, buildPhoneFields } from '../../form/phone';
import { requireSigner, formatSignerName } from '../signer/api';
import { toSignerRequest } from './requestFields';

/* Signers as requests have them: those of an answer are written back, with what changes of them. */

/** The settings of a transaction that no answer shows, as a person has given them. */
export interface HiddenValues {
	/** Fields of the closing itself. */
	closing: IDataObject;
	/** Fields of signers, by ID, external ID or email address. Whoever isn't here has none. */
	signers: Array<{ signer: string; fields: IDataObject }>;
}

/** Signers as they're shown, with what changes of each of them. */
export type SignerChanges = ReadonlyMap<IDataObject, IDataObject>;

const buildFinalFailure = (reason: FailureReason) => new ServiceFailure(reason, { final: true });

/**
 * Builds the signers of a transaction as they are, with given settings and what changes of them, as
 * fields of a request.
 * @throws ServiceFailure when settings are given for somebody who isn't one signer;
 *   `signerNotWritable` for a signer without an address; `externalIdInUse`, `externalIdTaken`,
 *   `signerIncomplete`
 */
export function buildKeptSigners(
	transaction: TransactionAnswer,
	{ signers: settingsOfSigners }: HiddenValues,
	assuranceField: string,
	changes: SignerChanges,
): IDataObject[] {
	const settings = new Map<IDataObject, IDataObject>();
	for (const { signer, fields } of settingsOfSigners) {
		const answer = requireSigner(transaction, signer);
		settings.set(answer, { ...settings.get(answer), ...fields });
	}
	const answers: IDataObject[] = transaction.signers ?? [];
	return answers.map((answer) => {
		const signer = mergeSigner(
			{ ...toSignerRequest(answer, assuranceField), ...settings.get(answer) },
			changes.get(answer) ?? {},
		);
		if (isBlank(signer.email) && isBlank(signer.recipient_group))
			throw buildFinalFailure({ code: 'signerNotWritable', signer: formatSignerName(answer) });
		requireCompleteSigner(signer, formatSignerName(answer), assuranceField);
		const [formerId, externalId] = [asText(answer.external_id), asText(signer.external_id)];
		if (externalId !== formerId && formerId !== undefined) requireUnusedId(transaction, formerId);
		const namesake = answers.find(
			(candidate) => candidate !== answer && asText(candidate.external_id) === externalId,
		);
		if (externalId !== formerId && externalId !== undefined && namesake !== undefined)
			throw buildFinalFailure({
				code: 'externalIdTaken',
				externalId,
				signer: formatSignerName(namesake),
			});
		return signer;
	});
}

/**
 * Checks fields that require each other (docs/service/transactions.md#rules-between-fields): after a
 * recall, a refusal of the service comes too late.
 */
function requireCompleteSigner(fields: IDataObject, signer: string, assuranceField: string): void {
	const hasSms = !isBlank(asObject(fields[assuranceField]).multi_factor_authentication);
	const required: Array<[given: boolean, missing: string, beside: string]> = [
		[!isBlank(fields.capacity), 'entity', 'capacity'],
		[!isBlank(fields.entity), 'capacity', 'entity'],
		[!isBlank(fields.notary_id), 'order', 'notary'],
		[hasSms && isBlank(fields.phone_number), 'phone', 'text message (SMS)'],
	];
	const violation = required.find(([isGiven, field]) => isGiven && isBlank(fields[field]));
	if (violation === undefined) return;
	const [, missing, beside] = violation;
	throw buildFinalFailure({ code: 'signerIncomplete', signer, missing, counterpart: beside });
}

/**
 * Checks that no designation would lose its signer, because designations refer to the external ID
 * (docs/service/documents.md#signer-identifier). An answer may leave out to whom one belongs; then
 * it counts as the signer's.
 */
function requireUnusedId(transaction: TransactionAnswer, externalId: string): void {
	const documents = asObjects(transaction.documents)
		.filter(({ signing_designations: designations }) =>
			asObjects(designations).some(
				({ signer_identifier: signer }) => (asText(signer) ?? externalId) === externalId,
			),
		)
		.map(({ document_name: name, id }) => asText(name) ?? String(id));
	if (documents.length > 0)
		throw buildFinalFailure({ code: 'externalIdInUse', externalId, documents });
}

/**
 * Builds the signer fields of a request for a closing: `signer` for one, `signers` for several,
 * because the service refuses both together
 * (docs/service/transactions.md#signer-signers-and-cosigner).
 * @param signers request fields of each signer, the primary one first
 */
export function buildClosingSigners(signers: IDataObject[]): IDataObject {
	if (signers.length === 0) return {};
	return signers.length === 1 ? { signer: signers[0] } : { signers };
}

/**
 * A signer of a request with a correction. The address is merged by its parts. A number without a
 * country code is in the country that the former one had.
 */
export function mergeSigner(
	{ phone: formerPhone, phone_number: formerNumber, ...signer }: IDataObject,
	{ phone, phone_number: number, address, ...changes }: IDataObject,
): IDataObject {
	const country = asText(asObject(formerPhone).country_code)?.replace(/\D/g, '') || undefined;
	const numbers =
		phone !== undefined || isBlank(number)
			? { phone, phone_number: number }
			: buildPhoneFields(toCountryPhone(String(number), country));
	const former = { phone: formerPhone, phone_number: formerNumber };
	return {
		...signer,
		...changes,
		...withoutUndefined(phone === undefined && number === undefined ? former : numbers),
		...(address !== undefined && {
			address: address === null ? null : { ...asObject(signer.address), ...asObject(address) },
		}),
	};
}

const withoutUndefined = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
