import type { IDataObject } from 'n8n-workflow';

import { sentFor } from '../whereToSign';
import type { Rule } from './rules';

/* What a rule wants of a document that's there. */

/** What an update sets at every service (docs/service/documents.md#update-a-document). */
const UPDATED = new Set([
	'requirement',
	'customer_can_annotate',
	'identity_confirmation_required',
	'notarization_required',
	'witness_required',
]);

/**
 * Divides what a rule sets, but for the position, which is the transaction's.
 * @returns the fields of an update, and the names of those that only a new document takes at some services
 */
export function wantedBy({ fields, where }: Rule): { changes: IDataObject; ofNew: string[] } {
	const all = Object.entries({ ...sentFor(where.choice), ...fields }).filter(
		([name]) => name !== 'bundle_position',
	);
	return {
		changes: Object.fromEntries(all.filter(([name]) => UPDATED.has(name))),
		ofNew: [
			...all.map(([name]) => name).filter((name) => !UPDATED.has(name)),
			...(where.isPlaced ? ['signing_designations'] : []),
		],
	};
}

/**
 * What a reference says of what a rule wants (values/reference.ts): the places as the row has them, so
 * that no file has to be read for it.
 * @param idOf gives the external ID that a signer of the rule has in the transaction
 */
export function wishOfRule(
	{ where, fields, params }: Rule,
	idOf: (id: string) => string | undefined = (id) => id,
): IDataObject {
	const places = where.places.map(({ signer_identifier: id, ...place }) => ({
		...place,
		signer_identifier: idOf(String(id).trim()) ?? id,
	}));
	return {
		...sentFor(where.choice),
		...fields,
		...(places.length > 0 && {
			signing_designations: [...places, { how: where.choice, ...params.object('placeOptions') }],
		}),
	};
}
