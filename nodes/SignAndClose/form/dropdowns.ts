import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import { joinSentences } from '../values/words';
import { toNodeError } from '../messages/nodeError';
import type { TransactionAnswer } from '../transport/answers/shapes';
import { fetchList, type ListName } from '../transport/answers/lists';
import { streamPages } from '../transport/answers/pages';
import { retrieveTransaction } from '../transport/answers/transaction';
import { createService, type Call, type ServiceClient } from '../transport/client';
import { asError } from '../transport/failure/failure';
import { readIdInLink } from '../transport/service/linkIds';
import type { Platform } from '../transport/service/endpoints';
import { LIST_SIZES } from '../transport/service/limits';
import { asText } from '../values/json';
import { NewestMap } from '../values/newestMap';

/* What all lists of the editor have in common. */

/** How long an answer is kept, in milliseconds, from when it was asked for. */
const CACHE_MS = 30_000;

/** Connects to the service of the node's credential. */
export type Connect = () => Promise<ServiceClient>;

/**
 * Loads a list, without secrets in it, because n8n stores the name of what is chosen. A list that
 * can't be loaded says why instead of being empty.
 * @throws NodeOperationError with the remedy in its message, because the editor shows nothing else
 */
export async function withReason<T>(
	context: ILoadOptionsFunctions,
	load: (connect: Connect) => Promise<T>,
): Promise<T> {
	let service: Promise<ServiceClient> | undefined;
	try {
		const list = await load(async () => await (service ??= createService(context)));
		return service === undefined ? list : (await service).hide(list);
	} catch (thrown) {
		const { message, description } = toNodeError(context.getNode(), thrown, undefined, []);
		const text = joinSentences(message, description);
		// n8n replaces the whole message by its own when it finds the code of a network fault in it.
		throw new NodeOperationError(context.getNode(), text.replace(/ \([A-Z_]{3,40}\)/g, ''));
	}
}

/**
 * Another parameter of the node; undefined when it is empty or an expression without data, which is an
 * object while the node before runs.
 */
export function readParameter(context: ILoadOptionsFunctions, name: string): string | undefined {
	const value = context.getCurrentNodeParameter(name, { extractValue: true });
	const text = typeof value === 'object' ? '' : String(value ?? '').trim();
	return text === '' || text.startsWith('=') ? undefined : (readIdInLink(name, text) ?? text);
}

/**
 * A parameter that the list can't do without.
 * @throws InputFailure that says whether it is empty or an expression without data
 */
export function requireParameter(
	context: ILoadOptionsFunctions,
	name: string,
	label: string,
): string {
	const value = readParameter(context, name);
	if (value !== undefined) return value;
	if (context.getCurrentNodeParameter(name, { extractValue: true }) === '')
		throw new InputFailure(label, 'is empty', `Fill in '${label}' first: the list depends on it`);
	throw new InputFailure(
		label,
		'uses an expression that has no data yet',
		"Execute the nodes before this one, then use 'Refresh List' in the menu beside the label of this list. Or choose 'By ID' or 'Expression' for this field, and enter the ID yourself",
	);
}

/** The platform that is chosen in the node. Operations without the choice work on real estate. */
export const readPlatform = (context: ILoadOptionsFunctions): Platform =>
	context.getCurrentNodeParameter('platform') === 'business' ? 'business' : 'realEstate';

/**
 * Retrieves the transaction that is chosen in the form, for a list of what is in it, or gives what was
 * kept of it.
 * @throws InputFailure when none is chosen
 * @throws ServiceFailure
 */
export async function fetchChosenTransaction(
	context: ILoadOptionsFunctions,
	connect: Connect,
	platform = readPlatform(context),
): Promise<TransactionAnswer> {
	const transactionId = requireParameter(context, 'transactionId', 'Transaction');
	const service = await connect();
	return await readCached(
		service,
		['transaction', transactionId, platform],
		async () => await retrieveTransaction(service, transactionId, platform),
	);
}

/** An entry of a list before it is offered. Without an ID, there is nothing that could be chosen. */
export interface DropdownEntry {
	name: string;
	value: string | undefined;
	/** Texts by which the search finds it; name and value when nothing else is said. */
	texts?: unknown[];
}

/**
 * Returns the entries that can be chosen and that match the search. Entries of the same name are told
 * apart by their values.
 * @param isLaterPage whether other entries are shown above these, which aren't known here
 */
export function buildSearchResults(
	choices: readonly DropdownEntry[],
	filter: string | undefined,
	isLaterPage = false,
): INodeListSearchItems[] {
	const selectable = choices.filter(({ value }) => value !== undefined);
	const values = new Map<string, string | undefined>();
	for (const { name, value } of selectable)
		values.set(name, values.has(name) && values.get(name) !== value ? undefined : value);
	const isUnique = (name: string) => !isLaterPage && values.get(name) !== undefined;
	return selectable
		.filter((choice) => matchesFilter(choice, filter))
		.map(({ name, value = '' }) => ({
			name: isUnique(name) || name === value ? name : joinNameParts([name, value]),
			value,
		}));
}

