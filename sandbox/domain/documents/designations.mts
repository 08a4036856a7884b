/** Signing designations (docs/service/documents.md#designations). */

import { refuse } from '../refusal.mts';
import type { Designation, DesignationGroup, Signer } from '../../world/world.mts';

/** 1 to 64 letters, digits, `-`, `_`, `(`, `)` (docs/service/documents.md#designation-groups). */
const GROUP_NAME = /^[A-Za-z0-9_()-]{1,64}$/;
const GROUPED_TYPES = new Set(['checkmark', 'radio_checkmark']);

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

/** The group that a designation belongs to, which it names by a text or by an object. */
export function groupName({ signing_designation_group: group }: Designation): string | undefined {
	return typeof group === 'object' ? group.name : group;
}

/** The groups of a document, and those that only its designations hold. */
export function allGroups(
	designations: Designation[],
	groups: DesignationGroup[] = [],
): DesignationGroup[] {
	const byName = new Map(groups.map((group) => [group.name, group]));
	for (const { signing_designation_group: group } of designations)
		if (typeof group === 'object' && !byName.has(group.name)) byName.set(group.name, group);
	return [...byName.values()];
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
		} = designation;
		const group = groupName(designation);
		// The external_id of a signer, or the literal notary. Live services have witnesses too
		// (docs/service/documents.md#signer-identifier).
		if (!known.has(who) && who !== 'notary' && !WITNESS.test(who))
			refuse(`signer_identifier ${who} is not the external_id of a signer`);
		if (NOTARY_TYPES.has(type) && who !== 'notary')
			refuse(`A designation of type ${type} belongs to the notary`);
		if (SIGNER_TYPES.has(type) && !known.has(who))
			refuse(`A designation of type ${type} belongs to a signer`);
		// The pages of a PDF that can't be read are not known.
		if (pages > 0 && page >= pages)
			refuse(`page_number ${page} does not exist: the document has ${pages} pages, counted from 0`);
		// Rule 2: the triggering designation is optional and has the identifier that the dependent one
		// names.
		if (on !== undefined && !triggers.has(on))
			refuse(`conditional_on_primary ${on} names no optional designation`);
		if (group !== undefined && !groupNames.has(group))
			refuse(`signing_designation_group ${group} is not among signing_designation_groups`);
		if (group !== undefined && designation.optional !== undefined)
			refuse('signing_designation_group and optional exclude each other');
		if (group !== undefined && !GROUPED_TYPES.has(type))
			refuse(`A designation of type ${type} can not be in a group`);
		if (who === 'notary' && designation.optional === true)
			refuse('A designation of the notary can not be optional');
	}
	for (const group of groups) checkGroup(group, designations);
}

function checkGroup(
	{ name, min_required: min = 0, max_required: max = Infinity }: DesignationGroup,
	designations: Designation[],
): void {
	const members = designations.filter((designation) => groupName(designation) === name);
	if (!GROUP_NAME.test(name)) refuse(`signing_designation_groups: ${name} is not a name`);
	if (min > max || min > members.length)
		refuse(`signing_designation_groups: ${name} can't be fulfilled`);
	if (max > 1 && max !== Infinity && members.some(({ type }) => type === 'radio_checkmark'))
		refuse(`signing_designation_groups: ${name} can have at most one radio_checkmark`);
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
