import type { INodeProperties } from 'n8n-workflow';

/**
 * The types to choose from (docs/service/closings.md#transaction-types). They are suggestions; an
 * expression may pass any text.
 */
const TYPES: Array<[string, string]> = [
	['HELOC', 'heloc'],
	['Hybrid Other', 'hybrid_other'],
	['Hybrid Purchase, Buyer Cash', 'hybrid_purchase_buyer_cash'],
	['Hybrid Purchase, Buyer Loan', 'hybrid_purchase_buyer_loan'],
	['Hybrid Purchase, Seller', 'hybrid_purchase_seller'],
	['Hybrid Refinance', 'hybrid_refinance'],
	['Hybrid Trailing Documents', 'hybrid_trailing_docs'],
	['Loan Modification, Borrower', 'loan_mod_borrower'],
	['Other', 'other'],
	['Purchase, Buyer Cash', 'purchase_buyer_cash'],
	['Purchase, Buyer Loan', 'purchase_buyer_loan'],
	['Purchase, Seller', 'purchase_seller'],
	['Real Estate eSign', 'real_estate_esign'],
	['Real Estate Proof', 'real_estate_proof'],
	['Refinance', 'refinance'],
	['Trailing Documents', 'trailing_docs'],
	['Wet Sign', 'wet_sign'],
];

/** The type of a closing. */
export const transactionType: INodeProperties = {
	displayName: 'Transaction Type',
	name: 'transactionType',
	type: 'options',
	options: TYPES.map(([name, value]) => ({ name, value })),
	default: 'refinance',
	description: "The kind of closing. Use an expression for a type that isn't in the list.",
};
