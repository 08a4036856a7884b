import type { IDataObject } from 'n8n-workflow';

import { asError, refusesField } from '../../transport/failure/failure';

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
