import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { inOneText } from '../messages/nodeError';
import type { OperationResult } from './operation';

export type ItemError = NodeApiError | NodeOperationError;

/** What became of an item. */
export type ItemOutcome = { results: OperationResult[] } | { error: ItemError };

/**
 * Renames a field `error` that came from the service. n8n takes an item that has one for a failed
 * item and, with "Retry On Fail", runs the whole node again.
 */
function withoutError({ error, ...json }: IDataObject): IDataObject {
	return error === undefined ? json : { ...json, service_error: error };
}

/** The items that n8n gets for one item of the input. */
export function toItems(outcome: ItemOutcome, index: number): INodeExecutionData[] {
	const pairedItem = { item: index };
	if ('results' in outcome)
		return outcome.results.map(({ json, binary }) => ({
			json: withoutError(json),
			...(binary && { binary }),
			pairedItem,
		}));
	const { error } = outcome;
	return [{ json: { error: inOneText(error) }, pairedItem }];
}
