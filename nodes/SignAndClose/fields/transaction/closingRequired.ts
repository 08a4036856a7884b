import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { Faults } from '../../core/faults';
import type { Params } from '../../core/params';
import { addressProperties } from '../shared/address';
import { shownIf, VERSION_1, VERSION_2 } from '../form/versions';
import { rowProperties, withoutRow, withRow } from '../row/rowProperties';
import { collection, text, payer } from '../shared/builders';
import { agencyLocator, jurisdictionLocator, underwriterLocator } from '../shared/locators';
import { closingFields } from './closingOptional';
import {
	checkSigners,
	MOST_SIGNERS,
	readSigner,
	readSignerRows,
	type ReadSigner,
} from './readSigner';
import {
	EXTERNAL_ID,
	identityChecks,
	identityNotice,
	PHONE,
	PHONE_EXAMPLE,
	signerDetails,
	signerRows,
} from './signer';
import { transactionType } from './transactionType';

const LINE2 = addressProperties.find(({ name }) => name === 'addressLine2')!;

/** The fields of version 1 for the primary signer and the others. */
const signersOfVersion1: INodeProperties[] = [
	{
		...text(
			'Signer Email',
			'signerEmail',
			'jane@example.com',
			'Where the service sends the signing link',
		),
		required: true,
	},
	{ ...text('Signer First Name', 'signerFirstName', 'Jane'), required: true },
	text('Signer Middle Name', 'signerMiddleName', 'Ann'),
	{ ...text('Signer Last Name', 'signerLastName', 'Borrower'), required: true },
	text('Signer Phone', 'signerPhone', PHONE_EXAMPLE, PHONE),
	text('Signer External ID', 'signerExternalId', 'borrower-1', EXTERNAL_ID),
	identityChecks,
	identityNotice,
	signerDetails('Signer Details', 'signerDetails'),
	signerRows(
		'Co-Signers',
		'coSigners',
		'People who sign besides the primary signer, e.g. a spouse',
	),
];

const inVersion1 = (field: INodeProperties) => shownIf(VERSION_1, field);

/** What is the same for all rows, if they have no column for it. */
const typeForRows = withRow({
	...transactionType,
	description: 'The kind of closing, for rows without a column for it',
});

/**
 * The fields that every new closing has. Since version 2 these are its type, name, signers and
 * address, or the columns of a row; the others are among the additional ones
 * (docs/service/transactions.md#create-a-closing).
 */
export const closingFront: INodeProperties[] = [
	...rowProperties('closing', 'closing'),
	withoutRow(transactionType),
	typeForRows,
	withoutRow({
		...text(
			'Transaction Name',
			'transactionName',
			'Refinance 100 Harbor Street',
			'Name shown in lists and emails',
		),
		required: true,
	}),
	...signersOfVersion1.map(inVersion1),
	withoutRow(
		shownIf(
			VERSION_2,
			signerRows('Signers', 'signers', 'People who sign, starting with the primary signer', {
				required: true,
			}),
		),
	),
	...addressProperties.map((field) =>
		field.name === LINE2.name ? inVersion1(field) : withoutRow(field),
	),
	...[jurisdictionLocator, agencyLocator, underwriterLocator].map(inVersion1),
];

/**
 * Workflows of version 1 may store a payer, which no closing has. And who adds a consent consents: off
 * says the same as not being there.
 */
const additionalOfVersion2 = closingFields
	.filter(({ name }) => name !== payer.name)
	.map((field) => (field.name === 'paper_note_consent' ? { ...field, default: true } : field));

/** What a first closing is refused for, or looked for in vain, if nothing points to it. */
const FIRST = [agencyLocator.name, 'paper_note_consent', 'loan_number'];

/** The optional fields of a new closing in each version. */
export const closingAdditional: INodeProperties[] = [
	inVersion1(collection('Additional Fields', 'additionalFields', closingFields)),
	shownIf(
		VERSION_2,
		collection(
			'Additional Fields',
			'additionalFields',
			[
				...additionalOfVersion2,
				LINE2,
				jurisdictionLocator,
				withinAdditional(agencyLocator),
				withinAdditional(underwriterLocator),
			],
			{ placeholder: 'Add Title Agency, Paper Note Consent, Loan Number or Another Field' },
			FIRST,
		),
	),
];

/** The lists that depend on choices in the same collection. */
function withinAdditional(locator: INodeProperties): INodeProperties {
	const dependsOn = locator.typeOptions?.loadOptionsDependsOn?.map(
		(name) => `additionalFields.${name}`,
	);
	return { ...locator, typeOptions: { ...locator.typeOptions, loadOptionsDependsOn: dependsOn } };
}

/**
 * Reads the signers of a new closing from the form, the primary one first.
 * @throws InputFailure naming the parameter
 */
export function readClosingSigners(params: Params, assuranceField: string): ReadSigner[] {
	if (params.typeVersion >= 2) return readSigners(params, assuranceField);
	const faults = new Faults();
	const primary: IDataObject = {
		email: faults.read(() => params.required('signerEmail')),
		first_name: faults.read(() => params.required('signerFirstName')),
		middle_name: faults.read(() => params.text('signerMiddleName')),
		last_name: faults.read(() => params.required('signerLastName')),
		phone_number: faults.read(() => params.text('signerPhone')),
		external_id: faults.read(() => params.text('signerExternalId')),
		identityChecks: params.raw('identityChecks') as string[],
		details: faults.read(() => params.object('signerDetails')),
	};
	const first = faults.read(() =>
		readSigner(params, primary, assuranceField, (field) => labelOf(params, field)),
	);
	const others = faults.read(() => readSignerRows(params, 'coSigners', assuranceField));
	faults.tell();
	const signers = [first!, ...others!];
	if (signers.length > MOST_SIGNERS)
		throw new InputFailure(
			params.label('coSigners'),
			`make ${signers.length} signers; the service accepts up to ${MOST_SIGNERS}`,
			'Create more than one closing',
		);
	checkSigners(signers, params.label('coSigners'));
	return signers;
}

/** The primary signer has to be a person with a name; n8n's own message wouldn't name the row. */
function readSigners(params: Params, assuranceField: string): ReadSigner[] {
	const label = params.label('signers');
	const [primary] = params.rows('signers');
	if (primary === undefined)
		throw new InputFailure(label, 'is empty', 'Add at least one signer with an email address');
	for (const [name, displayName] of PRIMARY)
		if (params.textOf(primary, name) === undefined)
			throw new InputFailure(
				`${label}, row 1: ${displayName}`,
				'is empty',
				"Fill it in: a closing needs the name and the email address of its primary signer. If it's an expression, check what it returns for this item",
			);
	return readSignerRows(params, 'signers', assuranceField);
}

/** What the primary signer of a closing can't do without. */
const PRIMARY = [
	['email', 'Email'],
	['first_name', 'First Name'],
	['last_name', 'Last Name'],
] as const;

/**
 * Returns the label of a field of the primary signer. Most of them are parameters whose names begin
 * with "signer"; the others keep their own labels.
 */
function labelOf(params: Params, field: string): string {
	const name = `signer${field.replace(/ /g, '')}`;
	return params.label(name) === name ? field : params.label(name);
}
