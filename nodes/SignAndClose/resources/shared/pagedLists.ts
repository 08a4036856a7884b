import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';

import { fetchList, type ListName } from '../../transport/answers/lists';
import { walkPages } from '../../transport/answers/pages';
import type { Call, ServiceClient } from '../../transport/client';
import { asText } from '../../values/json';
import { keptLists } from './keptLists';
import { matches, offered, type Choice } from './listHelpers';

/* Lists that the editor shows part by part. */

/** How many entries a list shows before "load more". */
export const LIST_SIZE = 50;
/** How many entries a search compares before it shows what it has found. */
const SEARCHED_FIRST = 500;
/** How many entries it compares at most, as long as it finds nothing. */
const MOST_SEARCHED = 5_000;

/** A list of the service, and how its entries are shown. */
export interface ShownList {
	name: ListName;
	call?: Call;
	/** How an entry is shown; nothing when it isn't. */
	toChoice: (entry: IDataObject) => Choice | undefined;
}

/**
 * Reads the next part of a list: enough for the editor to show. It walks the list from its start each
 * time, over what was kept of it, and goes on behind the last entry that was shown before. So nothing
 * is missing, even if others have joined or left the list since.
 * @param filter what the entries are searched for
 * @param token the last entry of the part before; should it have left the list, all come again
 * @returns `compared` is how many entries it has looked at
 * @throws ServiceFailure
 */
export async function partOf(
	service: ServiceClient,
	list: ShownList,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult & { compared: number }> {
	const seen: Choice[] = [];
	let [found, compared, last] = [0, 0, ''];
	let isBehind = token === undefined;
	for await (const entries of walkPages(pageReader(service, list), service.limits.pageSize)) {
		for (const { id, choice } of entries as unknown as KeptEntry[]) {
			if (isBehind && isEnough(found, compared) && last !== '')
				return {
					results: offered(seen, filter, token !== undefined),
					paginationToken: last,
					compared,
				};
			last = id ?? '';
			if (isBehind) {
				compared++;
				if (choice !== undefined) seen.push(choice);
				if (choice !== undefined && matches(choice, filter)) found++;
			}
			isBehind ||= last === token;
		}
	}
	return isBehind
		? { results: offered(seen, filter, token !== undefined), compared }
		: await partOf(service, list, filter);
}

function isEnough(found: number, compared: number): boolean {
	return (
		found >= LIST_SIZE || (compared >= SEARCHED_FIRST && found > 0) || compared >= MOST_SEARCHED
	);
}

/** What is kept of an entry: whole ones would take much memory. */
interface KeptEntry {
	/** By which the walk recognizes it. */
	id?: string;
	choice?: Choice;
}

function pageReader(service: ServiceClient, { name, call = {}, toChoice }: ShownList) {
	return async (limit: number, offset: number) =>
		await keptLists.read(service, [name, call, limit, offset], async () => {
			const query = { ...call.query, limit, offset };
			const { entries, ...page } = await fetchList(service, name, { ...call, query });
			const kept = entries.map((entry): KeptEntry => ({
				id: asText(entry.id),
				choice: toChoice(entry),
			}));
			return { ...page, entries: kept as unknown as IDataObject[] };
		});
}
