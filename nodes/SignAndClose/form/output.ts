import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import type { Params } from '../run/parameters/params';
import { parseTexts } from '../run/parameters/texts';
import { buildUnexpectedAnswer } from '../transport/failure/refusal';
import { asText, getOwnValue } from '../values/json';
import { isOwnReference } from '../values/reference';
import { compareByName, defineChoice, type OptionTuple } from './fields';
import { toTitle } from './titles';

/* How much of an answer comes out, and what the simplified forms have in common. */

/**
 * Builds the choice between the simplified and the raw answer and selected fields of it.
 * @param fields the names of the fields to select from
 * @param description of the selection
 */
export function defineOutputChoice(
	fields: readonly string[],
	description: string,
): INodeProperties[] {
	return [
		defineChoice(
			'Output',
			'output',
			[
				['Simplified', 'simple', 'What most workflows need, without links'],
				[
					'Raw',
					'raw',
					'Everything that the service answers. Anyone with one of its signing links can sign.',
				],
				['Selected Fields', 'fields', 'The ID and the fields you select'],
			],
			'How much of the response to return',
		),
		defineChoice(
			'Fields',
			'fields',
			fields.map((value): OptionTuple => [toTitle(value), value]).sort(compareByName),
			description,
			{ type: 'multiOptions', default: [], displayOptions: { show: { output: ['fields'] } } },
		),
	];
}

/**
 * Parses how much of an answer comes out.
 * @throws InputFailure when it is none of the choices, or no field is selected
 */
export function parseOutput(params: Params): 'raw' | 'simplified' | string[] {
	const output = params.getChoice('output');
	if (output === 'raw') return 'raw';
	if (output !== 'fields') return 'simplified';
	const fields = parseTexts(params.label('fields'), params.getRaw('fields'));
	if (fields.length > 0) return fields;
	throw new InputFailure(
		params.label('fields'),
		'is empty',
		"Select at least one field, or choose 'Simplified' in 'Output'",
	);
}

/**
 * A field that is there; null for what services write instead of leaving it out, and for a reference
 * of the node's own, which is nobody's External ID.
 */
export function toOutputValue(value: IDataObject[string]): IDataObject[string] {
	return value === '' || value === undefined || isOwnReference(value) ? null : value;
}

/** Fields of an answer by their own names; null for those that it doesn't have. */
export function pickFields(answer: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, toOutputValue(getOwnValue(answer, name))]));
}

/**
 * Fields that a person has selected: in their simplified form where there is one, otherwise as the
 * service answered them.
 * @param names any names, of which `__proto__` is none; null stands for what isn't there
 */
export function selectFields(
	simplified: IDataObject,
	answer: IDataObject,
	names: readonly string[],
): IDataObject {
	return Object.fromEntries(
		names
			// It would change what a copy of the output inherits.
			.filter((name) => name !== '__proto__')
			.map((name) => [
				name,
				getOwnValue(simplified, name) ?? toOutputValue(getOwnValue(answer, name)),
			]),
	);
}

/**
 * An answer that is one thing of the service.
 * @throws ServiceFailure when it has no ID
 */
export function withId<T extends IDataObject>(answer: T | undefined): T {
	if (answer === undefined || asText(answer.id) === undefined) throw buildUnexpectedAnswer();
	return answer;
}

/** The first of these values that is a text. */
export function findFirstText(...values: unknown[]): string | null {
	return values.map(asText).find((text) => text !== undefined) ?? null;
}

/** Joins the texts among these values; undefined when there are none. */
export function joinTexts(values: unknown[], separator = ' '): string | undefined {
	return values.filter((value) => asText(value) !== undefined).join(separator) || undefined;
}

/** First and last name of a person; undefined where the answer has neither. */
export const formatPersonName = ({ first_name: first, last_name: last }: IDataObject) =>
	joinTexts([first, last]);

/** Until when a transaction can be completed, under either of the names that services give it. */
export function findExpiry({
	expiry,
	expiration_time: expirationTime,
}: IDataObject): string | null {
	return findFirstText(expiry, expirationTime);
}
