/**
 * Identifiers with and without their underscore: requests take both, answers mix them
 * (docs/service/README.md#identifiers).
 */

import type { Fields } from './world.mts';

const PREFIX = /^(ot|do|oc|or|me|us)_?(?=[^_])/;

/** Fields of bodies and queries that name an organization or a notary. */
const ID_FIELDS = ['organization_id', 'notary_id', 'title_agency_id', 'title_underwriter_id'];

/** `usabc` and `us_abc` become `us_abc`. */
export function withUnderscore(id: string): string {
	return id.replace(PREFIX, '$1_');
}

/** `or_abc` becomes `orabc`, as nested organizations have it. */
export function withoutUnderscore(id: string): string {
	return id.replace(PREFIX, '$1');
}

/** Parameters of a path, a query or a body with the stored form of their ids. */
export function withStoredIds<T extends Fields>(fields: T): T {
	const present = ID_FIELDS.filter((name) => typeof fields[name] === 'string');
	if (present.length === 0) return fields;
	return {
		...fields,
		...Object.fromEntries(present.map((name) => [name, withUnderscore(fields[name])])),
	};
}
