import type { IDataObject } from 'n8n-workflow';

import { readEntry } from '../../answers';
import type { Call, ServiceClient } from '../../client';
import {
	asError,
	asFailure,
	findFailure,
	ServiceFailure,
	type Failure,
	type Refusal,
} from '../../errors/failure';
import { unexpectedAnswer } from '../../errors/refusal';
import { fetchList, type ListName } from '../../lists';
import { asText } from '../../values/json';
import { verifyAddress } from '../propertyAddress';

/*
 * Asks the service what an API key reaches. Every probe only reads, and a refusal is what a probe
 * has found, not a failure (docs/service/api.md#what-a-key-reaches).
 */

/** What is asked. The first two are the platforms themselves. */
export type ProbeName =
	| 'business'
	| 'realEstate'
	| 'organization'
	| 'addresses'
	| 'notarizationRecords'
	| 'notaries'
	| 'templates'
	| 'webhooks';

/** What a probe found. */
export type Found =
	/** The service answered as it should. */
	| { state: 'open'; shown: IDataObject }
	/** The service refused it: the key may not do this. */
	| { state: 'notOpen'; failure: Failure }
	/** Nothing tells, e.g. because the service doesn't know the call. */
	| { state: 'unknown'; failure: Failure };

/** What the probes found, of those that were made. */
export type Findings = Partial<Record<ProbeName, Found>>;

/** Statuses with which a service refuses what a key may not do (docs/service/errors.md#statuses). */
const NOT_ALLOWED = new Set([401, 402, 403, 422]);

/** An ID in the form of the service's (docs/service/README.md#identifiers) that belongs to nothing. */
const NOBODYS_ID = 'ot_0000000';

/**
 * A public building. The check of an address is the only documented read of real estate that needs
 * no ID (docs/service/closings.md#verify-an-address).
 */
const SAMPLE_ADDRESS: IDataObject = {
	transaction_type: 'refinance',
	'street_address[line1]': '1 City Hall Square',
	'street_address[city]': 'Boston',
	'street_address[state]': 'MA',
	'street_address[postal]': '02201',
};

/** How each probe asks. What it returns is shown where the probe is open. */
const PROBES: Record<ProbeName, (service: ServiceClient) => Promise<IDataObject>> = {
	business: async (service) => {
		try {
			return await listOne(service, 'listTransactions', { platform: 'business', onlyHere: true });
		} catch (thrown) {
			if (refusalIn(thrown)?.status === 404 && (await knowsTransactions(service))) return {};
			throw asError(thrown);
		}
	},
	realEstate: async (service) =>
		await listOne(service, 'listTransactions', { platform: 'realEstate', onlyHere: true }),
	organization: async (service) => {
		const organization = readEntry(await service.json('getOrganization'));
		if (organization === undefined || asText(organization.id) === undefined)
			throw unexpectedAnswer(200);
		return organization;
	},
	addresses: async (service) => {
		const { organizationId } = service.settings;
		await verifyAddress(service, {
			...SAMPLE_ADDRESS,
			...(organizationId !== undefined && { organization_id: organizationId }),
		});
		return {};
	},
	notarizationRecords: async (service) => await listOne(service, 'listRecords'),
	notaries: async (service) => await listOne(service, 'listNotaries', {}, {}),
	templates: async (service) => await listOne(service, 'listTemplates'),
	webhooks: async (service) => await listOne(service, 'listWebhooks', {}, {}),
};

/**
 * Makes the probes.
 * @returns what each of them found
 * @throws ServiceFailure `notSent` when nothing can be sent at all
 */
export async function probeAll(
	service: ServiceClient,
	names: readonly ProbeName[],
): Promise<Findings> {
	const entries = names.map(async (name) => [name, await probe(service, name)] as const);
	const findings: Findings = Object.fromEntries(await Promise.all(entries));
	const { realEstate, addresses } = findings;
	// A service that offers only the documented endpoints checks addresses, but lists no closings.
	const isListMissing = realEstate?.state === 'unknown' && statusOf(realEstate) === 404;
	if (isListMissing && addresses?.state === 'open')
		findings.realEstate = { state: 'open', shown: {} };
	return findings;
}

async function probe(service: ServiceClient, name: ProbeName): Promise<Found> {
	try {
		return { state: 'open', shown: await PROBES[name](service) };
	} catch (thrown) {
		const failure = asFailure(thrown, unexpectedAnswer(200));
		// What can't be sent, because of the credential or of n8n's own settings, can't be judged.
		if (failure instanceof ServiceFailure && failure.reason.code === 'notSent')
			throw asError(failure);
		const status = refusalIn(failure)?.status;
		const isRefused = status !== undefined && NOT_ALLOWED.has(status);
		return { state: isRefused ? 'notOpen' : 'unknown', failure };
	}
}

/** Asks for one entry of a list, and gives how many there are where the service says it. */
async function listOne(
	service: ServiceClient,
	name: ListName,
	call: Call = {},
	query: IDataObject = { limit: 1, offset: 0 },
): Promise<IDataObject> {
	const { total } = await fetchList(service, name, { ...call, query });
	return total === undefined ? {} : { total_count: total };
}

/**
 * Whether the service looks for a transaction when it's asked for one that doesn't exist. A service
 * that offers only the documented endpoints has no list of transactions, but says this.
 */
async function knowsTransactions(service: ServiceClient): Promise<boolean> {
	const path = { transactionId: NOBODYS_ID };
	try {
		await service.json('getTransaction', { path, platform: 'business', onlyHere: true });
		return true;
	} catch (thrown) {
		return refusalIn(thrown)?.said.some((text) => /transaction/i.test(text)) === true;
	}
}

/** The service's refusal, if that is why something failed. */
function refusalIn(thrown: unknown): Refusal | undefined {
	const failure = findFailure(thrown);
	return failure instanceof ServiceFailure && failure.reason.code === 'refused'
		? failure.reason
		: undefined;
}

/** The status of the refusal that a probe found; undefined when it found something else. */
export function statusOf(found: Found): number | undefined {
	return found.state === 'open' ? undefined : refusalIn(found.failure)?.status;
}
