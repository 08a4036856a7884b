import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ExplainedFailure } from '../core/explainedFailure';
import { groupedOptions, knownGroupedOptions } from '../fields/shared/eventGroups';
import { eventOptions, offeredOptions } from '../fields/shared/eventOptions';
import type { ServiceClient } from '../service/client';
import { asError, isNotFound, saysNotFound } from '../service/errors/failure';
import type { ListName } from '../service/lists';
import { readPage } from '../service/pagination';
import { listEligibleNotaries, listNotaries } from '../service/resources/notaries';
import { listEventTypes, listWebhooks } from '../service/resources/webhooks';
import { asObject, asText } from '../service/values/json';
import {
	chosenParameter,
	currentPlatform,
	LIST_SIZE,
	nameFrom,
	offered,
	withReason,
	type Choice,
} from './listHelpers';

/* Lists webhooks, notarization records, templates, notaries and events. */

/**
 * Lists the webhooks, by URL.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const webhooks = await listWebhooks(await connect());
		const choices = webhooks.map(({ id, url, subscriptions }) => {
			const events = Array.isArray(subscriptions)
				? ` · ${subscriptions.length === 1 ? String(subscriptions[0]) : `${subscriptions.length} events`}`
				: '';
			// The query of the URL may hold a secret.
			return {
				name: `${asText(url)?.split('?')[0] ?? String(id)}${events}`,
				value: asText(id),
			};
		});
		return { results: offered(choices, filter) };
	});
}

/**
 * Lists the notarization records, page by page, by day, signer and notary.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchRecords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const toItem = (record: IDataObject) => {
			const { first_name: first, last_name: last, email } = asObject(record.signer_info);
			const signer =
				[asText(first), asText(last)].filter((part) => part !== undefined).join(' ') ||
				asText(email);
			const day = asText(record.meeting_start)?.slice(0, 10);
			const id = asText(record.id);
			return { name: nameFrom([day, signer, asText(record.notary_name)], id), value: id };
		};
		return await page(await connect(), 'listRecords', toItem, filter, paginationToken);
	});
}

/**
 * Lists the templates, page by page. Their value is the permalink, because that is what `resource`
 * of a document takes (docs/service/documents.md#templates).
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const toItem = ({ id, name, permalink }: IDataObject) => ({
			name: asText(name) ?? String(id),
			value: asText(permalink) ?? asText(id),
			alias: id,
		});
		return await page(await connect(), 'listTemplates', toItem, filter, paginationToken);
	});
}

/**
 * Lists the notaries who can meet the signers of the transaction that is updated. Elsewhere, no
 * transaction is known, and all notaries of the platform are listed.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchNotaries(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async (connect) => {
		const notaries = await notariesFor(this, await connect());
		const choices = notaries.map(
			({ id, name, first_name: first, last_name: last, us_state_abbr: state }) => ({
				name: nameFrom([
					asText(name) ??
						([asText(first), asText(last)].filter((part) => part !== undefined).join(' ') ||
							String(id)),
					asText(state),
				]),
				value: asText(id),
			}),
		);
		return { results: offered(choices, filter) };
	});
}

async function notariesFor(
	context: ILoadOptionsFunctions,
	service: ServiceClient,
): Promise<IDataObject[]> {
	const operation = context.getCurrentNodeParameter('operation');
	const platform = operation === 'create' ? 'business' : currentPlatform(context);
	const transactionId =
		operation === 'update' ? chosenParameter(context, 'transactionId') : undefined;
	const all = async () =>
		await listNotaries(service, { platform, organizationId: service.settings.organizationId });
	if (transactionId === undefined) return await all();
	try {
		const eligible = await listEligibleNotaries(service, transactionId, platform);
		if (eligible.length > 0) return eligible;
	} catch (thrown) {
		// A service may list notaries only for the account. That it doesn't know the transaction is told.
		if (!isNotFound(thrown) || saysNotFound(thrown)) throw asError(thrown);
		return await all();
	}
	throw new ExplainedFailure(
		'The service names no notary who can meet the signers of this transaction',
		"See the state of your notaries with 'Notary: Get Many', or choose 'By ID' and enter one",
	);
}

/**
 * Lists the events that the service offers, or those we know when it doesn't list them or there is
 * no credential yet.
 * @throws NodeOperationError with the remedy in its message
 */
export async function getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await eventsAs(this, offeredOptions, eventOptions);
}

/**
 * Lists the same events in groups, which can be selected as a whole.
 * @throws NodeOperationError with the remedy in its message
 */
export async function getGroupedEvents(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await eventsAs(this, groupedOptions, knownGroupedOptions);
}

async function eventsAs(
	context: ILoadOptionsFunctions,
	optionsOf: (offered: string[]) => INodePropertyOptions[],
	knownOptions: () => INodePropertyOptions[],
): Promise<INodePropertyOptions[]> {
	if (context.getNode().credentials === undefined) return knownOptions();
	return await withReason(context, async (connect) => {
		try {
			const types = await listEventTypes(await connect());
			return optionsOf(types.map(({ event }) => event));
		} catch (thrown) {
			if (!isNotFound(thrown)) throw asError(thrown);
			return knownOptions();
		}
	});
}

/** How many pages one search reads at most. */
const MOST_PAGES = 10;

async function page(
	service: ServiceClient,
	endpoint: ListName,
	toItem: (entry: IDataObject) => Choice,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	let offset: number | undefined = Number(token ?? 0);
	// A search reads on when a page has no match, because the editor can't scroll an empty list.
	for (
		let pages = 0;
		offset !== undefined && results.length < LIST_SIZE && pages < MOST_PAGES;
		pages++
	) {
		const { entries, next } = await readPage(service, endpoint, { limit: LIST_SIZE, offset });
		results.push(...offered(entries.map(toItem), filter, offset > 0));
		offset = next;
	}
	return { results, paginationToken: offset === undefined ? undefined : String(offset) };
}
