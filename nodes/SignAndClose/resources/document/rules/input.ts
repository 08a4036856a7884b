import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { Faults, parseTogether } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { parseTexts } from '../../../run/parameters/texts';
import { asObjects, withoutEmpty } from '../../../values/json';
import { parseWholeNumber } from '../../../form/checks';
import { parseDocumentDetails } from '../form';
import { checkWhereToSign, parseWhereToSign } from '../places/whereToSign';
import { parseIsByName } from '../places/formFieldRows';
import { documentRules, RULE_FLAGS, needed, position } from './ruleFields';
import { noteRuleFaults, splitWords, type Rule } from './rules';

/* Parses the table of rules. */

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
		noteRuleFaults(call.params, index + 1, '', rowFaults, faults);
		return rule === undefined ? [] : [rule];
	});
	faults.throwIfAny();
	return rules;
}

/** What messages call a flag, which is no field here. */
const FLAG_LABELS = new Map(RULE_FLAGS.map(({ name, displayName }) => [name, displayName]));

function parseRule({ service, params }: OperationCall, values: IDataObject, row: number): Rule {
	const { unit, measuredFrom, trustRecognized, ifSignerMissing, ifTextMissing, ...document } =
		values;
	const measures = withoutEmpty({ unit, measuredFrom, trustRecognized });
	const placeOptions = { ...measures, ...withoutEmpty({ ifSignerMissing, ifTextMissing }) };
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
		placement: () => parsePlacement(ruleParams, measures),
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

function parsePlacement(params: Params, measures: IDataObject): Rule['placement'] {
	const { choice } = parseWhereToSign(params);
	const readers: Record<string, () => unknown> = {
		rows: () => params.getRows('designations'),
		text: () => params.getRows('texts'),
		fields: () => [
			...params.getRows('formFields'),
			...(parseIsByName(params) ? [{ by_their_names: true }] : []),
		],
		json: () => params.getJson('designationsJson'),
	};
	const entries = readers[choice]?.() ?? [];
	return {
		choice,
		places: asObjects(entries),
		measures,
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
