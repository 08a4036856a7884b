import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { Faults } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import type { DocumentToPlace } from '../places/pages';
import type { LeftOutPlace } from '../places/signers';
import { placeDesignations, type Placement } from '../places/placement';
import { buildChoiceFields } from '../places/whereToSign';
import { documentRules } from './ruleFields';

/* Rules for documents: each sets what holds for the documents of some names. */

/** A row of the table. */
export interface Rule {
	/** Its number, from 1. */
	row: number;
	/** The words of which a name has to have one group; none for every name. */
	words: string[][];
	/** What a person has entered for them. */
	called: string;
	/** Whether something is missing when no document has such a name. */
	isNeeded: boolean;
	/** What it sets, but for designations: fields of the request. */
	fields: IDataObject;
	/**
	 * How the places to sign get into the document, the row's entries for that, how they're measured, and
	 * whether there are some.
	 */
	placement: {
		choice: string;
		places: IDataObject[];
		measures: IDataObject;
		isPlaced: boolean;
	};
	/** The parameters of a document, as the row has them. */
	params: Params;
	/** In a transaction that is there: from each role to the external ID, and places of nobody. */
	assignment?: Pick<Placement, 'leftOut' | 'signerIds'>;
}

/** The words of a text: its letters and digits, in small letters. */
export const splitWords = (text: string): string[] =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether a name has one of these groups of words, one after the other and each as a whole; no group is
 * in every name. Capital letters, spaces and punctuation make no difference, so that "Deed of Trust" is
 * in "DEED_OF-TRUST (final)", and "Note" isn't in "Notice".
 */
export function fits(groups: readonly string[][], name: string): boolean {
	const parts = splitWords(name);
	return (
		groups.length === 0 ||
		groups.some((words) =>
			parts.some((_word, at) => words.every((word, offset) => parts[at + offset] === word)),
		)
	);
}

/** The rule for a document: the first one that fits its name. */
export const findRule = (rules: readonly Rule[], name: string): Rule | undefined =>
	rules.find(({ words }) => fits(words, name));

/**
 * Says which rules name nothing although something has to be there.
 * @param names of all documents
 * @returns sentences without a final period
 */
export function listUnmetRules(rules: readonly Rule[], names: readonly string[]): string[] {
	return rules
		.filter((rule) => rule.isNeeded && !names.some((name) => findRule(rules, name) === rule))
		.map(({ row, words, called }) => {
			const match = names.find((name) => fits(words, name));
			const reason =
				match && `. Rule ${findRule(rules, match)!.row} comes before it and took '${match}'`;
			return `No document is for rule ${row} (${called})${reason ?? ''}`;
		});
}

/**
 * Places the designations of a document as its rule says.
 * @param name of the document
 * @param document as for placeDesignations(), without fields
 * @param faults gets what can't be used, with the rule and the document
 * @returns what is sent of the document, without its name and its file
 */
export async function applyRule(
	call: OperationCall,
	{ row, fields, params }: Rule,
	name: string,
	document: Omit<DocumentToPlace, 'fields'>,
	faults: Faults,
): Promise<Placement> {
	const rowFaults = new Faults();
	const ruleCall = { ...call, params };
	const placement = await rowFaults.collectLater(
		async () => await placeDesignations(ruleCall, { ...document, fields }, rowFaults),
	);
	noteRuleFaults(call.params, row, ` for '${name}'`, rowFaults, faults);
	return {
		leftOut: [],
		signerIds: new Map(),
		...placement,
		fields: { ...placement?.fields, ...fields },
	};
}

/** What an update sets at every service (docs/service/documents.md#update-a-document). */
const UPDATABLE = new Set([
	'requirement',
	'customer_can_annotate',
	'identity_confirmation_required',
	'notarization_required',
	'witness_required',
]);

/**
 * Divides what a rule sets, but for the position, which is the transaction's.
 * @returns the fields of an update, and the names of those that only a new document takes at some services
 */
export function divide({ fields, placement }: Rule): { changes: IDataObject; ofNew: string[] } {
	const entries = Object.entries({ ...buildChoiceFields(placement.choice), ...fields }).filter(
		([name]) => name !== 'bundle_position',
	);
	return {
		changes: Object.fromEntries(entries.filter(([name]) => UPDATABLE.has(name))),
		ofNew: [
			...entries.map(([name]) => name).filter((name) => !UPDATABLE.has(name)),
			...(placement.isPlaced ? ['signing_designations'] : []),
		],
	};
}

/**
 * What a reference says of what a rule wants (values/reference.ts): the places as the row has them, so
 * that no file has to be read for it.
 * @param findId gives the external ID that a signer of the rule has in the transaction
 * @param leftOut places of the row that the document doesn't have
 * @param owners external IDs of parties that the names of form fields say, where they don't say it alone
 */
export function describeRule(
	{ placement, fields, assignment }: Rule,
	findId: (id: string) => string | undefined = (id) => assignment?.signerIds.get(id),
	leftOut: readonly LeftOutPlace[] = assignment?.leftOut ?? [],
	owners: ReadonlyArray<[party: string, id: string]> = [],
): IDataObject {
	const leftOutRows = new Set(leftOut.map(({ row }) => row));
	const places = placement.places
		.filter((_place, index) => !leftOutRows.has(index + 1))
		.map(({ signer_identifier: id, ...place }) => ({
			...place,
			signer_identifier: findId(String(id).trim()) ?? id,
		}));
	return {
		...buildChoiceFields(placement.choice),
		...fields,
		...(places.length > 0 && {
			signing_designations: [
				...places,
				{ how: placement.choice, ...placement.measures },
				...(owners.length > 0 ? [{ owners: Object.fromEntries(owners) }] : []),
			],
		}),
	};
}

/** Notes the faults of a row. */
export function noteRuleFaults(
	params: Params,
	row: number,
	place: string,
	source: Faults,
	faults: Faults,
): void {
	for (const { message, remedy } of source.all)
		faults.note(
			new InputFailure(
				params.label(documentRules.name),
				`, entry ${row}${place}: ${message}`,
				remedy,
			),
		);
}
