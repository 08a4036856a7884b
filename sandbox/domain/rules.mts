import { findJurisdictions, type Jurisdiction, type ListedAgency } from '../data/jurisdictions.mts';
import { Refusal, refuse, TEXTS } from './refusal.mts';
import type { Fields, Key, Transaction, World } from '../state/world.mts';

/** Rules that several operations share. */

/** gaps.md §3. */
export const CLOSING_TYPES = new Set(
	(
		'refinance trailing_docs purchase_seller purchase_buyer_cash purchase_buyer_loan heloc loan_mod_borrower other hybrid_refinance ' +
		'hybrid_trailing_docs hybrid_purchase_seller hybrid_purchase_buyer_cash hybrid_purchase_buyer_loan hybrid_other wet_sign ' +
		'real_estate_esign real_estate_proof'
	).split(' '),
);
/** An eNote is mandatory for these unless paper_note_consent (gaps.md §3). */
export const NEEDS_ENOTE = new Set(['refinance', 'purchase_buyer_loan']);

const TYPOS: Record<string, string> = {
	'gmial.com': 'gmail.com',
	'gmal.com': 'gmail.com',
	'gmail.con': 'gmail.com',
	'yaho.com': 'yahoo.com',
	'hotmial.com': 'hotmail.com',
	'outlok.com': 'outlook.com',
};

/** gaps.md §9: "Customer email not present"; "Typo in domain name. Did you mean ...". */
export function checkEmail(email: unknown): void {
	if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
		return refuse(TEXTS.noEmail);
	const [name, domain] = email.split('@');
	const meant = TYPOS[domain.toLowerCase()];
	if (meant !== undefined) refuse(`Typo in domain name. Did you mean ${name}@${meant}?`);
}

export function checkSigners(people: Fields[]): void {
	if (people.length === 0) refuse(TEXTS.noSigner);
	for (const { email } of people) checkEmail(email);
	const ids = people.flatMap(({ external_id }) => (external_id === undefined ? [] : [external_id]));
	if (new Set(ids).size !== ids.length) refuse('external_id of the signers must differ');
}

/** A body may name a child organization of the key's (gaps.md §2). */
export function organizationFor(world: World, key: Key, wanted: unknown): string {
	const organization = String(wanted ?? key.organization);
	if (
		organization === key.organization ||
		(key.organization === world.parent && organization === world.child)
	)
		return organization;
	throw new Refusal(403, 'The organization does not belong to this key');
}

/** @throws Refusal 422 unless the transaction is a draft (gaps.md §1, Update draft) */
export function needDraft(transaction: Transaction): void {
	// A canceled one shows as expired, but that is not why it can't be edited.
	if (transaction.status === 'expired' && transaction.ended === undefined) refuse(TEXTS.expired);
	if (transaction.detailedStatus !== 'draft' && transaction.detailedStatus !== 'recalled')
		refuse(TEXTS.notEditable);
}

/**
 * interface.md §2: null for a transaction with the assurance object, on version 2 only; else one of
 * the list.
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
 * Identifiers chosen from the verify-address result belong to the address (interface.md §2,
 * creation parameters).
 */
export function checkPlace({
	street_address: address,
	transaction_type: transactionType,
	...fields
}: Fields): void {
	const places = findJurisdictions({
		city: String(address?.city ?? ''),
		state: String(address?.state ?? ''),
		transactionType,
	}).filter(({ eligible }) => eligible);
	if (places.length === 0) {
		if (fields.jurisdiction_eligibility_consent !== true)
			refuse('The address can not be closed online');
		return;
	}
	const chosen = fields.recording_jurisdiction_id;
	if (chosen !== undefined && !places.some(({ id }) => id === chosen))
		refuse('recording_jurisdiction_id does not belong to the address');
	const agencies = agenciesOf(places, chosen);
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

function agenciesOf(places: Jurisdiction[], chosen: unknown): ListedAgency[] {
	return places
		.filter(({ id }) => chosen === undefined || id === chosen)
		.flatMap(({ eligible_title_agencies }) => eligible_title_agencies);
}

/**
 * What an order needs beyond a draft (interface.md §2: the client chooses one of several
 * jurisdictions; gaps.md §3: lenders need an agency).
 */
export function checkOrder(
	{ settings }: World,
	{ street_address: address, transaction_type: transactionType, contacts = [], ...fields }: Fields,
): void {
	const places = findJurisdictions({
		city: String(address?.city ?? ''),
		state: String(address?.state ?? ''),
		transactionType,
	});
	if (places.length > 1 && fields.recording_jurisdiction_id === undefined)
		refuse('recording_jurisdiction_id is needed: the address lies in several jurisdictions');
	const hasAgent = contacts.some(({ role }: Fields) => role === 'title_agent');
	if (settings.account === 'lender' && fields.title_agency_id === undefined && !hasAgent)
		refuse('A lender needs title_agency_id or a contact with role title_agent');
}

/** gaps.md §3, activation_time, expiry: ISO, and not in the past. */
export function checkTimes(world: World, { expiry, expiration_time }: Fields): void {
	const end = expiry ?? expiration_time;
	if (end !== undefined && end !== null && Date.parse(end) <= world.clock.now())
		refuse('expiry lies in the past');
}
