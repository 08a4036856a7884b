import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { Faults, parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { parseTexts } from '../../../run/parameters/texts';
import { asObjects, withoutEmpty } from '../../../values/json';
import { parseWholeNumber } from '../../../form/checks';
import { parseDocumentDetails } from '../form';
import { placeDesignations, type Placement, type DocumentToPlace } from '../places/placement';
import { checkWhereToSign, parseWhereToSign, buildChoiceFields } from '../places/whereToSign';
import { documentRules, RULE_FLAGS, needed, position } from './ruleFields';

/* Rules for documents: they're parsed once, and then set what holds for each document. */

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
	/** How the places to sign get into the document, the row's entries for that, and whether there are some. */
	placement: { choice: string; places: IDataObject[]; isPlaced: boolean };
	/** The parameters of a document, as the row has them. */
	params: Params;
}

/** Fits every name. */
const ANY = '*';

/**
 * Parses the rules.
 * @throws InputFailure naming each row that can't be used
 */
export function parseRules(call: OperationCall): Rule[] {
	const faults = new Faults();
	const rules = call.params.getRows(documentRules.name).flatMap((values, index): Rule[] => {
		const rowFaults = new Faults();
		const rule = rowFaults.collect(() => parseRule(call, values, index + 1));
		noteFaults(call.params, index + 1, '', rowFaults, faults);
		return rule === undefined ? [] : [rule];
	});
	faults.throwIfAny();
	return rules;
}

/** What messages call a flag, which is no field here. */
const FLAG_LABELS = new Map(RULE_FLAGS.map(({ name, displayName }) => [name, displayName]));

function parseRule({ service, params }: OperationCall, values: IDataObject, row: number): Rule {
	const { unit, measuredFrom, ...document } = values;
	const placeOptions = withoutEmpty({ unit, measuredFrom });
	// What the form has beside its rules is no document's.
	const ruleParams = params.withValues(
		{ ...document, source: undefined, additionalFields: {}, placeOptions },
		FLAG_LABELS,
	);
	const { words, isNeeded, requirement, details, placement } = parseTogether({
		words: () => parseWords(params, values.nameContains),
		isNeeded: () => params.toBoolean(needed.name, values.needed) !== false,
		requirement: () => params.getTextIn(values, 'requirement'),
		details: () =>
			parseDocumentDetails(
				{ service, params: ruleParams },
				{
					...Object.fromEntries(parseFlags(params, values.flags).map((name) => [name, true])),
					bundle_position: parsePosition(params, values.position),
				},
			),
		placement: () => parsePlacement(ruleParams),
	});
	const fields = withoutEmpty({ requirement, ...details });
	checkWhereToSign(ruleParams, placement.choice, fields, placement.isPlaced);
	return {
		row,
		words,
		called: String(values.nameContains).trim(),
		isNeeded: isNeeded && words.length > 0,
		fields,
		placement,
		params: ruleParams,
	};
}

function parsePlacement(params: Params): Rule['placement'] {
	const { choice } = parseWhereToSign(params);
	const readers: Record<string, () => unknown> = {
		rows: () => params.getRows('designations'),
		text: () => params.getRows('texts'),
		json: () => params.getJson('designationsJson'),
	};
	const entries = readers[choice]?.() ?? [];
	return {
		choice,
		places: asObjects(entries),
		isPlaced: !Array.isArray(entries) || entries.length > 0,
	};
}

function parseWords(params: Params, value: unknown): string[][] {
	const text = params.getTextIn({ nameContains: value as string }, 'nameContains') ?? '';
	const words = text.split('|').map(splitWords);
	if (text === ANY) return [];
	if (words.every(({ length }) => length > 0)) return words;
	throw new InputFailure(
		params.label('nameContains'),
		text === '' ? 'is empty' : `is '${text}', which has no word`,
		`Enter words of the name, or ${ANY} for every document`,
	);
}

function parsePosition(params: Params, value: unknown): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	return parseWholeNumber(value, 0, params.label(position.name));
}

function parseFlags(params: Params, value: unknown): string[] {
	const names = parseTexts(params.label('flags'), value);
	const allowed = RULE_FLAGS.map(({ name }) => name);
	if (names.every((name) => allowed.includes(name))) return names;
	throw new InputFailure(
		params.label('flags'),
		`is '${names.join(', ')}'`,
		`Choose from the list. An expression must return several of: ${allowed.join(', ')}`,
	);
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
	noteFaults(call.params, row, ` for '${name}'`, rowFaults, faults);
	return { ...placement, fields: { ...placement?.fields, ...fields } };
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
 */
export function describeRule(
	{ placement, fields, params }: Rule,
	findId: (id: string) => string | undefined = (id) => id,
): IDataObject {
	const places = placement.places.map(({ signer_identifier: id, ...place }) => ({
		...place,
		signer_identifier: findId(String(id).trim()) ?? id,
	}));
	return {
		...buildChoiceFields(placement.choice),
		...fields,
		...(places.length > 0 && {
			signing_designations: [
				...places,
				{ how: placement.choice, ...params.getObject('placeOptions') },
			],
		}),
	};
}

/** Notes the faults of a row. */
function noteFaults(
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
