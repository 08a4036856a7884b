import type { IDataObject } from 'n8n-workflow';

import { explain } from '../../messages/explanations';
import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import { asError, asFailure, isNotFound, ServiceFailure } from '../../transport/failure/failure';
import { plainText } from '../../transport/failure/plainText';
import { unexpectedAnswer } from '../../transport/failure/refusal';
import { asText } from '../../values/json';
import { verifyAddress } from '../address/api';
import { joined } from '../shared/hints';
import { retrieveOrganization } from './api';

/** What is checked. */
type Check = 'organization' | 'business' | 'realEstate';
/** `notOpen`: the key may not do this. `unknown`: nothing tells, e.g. because the service is busy. */
type State = 'open' | 'notOpen' | 'unknown';

const NAMES = { organization: 'Organization', business: 'Business', realEstate: 'Real Estate' };

/** Statuses with which a service refuses what a key may not do (docs/service/errors.md#statuses). */
const NOT_ALLOWED = new Set<number | undefined>([401, 402, 403, 422]);

/** A public building. */
const SAMPLE_ADDRESS: IDataObject = {
	transaction_type: 'refinance',
	'street_address[line1]': '1 City Hall Square',
	'street_address[city]': 'Boston',
	'street_address[state]': 'MA',
	'street_address[postal]': '02201',
};

/**
 * Shows what the API key reaches: its organization and the platforms, as one item each
 * (docs/service/api.md#what-a-key-reaches). What is refused is what was to be known, so the
 * operation only fails when nothing can be sent. All of its requests are reads.
 */
export const checkAccount = defineOperation({
	resource: 'account',
	value: 'check',
	name: 'Check',
	action: 'Check account',
	description: 'Show which organization and platforms your API key reaches. Changes nothing.',
	kind: 'read',
	properties: [
		{
			displayName: 'Platforms',
			name: 'checkedPlatforms',
			type: 'options',
			options: [
				{ name: 'Both', value: 'both' },
				{ name: 'Business', value: 'business' },
				{ name: 'Real Estate', value: 'realEstate' },
			],
			default: 'both',
			description: 'The platforms to check',
		},
	],
	async execute({ context, service, params }) {
		const chosen = params.choice('checkedPlatforms') ?? 'both';
		const lines = await Promise.all([
			lineOf('organization', async () => await retrieveOrganization(service)),
			...(['business', 'realEstate'] as const)
				.filter((platform) => chosen === 'both' || chosen === platform)
				.map(
					async (platform) => await lineOf(platform, async () => await reach(service, platform)),
				),
		]);
		context.getExecutionCancelSignal()?.throwIfAborted();
		const namesOf = (state: State, said: string) => {
			const found = lines.filter((line) => line.state === state);
			const names = found.map(({ check }) => NAMES[check as Check]);
			return names.length > 0 ? `${said}: ${names.join(', ')}` : undefined;
		};
		const hint = joined([namesOf('notOpen', 'Not open'), namesOf('unknown', 'Not known')]);
		return lines.map((json, index) => (index === 0 ? { json, hint } : { json }));
	},
});

/**
 * One line. All of them have the same first fields, so that they are columns, and their texts are plain.
 * @throws ServiceFailure `notSent` when nothing can be sent, because of the credential or n8n's settings
 */
async function lineOf(check: Check, ask: () => Promise<IDataObject>): Promise<IDataObject> {
	const said = check === 'organization' ? OF_ORGANIZATION : ofPlatform(check);
	try {
		const { id, name } = await ask();
		if (check !== 'organization') return { check, state: 'open', verdict: said.open, remedy: null };
		const named = asText(name) === undefined ? String(id) : `${asText(name)} (${String(id)})`;
		const verdict = plainText(`${said.open} ${named}`);
		const organization = { organization_id: id, organization_name: name ?? null };
		return { check, state: 'open', verdict, remedy: null, ...organization };
	} catch (thrown) {
		const failure = asFailure(thrown, unexpectedAnswer(200));
		if (failure instanceof ServiceFailure && failure.reason.code === 'notSent')
			throw asError(failure);
		const state = NOT_ALLOWED.has(failure.flags.httpStatus) ? 'notOpen' : 'unknown';
		const { message, remedy } = explain(failure);
		const verdict = plainText(`${said[state]}: ${message}`);
		return { check, state, verdict, remedy: plainText(remedy) };
	}
}

const OF_ORGANIZATION: Record<State, string> = {
	open: 'The API key belongs to',
	notOpen: "The service doesn't tell this API key which organization it belongs to",
	unknown: "It isn't known which organization the API key belongs to",
};

function ofPlatform(platform: 'business' | 'realEstate'): Record<State, string> {
	const what = platform === 'business' ? 'Business transactions' : 'Closings';
	return {
		open: `${what} are open to this API key`,
		notOpen: `${what} aren't open to this API key`,
		unknown: `It isn't known whether ${what.toLowerCase()} are open to this API key`,
	};
}

/** Asks for one transaction of a platform. */
async function reach(
	service: ServiceClient,
	platform: 'business' | 'realEstate',
): Promise<IDataObject> {
	try {
		await fetchList(service, 'listTransactions', { platform, query: { limit: 1, offset: 0 } });
	} catch (thrown) {
		// A service that offers only the documented endpoints has no such list.
		if (platform === 'business' || !isNotFound(thrown)) throw asError(thrown);
		await verifyAddress(service, SAMPLE_ADDRESS);
	}
	return {};
}
