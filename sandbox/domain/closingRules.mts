/** What real-estate closings require: their type, the place, and what an order needs. */

import { findJurisdictions, type Jurisdiction, type ListedAgency } from '../data/jurisdictions.mts';
import { refuse, TEXTS } from './refusal.mts';
import type { Fields, Transaction, World } from '../world/world.mts';

/**
 * The types of a closing (docs/service/closings.md#transaction-types). hybrid_heloc is published for
 * the look-ups only.
 */
export const CLOSING_TYPES = new Set<unknown>(
	(
		'refinance trailing_docs purchase_seller purchase_buyer_cash purchase_buyer_loan heloc ' +
		'loan_mod_borrower other hybrid_refinance hybrid_trailing_docs hybrid_purchase_seller ' +
		'hybrid_purchase_buyer_cash hybrid_purchase_buyer_loan hybrid_other wet_sign ' +
		'real_estate_esign real_estate_proof hybrid_heloc'
	).split(' '),
);
/**
 * These need an eNote unless the body has paper_note_consent
 * (docs/service/closings.md#when-an-enote-is-mandatory).
 */
export const TYPES_WITH_ENOTE = new Set(['refinance', 'purchase_buyer_loan']);

/** The published list of types for PUT lacks these (docs/service/closings.md#transaction-types). */
const TYPES_NOT_PUT = new Set<unknown>(['real_estate_esign', 'real_estate_proof']);

/** Whether a signer has the identity-assurance object (docs/service/signers.md#identity-assurance). */
export function isAssured({ settings }: World, signers: readonly Fields[]): boolean {
	return signers.some((signer) => (signer[settings.assuranceField] ?? null) !== null);
}

/**
 * A closing whose signers have the identity-assurance object needs version 2
 * (docs/service/api.md#path-of-a-closing-with-identity-assurance) and a type of null, or with the
 * switch one that is named (docs/service/closings.md#type-of-a-closing-with-identity-assurance). Any
 * other has one of the listed types, null, or none yet.
 */
export function checkClosingType(
	world: World,
	signers: Fields[],
	type: unknown,
	version: 1 | 2,
): void {
	const assured = isAssured(world, signers);
	if (assured && version !== 2) refuse('Identity assurance needs version 2 of this endpoint');
	if (!isTypeTaken(world, type, assured)) refuse(TEXTS.typeUnknown);
}

function isTypeTaken({ settings }: World, type: unknown, assured: boolean): boolean {
	if (assured && settings.switches.assuredType === 'null') return type === null;
	if (CLOSING_TYPES.has(type)) return true;
	return !assured && (type ?? null) === null;
}

/**
 * A PUT that replaces has to have the type, unless it is one that PUT does not take. That one stays
 * (docs/service/transactions.md#update-a-draft).
 * @param fields what the transaction is going to have
 */
export function checkChangedType(
	transaction: Transaction,
	body: Fields,
	fields: Fields,
	mode: 'merge' | 'replace',
): void {
	if (TYPES_NOT_PUT.has(body.transaction_type)) refuse(TEXTS.typeUnknown);
	if (mode === 'merge' || body.transaction_type !== undefined) return;
	const { transaction_type: type } = transaction.fields;
	if (!TYPES_NOT_PUT.has(type)) refuse(TEXTS.typeUnknown);
	fields.transaction_type = type;
}

/** The recording locations of a closing where it may be done (docs/service/closings.md#recording-locations). */
function eligibleJurisdictions({
	street_address: address,
	transaction_type: transactionType,
}: Fields): Jurisdiction[] {
	return findJurisdictions({
		city: String(address.city ?? ''),
		state: String(address.state ?? ''),
		transactionType,
	}).filter(({ eligible }) => eligible);
}

/**
 * Where a closing is going to be recorded: where its client says, else what the service finds for
 * the address, if that is one place (docs/service/closings.md#recording-locations).
 */
export function recordingJurisdictionOf(fields: Fields): Jurisdiction | undefined {
	if (!isPlaced(fields)) return undefined;
	const found = eligibleJurisdictions(fields);
	const { recording_jurisdiction_id: chosen } = fields;
	if (chosen !== undefined) return found.find(({ id }) => id === chosen);
	return found.length === 1 ? found[0] : undefined;
}

/** Whether a closing has an address already. */
const isPlaced = ({ street_address: address }: Fields) => Boolean(address?.city && address.state);

/**
 * The jurisdiction, agency and underwriter have to be among those that verifying the address gives
 * (docs/service/transactions.md#creation-fields). Without an address there is nothing to check yet.
 */
export function checkJurisdiction(fields: Fields): void {
	if (!isPlaced(fields)) return;
	const jurisdictions = eligibleJurisdictions(fields);
	if (jurisdictions.length === 0) {
		if (!fields.jurisdiction_eligibility_consent) refuse('The address can not be closed online');
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
 * What an order needs beyond a draft: a title agency where a lender orders
 * (docs/service/transactions.md#create-a-closing).
 */
export function checkOrder({ settings }: World, { title_agency_id, contacts = [] }: Fields): void {
	const hasAgent = contacts.some(({ role }: Fields) => role === 'title_agent');
	if (settings.account === 'lender' && title_agency_id === undefined && !hasAgent)
		refuse('A lender needs title_agency_id or a contact with role title_agent');
}
