import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/json';
import type { ServiceClient } from '../client';
import { buildUnexpectedAnswer } from '../failure/refusal';
import type { Platform } from '../service/endpoints';
import { type TransactionAnswer, toTransaction } from './shapes';

/**
 * Retrieves a transaction with new links (docs/service/transactions.md#retrieve-a-transaction).
 * @param platform undefined where nothing says it: then real estate is asked, and business after it
 * @param isUrgent whether somebody waits for our own answer, see Call
 * @throws ServiceFailure when it isn't found or the answer has no ID
 */
export async function retrieveTransaction(
	service: ServiceClient,
	transactionId: string,
	platform?: Platform,
	isUrgent = false,
): Promise<TransactionAnswer> {
	const path = { transactionId };
	const answer = await service.json('getTransaction', { path, platform, urgent: isUrgent });
	const transaction = toTransaction(answer);
	if (transaction === undefined) throw buildUnexpectedAnswer();
	const answeredBy = platform ?? service.findPlatform(path);
	if (answeredBy !== undefined) answeringPlatforms.set(transaction, answeredBy);
	return transaction;
}

/** The platforms that have answered transactions; an entry goes with its transaction. */
const answeringPlatforms = new WeakMap<IDataObject, Platform>();

/**
 * Returns the platform of a transaction. Only closings have the address of a property
 * (docs/service/transactions.md#answer-fields), but an answer may lack it: then the platform that
 * has answered counts. A service that offers only the documented endpoints answers closings on
 * business, too.
 */
export function derivePlatform(transaction: IDataObject): 'business' | 'realEstate' {
	const hasAddress = isObject(transaction.street_address);
	return hasAddress || answeringPlatforms.get(transaction) === 'realEstate'
		? 'realEstate'
		: 'business';
}
