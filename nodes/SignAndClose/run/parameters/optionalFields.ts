import type { IDataObject } from 'n8n-workflow';

import type { Params } from './params';

/* The optional fields of an operation. Its form has them in one collection, or by subject in several. */

/** The collections that forms have, by their names. No field is in two of them. */
const COLLECTIONS = ['numbers', 'invitation', 'meeting', 'additionalFields'];

/**
 * Reads the optional fields, whichever collection they're in.
 * @throws InputFailure when one of the collections is no object
 */
export const readOptionalFields = (params: Params): IDataObject =>
	Object.assign({}, ...COLLECTIONS.map((name) => params.getObject(name))) as IDataObject;

/** The values of the collections for `withValues`, with these optional fields and no others. */
export const asOptionalFields = (fields: IDataObject): IDataObject => ({
	...Object.fromEntries(COLLECTIONS.map((name) => [name, {}])),
	additionalFields: fields,
});
