import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { OperationCall, OperationResult } from '../run/operation';
import { readOptionalFields } from '../run/parameters/optionalFields';
import type { Params } from '../run/parameters/params';
import type { ServiceSettings } from '../transport/service/credential';
import type { Platform } from '../transport/service/endpoints';
import { parseWholeNumber } from './checks';
import {
	compareByName,
	defineChoice,
	defineCollection,
	defineFlag,
	defineNumber,
	defineText,
	type OptionTuple,
} from './fields';

/* Fields that many operations have, and how they're parsed. */

/** The choice between the two platforms (docs/service/README.md#the-two-platforms). */
export const platform = defineChoice(
	'Platform',
	'platform',
	[
		['Real Estate', 'realEstate', 'Closings of loans and title'],
		['Business', 'business', 'Any other signing or notarization'],
	],
	'The platform the transaction belongs to',
);

/** The platform that an item works on. Operations without the choice work on real estate. */
export function parsePlatform(params: Params): Platform {
	return params.getChoice('platform') === 'business' ? 'business' : 'realEstate';
}

/** Whether to return a simplified version of an answer. */
export const simplify: INodeProperties = {
	...defineFlag(
		'Simplify',
		'simplify',
		'Whether to return a simplified version of the response instead of the raw data',
	),
	default: true,
};

/** The binary field that a downloaded file is put into. */
export const outputField: INodeProperties = {
	...defineText('Put Output File in Field', 'binaryPropertyName', ''),
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
};

/** The fields of n8n's Get Many operations: return all results, or up to a limit. */
export const limitFields: INodeProperties[] = [
	defineFlag(
		'Return All',
		'returnAll',
		'Whether to return all results or only up to a given limit',
	),
	defineNumber('Limit', 'limit', [1, 50], 'Max number of results to return', {
		displayOptions: { show: { returnAll: [false] } },
	}),
];

/** Builds the filters of a list. */
export const defineFilters = (fields: INodeProperties[]): INodeProperties =>
	defineCollection('Filters', 'filters', fields, { placeholder: 'Add Filter' });

/**
 * Builds the work of a list that the service answers at once: the entries up to the item's limit.
 * @param idName the name at top level under which the next node finds the ID of an entry
 * @param readEntries reads the entries, or as many as the limit needs
 */
export const listResults =
	(idName: string, readEntries: (call: OperationCall, limit: number) => Promise<IDataObject[]>) =>
	async (call: OperationCall): Promise<OperationResult[]> => {
		const limit = parseLimit(call.params);
		const entries = await readEntries(call, limit);
		return entries.slice(0, limit).map((entry) => ({ json: { [idName]: entry.id, ...entry } }));
	};

/** How many results an item wants; infinity stands for all. */
export function parseLimit(params: Params): number {
	if (params.getBoolean('returnAll')) return Number.POSITIVE_INFINITY;
	return parseWholeNumber(params.getRaw('limit') ?? 50, 1, params.label('limit'));
}

/**
 * Builds the field for the child organization (docs/service/api.md#keys-and-organizations), which
 * overrides the credential's for one node.
 */
export const defineOrganizationId = (description: string): INodeProperties =>
	defineText('Organization ID', 'organization_id', 'or_1a2b3c4d', description);

/**
 * The organization that an item works for: the node's, or else the credential's; undefined means
 * the organization of the key.
 * @param fields the values of the collection that has the field
 */
export function parseOrganization(
	params: Params,
	settings: ServiceSettings,
	fields = readOptionalFields(params),
): string | undefined {
	return params.getTextIn(fields, 'organization_id') ?? settings.organizationId;
}

/**
 * Builds the switch for a reference of the node's own (docs/unknown-outcome.md#how-the-node-finds-out).
 * @param field the field of the form that holds a person's own reference
 */
export const defineSendReference = (field: string): INodeProperties => ({
	...defineFlag(
		'Send Reference',
		'sendReference',
		`Whether to send '${field}' with a reference of the node (n8n-...) if you leave it empty, by which the node finds what it created if an answer gets lost`,
	),
	default: true,
});

/**
 * Whether the item is sent with a reference of the node's own, where it has none of the person's.
 * @throws InputFailure when that isn't true or false
 */
export function needsReference(params: Params): boolean {
	const { sendReference: setting } = readOptionalFields(params);
	return setting === undefined || params.toBoolean('sendReference', setting) !== false;
}

/** Whether new signers verify their e-mail address (docs/service/transactions.md#creation-fields). */
export const newSignerVerification = defineFlag(
	'Require New Signer Verification',
	'require_new_signer_verification',
	'Whether signers who are new to the service must verify their email address',
);

/** Who adds a consent consents: off says the same as not adding it. */
export const paperNoteConsent = defineFlag(
	'Paper Note Consent',
	'paper_note_consent',
	'Whether the note is signed on paper, so no eNote is needed',
);

/** Whether the note of a new closing is an eNote or on paper. Nobody consents to paper without choosing it. */
export const promissoryNote = defineChoice(
	'Promissory Note',
	'promissoryNote',
	[
		['Not Chosen Yet', 'notChosen', 'For closings without a loan, or to choose later'],
		['eNote', 'enote', "A file of its own, which a lender adds with 'eNote: Add'"],
		['Paper Note', 'paper', 'Signed on paper. This sends the consent to it.'],
	],
	'eNote or paper note? A lender chooses one of them for a refinance and a purchase with a loan.',
);

/** Types that may be partly on paper, too. */
const PAPER_TYPES: OptionTuple[] = [
	['Other', 'other', 'Any other closing'],
	['Purchase, Buyer Cash', 'purchase_buyer_cash', 'Purchase without a loan, for the buyer'],
	['Purchase, Buyer Loan', 'purchase_buyer_loan', 'Purchase with a loan, for the buyer'],
	['Purchase, Seller', 'purchase_seller', 'Purchase, for the seller'],
	['Refinance', 'refinance', 'New loan for the same property'],
	['Trailing Documents', 'trailing_docs', 'Documents that follow a closing'],
];

/**
 * The types to choose from (docs/service/closings.md#transaction-types). They are suggestions; an
 * expression may pass any text.
 */
const TYPES: OptionTuple[] = [
	...PAPER_TYPES,
	...PAPER_TYPES.map(([name, value, meaning]): OptionTuple => [
		`Hybrid ${name}`,
		`hybrid_${value}`,
		`${meaning}, partly on paper`,
	]),
	['HELOC', 'heloc', 'Home equity line of credit'],
	['Loan Modification, Borrower', 'loan_mod_borrower', 'New terms of a loan, for the borrower'],
	['Real Estate eSign', 'real_estate_esign', 'Signing without a notary. Only for new closings.'],
	[
		'Real Estate Proof',
		'real_estate_proof',
		'Signing with a proof of identity. Only for new closings.',
	],
	['Wet Sign', 'wet_sign', 'Everything is signed on paper'],
];

/** The type of a closing. */
export const transactionType = defineChoice(
	'Transaction Type',
	'transactionType',
	TYPES.sort(compareByName),
	"The kind of closing. A lender adds an eNote to a purchase with a loan or a refinance, unless the note is on paper. Use an expression for a type that isn't in the list.",
	{ default: 'refinance' },
);

export const transactionTypes = transactionType.options as INodePropertyOptions[];
