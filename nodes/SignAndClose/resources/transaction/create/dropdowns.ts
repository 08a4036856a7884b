import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { ExplainedFailure, InputFailure } from '../../../messages/failures';
import { isSameId } from '../../../values/ids';
import { asObject, asObjects, asText } from '../../../values/json';
import { buildAddressQuery } from '../../address/form';
import { canCloseOnline, readRecordingType, fetchJurisdictions } from '../../address/api';
import {
	readParameter,
	fetchChosenTransaction,
	joinNameParts,
	readCached,
	requireParameter,
	defineSearch,
	type DropdownEntry,
	type Connect,
} from '../../../form/dropdowns';
import { parseState } from '../../../form/statesAndCountries';

/*
 * Lists the choices of a closing. Each list depends on the choice before: address, recording
 * jurisdiction, title agency, underwriter (docs/service/closings.md#verify-an-address).
 */

/** Lists the recording jurisdictions of the address. */
export const searchJurisdictions = defineSearch(async (context, connect) => {
	const jurisdictions = await listJurisdictionChoices(context, connect);
	if (jurisdictions.every(({ id }) => asText(id) === undefined))
		throw new ExplainedFailure(
			"This service doesn't provide recording jurisdictions",
			"Leave 'Recording Jurisdiction' empty, or enter an ID",
		);
	return jurisdictions.map((entry) =>
		toChoice(entry, asText(entry.state), describeRecording(entry)),
	);
});

/** Says how a county records. Nothing is said of electronic recording, which is the usual one. */
function describeRecording(jurisdiction: IDataObject): string | undefined {
	if (canCloseOnline(jurisdiction) === false) return 'not eligible';
	const type = readRecordingType(jurisdiction);
	if (type === undefined || type === 'electronic') return undefined;
	return type === 'none' ? 'no recording' : `${type} recording`;
}

/** Lists the title agencies that serve the address and the chosen jurisdiction. */
export const searchAgencies = defineSearch(async (context, connect) => {
	const agencies = collectNested(
		await fetchChosenJurisdictions(context, connect),
		'eligible_title_agencies',
	);
	if (agencies.length === 0)
		throw new ExplainedFailure(
			'No title agency serves this address',
			"Choose another 'Transaction Type', or add a title agent in 'Contacts'",
		);
	return agencies.map((entry) =>
		// Published as one text; some services answer with an object.
		toChoice(entry, asText(entry.address) ?? asText(asObject(entry.address).city)),
	);
});

/** Lists the underwriters of the chosen title agency, or else those of the jurisdiction. */
export const searchUnderwriters = defineSearch(async (context, connect) => {
	const jurisdictions = await fetchChosenJurisdictions(context, connect);
	const all = collectNested(jurisdictions, 'eligible_title_agencies');
	const agencies = narrowToChoice(all, readChoice(context, 'titleAgencyId'), 'Title Agency');
	const ofAgencies = collectNested(agencies, 'eligible_underwriters');
	const underwriters =
		ofAgencies.length > 0
			? ofAgencies
			: collectNested(jurisdictions, 'eligible_title_underwriters');
	if (underwriters.length === 0)
		throw new ExplainedFailure(
			'No title underwriter is eligible for this title agency',
			"Choose another 'Title Agency'",
		);
	return underwriters.map((entry) => toChoice(entry));
});

/**
 * Whether an existing closing is changed. The fields are then in the collection of changes, and the
 * address is the closing's own.
 */
const isUpdate = (context: ILoadOptionsFunctions): boolean =>
	context.getCurrentNodeParameter('operation') === 'update';

/** What is chosen of a closing: of a change, it's in the collection. */
const readChoice = (context: ILoadOptionsFunctions, name: string): string | undefined =>
	readParameter(context, isUpdate(context) ? `updateFields.${name}` : name);

/**
 * Returns the chosen jurisdiction, or all eligible ones when none is chosen.
 * @throws ExplainedFailure when the chosen one isn't eligible or doesn't belong to the address
 */
async function fetchChosenJurisdictions(
	context: ILoadOptionsFunctions,
	connect: Connect,
): Promise<IDataObject[]> {
	const chosenId = readChoice(context, 'recordingJurisdictionId');
	const all = await listJurisdictionChoices(context, connect);
	const eligible = narrowToChoice(all, chosenId, 'Recording Jurisdiction').filter(
		(entry) => canCloseOnline(entry) !== false,
	);
	if (eligible.length === 0)
		throw new ExplainedFailure(
			`'Recording Jurisdiction' ${chosenId} isn't eligible for this closing`,
			"Choose another 'Recording Jurisdiction' or 'Transaction Type'",
		);
	return eligible;
}

