import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { TransactionAnswer } from '../../transport/answers/answers';
import { keptTransaction } from './keptLists';
import { type Connect, requiredParameter, currentPlatform } from './listHelpers';

/** Retrieves the transaction that is chosen in the form, for a list of what is in it. */
export async function chosenTransaction(
	context: ILoadOptionsFunctions,
	connect: Connect,
): Promise<TransactionAnswer> {
	const transactionId = requiredParameter(context, 'transactionId', 'Transaction');
	return await keptTransaction(await connect(), transactionId, currentPlatform(context));
}
