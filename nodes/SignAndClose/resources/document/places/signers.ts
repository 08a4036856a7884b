import type { SignerAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { asText } from '../../../values/json';
import { joinWithOr, quote } from '../../../values/words';
import { isNumberedId, isPersonalId } from '../../signer/people';
import {
	findMisspelledRole,
	isSameParty,
	parseRole,
	readRoleId,
	toParty,
	type Party,
	type SignerRoles,
} from '../../signer/roles';
import type { UnplacedDesignation } from './designations';

/*
 * Whose a place is: the external ID of whom a person has entered, by that or by a role. A place may be
 * left out where nobody has the role, and a text where the document doesn't have it.
 */

/** Who completes designations beside the signers (docs/service/documents.md#signer-identifier). */
export const OFFICIAL_SIGNER = /^(?:notary|witness\d+)$/;

type Entry = Omit<UnplacedDesignation, 'box'>;

/** What may name a place beside its row. */
interface NamedEntry extends Entry {
	text?: string;
	pattern?: string;
	page?: number | 'last';
}

/** A place that was left out. */
export interface LeftOutPlace {
	row: Entry['row'];
	place: string;
	/** The signer, as entered. */
	signer: string;
	/** What is completed there, e.g. a signature. */
	type: string | undefined;
	missing: 'signer' | 'text';
	/** Whether the document has the text of a signer who isn't there. */
	hasText?: boolean;
}

/** Whose places are. */
export interface Assignment<T extends Entry> {
	entries: T[];
	leftOut: LeftOutPlace[];
	/** From each role that was entered to the external ID. */
	signerIds: Map<string, string>;
}

/** The signer of a place, as entered. */
export const readSigner = ({ designation, signerRole }: Entry): string =>
	signerRole ?? asText(designation.signer_identifier) ?? '';

/** Whether somebody is meant of whom a transaction may have nobody. */
const isLeavable = (signer: string): boolean =>
	parseRole(signer) !== undefined || isNumberedId(signer);

/** How places find their signers. */
interface AssignmentOptions {
	/** Those of an item; an existing transaction has those of which its external IDs are made. */
	roles?: SignerRoles;
	/** Whether places of nobody are left out. */
	leavesOut: boolean;
}

/** Whether the signers have to be known to say whose places are. */
export const needsSigners = (
	entries: readonly Entry[],
	{ roles, leavesOut }: AssignmentOptions,
): boolean =>
	entries.some((entry) => {
		const signer = readSigner(entry);
		if (findMisspelledRole(signer) !== undefined) return true;
		if (leavesOut) return isLeavable(signer);
		const isId = roles === undefined && readRoleId(signer) !== undefined;
		return parseRole(signer) !== undefined && !isId;
	});

/** Makes the note of a place that is left out. */
export const buildLeftOut = (
	entry: NamedEntry,
	missing: LeftOutPlace['missing'],
): LeftOutPlace => ({
	row: entry.row,
	place: entry.text ?? entry.pattern ?? `page ${entry.page}`,
	signer: readSigner(entry),
	type: asText(entry.designation.type),
	missing,
});

/** The external IDs of its signers; undefined if it doesn't show them. */
export const listSignerIds = ({ signers }: TransactionAnswer): string[] | undefined =>
	Array.isArray(signers) ? signers.flatMap((signer) => readSignerId(signer) ?? []) : undefined;

export const readSignerId = ({ external_id: id }: SignerAnswer) => asText(id?.trim());

/** Who signs a transaction. */
interface KnownSigners {
	/** Undefined where the service shows none. */
	ids: string[] | undefined;
	/** Whether somebody's external ID isn't shown. */
	isHidden: boolean;
	/** Whether an item says them, with the roles that it knows. */
	isOfItem: boolean;
	getParties(id: string): readonly Party[];
}

function listKnownSigners(transaction: TransactionAnswer, roles?: SignerRoles): KnownSigners {
	const ids = listSignerIds(transaction);
	return {
		ids,
		isHidden: ids === undefined || ids.length === 0 || ids.length < transaction.signers!.length,
		isOfItem: roles !== undefined,
		getParties: (id) =>
			roles?.get(id)?.parties ?? [readRoleId(id)].filter((party) => party !== undefined),
	};
}

function findByRole(signer: string, { ids = [], getParties }: KnownSigners): string[] {
	const role = parseRole(signer);
	if (role === undefined) return [];
	const party = toParty(role);
	return ids.filter((id) => getParties(id).some((partyOfId) => isSameParty(partyOfId, party)));
}

/** A signer who may be the one that is meant: nothing says who that is. */
function findInDoubt(
	signer: string,
	{ ids = [], isOfItem, getParties }: KnownSigners,
): string | undefined {
	const isNumbered = isNumberedId(signer);
	const count = isNumbered ? Number(signer.replace(/\D/g, '')) : 0;
	// A number is a place on the list of the node's own.
	if (isNumbered) return ids.length < count ? undefined : ids.find((id) => !isNumberedId(id));
	return ids.find((id) => getParties(id).length === 0 && !(isOfItem && isPersonalId(id)));
}

/**
 * Puts the external IDs of the transaction into places that name their signers by a role, and leaves out
 * those of whom the transaction has nobody, if it's wanted. An exact external ID wins over a role.
 */
export function setSigners<T extends NamedEntry>(
	all: readonly T[],
	transaction: TransactionAnswer,
	{ roles, leavesOut }: AssignmentOptions,
): Assignment<T> {
	const signers = listKnownSigners(transaction, roles);
	const leftOut: LeftOutPlace[] = [];
	const signerIds = new Map<string, string>();
	const entries = all.filter((entry) => {
		const signer = readSigner(entry);
		if (signers.ids?.includes(signer) === true) return true;
		if (!isLeavable(signer)) return !noteMisspelled(entry, signers);
		const matches = findByRole(signer, signers);
		if (matches.length === 1) {
			signerIds.set(signer, matches[0]);
			entry.signerRole = signer;
			entry.designation = { ...entry.designation, signer_identifier: matches[0] };
			return true;
		}
		const fault = describeUnknown(signer, matches, signers, leavesOut);
		if (fault !== undefined)
			entry.noteFault(
				`${quote(signer)} in ${entry.nameField('signer_identifier')} ${fault[0]}`,
				fault[1],
			);
		else if (leavesOut) leftOut.push(buildLeftOut(entry, 'signer'));
		// checkAgainstTransaction() names the signers that there are.
		else return true;
		return false;
	});
	return { entries, leftOut, signerIds };
}

/** Notes a misspelled role, before its text is looked for. @returns whether it's one */
function noteMisspelled(entry: Entry, { isHidden }: KnownSigners): boolean {
	const signer = readSigner(entry);
	const role = isHidden ? undefined : findMisspelledRole(signer);
	if (role === undefined) return false;
	const problem = `isn't a signer of this transaction: did you mean the role ${role}?`;
	entry.noteFault(
		`${quote(signer)} in ${entry.nameField('signer_identifier')} ${problem}`,
		'Correct it, or choose a signer from the list',
	);
	return true;
}

/** Says why it's unknown who is meant; undefined if it's known that it's nobody. */
function describeUnknown(
	signer: string,
	matches: string[],
	signers: KnownSigners,
	leavesOut: boolean,
): [problem: string, remedy: string] | undefined {
	const remedy =
		"Enter the external ID of a signer, or give each signer a 'Role' when the transaction is created";
	if (matches.length > 1) return [`may be ${joinWithOr(matches)}`, remedy];
	const isOwnId = isNumberedId(signer) || readRoleId(signer) !== undefined;
	if (leavesOut ? signers.isHidden : signers.ids === undefined && !isOwnId)
		return ["can't be told, because the service doesn't show all external IDs", remedy];
	const doubtful = leavesOut ? findInDoubt(signer, signers) : undefined;
	return doubtful === undefined
		? undefined
		: [`may be ${doubtful}, so its place can't be left out`, remedy];
}
