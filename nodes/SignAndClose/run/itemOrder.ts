import { normalizeId } from '../values/ids';
import type { Operation } from './operation';
import type { Params } from './parameters/params';
import { readOptionalFields } from './parameters/optionalFields';

/*
 * The order of an operation's writes. Those to one transaction come in input order, so that documents
 * keep theirs. Whatever has no transaction yet has no order, and reads have none: n8n takes no
 * expression for the operation, so that all items of a run read, or all write.
 */

/** Names what the writes of an item wait for: its transaction, or the reference that a person gave. */
export function findWriteLane(operation: Operation, params: Params): string | undefined {
	if (operation.resource === 'webhook') return operation.resource;
	// A lost create is found by the reference, so those of one don't overlap.
	const lane =
		params.getLocator('transactionId') ??
		params.getTextIn(readOptionalFields(params), 'external_id');
	return lane && normalizeId(lane);
}

/** By lane: when the last run that waits for its turn has had it. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Does something after all other runs of this process that have begun it in the lane before.
 * @throws the reason of the signal when the execution is canceled meanwhile; as the work
 */
export async function takeTurn<T>(
	lane: string,
	signal: AbortSignal | undefined,
	work: () => Promise<T>,
): Promise<T> {
	const turn = (turns.get(lane) ?? Promise.resolve()).then(async () => {
		signal?.throwIfAborted();
		return await work();
	});
	const end = turn.then(
		() => {},
		() => {},
	);
	turns.set(lane, end);
	try {
		return await turn;
	} finally {
		if (turns.get(lane) === end) turns.delete(lane);
	}
}
