import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { ExplainedFailure } from '../core/explainedFailure';
import { addressQuery } from '../fields/shared/address';
import { createService, type ServiceClient } from '../service/client';
import { verifyAddress } from '../service/resources/propertyAddress';
import { retrieveTransaction } from '../service/resources/transactions';
import { asObject, asObjects, asText } from '../service/values/json';
import { chosenParameter, matchesSearch, requiredParameter, withReason } from './listHelpers';

/*
 * Lists the choices of a closing. Each list depends on the choice before: address, recording
 * jurisdiction, title agency, underwriter (docs/service/closings.md#verify-an-address).
 */

/**
 * Lists the recording jurisdictions of the address.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchJurisdictions(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async () => {
		const jurisdictions = await jurisdictionsOf(this);
		if (jurisdictions.every(({ id }) => asText(id) === undefined)) {
			throw new ExplainedFailure(
				"This service doesn't provide recording jurisdictions",
				"Leave 'Recording Jurisdiction' empty, or enter an ID",
			);
		}
		return {
			results: jurisdictions
				.map((entry) =>
					toResult(
						entry,
						entry.eligible === false || entry.supported === false
							? 'not eligible'
							: asText(entry.state),
					),
				)
				.filter(({ name, value }) => matchesSearch(filter, name, value)),
		};
	});
}

/**
 * Lists the title agencies that serve the address and the chosen jurisdiction.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchAgencies(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async () => {
		const agencies = unique(
			withinChosen(
				await jurisdictionsOf(this),
				chosenParameter(this, nameOf(this, 'recordingJurisdictionId')),
				'Recording Jurisdiction',
			).flatMap((jurisdiction) => asObjects(jurisdiction.eligible_title_agencies)),
		);
		if (agencies.length === 0)
			throw new ExplainedFailure(
				'No title agency serves this address',
				"Choose another 'Transaction Type', or add a title agent in 'Contacts'",
			);
		return {
			results: agencies
				.map((entry) => toResult(entry, asText(asObject(entry.address).city)))
				.filter(({ name, value }) => matchesSearch(filter, name, value)),
		};
	});
}

/**
 * Lists the underwriters of the chosen title agency, or else those of the jurisdiction.
 * @throws NodeOperationError with the remedy in its message
 */
export async function searchUnderwriters(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withReason(this, async () => {
		const jurisdictions = withinChosen(
			await jurisdictionsOf(this),
			chosenParameter(this, nameOf(this, 'recordingJurisdictionId')),
			'Recording Jurisdiction',
		);
		const agencies = withinChosen(
			unique(
				jurisdictions.flatMap((jurisdiction) => asObjects(jurisdiction.eligible_title_agencies)),
			),
			chosenParameter(this, nameOf(this, 'titleAgencyId')),
			'Title Agency',
		);
		const ofAgencies = unique(
			agencies.flatMap((agency) => asObjects(agency.eligible_underwriters)),
		);
		const underwriters =
			ofAgencies.length > 0
				? ofAgencies
				: unique(
						jurisdictions.flatMap((jurisdiction) =>
							asObjects(jurisdiction.eligible_title_underwriters),
						),
					);
		if (underwriters.length === 0)
			throw new ExplainedFailure(
				'No underwriter is eligible for this title agency',
				"Choose another 'Title Agency'",
			);
		return {
			results: underwriters
				.map((entry) => toResult(entry))
				.filter(({ name, value }) => matchesSearch(filter, name, value)),
		};
	});
}

/**
 * Whether an existing closing is changed. The fields are then in the collection of changes, and the
 * address is the closing's own.
 */
function isUpdate(context: ILoadOptionsFunctions): boolean {
	return context.getCurrentNodeParameter('operation') === 'update';
}

const nameOf = (context: ILoadOptionsFunctions, name: string) =>
	isUpdate(context) ? `updateFields.${name}` : name;

/**
 * Retrieves the recording jurisdictions of the address.
 * @throws ExplainedFailure when none of them supports the property
 */
async function jurisdictionsOf(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const service = await createService(context);
	const query = isUpdate(context)
		? await queryOfClosing(context, service)
		: queryOfFields(context, service);
	const jurisdictions = await verifyAddress(service, query);
	if (jurisdictions.every(({ supported }) => supported === false)) {
		throw new ExplainedFailure(
			"This property can't be closed online: the service has no jurisdiction for the address",
			"Check the address and 'Transaction Type'",
		);
	}
	return jurisdictions;
}

function queryOfFields(context: ILoadOptionsFunctions, service: ServiceClient): IDataObject {
	const text = (name: string, label: string) => requiredParameter(context, name, label);
	const address = {
		line1: text('addressLine1', 'Street Address'),
		city: text('addressCity', 'City'),
		state: text('addressState', 'State').toUpperCase(),
		zipCode: chosenParameter(context, 'addressZipCode'),
	};
	return addressQuery(text('transactionType', 'Transaction Type'), address, {
		organizationId: service.settings.organizationId,
	});
}

async function queryOfClosing(
	context: ILoadOptionsFunctions,
	service: ServiceClient,
): Promise<IDataObject> {
	const closing = await retrieveTransaction(
		service,
		requiredParameter(context, 'transactionId', 'Transaction'),
		'realEstate',
	);
	const { line1, city, state, zip_code: zip, postal } = asObject(closing.street_address);
	const address = {
		line1: String(line1),
		city: String(city),
		state: String(state),
		zipCode: asText(zip) ?? asText(postal),
	};
	return addressQuery(asText(closing.transaction_type) ?? 'other', address, {
		organizationId: service.settings.organizationId,
	});
}

/**
 * Narrows a list to the chosen entry, or leaves it whole when nothing is chosen.
 * @throws ExplainedFailure when the chosen entry isn't in the list
 */
function withinChosen(
	entries: IDataObject[],
	wanted: string | undefined,
	label: string,
): IDataObject[] {
	// A documented-only service gives no jurisdictions that could be chosen.
	if (wanted === undefined || entries.every(({ id }) => id === undefined)) return entries;
	const [found] = entries.filter(({ id }) => id === wanted);
	if (found === undefined)
		throw new ExplainedFailure(
			`'${label}' ${wanted} doesn't belong to the address`,
			`Choose '${label}' again`,
		);
	return [found];
}

function unique(entries: IDataObject[]): IDataObject[] {
	return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

function toResult(entry: IDataObject, more?: string): { name: string; value: string } {
	return {
		name: [asText(entry.name) ?? String(entry.id), more]
			.filter((part) => part !== undefined)
			.join(' · '),
		value: String(entry.id),
	};
}
