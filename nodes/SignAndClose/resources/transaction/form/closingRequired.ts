import type { INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import type { Params } from '../../../run/parameters/params';
import { addressProperties } from '../../address/address';
import { collection, text } from '../../shared/fields';
import { agencyLocator, jurisdictionLocator, underwriterLocator } from '../../shared/locators';
import { sendReference } from '../../shared/commonFields';
import { transactionType } from '../../shared/transactionType';
import { signerRows } from '../../signer/form';
import { parseSignerRows, type ParsedSigner } from '../../signer/input';
import { rowProperties, withoutRow, withRow } from '../row/rowProperties';
import { closingFields } from './closingOptional';

const LINE2 = addressProperties.find(({ name }) => name === 'addressLine2')!;

/** What is the same for all rows, if they have no column for it. */
const typeForRows = withRow({
	...transactionType,
	description: 'The kind of closing, for rows without a column for it',
});

/**
 * The fields that every new closing has: its type, name, signers and address, or the columns of a row.
 * The others are among the additional ones (docs/service/transactions.md#create-a-closing).
 */
export const closingFront: INodeProperties[] = [
	...rowProperties('closing', 'closing'),
	withoutRow({
		...transactionType,
		description:
			"The kind of closing. Use an expression for a type that isn't in the list. If signers have identity checks, the closing gets no type, unless the service asks for one.",
	}),
	typeForRows,
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

/** The optional fields of a new closing. Who adds a consent consents: off says the same as not adding it. */
export const closingAdditional = collection(
	'Additional Fields',
	'additionalFields',
	[
		...closingFields.map((field) =>
			field.name === 'paper_note_consent' ? { ...field, default: true } : field,
		),
		LINE2,
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
 * Reads the signers of a new closing from the form, the primary one first. It has to be a person with
 * a name; n8n's own message wouldn't name the row.
 * @throws InputFailure naming the parameter
 */
export function readClosingSigners(params: Params, assuranceField: string): ParsedSigner[] {
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
	return parseSignerRows(params, 'signers', assuranceField);
}

/** What the primary signer of a closing can't do without. */
const PRIMARY = [
	['email', 'Email'],
	['first_name', 'First Name'],
	['last_name', 'Last Name'],
] as const;
