import type { INodePropertyOptions } from 'n8n-workflow';

import { byChoice, choice, type Choice } from './fields';

/** Types that may be partly on paper, too. */
const BOTH_FORMS: Choice[] = [
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
const TYPES: Choice[] = [
	...BOTH_FORMS,
	...BOTH_FORMS.map(([name, value, meaning]): Choice => [
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
export const transactionType = choice(
	'Transaction Type',
	'transactionType',
	TYPES.sort(byChoice),
	"The kind of closing. A lender adds an eNote to a purchase with a loan or a refinance, unless the note is on paper. Use an expression for a type that isn't in the list.",
	{ default: 'refinance' },
);

export const transactionTypes = transactionType.options as INodePropertyOptions[];
