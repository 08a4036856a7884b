import type { IDataObject } from 'n8n-workflow';

import { toJurisdiction } from '../../transport/answers/shapes';
import { toList } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import { asText } from '../../values/json';
import { asBoolean } from '../../values/plainValues';

/* Recording jurisdictions of a property, and whether it can be closed online there. */

/**
 * Checks an address and returns its recording jurisdictions. A service answers with one object or
 * with an array (docs/service/closings.md#verify-an-address).
 * @param query transaction_type, and street_address by its parts
 * @throws ServiceFailure, also when the answer is neither
 */
export async function fetchJurisdictions(
	service: ServiceClient,
	query: IDataObject,
): Promise<IDataObject[]> {
	const answer = await service.json('verifyAddress', { query });
	const single = toJurisdiction(answer);
	return single !== undefined && JURISDICTION_FIELDS.some((name) => single[name] !== undefined)
		? [single]
		: toList('verifyAddress', answer, (text) => service.redact(text)).entries;
}

/** Fields of which a single answer has at least one. */
const JURISDICTION_FIELDS = ['id', 'supported', 'eligible', 'eligible_title_agencies'];

/**
 * Whether a property can be closed online in a jurisdiction. `eligible` says so. `supported` only
 * counts where that is missing: on a live service it means that the county records electronically
 * (docs/service/closings.md#supported-and-eligible).
 * @returns undefined when the service says neither
 */
export function canCloseOnline({ eligible, supported }: IDataObject): boolean | undefined {
	return asBoolean(eligible) ?? asBoolean(supported);
}

/**
 * How a jurisdiction records, in lower case, because services write `PAPER` and `paper`
 * (docs/service/closings.md#recording-locations).
 */
export function readRecordingType({ recording_type: type }: IDataObject): string | undefined {
	return asText(type)?.trim().toLowerCase();
}
