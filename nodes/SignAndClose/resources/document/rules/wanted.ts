import type { IDataObject } from 'n8n-workflow';

import { asObjects } from '../../../values/json';
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

/** What becomes of a document. */
export interface Wanted {
	/** Fields of an update. */
	changes: IDataObject;
	/** Fields that only a new document takes at some services. */
	ofNew: string[];
}

/** Divides what a rule sets, but for the position, which is the transaction's. */
export function wantedBy({ fields, where }: Rule): Wanted {
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

/** The places of a rule as its row has them, and how they're measured. */
const PLACES: Record<string, (rule: Rule) => IDataObject[]> = {
	rows: ({ params }) => params.rows('designations'),
	text: ({ params }) => params.rows('texts'),
	json: ({ params }) => asObjects(params.json('designationsJson')),
};

/**
 * What a reference says of what a rule wants (values/reference.ts): the places as the row has them, so
 * that no file has to be read for it.
 * @param idOf gives the external ID that a signer of the rule has in the transaction
 */
export function wishOfRule(
	rule: Rule,
	idOf: (id: string) => string | undefined = (id) => id,
): IDataObject {
	const { where, fields, params } = rule;
	const places = where.isPlaced ? (PLACES[where.choice]?.(rule) ?? []) : [];
	const own = places.map(({ signer_identifier: id, ...place }) => ({
		...place,
		signer_identifier: idOf(String(id).trim()) ?? id,
	}));
	return {
		...sentFor(where.choice),
		...fields,
		...(own.length > 0 && {
			signing_designations: [...own, { how: where.choice, ...params.object('placeOptions') }],
		}),
	};
}
