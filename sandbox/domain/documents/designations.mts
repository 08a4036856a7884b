/** Signing designations (docs/service/documents.md#designations). */

import { refuse } from '../refusal.mts';
import type { Designation, DesignationGroup, Signer } from '../../world/world.mts';

const WITNESS = /^witness[1-9]$/;
const NOTARY_TYPES = new Set(
	(
		'disclosure notary_id seal commission_expiration_date commission_state county ' +
		'commission_county principal_id_type notary_city'
	).split(' '),
);
const SIGNER_TYPES = new Set(
	(
		'dob email address_line1 address_line2 address_zip5 address_state address_city ' +
		'representative_capacity_type'
	).split(' '),
);

interface Designated {
	signers: Signer[];
	designations: Designation[];
	groups: DesignationGroup[];
	pages: number;
}

/** @throws Refusal 422 for designations that don't fit the signers, the pages or each other */
export function checkDesignations({ signers, designations, groups, pages }: Designated): void {
	const known = new Set(
		signers.flatMap(({ external_id }) => (external_id === undefined ? [] : [external_id])),
	);
	const triggers = new Set(
		designations
			.filter(({ optional }) => optional === true)
			.map(({ primary_designation_identifier: name }) => name),
	);
	const groupNames = new Set(groups.map(({ name }) => name));
	for (const designation of designations) {
		const {
			signer_identifier: who,
			type,
			page_number: page,
			conditional_on_primary: on,
			signing_designation_group: group,
		} = designation;
		// The external_id of a signer, or the literal notary. Live services have witnesses too
		// (docs/service/documents.md#signer-identifier).
		if (!known.has(who) && who !== 'notary' && !WITNESS.test(who))
			refuse(`signer_identifier ${who} is not the external_id of a signer`);
		if (NOTARY_TYPES.has(type) && who !== 'notary')
			refuse(`A designation of type ${type} belongs to the notary`);
		if (SIGNER_TYPES.has(type) && !known.has(who))
			refuse(`A designation of type ${type} belongs to a signer`);
		if (page >= pages)
			refuse(`page_number ${page} does not exist: the document has ${pages} pages, counted from 0`);
		// Rule 2: the triggering designation is optional and has the identifier that the dependent one
		// names.
		if (on !== undefined && !triggers.has(on))
			refuse(`conditional_on_primary ${on} names no optional designation`);
		if (group !== undefined && !groupNames.has(group))
			refuse(`signing_designation_group ${group} is not among signing_designation_groups`);
		if (group !== undefined && designation.optional !== undefined)
			refuse('signing_designation_group and optional exclude each other');
	}
	for (const { name, min_required: min = 0, max_required: max = Infinity } of groups) {
		const members = designations.filter(
			(designation) => designation.signing_designation_group === name,
		).length;
		if (min > max || min > members)
			refuse(`signing_designation_groups: ${name} can't be fulfilled`);
	}
}

/**
 * The designations that are filled in: an optional one when the signer selected it, a dependent one
 * when its trigger was selected (docs/service/documents.md#conditional-designations).
 * @param selected the identifiers that the signer selected, by default all
 */
export function filledDesignations(
	designations: Designation[],
	selected?: string[],
): Designation[] {
	const isSelected = (name: string | undefined) =>
		selected === undefined || (name !== undefined && selected.includes(name));
	return designations.filter(
		({ optional, primary_designation_identifier: own, conditional_on_primary: on }) => {
			if (on !== undefined && !isSelected(on)) return false;
			return optional !== true || isSelected(own);
		},
	);
}

export function isSignerDesignation({ signer_identifier: who }: Designation): boolean {
	return who !== 'notary' && !WITNESS.test(who);
}
