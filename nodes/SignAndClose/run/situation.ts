import type { Situation } from '../messages/situation';
import { stateInWords, stateRefusalIn } from '../messages/states';
import { retrieveTransaction } from '../transport/answers/retrieveTransaction';
import { phaseOf } from '../transport/answers/transactionState';
import { findFailure, ServiceFailure } from '../transport/failure/failure';
import type { Operation, OperationCall } from './operation';

/**
 * Says what is known of an item that failed. If a write was refused because of the state of its
 * transaction, that is retrieved, so that the remedy fits it. If it can't be, the remedy is more
 * general.
 */
export async function situationOf(
	thrown: unknown,
	{ resource, value, properties, kind }: Operation,
	{ service, params }: Pick<OperationCall, 'service' | 'params'>,
): Promise<Situation> {
	const situation: Situation = { operation: `${resource}/${value}`, properties };
	if (kind === 'read' || !isAboutState(thrown)) return situation;
	try {
		const transactionId = params.requiredLocator('transactionId');
		const platform = params.choice('platform') === 'business' ? 'business' : 'realEstate';
		const shown = await retrieveTransaction(service, transactionId, platform, true);
		return { ...situation, state: { phase: phaseOf(shown), words: stateInWords(shown) } };
	} catch {
		return situation;
	}
}

function isAboutState(thrown: unknown): boolean {
	const failure = findFailure(thrown);
	if (!(failure instanceof ServiceFailure)) return false;
	const { reason } = failure;
	if (reason.code === 'correctionInterrupted') return isAboutState(reason.cause);
	return reason.code === 'refused' && stateRefusalIn(reason.said) !== undefined;
}
