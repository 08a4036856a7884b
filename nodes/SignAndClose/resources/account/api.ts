import type { IDataObject } from 'n8n-workflow';

import { readEntry } from '../../transport/answers/answers';
import { fetchList } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import {
	asError,
	asFailure,
	isNotFound,
	ServiceFailure,
	type Failure,
	type Refusal,
} from '../../transport/failure/failure';
import { unexpectedAnswer } from '../../transport/failure/refusal';
import { asText } from '../../values/json';
import { verifyAddress } from '../address/propertyAddress';

/*
 * Asks the service what an API key reaches. Every request only reads, and a refusal is what was to
 * be known, not a failure (docs/service/api.md#what-a-key-reaches).
 */

/** One of the platforms that a key may reach. */
export type CheckedPlatform = 'business' | 'realEstate';

/** What was asked for. */
export type Checked = 'organization' | CheckedPlatform;

/** What the service said. */
export type Found =
	| { state: 'open'; shown: IDataObject }
	/** `notOpen`: the key may not do this. `unknown`: nothing tells, e.g. because the service is busy. */
	| { state: 'notOpen' | 'unknown'; failure: Failure };

/** What was found, in the order in which it's shown. */
export type Findings = Array<[Checked, Found]>;

/** Statuses with which a service refuses what a key may not do (docs/service/errors.md#statuses). */
const NOT_ALLOWED = new Set([401, 402, 403, 422]);
/** Statuses of a service that takes no requests at present. */
const BUSY = new Set([429, 503]);

/** An ID in the form of the service's (docs/service/README.md#identifiers) that belongs to nothing. */
const NOBODYS_ID = 'ot_0000000';
/** A public building. */
const SAMPLE_ADDRESS: IDataObject = {
	transaction_type: 'refinance',
	'street_address[line1]': '1 City Hall Square',
	'street_address[city]': 'Boston',
	'street_address[state]': 'MA',
	'street_address[postal]': '02201',
};

/**
 * Asks for the organization of the key, and then for the platforms side by side.
 * @throws ServiceFailure `notSent` when nothing can be sent at all
 */
export async function checkKey(
	service: ServiceClient,
	platforms: readonly CheckedPlatform[],
): Promise<Findings> {
	const organization = await find(async () => await fetchOrganization(service));
	// A service that takes no requests would let each of the others wait as long again.
	const isBusy = BUSY.has(statusOf(organization) ?? 0);
	const found = platforms.map(async (name): Promise<[Checked, Found]> => [
		name,
		isBusy ? organization : await find(async () => await reach(service, name)),
	]);
	return [['organization', organization], ...(await Promise.all(found))];
}

/** The status of a refusal; undefined when something else was found. */
export function statusOf(found: Found): number | undefined {
	return found.state === 'open' ? undefined : refusalIn(found.failure)?.status;
}

async function find(ask: () => Promise<IDataObject>): Promise<Found> {
	try {
		return { state: 'open', shown: await ask() };
	} catch (thrown) {
		const failure = asFailure(thrown, unexpectedAnswer(200));
		// What can't be sent, because of the credential or of n8n's own settings, can't be judged.
		if (failure instanceof ServiceFailure && failure.reason.code === 'notSent')
			throw asError(failure);
		const isRefused = NOT_ALLOWED.has(refusalIn(failure)?.status ?? 0);
		return { state: isRefused ? 'notOpen' : 'unknown', failure };
	}
}

/**
 * Finds the ID of the key's organization.
 * @returns undefined when the service doesn't tell it, e.g. to a key that is for real estate only
 */
export async function findOrganization(service: ServiceClient): Promise<string | undefined> {
	try {
		return asText((await fetchOrganization(service, true)).id);
	} catch {
		return undefined;
	}
}

async function fetchOrganization(service: ServiceClient, impatient = false): Promise<IDataObject> {
	const organization = readEntry(await service.json('getOrganization', { impatient }));
	if (organization === undefined || asText(organization.id) === undefined)
		throw unexpectedAnswer(200);
	return organization;
}

/** Asks for one transaction of a platform. */
async function reach(service: ServiceClient, platform: CheckedPlatform): Promise<IDataObject> {
	try {
		await fetchList(service, 'listTransactions', { platform, query: { limit: 1, offset: 0 } });
	} catch (thrown) {
		// A service that offers only the documented endpoints has no such list.
		if (!isNotFound(thrown)) throw asError(thrown);
		if (platform === 'realEstate') await verifyAddress(service, SAMPLE_ADDRESS);
		else if (!(await knowsTransactions(service))) throw asError(thrown);
	}
	return {};
}

/** Whether the service looks for a transaction when it's asked for one that doesn't exist. */
async function knowsTransactions(service: ServiceClient): Promise<boolean> {
	const path = { transactionId: NOBODYS_ID };
	try {
		await service.json('getTransaction', { path, platform: 'business' });
		return true;
	} catch (thrown) {
		const { status, said = [] } = refusalIn(asFailure(thrown, unexpectedAnswer(200))) ?? {};
		if (status !== 404) throw asError(thrown);
		return said.some((text) => /transaction/i.test(text));
	}
}

/** The service's refusal, if that is why something failed. */
function refusalIn(failure: Failure): Refusal | undefined {
	return failure instanceof ServiceFailure && failure.reason.code === 'refused'
		? failure.reason
		: undefined;
}
