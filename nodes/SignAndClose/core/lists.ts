import { NodeOperationError, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';

import { createService } from '../service/client';
import type { Platform } from '../service/endpoints';
import { retrieveTransaction } from '../service/transactions';
import { asObject, asObjects, asText } from '../service/wire';
import { toNodeError } from './nodeError';

/** Entries a list shows before "load more". */
const PAGE_SIZE = 50;

/** A list that can't be loaded says why instead of being empty. */
async function explained(context: ILoadOptionsFunctions, load: () => Promise<INodeListSearchResult>): Promise<INodeListSearchResult> {
	try {
		return await load();
	} catch (thrown) {
		const explanation = toNodeError(context.getNode(), thrown, undefined, []);
		// The editor shows the message alone, so that the remedy has to be in it.
		throw new NodeOperationError(context.getNode(), [explanation.message, explanation.description].filter((text) => text).join('. '));
	}
}

/** Recent transactions of the chosen platform (gaps.md §1, List transactions), searched by name, id, loan or file number. */
export async function searchTransactions(this: ILoadOptionsFunctions, filter?: string, paginationToken?: string): Promise<INodeListSearchResult> {
	return await explained(this, async () => {
		const service = await createService(this);
		const offset = Number(paginationToken ?? 0);
		const organization = service.settings.organizationId;
		const answer = asObject(
			await service.json('listTransactions', {
				platform: currentPlatform(this),
				query: { limit: PAGE_SIZE, offset, ...(organization && currentPlatform(this) === 'realEstate' && { organization_id: organization }) },
			}),
		);
		const page = asObjects(answer.data);
		const wanted = filter?.trim().toLowerCase() ?? '';
		const results = page
			.filter((entry) => [entry.transaction_name, entry.id, entry.loan_number, entry.file_number].some((text) => String(text ?? '').toLowerCase().includes(wanted)))
			.map((entry) => ({ name: [asText(entry.transaction_name) ?? String(entry.id), asText(entry.detailed_status) ?? asText(entry.status)].filter(Boolean).join(' · '), value: String(entry.id) }));
		const more = page.length === PAGE_SIZE && offset + page.length < Number(answer.total_count ?? Number.POSITIVE_INFINITY);
		return { results, paginationToken: more ? String(offset + PAGE_SIZE) : undefined };
	});
}

/** The documents of the transaction that is chosen above. */
export async function searchDocuments(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return await explained(this, async () => {
		const transactionId = String(this.getCurrentNodeParameter('transactionId', { extractValue: true }) ?? '').trim();
		if (transactionId === '' || transactionId.startsWith('=')) {
			throw new NodeOperationError(this.getNode(), "Choose a 'Transaction' first; when it is an expression, enter the document's ID", {
				description: 'The list shows the documents of one transaction',
			});
		}
		const service = await createService(this);
		const transaction = await retrieveTransaction(service, transactionId, currentPlatform(this));
		const wanted = filter?.trim().toLowerCase() ?? '';
		const results = asObjects(transaction.documents)
			.map(({ id, document_name: name }) => ({ name: asText(name) ?? String(id), value: String(id) }))
			.filter(({ name }) => name.toLowerCase().includes(wanted));
		return { results };
	});
}

function currentPlatform(context: ILoadOptionsFunctions): Platform {
	return context.getCurrentNodeParameter('platform') === 'business' ? 'business' : 'realEstate';
}
