import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { readOptionalFields } from '../../../run/parameters/optionalFields';
import type { Params } from '../../../run/parameters/params';
import { withoutEmpty } from '../../../values/json';
import { isBlank } from '../../../values/comparison';
import { addressProperties, parseAddress, toStreetAddress } from '../../address/form';
import {
	paperNoteConsent,
	parseOrganization,
	promissoryNote,
	defineSendReference,
	transactionType,
} from '../../../form/commonFields';
import { defineFlag, defineText } from '../../../form/fields';
import { agencyLocator, jurisdictionLocator, underwriterLocator } from '../../../form/locators';
import { parseCountry, defineCountryField } from '../../../form/statesAndCountries';
import { defineNewSignerRows } from '../../signer/form';
import type { NewTransaction } from '../ifExists/creation';
import { defineIfFormExists } from '../ifExists/options';
import { buildFromRow, type FormValues } from '../sheet/row';
import { defineRowFields, withRow, withoutRow } from '../sheet/source';
import { buildClosingSigners } from '../../draft/signerRequests';
import { contacts, parseContacts } from './contacts';
import { parseNewSigners, parseTransactionFields, defineSharedFields } from './fields';

/* The optional fields of a closing (docs/service/transactions.md#creation-fields). */

/** Fields that a create takes and a change doesn't (docs/service/transactions.md#creation-fields). */
const CREATE_ONLY = new Set(['jurisdiction_eligibility_consent', 'skip_closing_ops']);

/** The optional fields of a new closing. */
const closingFields: INodeProperties[] = [
	...defineSharedFields('closing', 'expiration_time'),
	contacts,
	defineText('File Number', 'file_number', 'F-2026-118'),
	defineFlag(
		'Jurisdiction Eligibility Consent',
		'jurisdiction_eligibility_consent',
		'Whether to proceed although the service lists the jurisdiction as ineligible',
	),
	defineText('Loan Number', 'loan_number', '7001234'),
	paperNoteConsent,
	defineCountryField('Property Country', 'country', 'Country of the property'),
	defineFlag(
		'Skip Closing Team',
		'skip_closing_ops',
		'Whether to send the closing to the signer without preparation by the closing team',
	),
];

/** The optional fields of a change. */
export const closingChangeFields = closingFields.filter(({ name }) => !CREATE_ONLY.has(name));

/**
 * Parses optional fields.
 * @param properties those of a new closing or of a change
 * @returns fields of the request, and the country of the property, which belongs to its address
 * @throws InputFailure naming the field
 */
export function parseClosingFields(
	params: Params,
	values: IDataObject,
	properties = closingFields,
): { fields: IDataObject; country?: string } {
	const {
		country,
		jurisdiction_eligibility_consent: consent,
		...fields
	} = parseTransactionFields(params, values, properties, {
		contacts: (value) => parseContacts(params, value),
	});
	return {
		// It's a text to the service. Nobody says what other texts mean.
		fields: { ...fields, ...(consent === true && { jurisdiction_eligibility_consent: 'true' }) },
		...(typeof country === 'string' && { country: parseCountry(country, params.label('country')) }),
	};
}

/* The form of a new closing. */

const LINE2 = addressProperties.find(({ name }) => name === 'addressLine2')!;

/**
 * The fields that every new closing has: its type, name, signers and address, or the columns of a row.
 * The others are among the additional ones (docs/service/transactions.md#create-a-closing).
 */
export const closingMainFields: INodeProperties[] = [
	...defineRowFields('closing'),
	withoutRow({
		...transactionType,
		description:
			"The kind of closing. Use an expression for a type that isn't in the list. If signers have identity checks, the closing gets no type, unless the service asks for one.",
	}),
	withRow({
		...transactionType,
		description: 'The kind of closing, for items without a column for it',
	}),
	...[
		{
			...defineText(
				'Transaction Name',
				'transactionName',
				'Refinance 100 Harbor Street',
				'Name shown in lists and emails',
			),
			required: true,
		},
		defineNewSignerRows('People who sign, starting with the primary signer'),
		...addressProperties.filter((field) => field !== LINE2),
	].map(withoutRow),
];

/** Who records and insures the title, and how the note is signed. Each list depends on what's above it. */
export const closingTitleFields: INodeProperties[] = [
	jurisdictionLocator,
	agencyLocator,
	underwriterLocator,
	promissoryNote,
];

