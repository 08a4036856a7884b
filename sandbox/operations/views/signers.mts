/** How signers look in answers (docs/service/signers.md#signer-answer). */

import { authenticationRecords } from './authenticationRecords.mts';
import { accessLink } from '../../domain/people/accessLink.mts';
import { phoneOf } from '../../domain/people/phones.mts';
import { isDraft, isFinished } from '../../domain/transitions.mts';
import type { Fields, Signer, Transaction, World } from '../../world/world.mts';

const EMPTY_ADDRESS = { line1: '', line2: '', city: '', state: '', postal: '', country: '' };

/**
 * Fields that the published schema has and no example, under the name of the request: our default is
 * that answers have them when they are set (docs/service/signers.md#which-fields-are-sent).
 */
const SCHEMA_ONLY = (
	'middle_name dob recipient_group capacity entity signing_requirement order ' +
	'notary_id suppress_communications primary_id_allow_list_by_country ' +
	'secondary_id_allow_list_by_country verify_tools_configuration verify_tool_configuration'
).split(' ');

/** An address of an answer: empty texts where nothing is set. */
export function addressView(address: Fields | undefined): Fields {
	const { zip_code, ...parts } = address ?? {};
	return { ...EMPTY_ADDRESS, ...(zip_code !== undefined && { postal: zip_code }), ...parts };
}

/** A signer as live services answer it. */
export function signerView(world: World, transaction: Transaction, signer: Signer): Fields {
	const { switches } = world.settings;
	const link = accessLink(world, transaction, signer);
	return {
		signer_id: signer.id,
		email: signer.email,
		first_name: signer.first_name ?? '',
		last_name: signer.last_name ?? '',
		address: addressView(signer.address as Fields | undefined),
		link_expired: isDraft(transaction) || isFinished(transaction),
		personally_known_to_notary: signer.personally_known_to_notary ?? false,
		signatory_capacities: signer.signatory_capacities ?? [],
		transaction_access_link: link,
		vesting_type: signer.vesting_type ?? defaultVesting(transaction),
		...set({
			external_id: signer.external_id,
			phone: phoneOf(signer),
			// Signing has not begun in a draft, and nobody can open it.
			signing_status: isDraft(transaction) ? undefined : signer.signing_status,
			sdk_token: link || undefined,
			...(switches.schemaOnlySigners === 'shown' && schemaOnlyView(world, transaction, signer)),
		}),
	};
}

function schemaOnlyView({ settings }: World, transaction: Transaction, signer: Signer): Fields {
	const { assuranceField } = settings;
	return {
		[assuranceField]: signer[assuranceField],
		esign_authentication_records: authenticationRecords(transaction.identities.get(signer.id)),
		...Object.fromEntries(SCHEMA_ONLY.map((name) => [name, signer[name]])),
	};
}

/**
 * The example of business, a signer with only an email, is no borrower. The published text says
 * that signers are (docs/service/signers.md#vesting).
 */
function defaultVesting({ platform }: Transaction): string {
	return platform === 'business' ? 'non_borrower' : 'borrower';
}

/** A signer with what is documented of it (docs/service/signers.md#signer-fields). */
export function documentedSignerView(
	{ settings }: World,
	transaction: Transaction,
	signer: Signer,
): Fields {
	const names = ['email', 'first_name', 'middle_name', 'last_name', 'phone_number', 'external_id'];
	return set({
		...Object.fromEntries(names.map((name) => [name, signer[name]])),
		[settings.assuranceField]: signer[settings.assuranceField],
		signing_status: isDraft(transaction) ? undefined : signer.signing_status,
	});
}

/** Without the fields that are not set. */
export function set(fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
