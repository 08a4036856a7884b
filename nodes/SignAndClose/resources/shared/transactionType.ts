import type { INodePropertyOptions } from 'n8n-workflow';

import { choice, type Choice } from './fields';

const NEEDS_ENOTE = 'A lender adds an eNote, unless the note is on paper.';

/**
 * The types to choose from (docs/service/closings.md#transaction-types). They are suggestions; an
 * expression may pass any text.
 */
const TYPES: Choice[] = [
	['HELOC', 'heloc', 'Home equity line of credit'],
	['Hybrid Other', 'hybrid_other', 'Any other closing, partly on paper'],
	[
		'Hybrid Purchase, Buyer Cash',
		'hybrid_purchase_buyer_cash',
		'Purchase without a loan, for the buyer, partly on paper',
	],
	[
		'Hybrid Purchase, Buyer Loan',
		'hybrid_purchase_buyer_loan',
		'Purchase with a loan, for the buyer, partly on paper',
	],
	[
		'Hybrid Purchase, Seller',
		'hybrid_purchase_seller',
		'Purchase, for the seller, partly on paper',
	],
	['Hybrid Refinance', 'hybrid_refinance', 'New loan for the same property, partly on paper'],
	[
		'Hybrid Trailing Documents',
		'hybrid_trailing_docs',
		'Documents that follow a closing, partly on paper',
	],
	['Loan Modification, Borrower', 'loan_mod_borrower', 'New terms of a loan, for the borrower'],
	['Other', 'other', 'Any other closing'],
	['Purchase, Buyer Cash', 'purchase_buyer_cash', 'Purchase without a loan, for the buyer'],
	[
		'Purchase, Buyer Loan',
		'purchase_buyer_loan',
		`Purchase with a loan, for the buyer. ${NEEDS_ENOTE}`,
	],
	['Purchase, Seller', 'purchase_seller', 'Purchase, for the seller'],
	['Real Estate eSign', 'real_estate_esign', 'Signing without a notary. Only for new closings.'],
	[
		'Real Estate Proof',
		'real_estate_proof',
		'Signing with a proof of identity. Only for new closings.',
	],
	['Refinance', 'refinance', `New loan for the same property. ${NEEDS_ENOTE}`],
	['Trailing Documents', 'trailing_docs', 'Documents that follow a closing'],
	['Wet Sign', 'wet_sign', 'Everything is signed on paper'],
];

/** The type of a closing. */
export const transactionType = choice(
	'Transaction Type',
	'transactionType',
	TYPES,
	"The kind of closing. Use an expression for a type that isn't in the list.",
	{ default: 'refinance' },
);

export const transactionTypes = transactionType.options as INodePropertyOptions[];