/**
 * The list method of a field whose choices are shown at once.
 * @param find gives the choices
 * @returns a method that throws NodeOperationError with the remedy in its message
 */
export const defineSearch = (
	find: (context: ILoadOptionsFunctions, connect: Connect) => Promise<DropdownEntry[]>,
) =>
	async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return await withReason(this, async (connect) => ({
			results: buildSearchResults(await find(this, connect), filter),
		}));
	};

/** Whether any text of an entry contains what the person typed into the search field. */
function matchesFilter(
	{ name, value, texts = [name, value] }: DropdownEntry,
	filter = '',
): boolean {
	const searchText = filter.trim().toLowerCase();
	if (searchText === '') return true;
	return texts.some((text) => asText(text)?.toLowerCase().includes(searchText) === true);
}

/** Puts the parts of a name together that are there; `otherwise` when none is. */
export const joinNameParts = (parts: Array<string | undefined>, otherwise = ''): string =>
	parts.filter((part) => part !== undefined).join(' · ') || otherwise;

/** A list of the service, and how its entries are shown. */
export interface DropdownList {
	name: ListName;
	call?: Call;
	/** How an entry is shown; nothing when it isn't. */
	toChoice: (entry: IDataObject) => DropdownEntry | undefined;
}

/**
 * Retrieves the next part of a list: enough for the editor to show. It walks the list from its start
 * each time, over what was kept of it.
 * @param filter what the entries are searched for
 * @param token how many entries the parts before have compared
 * @returns `compared` is how many entries it has compared
 * @throws ServiceFailure
 */
export async function fetchListPart(
	service: ServiceClient,
	list: DropdownList,
	filter?: string,
	token = '0',
): Promise<INodeListSearchResult & { comparedCount: number }> {
	const seen: DropdownEntry[] = [];
	let [position, matchCount] = [-Number(token), 0];
	const buildResults = () => buildSearchResults(seen, filter, token !== '0');
	for await (const entries of streamPages(
		createPageReader(service, list),
		service.limits.pageSize,
	)) {
		for (const { choice } of entries as unknown as CachedEntry[]) {
			if (isEnough(matchCount, position))
				return {
					results: buildResults(),
					paginationToken: String(Number(token) + position),
					comparedCount: position,
				};
			position++;
			if (position <= 0 || choice === undefined) continue;
			seen.push(choice);
			if (matchesFilter(choice, filter)) matchCount++;
		}
	}
	return { results: buildResults(), comparedCount: position };
}

const isEnough = (matchCount: number, position: number) =>
	matchCount >= LIST_SIZES.shownInEditor ||
	(position >= LIST_SIZES.searchedFirst && matchCount > 0) ||
	position >= LIST_SIZES.searched;

/** What is kept of an entry: whole ones would take much memory. */
interface CachedEntry {
	/** By which the walk recognizes it. */
	id?: string;
	choice?: DropdownEntry;
}

function createPageReader(service: ServiceClient, { name, call = {}, toChoice }: DropdownList) {
	return async (limit: number, offset: number) =>
		await readCached(service, [name, call, limit, offset], async () => {
			const query = { ...call.query, limit, offset };
			const { entries, ...page } = await fetchList(service, name, { ...call, query });
			const cachedEntries = entries.map((entry): CachedEntry => ({
				id: asText(entry.id),
				choice: toChoice(entry),
			}));
			return { ...page, entries: cachedEntries as unknown as IDataObject[] };
		});
}

/**
 * What the lists of the editor have read within the last 30 seconds. n8n asks for a list each time
 * that somebody opens it or types a letter, and several fields show the same one. State of this
 * process; docs/architecture.md lists all of it.
 */
export const cachedAnswers = new NewestMap<{ since: number; answer: Promise<unknown> }>(
	LIST_SIZES.keptAnswers,
);

/**
 * Retrieves something of the service, or gives what the same credential has read of it a moment ago.
 * @param keyParts tells it from everything else that is read with the credential
 * @param load must give no keys and no passwords
 * @throws what `read` throws. Nothing of it is kept
 */
export async function readCached<T>(
	service: ServiceClient,
	keyParts: unknown[],
	load: () => Promise<T>,
): Promise<T> {
	const { account, organizationId, prefixes } = service.settings;
	const key = JSON.stringify([account, organizationId, prefixes, ...keyParts]);
	const now = Date.now();
	for (const [oldKey, { since }] of cachedAnswers)
		if (now - since >= CACHE_MS) cachedAnswers.delete(oldKey);
	const cached = cachedAnswers.get(key) ?? { since: now, answer: load() };
	cachedAnswers.set(key, cached);
	try {
		return (await cached.answer) as T;
	} catch (thrown) {
		if (cachedAnswers.get(key) === cached) cachedAnswers.delete(key);
		throw asError(thrown);
	}
}

/**
 * The list method of a field whose choices are shown page by page.
 * @returns a method that throws NodeOperationError with the remedy in its message
 */
export function definePagedSearch(list: DropdownList) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		return await withReason(
			this,
			async (connect) => await fetchListPart(await connect(), list, filter, paginationToken),
		);
	};
}
