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
