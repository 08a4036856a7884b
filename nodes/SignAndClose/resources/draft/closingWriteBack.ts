import type { IDataObject } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/shapes';
import { isDraft } from '../../transport/answers/transactionState';
import type { Call } from '../../transport/client';
import { asError, refusesField, ServiceFailure } from '../../transport/failure/failure';
import { isBlank } from '../../values/comparison';
import { asObject } from '../../values/json';
import { toTransactionRequest } from './requestFields';
import { buildClosingSigners, type HiddenValues } from './signerRequests';

/* A closing as it is, with its changes, as it's written back (docs/service/transactions.md#update-a-draft). */

/** What is sent. */
export interface ClosingWriteBack {
	request: Pick<Call, 'assurance'> & { body: IDataObject };
	/** The type of a closing that a service gets if it refuses the one in the request. */
	otherType?: null;
}

/**
 * Builds the request that writes a whole closing back.
 * @throws ServiceFailure `settingsNotShown` where nobody knows the type of one that is to be recalled
 */
export function buildClosingWriteBack(
	before: TransactionAnswer,
	fields: IDataObject,
	settings: HiddenValues,
	signers: IDataObject[],
	assuranceField: string,
): ClosingWriteBack {
	const assurance = signers.some((signer) => !isBlank(signer[assuranceField]));
	const body = mergeClosing(before, fields, settings, assurance);
	// A service may refuse null, after the recall.
	if (body.transaction_type === null && !isDraft(before))
		throw new ServiceFailure(
			{ code: 'settingsNotShown', names: ['transaction_type'] },
			{ final: true },
		);
	const isTypeGiven = fields.transaction_type === undefined && !isBlank(body.transaction_type);
	return {
		...(isTypeGiven && mayHaveNoType(before, assurance) && { otherType: null }),
		request: { body: { ...body, ...buildClosingSigners(signers) }, assurance },
	};
}

/**
 * Whether null may be the type of a closing: the interface asks for it where signers have identity
 * checks (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 */
const mayHaveNoType = (
	{ transaction_type: type }: TransactionAnswer,
	assurance: boolean,
): boolean => type === null || (type === undefined && assurance);

/** The closing as it is, with the changes of its own fields. */
function mergeClosing(
	closing: TransactionAnswer,
	{ street_address: newAddress, redirect, ...changes }: IDataObject,
	settings: HiddenValues,
	assurance: boolean,
): IDataObject {
	const currentFields = toTransactionRequest(closing, 'realEstate');
	const address = { ...asObject(currentFields.street_address), ...asObject(newAddress) };
	return {
		...(mayHaveNoType(closing, assurance) && { transaction_type: null }),
		...currentFields,
		...settings.closing,
		...changes,
		...(redirect !== undefined && {
			redirect: { ...asObject(currentFields.redirect), ...asObject(redirect) },
		}),
		...(!isBlank(address) && { street_address: address }),
	};
}

/*
 * The type of a closing whose signers have identity checks. The interface asks for null, and some
 * services refuse null by name (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
 */

/**
 * Sends a closing. A service that refuses its type by name has done nothing, and gets the other one.
 * @param otherType undefined where there's no other one
 */
export async function sendEitherType(
	send: (body: IDataObject) => Promise<unknown>,
	body: IDataObject,
	otherType: string | null | undefined,
): Promise<unknown> {
	try {
		return await send(body);
	} catch (thrown) {
		if (otherType === undefined || !refusesField(thrown, 'transaction_type')) throw asError(thrown);
		return await send({ ...body, transaction_type: otherType });
	}
}
