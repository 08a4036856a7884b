import type { INodeProperties } from 'n8n-workflow';

import type { OperationCall } from '../../../run/operation';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isDraft, phaseOf, wrongState } from '../../../transport/answers/transactionState';
import { parsePlatform } from '../../shared/commonFields';
import { flag } from '../../shared/fields';

/*
 * What takes a transaction from its signers has to be meant: a switch says so. Without it, only what does no harm is done.
 */

/** Builds the switch. */
export function evenIfSent(displayName: string, description: string): INodeProperties {
	return flag(displayName, 'evenIfSent', description);
}

/**
 * Makes sure that the state of the transaction is the one that the form is filled in for. With the
 * switch, the service is asked nothing: it refuses what can't be done.
 * @param step what is done: a deletion of a draft needs no switch, a recall is never of a draft
 * @throws InputFailure when the switch can't be read
 * @throws ServiceFailure `wrongState` when the switch is needed, or nothing can be recalled
 */
export async function requireMeant(
	{ service, params }: OperationCall,
	step: 'delete' | 'recall',
): Promise<void> {
	if (params.boolean('evenIfSent')) return;
	const transactionId = params.requiredLocator('transactionId');
	const transaction = await retrieveTransaction(service, transactionId, parsePlatform(params));
	if (step === 'delete' && isDraft(transaction)) return;
	const phase = phaseOf(transaction);
	const isRecallable = step === 'delete' || phase === 'sent' || phase === undefined;
	throw wrongState(isRecallable ? 'unconfirmed' : 'recall', transaction);
}
