import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { readOptionalFields } from '../../../run/parameters/optionalFields';
import type { Params } from '../../../run/parameters/params';
import { withoutEmpty } from '../../../values/json';
import { parseOrganization } from '../../../form/commonFields';
import { defineChoice, defineFlag, defineText } from '../../../form/fields';
import { defineNewSignerRows } from '../../signer/form';
import type { NewTransaction } from '../ifExists/creation';
import { buildFromRow, type FormValues } from '../sheet/row';
import { defineRowFields, withoutRow } from '../sheet/source';
import { returnSigningLinks, suppressEmail } from '../sendOptions';
import { parseNewSigners, parseTransactionFields, defineSharedFields } from './fields';

/** What a new business transaction is about: the fields of the form, or the columns of a row. */
export const businessMainFields: INodeProperties[] = [
	...defineRowFields('transaction'),
	...[
		defineText(
			'Transaction Name',
			'transactionName',
			'Power of attorney, Jane Signer',
			'Name shown in lists and emails',
		),
		defineNewSignerRows('People who sign'),
	].map(withoutRow),
];

/** The optional fields of a business transaction (docs/service/transactions.md#creation-fields). */
export const businessFields: INodeProperties[] = [
	...defineSharedFields('transaction', 'expiry'),
	defineChoice(
		'Authentication Requirement',
		'authentication_requirement',
		[
			['None', 'none', 'The link in the invitation is enough'],
			['Text Message (SMS)', 'sms', "The service sends a code to each signer's phone"],
		],
		'How signers authenticate before they see the documents. With a text message, every signer needs a phone.',
		{ default: 'sms' },
	),
	// Published for business transactions only (docs/service/transactions.md#creation-fields).
	defineChoice(
		'Payer',
		'payer',
		[
			['Sender', 'sender', 'Your organization pays'],
			['Signer', 'signer', 'The signer pays, and gets the documents afterwards'],
		],
		'Who pays for the transaction. If the signer pays, documents are released after the payment.',
	),
	defineFlag(
		'Split at Bookmarks',
		'pdf_bookmarked',
		'Whether each bookmark of the PDFs becomes a separate document. The service takes about five minutes for this.',
	),
	returnSigningLinks,
	suppressEmail,
	defineText(
		'Transaction Type',
		'transaction_type',
		'Power of attorney',
		'Your own name for the kind of transaction',
	),
];

/**
 * Parses these fields as fields of the request.
 * @param signers the signers that are sent with them
 * @throws InputFailure naming the field
 */
export function parseBusinessFields(
	params: Params,
	values: IDataObject,
	signers: IDataObject[],
): IDataObject {
	const sent = businessFields.filter(({ name }) => name !== returnSigningLinks.name);
	const fields = parseTransactionFields(params, values, sent);
	if (fields.authentication_requirement === 'sms') checkPhones(signers, params.label('signers'));
	return fields;
}

/** Authentication by SMS needs the phone of every signer (docs/service/transactions.md#rules-between-fields). */
function checkPhones(signers: IDataObject[], label: string): void {
	const without = signers.findIndex(
		({ phone_number: number, phone }) => number === undefined && phone === undefined,
	);
	if (without >= 0)
		throw new InputFailure(
			`${label}, entry ${without + 1}: Phone`,
			'is empty',
			"Enter the signer's phone number, or set 'Authentication Requirement' to None",
		);
}

/* Reads a new business transaction (docs/service/transactions.md#create-a-business-transaction). */

/**
 * Parses the form or the item's row.
 * @throws InputFailure naming the parameters, all faults at once
 */
export function parseTransaction(call: OperationCall): NewTransaction {
	return buildFromRow(call, {
		kind: 'transaction',
		check: (params, fields) => void parseBusinessFields(params, fields, []),
		build: (row) => buildTransaction(call, row),
	});
}

function buildTransaction(
	{ service: { settings } }: OperationCall,
	{ params, note, ...row }: FormValues,
): NewTransaction {
	let signers: IDataObject[] = [];
	let roles: NewTransaction['roles'];
	const { draft, optional, ...parsedFields } = parseTogether({
		signers() {
			({ signers, roles } = row.people ?? parseNewSigners(params, settings.assuranceField));
			return signers;
		},
		transaction_name: () => params.getText('transactionName'),
		organization_id: () => parseOrganization(params, settings),
		draft: () => params.getBoolean('draft', true),
		// What they need of the signers can be said only if these are right.
		optional: () => parseBusinessFields(params, readOptionalFields(params), signers),
	});
	return {
		platform: 'business',
		body: { ...withoutEmpty(parsedFields), draft, ...optional },
		roles,
		note,
	};
}
