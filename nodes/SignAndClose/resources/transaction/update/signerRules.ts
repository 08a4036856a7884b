import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../../transport/answers/answers';
import { ServiceFailure } from '../../../transport/failure/failure';
import { asObject, asObjects, asText } from '../../../values/json';
import { isEmpty } from '../../../values/same';
import { signerName } from '../../signer/api';

/*
 * What signers that are written back must not break. It is checked before anything is sent: after a
 * recall, a refusal of the service comes too late.
 */

/** A signer of an answer, and the same as it's written back. */
export interface KeptSigner {
	answer: IDataObject;
	request: IDataObject;
}

/**
 * Checks signers that are written back.
 * @param assuranceField the service's name for the identity-assurance object
 * @throws ServiceFailure `externalIdInUse`, `externalIdTaken` or `signerIncomplete`
 */
export function checkKept(
	transaction: TransactionAnswer,
	kept: readonly KeptSigner[],
	assuranceField: string,
): void {
	for (const { answer, request } of kept) {
		const former = asText(answer.external_id);
		const own = asText(request.external_id);
		if (own !== former) {
			if (former !== undefined) requireUnused(transaction, former);
			const other = kept.find((one) => one.answer !== answer && one.request.external_id === own);
			if (own !== undefined && other !== undefined)
				throw new ServiceFailure(
					{ code: 'externalIdTaken', externalId: own, signer: signerName(other.answer) },
					{ final: true },
				);
		}
		requireComplete(answer, request, assuranceField);
	}
}

/**
 * Checks that no designation would lose its signer, because designations refer to the external ID
 * (docs/service/documents.md#signer-identifier). An answer may leave out to whom one belongs; then
 * it counts as the signer's.
 */
function requireUnused(transaction: TransactionAnswer, externalId: string): void {
	const documents = asObjects(transaction.documents)
		.filter(({ signing_designations: designations }) =>
			asObjects(designations).some(
				({ signer_identifier: signer }) => (asText(signer) ?? externalId) === externalId,
			),
		)
		.map(({ document_name: name, id }) => asText(name) ?? String(id));
	if (documents.length > 0)
		throw new ServiceFailure({ code: 'externalIdInUse', externalId, documents }, { final: true });
}

/** Checks fields that require each other (docs/service/transactions.md#rules-between-fields). */
function requireComplete(answer: IDataObject, request: IDataObject, assuranceField: string): void {
	const hasSms = !isEmpty(asObject(request[assuranceField]).multi_factor_authentication);
	const pairs: Array<[given: boolean, missing: string, beside: string]> = [
		[!isEmpty(request.capacity), 'entity', 'capacity'],
		[!isEmpty(request.entity), 'capacity', 'entity'],
		[!isEmpty(request.notary_id), 'order', 'notary'],
		[hasSms && isEmpty(request.phone), 'phone_number', 'SMS code'],
	];
	for (const [given, missing, beside] of pairs)
		if (given && isEmpty(request[missing]))
			throw new ServiceFailure(
				{
					code: 'signerIncomplete',
					signer: signerName(answer),
					missing: missing.replace('_number', ''),
					beside,
				},
				{ final: true },
			);
}
