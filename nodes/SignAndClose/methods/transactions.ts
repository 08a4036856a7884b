import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { TransactionAnswer } from '../service/answers';
import type { ServiceClient } from '../service/client';
import type { Platform } from '../service/endpoints';
import { readPage } from '../service/pagination';
import { documentsOf } from '../service/resources/documents';
import { signerName, signersOf } from '../service/resources/signers';
import { retrieveTransaction } from '../service/resources/transactions';
import { sameId } from '../service/values/ids';
import { asObject, asObjects, asText } from '../service/values/json';
import {
	currentPlatform,
	LIST_SIZE,
	matchesSearch,
	nameFrom,
	offered,
	requiredParameter,
	withReason,
	type Choice,
	type Connect,
} from './listHelpers';

/* Lists transactions, and documents and signers of the chosen transaction. */

/** How many entries one search reads at most. */
const MOST_SEARCHED = 500;
/** The place in the list at which a search begins. */
const FROM_START = '0';

/**
 * Lists recent transactions of the chosen platform
 * (docs/service/transactions.md#list-transactions). The search compares name, ID, loan and file
 * number, external ID and signers. A loan number is asked for at the service first, which finds
 * closings of any age.
 * @throws NodeOperationError with the remedy in its message
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
			const { entries } = await readTransactions(service, platform, {
				limit: LIST_SIZE,
				offset: 0,
				loan_number: text,
			});
			// Whoever scrolls on gets what else matches.
			if (entries.length > 0)
				return { results: offered(entries.map(toChoice), undefined), paginationToken: FROM_START };
		}
		const found: IDataObject[] = [];
		let offset: number | undefined = Number(paginationToken ?? FROM_START);
		const end = offset + MOST_SEARCHED;
		while (offset !== undefined && offset < end && found.length < LIST_SIZE) {
			const page: Awaited<ReturnType<typeof readTransactions>> = await readTransactions(
				service,
				platform,
				{ limit: text === '' ? LIST_SIZE : end - offset, offset },
			);
			found.push(
				...page.entries.filter((entry) => isWanted(entry, filter, service.settings.organizationId)),
			);
			offset = page.next;
		}
		return {
			results: offered(found.map(toChoice), undefined),
			paginationToken: offset === undefined ? undefined : String(offset),
		};
	});
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
function isWanted(
	entry: IDataObject,
	filter: string | undefined,
	organization: string | undefined,
): boolean {
	if (
		organization !== undefined &&
		asText(entry.organization_id) !== undefined &&
		!sameId(entry.organization_id, organization)
	)
		return false;
	const {
		transaction_name: name,
		id,
		loan_number: loan,
		file_number: file,
		external_id: external,
		signers,
	} = entry;
	return matchesSearch(
		filter,
		name,
		id,
		loan,
		file,
		external,
		...asObjects(signers).map(signerName),
	);
}

function toChoice(entry: IDataObject): Choice {
	const { email, last_name: last } = asObject(entry.signer_info);
	const name = nameFrom([
		asText(entry.transaction_name) ?? asText(last) ?? asText(email) ?? String(entry.id),
		asText(entry.detailed_status) ?? asText(entry.status),
	]);
	return { name, value: asText(entry.id) };
}

/**
 * Lists the documents of the chosen transaction.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchDocuments(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const documents = documentsOf(await chosenTransaction(this, connect));
		const choices = documents.map(({ id, document_name: name, requirement }) => ({
			name: nameFrom([asText(name) ?? String(id), asText(requirement)]),
			value: asText(id),
		}));
		return { results: offered(choices, filter) };
	});
}

/**
 * Lists the signers of the chosen transaction.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchSigners(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const choices = signersOf(await chosenTransaction(this, connect)).map((signer) => ({
			name: signerName(signer),
			value: asText(signer.signer_id) ?? asText(signer.external_id) ?? asText(signer.email),
		}));
		return { results: offered(choices, filter) };
	});
}

/**
 * Lists who can complete a designation: signers with an external ID, the notary, witnesses
 * (docs/service/documents.md#signer-identifier).
 * @throws NodeOperationError with the remedy in its message
 */
export async function getSigners(
	this: ILoadOptionsFunctions,
): Promise<Array<{ name: string; value: string; description?: string }>> {
	return await withReason(this, async (connect) => {
		const people = signersOf(await chosenTransaction(this, connect)).flatMap((signer) => {
			const id = asText(signer.external_id);
			return id === undefined ? [] : [{ name: signerName(signer), value: id, description: id }];
		});
		return [
			...people,
			{ name: 'Notary', value: 'notary' },
			{ name: 'Witness 1', value: 'witness1' },
			{ name: 'Witness 2', value: 'witness2' },
		];
	});
}

async function chosenTransaction(
	context: ILoadOptionsFunctions,
	connect: Connect,
): Promise<TransactionAnswer> {
	const transactionId = requiredParameter(context, 'transactionId', 'Transaction');
	return await retrieveTransaction(await connect(), transactionId, currentPlatform(context));
}
