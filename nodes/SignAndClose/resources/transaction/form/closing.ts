import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseTogether } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { withoutEmpty } from '../../../values/json';
import { isEmpty } from '../../../values/same';
import { addressProperties, parseAddress, toStreetAddress } from '../../address/address';
import {
	paperNoteConsent,
	parseOrganization,
	sendReference,
	transactionType,
} from '../../shared/commonFields';
import { collection, flag, text } from '../../shared/fields';
import { agencyLocator, jurisdictionLocator, underwriterLocator } from '../../shared/locators';
import { parseCountry, countryField } from '../../shared/places';
import { signerRows } from '../../signer/form';
import type { NewTransaction } from '../created';
import { ifFormExists } from '../existing/form';
import { inRow, type FormValues } from '../row/parseRow';
import { rowProperties, withRow, withoutRow } from './fieldsFrom';
import { closingSigners } from '../../drafts/signers';
import { contacts, parseContacts } from './contacts';
import { parseNewSigners, parseTransactionFields, sharedFields } from './shared';

/* The optional fields of a closing (docs/service/transactions.md#creation-fields). */

/** Fields that a create takes and a change doesn't (docs/service/transactions.md#creation-fields). */
const CREATE_ONLY = new Set(['jurisdiction_eligibility_consent', 'skip_closing_ops']);

/** The optional fields of a new closing. */
const closingFields: INodeProperties[] = [
	...sharedFields('closing', 'expiration_time'),
	contacts,
	text('File Number', 'file_number', 'F-2026-118'),
	flag(
		'Jurisdiction Eligibility Consent',
		'jurisdiction_eligibility_consent',
		'Whether to proceed although the service lists the jurisdiction as ineligible',
	),
	text('Loan Number', 'loan_number', '7001234'),
	paperNoteConsent,
	countryField('Property Country', 'country', 'Country of the property'),
	flag(
		'Skip Closing Team',
		'skip_closing_ops',
		'Whether to send the closing to the signer without preparation by the closing team',
	),
];

/** The optional fields of a change. */
export const closingChanges = closingFields.filter(({ name }) => !CREATE_ONLY.has(name));

/**
 * Parses optional fields.
 * @param of those of a new closing or of a change
 * @returns fields of the request, and the country of the property, which belongs to its address
 * @throws InputFailure naming the field
 */
export function parseClosingFields(
	params: Params,
	values: IDataObject,
	of = closingFields,
): { fields: IDataObject; country?: string } {
	const {
		country,
		jurisdiction_eligibility_consent: consent,
		...fields
	} = parseTransactionFields(params, values, of, {
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
export const closingFront: INodeProperties[] = [
	...rowProperties('closing'),
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
			...text(
				'Transaction Name',
				'transactionName',
				'Refinance 100 Harbor Street',
				'Name shown in lists and emails',
			),
			required: true,
		},
		signerRows('Signers', 'signers', 'People who sign, starting with the primary signer', {
			required: true,
		}),
		...addressProperties.filter((field) => field !== LINE2),
	].map(withoutRow),
];

/** What a first closing is refused for, or looked for in vain, if nothing points to it. */
const FIRST = [agencyLocator.name, 'paper_note_consent', 'loan_number'];

/** The optional fields of a new closing. */
export const closingAdditional = collection(
	'Additional Fields',
	'additionalFields',
	[
		...closingFields,
		LINE2,
		...ifFormExists('closing'),
		sendReference('External ID'),
		jurisdictionLocator,
		withinAdditional(agencyLocator),
		withinAdditional(underwriterLocator),
	],
	{ placeholder: 'Add Title Agency, Paper Note Consent, Loan Number or Another Field' },
	FIRST,
);

/** The lists that depend on choices in the same collection. */
function withinAdditional(locator: INodeProperties): INodeProperties {
	const dependsOn = locator.typeOptions?.loadOptionsDependsOn?.map(
		(name) => `additionalFields.${name}`,
	);
	return { ...locator, typeOptions: { ...locator.typeOptions, loadOptionsDependsOn: dependsOn } };
}

/**
 * Checks that the primary signer of the form is a person with a name; n8n's own message wouldn't name
 * the row.
 * @throws InputFailure naming the parameter
 */
function requirePrimarySigner(params: Params): void {
	const [primary] = params.rows('signers');
	for (const name of ['email', 'first_name', 'last_name'])
		if (primary !== undefined && params.textOf(primary, name) === undefined)
			throw new InputFailure(
				`${params.label('signers')}, entry 1: ${params.label(name)}`,
				'is empty',
				"Fill it in: a closing needs the name and the email address of its primary signer. If it's an expression, check what it returns for this item",
			);
}

/* Reads a new closing (docs/service/transactions.md#create-a-closing). */

/**
 * Builds the body of a new closing from the form or from the item's row. With identity assurance,
 * the type is null at first and the request goes to another prefix
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance).
 * @throws InputFailure naming the parameters, all faults at once
 */
export function parseClosing(call: OperationCall): NewTransaction {
	return inRow(call, {
		kind: 'closing',
		check(params, fields) {
			parseClosingFields(params, fields);
			parseTogether(locatorParsers(params, fields));
		},
		build: (row) => buildClosing(call, row),
	});
}

/** The parsers for what is chosen of lists. Those of a form are called otherwise than in requests. */
export const locatorParsers = (params: Params, values: IDataObject) => {
	const parser = (name: string) => () => params.locatorOf(name, values[name]);
	return {
		recording_jurisdiction_id: parser(jurisdictionLocator.name),
		title_agency_id: parser(agencyLocator.name),
		title_underwriter_id: parser(underwriterLocator.name),
	};
};

/** The second line of the address and its country are among the additional fields. */
function parsePropertyAddress(params: Params, additional: IDataObject) {
	const address = parseAddress(params, params.textOf(additional, 'country'));
	return { ...address, line2: address.line2 ?? params.textOf(additional, 'addressLine2') };
}

function buildClosing(
	{ service: { settings } }: OperationCall,
	{ params, note, ...row }: FormValues,
): NewTransaction {
	const isForm = row.signers === undefined;
	const additional = params.object('additionalFields');
	let assurance = false;
	const {
		signers,
		type,
		address,
		optional: { fields, country },
		...named
	} = parseTogether({
		signers() {
			if (isForm) requirePrimarySigner(params);
			const signers = row.signers ?? parseNewSigners(params, settings.assuranceField);
			assurance = signers.some((signer) => !isEmpty(signer[settings.assuranceField]));
			return signers;
		},
		type: () => (assurance ? params.text('transactionType') : params.required('transactionType')),
		transaction_name: () => params.required('transactionName'),
		address: () => parsePropertyAddress(params, additional),
		...locatorParsers(params, additional),
		organization_id: () => parseOrganization(params, settings),
		optional: () => parseClosingFields(params, additional),
	});
	return {
		platform: 'realEstate',
		body: {
			...withoutEmpty({
				...named,
				...closingSigners(signers),
				street_address: withoutEmpty({ ...toStreetAddress(address), country }),
			}),
			transaction_type: assurance ? null : type,
			...fields,
		},
		type,
		assurance,
		isNamedByNode: !isForm && !params.isFromColumn('transactionName'),
		note,
	};
}
