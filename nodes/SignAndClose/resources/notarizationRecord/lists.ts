import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asObject, asText } from '../../values/json';
import { nameFrom, partOf, type ShownList, withReason } from '../shared/lists';

/**
 * Lists the notarization records, page by page, by day, signer and notary.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchRecords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await withReason(
		this,
		async (connect) => await partOf(await connect(), RECORDS, filter, paginationToken),
	);
}

const RECORDS: ShownList = {
	name: 'listRecords',
	toChoice: ({ id, meeting_start: start, notary_name: notary, signer_info: info }) => {
		const { first_name: first, last_name: last, email } = asObject(info);
		const signer =
			[asText(first), asText(last)].filter((part) => part !== undefined).join(' ') || asText(email);
		const value = asText(id);
		return {
			name: nameFrom([asText(start)?.slice(0, 10), signer, asText(notary)], value),
			value,
		};
	},
};
