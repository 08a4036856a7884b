import type { IDataObject } from 'n8n-workflow';

import { findFieldLabel } from '../../form/hints';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import type { Platform } from '../../transport/service/endpoints';
import { isBlank } from '../../values/comparison';
import { asObject } from '../../values/json';
import { isSameProperty } from '../address/property';
import { buildFieldDifference, type ItemDifference } from './difference';
import { compareTransactionField } from './fieldComparison';
import {
	compareContacts,
	compareItemSigners,
	type ComparisonContext,
	type ExpectedTransaction,
	type PersonComparison,
} from './signerComparison';

/*
 * Compares what an item wants of a transaction with what the service shows of it, in both directions.
 * What an item leaves empty it doesn't want otherwise. What no answer shows is unknown: it neither
 * stops anything nor is it written for its own sake.
 */

/** A transaction that is compared with an item. */
export interface TransactionComparison {
	transaction: TransactionAnswer;
	platform: Platform;
	differences: ItemDifference[];
	/** Fields of a change: those that are shown otherwise, and those that no answer shows. */
	fields: IDataObject;
	unseen: IDataObject;
	people: PersonComparison[];
	/** Signers of the transaction whom the item doesn't name. */
	notNamed: IDataObject[];
}

/** Fields of a create that no change has, or that hold for the create alone; contacts are merged. */
const CREATE_ONLY = new Set([
	'contacts',
	'cosigner',
	'document',
	'documents',
	'draft',
	'jurisdiction_eligibility_consent',
	'organization_id',
	'pdf_bookmarked',
	'signer',
	'signers',
	'skip_closing_ops',
	'suppress_email',
]);

/** Compares a transaction with what is wanted of it, but for its documents. */
export function compareTransaction(
	call: ComparisonContext,
	item: ExpectedTransaction,
	transaction: TransactionAnswer,
): TransactionComparison {
	const fields = compareTransactionFields(call, item, transaction);
	const contacts = compareContacts(call, item, transaction);
	const people = compareItemSigners(call, item, transaction);
	return {
		transaction,
		platform: item.platform,
		...fields,
		...people,
		fields: { ...fields.fields, ...contacts.fields },
		differences: [...fields.differences, ...contacts.differences, ...people.differences],
	};
}

function compareTransactionFields(
	{ params }: ComparisonContext,
	{ body, platform, isNamedByNode }: ExpectedTransaction,
	transaction: TransactionAnswer,
): Pick<TransactionComparison, 'differences' | 'fields' | 'unseen'> {
	const fields: IDataObject = {};
	const unseen: IDataObject = {};
	const differences: ItemDifference[] = [];
	for (const [name, value] of Object.entries(body)) {
		if (isBlank(value) || CREATE_ONLY.has(name)) continue;
		if (name === 'transaction_name' && isNamedByNode === true) continue;
		const part = compareTransactionField(name, value, transaction, platform);
		if (part.isShown) continue;
		// Some answers lack the type although it's set
		// (docs/service/closings.md#type-of-a-closing-with-identity-assurance).
		if (name === 'transaction_type' && isBlank(part.actual)) part.isAnswered = false;
		const isProperty = name === 'street_address' && isSameProperty(value, part.actual) === false;
		// The unit of one property isn't that of another one.
		(part.isAnswered ? fields : unseen)[name] = isProperty
			? { line2: '', ...asObject(value) }
			: value;
		differences.push(
			buildFieldDifference(
				isProperty ? 'property' : 'field',
				['', findFieldLabel(params, name)],
				part,
			),
		);
	}
	return { differences, fields, unseen };
}
