import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { Faults } from '../../core/faults';
import type { Params } from '../../core/params';
import { addressProperties } from '../shared/address';
import { text } from '../shared/builders';
import { agencyLocator, jurisdictionLocator, underwriterLocator } from '../shared/locators';
import {
	checkSigners,
	MOST_SIGNERS,
	readSigner,
	readSignerRows,
	type ReadSigner,
} from './readSigner';
import { EXTERNAL_ID, identityChecks, identityNotice, signerDetails, signerRows } from './signer';
import { transactionType } from './transactionType';

/**
 * The fields that every new closing has: type, signers, address, jurisdiction, agency, underwriter
 * (docs/service/transactions.md#create-a-closing).
 */
export const closingFront: INodeProperties[] = [
	transactionType,
	{
		...text(
			'Transaction Name',
			'transactionName',
			'Refinance 100 Harbor Street',
			'Name shown in lists and emails',
		),
		required: true,
	},
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
	text(
		'Signer Phone',
		'signerPhone',
		'6175550123',
		"Required for the SMS code of 'Identity Checks'",
	),
	text(
		'Signer External ID',
		'signerExternalId',
		'borrower-1',
		EXTERNAL_ID,
	),
	identityChecks,
	identityNotice,
	signerDetails('Signer Details', 'signerDetails'),
	signerRows(
		'Co-Signers',
		'coSigners',
		'People who sign besides the primary signer, e.g. a spouse',
	),
	...addressProperties,
	jurisdictionLocator,
	agencyLocator,
	underwriterLocator,
];

/**
 * Reads the signers of a new closing, the primary one first.
 * @throws InputFailure naming the parameter
 */
export function readClosingSigners(params: Params, assuranceField: string): ReadSigner[] {
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

/**
 * Returns the label of a field of the primary signer. Most of them are parameters whose names begin
 * with "signer"; the others keep their own labels.
 */
function labelOf(params: Params, field: string): string {
	const name = `signer${field.replace(/ /g, '')}`;
	return params.label(name) === name ? field : params.label(name);
}
