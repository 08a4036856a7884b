/**
 * What only closings have in answers (docs/service/transactions.md#answer-fields). What is undefined
 * here is left out (docs/service/transactions.md#unset-fields).
 */

import { addressView } from './signers.mts';
import { AGENCIES, UNDERWRITERS } from '../../data/jurisdictions.mts';
import { findOrganization } from '../../data/organizations.mts';
import { isAssured, recordingJurisdictionOf } from '../../domain/closingRules.mts';
import { expiryOf } from '../../domain/expiry.mts';
import { isWithClosingTeam } from '../../domain/transitions.mts';
import { withoutUnderscore } from '../../world/idForms.mts';
import type { Fields, Transaction, World } from '../../world/world.mts';

export function closingView(world: World, transaction: Transaction): Fields {
	const { settings } = world;
	const { fields, organization } = transaction;
	const street_address = fields.street_address && streetAddressView(fields.street_address);
	const expiry = expiryOf(transaction);
	const agency = AGENCIES.find(({ id }) => id === fields.title_agency_id);
	const underwriter = UNDERWRITERS.find(({ id }) => id === fields.title_underwriter_id);
	return {
		transaction_name: fields.transaction_name ?? street_address?.full_address,
		status_description: '',
		contacts: fields.contacts ?? [],
		file_number: fields.file_number,
		loan_number: fields.loan_number,
		expiration_time: expiry === undefined ? undefined : new Date(expiry).toISOString(),
		lender: settings.account === 'lender' ? named(findOrganization(organization)!) : undefined,
		title_agency: agency && { ...named(agency), company_notaries: agency.company_notaries },
		title_underwriter: underwriter && named(underwriter),
		recording_jurisdiction: jurisdictionView(fields),
		street_address,
		order_progress: progressOf(transaction),
		...(hidesType(world, transaction) && { transaction_type: undefined }),
		underwriter_override: false,
	};
}

/** Nested organizations have their id without the underscore (docs/service/README.md#identifiers). */
function named({ id, name }: { id: string; name: string }): Fields {
	return { id: withoutUnderscore(id), name };
}

/** Unset where the service has not found one place. */
function jurisdictionView(fields: Fields): Fields | undefined {
	const found = recordingJurisdictionOf(fields);
	if (found === undefined) return undefined;
	const { id, name, state, recording_type } = found;
	return { id, name, state, recording_type: recording_type.toLowerCase() };
}

/** An address that is set, whose own unset parts are empty texts. */
export function streetAddressView(address: Fields): Fields {
	const view = addressView(address);
	const { line1, line2, city, state, postal } = view;
	const place = [state, postal].filter(Boolean).join(' ');
	return { ...view, full_address: [line1, line2, city, place].filter(Boolean).join(', ') };
}

/** Whether answers leave the type out (docs/service/closings.md#type-of-a-closing-with-identity-assurance). */
function hidesType(world: World, { signers }: Transaction): boolean {
	return world.settings.switches.assuredTypeAnswer === 'missing' && isAssured(world, signers);
}

/** How far the closing team is, as long as it has the order (docs/service/states.md#order-progress). */
function progressOf(transaction: Transaction): string | undefined {
	if (!isWithClosingTeam(transaction)) return undefined;
	const { detailedStatus } = transaction;
	if (detailedStatus === 'on_hold') return 'on_hold_other';
	if (detailedStatus === 'ready_for_review') return 'in_qc';
	return detailedStatus === 'sent_to_title_agent' ? 'preparing_order' : 'received';
}
