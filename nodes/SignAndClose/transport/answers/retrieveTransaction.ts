import type { ServiceClient } from '../client';
import { unexpectedAnswer } from '../failure/refusal';
import type { Platform } from '../service/endpoints';
import { type TransactionAnswer, readTransaction } from './answers';
import { notePlatform } from './transactionState';

/**
 * Retrieves a transaction with new links (docs/service/transactions.md#retrieve-a-transaction).
 * @param platform undefined where nothing says it: then real estate is asked, and business after it
 * @param impatient whether somebody waits for our own answer, see Call
 * @throws ServiceFailure when it isn't found or the answer has no ID
 */
export async function retrieveTransaction(
	service: ServiceClient,
	transactionId: string,
	platform?: Platform,
	impatient = false,
): Promise<TransactionAnswer> {
	const path = { transactionId };
	const call = { path, platform, impatient };
	const transaction = readTransaction(await service.json('getTransaction', call));
	if (transaction === undefined) throw unexpectedAnswer(200);
	notePlatform(transaction, platform ?? service.platformOf(path));
	return transaction;
}
