import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { describeState } from '../../../messages/transactionTexts';
import type { ServiceClient } from '../../../transport/client';
import type { Platform } from '../../../transport/service/endpoints';
import { asText, withoutEmpty } from '../../../values/json';
import { isOwnReference } from '../../../values/reference';
import {
	readPlatform,
	joinNameParts,
	fetchListPart,
	withReason,
	type DropdownEntry,
	type DropdownList,
} from '../../../form/dropdowns';
import { formatPersonName } from '../../../form/output';
import { formatSignerName } from '../../signer/api';
import { listAddresses, listPeople } from '../../signer/people';
import { buildOrganizationFilter } from './conditions';

/* Lists transactions to choose from, and searches them. */

/**
 * Lists recent transactions of the chosen platform
 * (docs/service/transactions.md#list-transactions). The search compares name, ID, loan and file
 * number, external ID and signers.
 * @throws NodeOperationError with the remedy in its message, also when nothing was found and there is
 *   more than one search compares: an empty list would mean that there is nothing
 */
export async function searchTransactions(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const service = await connect();
		const text = filter?.trim() ?? '';
		const list = buildTransactionList(service, readPlatform(this));
		const { comparedCount, ...page } = await fetchListPart(service, list, text, paginationToken);
		const hasMore = page.paginationToken !== undefined;
		if (paginationToken === undefined && text !== '' && page.results.length === 0 && hasMore)
			throw new InputFailure(
				'Transaction',
				`has no match for '${text}' in the newest ${comparedCount.toLocaleString('en-US')} transactions`,
				"Choose 'By ID' for an older one, or find it with 'Transaction: Get Many'",
			);
		return page;
	});
}

/**
 * The transactions of a platform that belong to the credential's organization. The business list has
 * no filter for it (docs/service/transactions.md#filters-of-the-list).
 */
function buildTransactionList(service: ServiceClient, platform: Platform): DropdownList {
	const { organizationId } = service.settings;
	const isOurs =
		organizationId === undefined ? () => true : buildOrganizationFilter(organizationId);
	const query = platform === 'realEstate' ? withoutEmpty({ organization_id: organizationId }) : {};
	return {
		name: 'listTransactions',
		call: { platform, query },
		toChoice: (entry) => (isOurs(entry) === false ? undefined : toChoice(entry)),
	};
}

/**
 * What tells a transaction from others: name, state, number, first signer, day of its creation. The end
 * of a long one isn't visible.
 */
function toChoice(entry: IDataObject): DropdownEntry {
	const signers = listPeople(entry) ?? [];
	const [signer] = signers.map((first) => formatPersonName(first) ?? listAddresses(first)[0]);
	const name = asText(entry.transaction_name);
	const { id, loan_number: loan, file_number: file, external_id: external } = entry;
	const reference = isOwnReference(external) ? undefined : asText(external);
	const people = signers.flatMap((person) => [formatSignerName(person), ...listAddresses(person)]);
	return {
		name: joinNameParts([
			name ?? signer ?? String(id),
			describeState(entry),
			asText(loan) ?? asText(file) ?? reference,
			name === undefined ? undefined : signer,
			asText(entry.date_created)?.slice(0, 10),
		]),
		value: asText(id),
		texts: [name, id, loan, file, external, ...people],
	};
}
