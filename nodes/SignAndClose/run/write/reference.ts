import type { IDataObject } from 'n8n-workflow';

import {
	asError,
	findFailure,
	saysTaken,
	takesNoField,
	withUnknownOutcome,
} from '../../transport/failure/failure';
import { asText } from '../../values/json';
import { isOwnReference, createReference } from '../../values/reference';
import { toMilliseconds } from '../../values/times';
import type { SendingMemory, Sending } from '../goals';

/*
 * Creates whose answer was lost are found by their reference: one of the node's own, which nothing
 * else has, or the one that a person gave, which others may have, too
 * (docs/service/errors.md#nothing-twice).
 */

/** The field of a request that holds the client's reference. */
type ReferenceField = 'external_id' | 'tracking_id';

/**
 * Sends a create with a reference of the node's own, where the person has given none. It's noted
 * before the request leaves. A service that doesn't take the field has made nothing, and gets the
 * request once more without it.
 * @param fields what is sent, without the reference
 * @param isWanted whether the person wants such a reference
 * @param own the reference, where what is created determines it
 * @param send sends the request with more fields, and returns the parsed answer
 * @throws ServiceFailure with `flags.unknownOutcome` when something has the reference, which may be
 *   the work of an earlier request
 */
export async function sendWithReference(
	memory: SendingMemory,
	field: ReferenceField,
	{
		fields,
		isWanted,
		ownReference,
	}: { fields: IDataObject; isWanted: boolean; ownReference?: string },
	send: (reference: IDataObject) => Promise<unknown>,
): Promise<unknown> {
	const earlier = memory.get();
	const isOwn = isWanted && asText(fields[field]) === undefined && earlier?.isRefused !== true;
	const reference = isOwn ? (earlier?.reference ?? ownReference ?? createReference()) : undefined;
	const sending: Sending = { ...earlier, at: earlier?.at ?? Date.now(), reference };
	memory.set(sending);
	try {
		return await send(reference === undefined ? {} : { [field]: reference });
	} catch (thrown) {
		const isFirst = reference === undefined && earlier === undefined;
		if (!isFirst && saysTaken(thrown, field)) throw withUnknownOutcome(findFailure(thrown)!);
		if (reference === undefined || !takesNoField(thrown, field)) throw asError(thrown);
		// An earlier request may have been taken all the same.
		if (earlier !== undefined) throw withUnknownOutcome(findFailure(thrown)!);
		memory.set({ at: sending.at, isRefused: true });
		return await send({});
	}
}

/**
 * Whether a value shows that the service answers such references: one that a person gave, or one
 * of the node's own.
 */
export function isAlike(value: unknown, ownReference: string | undefined): boolean {
	return ownReference === undefined ? asText(value) !== undefined : isOwnReference(value);
}

/** How much the clocks may differ where more than the reference has to fit, in milliseconds. */
const CLOCK_MARGIN_MS = 60_000;

/** Whether an entry was made since a request left, as far as the clocks agree. */
export function isMadeSince(at: number, entry: IDataObject): boolean {
	const createdAt = toMilliseconds(entry.date_created);
	return createdAt !== undefined && createdAt >= at - CLOCK_MARGIN_MS;
}