/**
 * Retrieves the recording jurisdictions of the address.
 * @throws ExplainedFailure when the property can't be closed online in any of them
 */
async function listJurisdictionChoices(
	context: ILoadOptionsFunctions,
	connect: Connect,
): Promise<IDataObject[]> {
	const service = await connect();
	const { type, state, ...address } = isUpdate(context)
		? await readClosingAddress(context, connect)
		: readFormAddress(context);
	const place = { ...address, state: parseState(state, 'State') };
	const query = buildAddressQuery(type, place, service.settings.organizationId);
	const jurisdictions = await readCached(
		service,
		['address', query],
		async () => await fetchJurisdictions(service, query),
	);
	if (jurisdictions.every((entry) => canCloseOnline(entry) === false))
		throw new ExplainedFailure(
			"This property can't be closed online: the service has no jurisdiction for the address",
			"Check the address and 'Transaction Type'",
		);
	return jurisdictions;
}

/**
 * @throws InputFailure when the address isn't filled in
 * @throws ExplainedFailure when every input item has an address of its own
 */
function readFormAddress(context: ILoadOptionsFunctions) {
	// Where rows fill in the form, it doesn't show the address, and n8n can't read what it doesn't show.
	if (['row', 'mapped'].includes(String(context.getCurrentNodeParameter('fieldsFrom'))))
		throw new ExplainedFailure(
			"'Fields From' takes the address from each input item, so there is no list for all of them",
			"Add a column 'Recording Jurisdiction ID', 'Title Agency ID' or 'Title Underwriter ID', or enter an ID that holds for every item",
		);
	const isInOneField = context.getCurrentNodeParameter('operation') === 'createAndSend';
	if (isInOneField && context.getCurrentNodeParameter('property.row') === undefined)
		throw new InputFailure(
			'Property',
			'is empty',
			"Fill in 'Property' first: the list depends on it",
		);
	const findPath = (name: string) => (isInOneField ? `property.row.${name}` : name);
	const readText = (name: string, label: string) =>
		requireParameter(context, findPath(name), label);
	return {
		line1: readText('addressLine1', 'Street Address'),
		city: readText('addressCity', 'City'),
		state: readText('addressState', 'State'),
		postal: readParameter(context, findPath('addressZipCode')),
		type: requireParameter(context, 'transactionType', 'Transaction Type'),
	};
}

async function readClosingAddress(context: ILoadOptionsFunctions, connect: Connect) {
	const closing = await fetchChosenTransaction(context, connect, 'realEstate');
	// Changes that are chosen in the same form count, the other parts are the closing's own.
	const readChange = (name: string) => readParameter(context, `updateFields.${name}`);
	const current = asObject(closing.street_address);
	const readPart = (name: string) =>
		readChange(`street_address.row.${name}`) ?? asText(current[name]);
	const [line1, city, state] = [readPart('line1'), readPart('city'), readPart('state')];
	if (line1 === undefined || city === undefined || state === undefined)
		throw new ExplainedFailure(
			'The closing has no complete address: the list depends on it',
			"Fill in 'Address' with street address, city and state first",
		);
	const postal = readPart('zipCode') ?? asText(current.postal) ?? asText(current.zip_code);
	// A closing with identity assurance has no type.
	const type = readChange('transaction_type') ?? asText(closing.transaction_type) ?? 'other';
	return { line1, city, state, postal, type };
}

/**
 * Narrows a list to the chosen entry, or leaves it whole when nothing is chosen.
 * @throws ExplainedFailure when the chosen entry isn't in the list
 */
function narrowToChoice(
	entries: IDataObject[],
	chosenId: string | undefined,
	label: string,
): IDataObject[] {
	// A documented-only service gives no jurisdictions that could be chosen.
	if (chosenId === undefined || entries.every(({ id }) => id === undefined)) return entries;
	const match = entries.find(({ id }) => isSameId(id, chosenId));
	if (match === undefined)
		throw new ExplainedFailure(
			`'${label}' ${chosenId} doesn't belong to the address`,
			`Choose '${label}' again`,
		);
	return [match];
}

/** What the entries of a list have in lists of their own, each thing once. */
function collectNested(entries: IDataObject[], name: string): IDataObject[] {
	const all = entries.flatMap((entry) => asObjects(entry[name]));
	return [...new Map(all.map((entry) => [entry.id, entry])).values()];
}

function toChoice(entry: IDataObject, ...details: Array<string | undefined>): DropdownEntry {
	const id = asText(entry.id);
	return { name: joinNameParts([asText(entry.name) ?? id, ...details]), value: id };
}
