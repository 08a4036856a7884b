import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ExplainedFailure } from '../core/explainedFailure';
import { groupedOptions, knownGroupedOptions } from '../fields/shared/eventGroups';
import { eventOptions, offeredOptions } from '../fields/shared/eventOptions';
import type { ServiceClient } from '../service/client';
import { asError, isNotFound, saysNotFound } from '../service/errors/failure';
import { listEligibleNotaries, listNotaries } from '../service/resources/notaries';
import { listEventTypes, listWebhooks } from '../service/resources/webhooks';
import { asObject, asText } from '../service/values/json';
import { keptLists } from './keptLists';
import {
	chosenParameter,
	currentPlatform,
	nameFrom,
	offered,
	withReason,
	type Choice,
} from './listHelpers';
import { partOf, type ShownList } from './pagedLists';

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
		const service = await connect();
		const choices = await keptLists.read(service, ['webhooks'], async () =>
			(await listWebhooks(service)).map(webhookChoice),
		);
		return { results: offered(choices, filter) };
	});
}

function webhookChoice({ id, url, subscriptions }: IDataObject): Choice {
	const events = Array.isArray(subscriptions)
		? ` · ${subscriptions.length === 1 ? String(subscriptions[0]) : `${subscriptions.length} events`}`
		: '';
	// The query of the URL may hold a secret.
	return { name: `${asText(url)?.split('?')[0] ?? String(id)}${events}`, value: asText(id) };
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
	return await withReason(
		this,
		async (connect) => await partOf(await connect(), TEMPLATES, filter, paginationToken),
	);
}

const TEMPLATES: ShownList = {
	name: 'listTemplates',
	toChoice: ({ id, name, permalink }) => ({
		name: asText(name) ?? String(id),
		value: asText(permalink) ?? asText(id),
		texts: [name, permalink, id],
	}),
};

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
	const { organizationId } = service.settings;
	const all = async () =>
		await keptLists.read(
			service,
			['notaries', platform],
			async () => await listNotaries(service, { platform, organizationId }),
		);
	if (transactionId === undefined) return await all();
	try {
		const eligible = await keptLists.read(
			service,
			['notaries', platform, transactionId],
			async () => await listEligibleNotaries(service, transactionId, platform),
		);
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
			const service = await connect();
			const types = await keptLists.read(
				service,
				['events'],
				async () => await listEventTypes(service),
			);
			return optionsOf(types.map(({ event }) => event));
		} catch (thrown) {
			if (!isNotFound(thrown)) throw asError(thrown);
			return knownOptions();
		}
	});
}