/** The optional fields of a new closing. Those of its title and its note stand by themselves. */
export const closingOptionalFields: INodeProperties[] = [
	...closingFields.filter((field) => field !== paperNoteConsent),
	LINE2,
	...defineIfFormExists('closing'),
	defineSendReference('External ID'),
];

/**
 * Parses the signers of the form, of whom the primary one is a person with a name; n8n's own message
 * wouldn't name the row.
 * @throws InputFailure naming the parameter
 */
function parseFormSigners(params: Params, assuranceField: string) {
	const [primary] = params.getRows('signers');
	for (const name of ['email', 'first_name', 'last_name'])
		if (primary !== undefined && params.getTextIn(primary, name) === undefined)
			throw params.createEmptyFailure(
				['signers', 'row', 0, name],
				'Fill it in: a closing needs the name and the email address of its primary signer',
				`${params.label('signers')}, entry 1: ${params.label(name)}`,
			);
	return parseNewSigners(params, assuranceField);
}

/* Reads a new closing (docs/service/transactions.md#create-a-closing). */

/**
 * Builds the body of a new closing from the form or from the item's row. With identity assurance,
 * the type is null at first and the request goes to another prefix
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 * @throws InputFailure naming the parameters, all faults at once
 */
export function parseClosing(call: OperationCall): NewTransaction {
	return buildFromRow(call, {
		kind: 'closing',
		check(params, fields) {
			parseClosingFields(params, fields);
			parseTogether(buildLocatorParsers(params, fields));
		},
		build: (row) => buildClosing(call, row),
	});
}

/**
 * The parsers for what is chosen of lists. Those of a form are called otherwise than in requests.
 * @param values those of a collection; without it, of the form itself
 */
export const buildLocatorParsers = (params: Params, values?: IDataObject) => {
	const buildParser = (name: string) => () =>
		values === undefined ? params.getLocator(name) : params.parseAddedLocator(name, values[name]);
	return {
		recording_jurisdiction_id: buildParser(jurisdictionLocator.name),
		title_agency_id: buildParser(agencyLocator.name),
		title_underwriter_id: buildParser(underwriterLocator.name),
	};
};

/** The consent to a note on paper, where that's chosen and no column says anything of it. */
const parseNoteChoice = (params: Params): IDataObject =>
	params.getChoice(promissoryNote.name) === 'paper' && !params.isFromColumn(paperNoteConsent.name)
		? { [paperNoteConsent.name]: true }
		: {};

/** The second line of the address and its country are among the additional fields. */
function parsePropertyAddress(params: Params, additional: IDataObject) {
	const address = parseAddress(params, params.getTextIn(additional, 'country'));
	return { ...address, line2: address.line2 ?? params.getTextIn(additional, 'addressLine2') };
}

function buildClosing(
	{ service: { settings } }: OperationCall,
	{ params, note, ...row }: FormValues,
): NewTransaction {
	const additional = readOptionalFields(params);
	let assurance = false;
	const {
		people: { signers, roles },
		type,
		address,
		optional: { fields, country },
		...parsedFields
	} = parseTogether({
		people() {
			const people = row.people ?? parseFormSigners(params, settings.assuranceField);
			assurance = people.signers.some((signer) => !isBlank(signer[settings.assuranceField]));
			return people;
		},
		type: () =>
			assurance ? params.getText('transactionType') : params.getRequired('transactionType'),
		transaction_name: () => params.getRequired('transactionName'),
		address: () => parsePropertyAddress(params, additional),
		...buildLocatorParsers(params),
		organization_id: () => parseOrganization(params, settings),
		optional: () => parseClosingFields(params, { ...parseNoteChoice(params), ...additional }),
	});
	return {
		platform: 'realEstate',
		body: {
			...withoutEmpty({
				...parsedFields,
				...buildClosingSigners(signers),
				street_address: withoutEmpty({ ...toStreetAddress(address), country }),
			}),
			transaction_type: assurance ? null : type,
			...fields,
		},
		roles,
		type,
		assurance,
		hasEnote: params.getChoice(promissoryNote.name) === 'enote',
		isNamedByNode: row.people !== undefined && !params.isFromColumn('transactionName'),
		note,
	};
}
