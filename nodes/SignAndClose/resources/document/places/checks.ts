import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { Faults } from '../../../messages/inputFaults';
import type { Params } from '../../../run/parameters/params';
import type { SignerAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { derivePhase } from '../../../transport/answers/transactionState';
import { asObject, asText } from '../../../values/json';
import { parseNumber } from '../../../values/plainValues';
import { joinWithOr } from '../../../values/words';
import { formatFullName } from '../../signer/output';
import type { UnplacedDesignation } from './designations';
import { listSignerIds, OFFICIAL_SIGNER, readSignerId } from './signers';
import { namePages, type PlacedDesignation } from './pages';
import { DESIGNATION_TYPES } from './designationFields';

/*
 * Compares designations with each other and with the transaction, before anything is sent
 * (docs/service/documents.md#designations).
 */

/** Types that groups take (docs/service/documents.md#designation-groups). */
const GROUPED_TYPES = ['checkmark', 'radio_checkmark'];

const KNOWN_TYPES = new Set(Object.values(DESIGNATION_TYPES).flat());

/** How many conditions are followed, and how many places of a page compared: JSON may have any number. */
const MOST_FOLLOWED = 100;
const MOST_COMPARED = 300;

type Entry = Omit<UnplacedDesignation, 'box'>;

/** Checks what designations say of each other. */
export function checkDesignations(entries: readonly Entry[]): void {
	const triggers = new Map<unknown, IDataObject>();
	for (const { designation } of entries) {
		const { optional, primary_designation_identifier: name } = designation;
		if (optional === true && name !== undefined) triggers.set(name, designation);
	}
	for (const { designation, noteFault } of entries) {
		checkDesignation(designation, noteFault);
		const { conditional_on_primary: on } = designation;
		if (on !== undefined && !triggers.has(on))
			noteFault(
				`no optional designation has the identifier '${String(on)}'`,
				'Make the one that triggers it optional, and give it this identifier: in JSON, "optional": true and "primary_designation_identifier"',
			);
		if (isInCircle(designation, triggers))
			noteFault(
				'depends on itself, because its condition leads back to it',
				'Remove a condition from one of the designations that depend on each other',
			);
	}
}

function checkDesignation(
	designation: IDataObject,
	noteFault: UnplacedDesignation['noteFault'],
): void {
	const signer = String(designation.signer_identifier);
	const type = String(designation.type);
	const isOptional = designation.optional === true;
	const isGrouped = designation.signing_designation_group !== undefined;
	if (isOptional && isGrouped) noteFault('is optional and in a group', 'Choose one of the two');
	if (isOptional && signer === 'notary')
		noteFault("is optional and the notary's", 'Only signers can leave something out');
	if (isGrouped && KNOWN_TYPES.has(type) && !GROUPED_TYPES.includes(type))
		noteFault(`is in a group, and its type is '${type}'`, 'Groups take checkmarks only');
	const refuseSigner = (role: string) =>
		noteFault(
			`has the type '${type}', which only ${role} completes`,
			'Choose another signer, or another type',
		);
	if (DESIGNATION_TYPES.notary.includes(type) && !['', 'notary'].includes(signer))
		refuseSigner('the notary');
	if (DESIGNATION_TYPES.signer.includes(type) && OFFICIAL_SIGNER.test(signer))
		refuseSigner('a signer');
}

/** Whether the conditions of a designation lead back to it. */
function isInCircle(designation: IDataObject, triggers: Map<unknown, IDataObject>): boolean {
	const passed = new Set<IDataObject>();
	let next = triggers.get(designation.conditional_on_primary);
	while (next !== undefined && !passed.has(next) && passed.size < MOST_FOLLOWED) {
		if (next === designation) return true;
		passed.add(next);
		next = triggers.get(next.conditional_on_primary);
	}
	return false;
}

/**
 * Checks that groups can be fulfilled by their designations
 * (docs/service/documents.md#designation-groups).
 * @param label of the groups
 */
export function checkGroups(
	entries: readonly PlacedDesignation[],
	groups: readonly IDataObject[],
	label: string,
	faults: Faults,
): void {
	const all = new Map(groups.map((group) => [asText(group.name), group]));
	const members = new Map<string | undefined, IDataObject[]>();
	for (const { designation } of entries) {
		const group = asObject(designation.signing_designation_group);
		const name = asText(group.name);
		if (name === undefined) continue;
		if (!all.has(name)) all.set(name, group);
		members.set(name, [...(members.get(name) ?? []), designation]);
	}
	for (const [name = '', { min_required: min = 0, max_required: max = 1 }] of all) {
		const inGroup = members.get(name) ?? [];
		const count = inGroup.length;
		const [minimum, maximum] = [parseNumber(min), parseNumber(max)];
		const noteFault = (problem: string) =>
			faults.note(
				new InputFailure(
					label,
					`, group '${name}': ${problem}`,
					'Change the group, or the designations in it',
				),
			);
		if (!(minimum >= 0 && minimum <= count))
			noteFault(`needs ${minimum} designations, and ${count} are in it`);
		if (!(maximum >= minimum))
			noteFault(`allows ${maximum} designations, which is less than the ${minimum} that it needs`);
		else if (maximum > Math.max(1, count))
			noteFault(`allows ${maximum} designations, and ${count} are in it`);
		if (maximum > 1 && inGroup.some(({ type }) => type === 'radio_checkmark'))
			noteFault('allows more than one radio_checkmark');
	}
}

/**
 * Compares the places with each other. Two at the same place are a fault.
 * @returns what a person should know of those that overlap
 */
export function checkOverlaps(entries: readonly PlacedDesignation[]): string | undefined {
	const byPage = new Map<number, PlacedDesignation[]>();
	const overlapping = new Set<number>();
	for (const entry of entries) {
		const { page, box: a, noteFault } = entry;
		const before = byPage.get(page) ?? [];
		byPage.set(page, before);
		for (const { row, box: b } of before) {
			const isApart = a.x >= b.x + b.width || b.x >= a.x + a.width;
			if (isApart || a.y >= b.y + b.height || b.y >= a.y + a.height) continue;
			const isSame = JSON.stringify(a) === JSON.stringify(b);
			if (isSame) noteFault(`is at the same place as entry ${row}`, 'Remove one of the two');
			else overlapping.add(page);
		}
		if (before.length < MOST_COMPARED) before.push(entry);
	}
	if (overlapping.size === 0) return undefined;
	return `Some places overlap each other on ${namePages([...overlapping])}`;
}

/** Checks that the transaction takes the designations: it's a draft, and has their signers. */
export function checkAgainstTransaction(
	entries: readonly Entry[],
	transaction: TransactionAnswer,
	faults: Faults,
	params: Params,
): void {
	if ((derivePhase(transaction) ?? 'draft') !== 'draft')
		faults.note(
			new InputFailure(
				params.label('transactionId'),
				"isn't a draft, and only drafts take designations",
				"Recall it with 'Transaction: Recall' first",
			),
		);
	const ids = listSignerIds(transaction);
	const { signers } = transaction;
	if (ids === undefined || !Array.isArray(signers)) return;
	for (const { designation, noteFault, nameField } of entries) {
		const signer = asText(designation.signer_identifier);
		if (signer === undefined || OFFICIAL_SIGNER.test(signer) || ids.includes(signer)) continue;
		const field = nameField('signer_identifier');
		noteFault(
			`'${signer}' in ${field} isn't a signer of this transaction`,
			describeChoice(signers, signer, field.startsWith("'")),
		);
	}
}

/**
 * Says whom to choose, or whose external ID to enter.
 * @param entered the name, or another text, that stands in its place
 * @param hasList whether the form has a list of the signers there, which JSON hasn't
 */
function describeChoice(signers: SignerAnswer[], entered: string, hasList: boolean): string {
	const choices = signers.flatMap((signer) => {
		const id = readSignerId(signer);
		const name = formatFullName(signer) ?? asText(signer.email);
		const parts = hasList ? [name, id && `(${id})`] : [id, name && `for ${name}`];
		return id === undefined ? [] : [parts.filter(Boolean).join(' ')];
	});
	if (choices.length === 0)
		return "Give the signers external IDs with 'Transaction: Correct Signer'";
	const likely = choices.filter((text) => text.toLowerCase().includes(entered.toLowerCase()));
	const offered = joinWithOr(likely.length > 0 ? likely : choices);
	return `${hasList ? `Choose ${offered} from the list` : `Enter ${offered}`}. For somebody else, add them as a signer first`;
}
