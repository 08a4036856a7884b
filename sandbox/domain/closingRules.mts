/** What real-estate closings require: their type, the place, and what an order needs. */

import { findJurisdictions, type Jurisdiction, type ListedAgency } from '../data/jurisdictions.mts';
import { refuse, TEXTS } from './refusal.mts';
import type { Fields, World } from '../world/world.mts';

/** The types of a closing (docs/service/closings.md#transaction-types). */
const CLOSING_TYPES = new Set(
	(
		'refinance trailing_docs purchase_seller purchase_buyer_cash purchase_buyer_loan heloc ' +
		'loan_mod_borrower other hybrid_refinance hybrid_trailing_docs hybrid_purchase_seller ' +
		'hybrid_purchase_buyer_cash hybrid_purchase_buyer_loan hybrid_other wet_sign ' +
		'real_estate_esign real_estate_proof'
	).split(' '),
);
/**
 * These need an eNote unless the body has paper_note_consent
 * (docs/service/closings.md#when-an-enote-is-mandatory).
 */
export const TYPES_WITH_ENOTE = new Set(['refinance', 'purchase_buyer_loan']);

/**
 * A closing whose signers have the identity-assurance object needs version 2 and a type of null
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance). Any other has one of the listed
 * types.
 */
export function checkClosingType(
	world: World,
	{ transaction_type: type, signer, signers = [signer] }: Fields,
	version: 1 | 2,
): void {
	const assured = signers.some(
		(person: Fields | undefined) => person?.[world.settings.assuranceField] !== undefined,
	);
	if (assured && version !== 2) refuse('Identity assurance needs version 2 of this endpoint');
	if (assured ? type !== null : !CLOSING_TYPES.has(type)) refuse(TEXTS.typeUnknown);
}

/**
 * The jurisdiction, agency and underwriter have to be among those that verifying the address gives
 * (docs/service/transactions.md#creation-fields).
 */
export function checkJurisdiction({
	street_address: address,
	transaction_type: transactionType,
	...fields
}: Fields): void {
	const jurisdictions = findJurisdictions({
		city: String(address?.city ?? ''),
		state: String(address?.state ?? ''),
		transactionType,
	}).filter(({ eligible }) => eligible);
	if (jurisdictions.length === 0) {
		if (fields.jurisdiction_eligibility_consent !== true)
			refuse('The address can not be closed online');
		return;
	}
	const chosen = fields.recording_jurisdiction_id;
	if (chosen !== undefined && !jurisdictions.some(({ id }) => id === chosen))
		refuse('recording_jurisdiction_id does not belong to the address');
	const agencies = agenciesOf(jurisdictions, chosen);
	const agency = agencies.find(({ id }) => id === fields.title_agency_id);
	if (fields.title_agency_id !== undefined && agency === undefined)
		refuse('title_agency_id is not eligible for the address');
	const underwriters = (agency ? [agency] : agencies).flatMap(
		({ eligible_underwriters }) => eligible_underwriters,
	);
	if (
		fields.title_underwriter_id !== undefined &&
		!underwriters.some(({ id }) => id === fields.title_underwriter_id)
	) {
		refuse('title_underwriter_id is not eligible for the title agency');
	}
}

function agenciesOf(jurisdictions: Jurisdiction[], chosen: unknown): ListedAgency[] {
	return jurisdictions
		.filter(({ id }) => chosen === undefined || id === chosen)
		.flatMap(({ eligible_title_agencies }) => eligible_title_agencies);
}

/**
 * What an order needs beyond a draft: one jurisdiction where the address has several
 * (docs/service/closings.md#verify-an-address), and a title agency where a lender orders
 * (docs/service/transactions.md#create-a-closing).
 */
export function checkOrder(
	{ settings }: World,
	{ street_address: address, transaction_type: transactionType, contacts = [], ...fields }: Fields,
): void {
	const jurisdictions = findJurisdictions({
		city: String(address?.city ?? ''),
		state: String(address?.state ?? ''),
		transactionType,
	});
	if (jurisdictions.length > 1 && fields.recording_jurisdiction_id === undefined)
		refuse('recording_jurisdiction_id is needed: the address lies in several jurisdictions');
	const hasAgent = contacts.some(({ role }: Fields) => role === 'title_agent');
	if (settings.account === 'lender' && fields.title_agency_id === undefined && !hasAgent)
		refuse('A lender needs title_agency_id or a contact with role title_agent');
}
