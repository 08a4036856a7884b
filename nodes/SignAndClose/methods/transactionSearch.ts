import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { InputFailure } from '../core/explainedFailure';
import { stateInWords } from '../core/remedies/stateWords';
import type { ServiceClient } from '../service/client';
import type { Platform } from '../service/endpoints';
import { pageSizeOf, readPage } from '../service/pagination';
import { signerName } from '../service/resources/signers';
import {
	addressesOf,
	ofOrganization,
	orUnknown,
	peopleOf,
} from '../service/resources/transactionList/filters';
import { asText } from '../service/values/json';
import { isOwnReference } from '../service/values/reference';
import {
	currentPlatform,
	LIST_SIZE,
	matchesSearch,
	nameFrom,
	offered,
	withReason,
	type Choice,
} from './listHelpers';

/* Lists transactions to choose from, and searches them. */

/** How many entries a search compares before it shows what it has found. */
const SEARCHED_FIRST = 500;
/** How many entries it compares at most, as long as it finds nothing. */
const MOST_SEARCHED = 5_000;
/** The place in the list at which a search begins. */
const FROM_START = '0';

/**
 * Lists recent transactions of the chosen platform
 * (docs/service/transactions.md#list-transactions). The search compares name, ID, loan and file
 * number, external ID and signers. A loan number is asked for at the service first, which finds
 * closings of any age; the service can't filter by the others.
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
		const platform = currentPlatform(this);
		const text = filter?.trim() ?? '';
		if (paginationToken === undefined && platform === 'realEstate' && /\d/.test(text)) {
			const closings = await closingsOfLoan(service, text);
			// Whoever scrolls on gets what else matches.
			if (closings.length > 0)
				return {
					results: offered(closings.map(toChoice), undefined),
					paginationToken: FROM_START,
				};
		}
		const start = Number(paginationToken ?? FROM_START);
		const { found, next } = await search(service, platform, text, start);
		if (paginationToken === undefined && text !== '' && found.length === 0 && next !== undefined)
			throw new InputFailure(
				'Transaction',
				`has no match for '${text}' in the newest ${next.toLocaleString('en-US')} transactions`,
				"Choose 'By ID' for an older one, or find it with 'Transaction: Get Many'",
			);
		return {
			results: offered(found.map(toChoice), undefined, start > 0),
			paginationToken: next === undefined ? undefined : String(next),
		};
	});
}

/** The closings that the service finds by this loan number. */
async function closingsOfLoan(service: ServiceClient, loan: string): Promise<IDataObject[]> {
	const page = { limit: LIST_SIZE, offset: 0, loan_number: loan };
	const { entries } = await readTransactions(service, 'realEstate', page);
	// A service that doesn't know the filter gives all.
	return entries.filter(({ loan_number: own }) => matchesSearch(loan, own));
}

/** Reads the list from a place on, until there is enough to show. */
async function search(
	service: ServiceClient,
	platform: Platform,
	text: string,
	start: number,
): Promise<{ found: IDataObject[]; next?: number }> {
	const found: IDataObject[] = [];
	let next: number | undefined = start;
	const isEnough = (read: number) =>
		found.length >= LIST_SIZE ||
		(read >= SEARCHED_FIRST && found.length > 0) ||
		read >= (text === '' ? SEARCHED_FIRST : MOST_SEARCHED);
	while (next !== undefined && !isEnough(next - start)) {
		const read: number = next - start;
		const limit =
			text === ''
				? LIST_SIZE
				: read < SEARCHED_FIRST
					? SEARCHED_FIRST - read
					: Math.min(MOST_SEARCHED - read, pageSizeOf('listTransactions', service.limits.pageSize));
		const page: Awaited<ReturnType<typeof readTransactions>> = await readTransactions(
			service,
			platform,
			{ limit, offset: next },
		);
		const { organizationId } = service.settings;
		found.push(...page.entries.filter((entry) => isWanted(entry, text, organizationId)));
		next = page.next;
	}
	return { found, next };
}

async function readTransactions(
	service: ServiceClient,
	platform: Platform,
	{ limit, offset, ...more }: { limit: number; offset: number; loan_number?: string },
): Promise<{ entries: IDataObject[]; next?: number }> {
	const organization =
		platform === 'realEstate' && service.settings.organizationId
			? { organization_id: service.settings.organizationId }
			: {};
	return await readPage(service, 'listTransactions', {
		platform,
		limit,
		offset,
		query: { ...organization, ...more },
	});
}

/**
 * Whether an entry belongs to the organization and matches the search. The business list has no
 * filter by organization (docs/service/transactions.md#filters-of-the-list).
 */
function isWanted(entry: IDataObject, text: string, organization: string | undefined): boolean {
	if (organization !== undefined && orUnknown(ofOrganization(organization))(entry) === false)
		return false;
	const {
		transaction_name: name,
		id,
		loan_number: loan,
		file_number: file,
		external_id: external,
	} = entry;
	const people = (peopleOf(entry) ?? []).flatMap((person) => [
		signerName(person),
		...addressesOf(person),
	]);
	return matchesSearch(text, name, id, loan, file, external, ...people);
}

/** What tells a transaction from others: name, number, first signer, day of its creation, state. */
function toChoice(entry: IDataObject): Choice {
	const signer = signerIn(entry);
	const name = asText(entry.transaction_name);
	const reference = entry.external_id;
	const external = isOwnReference(reference) ? undefined : asText(reference);
	return {
		name: nameFrom([
			name ?? signer ?? String(entry.id),
			asText(entry.loan_number) ?? asText(entry.file_number) ?? external,
			name === undefined ? undefined : signer,
			asText(entry.date_created)?.slice(0, 10),
			stateInWords(entry),
		]),
		value: asText(entry.id),
	};
}

/** The first signer: the name, or else the address. */
function signerIn(entry: IDataObject): string | undefined {
	const [first] = peopleOf(entry) ?? [];
	if (first === undefined) return undefined;
	const { first_name: given, last_name: last } = first;
	const name = [asText(given), asText(last)].filter((part) => part !== undefined).join(' ');
	return name !== '' ? name : addressesOf(first)[0];
}
