import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { ExplainedFailure } from '../../messages/explainedFailure';
import type { ServiceClient } from '../../transport/client';
import { isNotFound, saysNotFound, asError } from '../../transport/failure/failure';
import { asText } from '../../values/json';
import {
	keptLists,
	withReason,
	nameFrom,
	offered,
	currentPlatform,
	chosenParameter,
} from '../shared/lists';
import { listNotaries, listEligibleNotaries } from './api';

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
		// A service may list notaries only for the account. A transaction that it doesn't know is reported.
		if (!isNotFound(thrown) || saysNotFound(thrown)) throw asError(thrown);
		return await all();
	}
	throw new ExplainedFailure(
		'The service names no notary who can meet the signers of this transaction',
		"See the state of your notaries with 'Notary: Get Many', or choose 'By ID' and enter one",
	);
}
