import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../messages/failures';
import { parseEach } from '../messages/inputFaults';
import type { Params } from '../run/parameters/params';
import { SERVICE_LIMITS } from '../transport/service/limits';
import { parseNumber, formatForDisplay } from '../values/plainValues';

/*
 * Checks of single values against the published limits (docs/service/api.md#limits), the same for
 * every operation. Each of them brings a value into the service's form, or refuses it before
 * anything is sent, naming the field by its label.
 */

/**
 * Parses a zip code or a postal code.
 * @param country two-letter code; without it, the United States
 * @throws InputFailure when it is too long, or has lost its leading zeros
 */
export function parsePostalCode(text: string, country: string | undefined, label: string): string {
	if (countCharacters(text) > SERVICE_LIMITS.charactersOfZipCode)
		throw new InputFailure(
			label,
			`is longer than ${SERVICE_LIMITS.charactersOfZipCode} characters`,
			'Enter only the zip code, e.g. 02110',
		);
	// A spreadsheet turns 02110 into the number 2110.
	if ((country ?? 'US') === 'US' && /^\d{1,4}$/.test(text))
		throw new InputFailure(
			label,
			`is '${text}', which has lost its leading zeros`,
			'Enter all five digits, as text that keeps leading zeros, e.g. 02110',
		);
	return text;
}

/** @throws InputFailure when one of the texts of the invitation is too long */
export function checkMessages(params: Params, fields: IDataObject): void {
	parseEach(['message_to_signer', 'message_subject', 'message_signature'], (name) => {
		const message = fields[name];
		if (typeof message === 'string') checkLength('message', message, params.label(name));
	});
}

/** Texts of limited length, and what to do about one that is too long. */
const LIMITED_TEXTS = {
	name: [SERVICE_LIMITS.charactersOfName, 'Shorten it, e.g. to initials'],
	message: [SERVICE_LIMITS.charactersOfMessage, 'Shorten it'],
	instruction: [SERVICE_LIMITS.charactersOfInstruction, 'Shorten it, or add another instruction'],
} as const;

/** @throws InputFailure when a text of this kind is too long */
export function checkLength(kind: keyof typeof LIMITED_TEXTS, text: string, label: string): void {
	const [limit, remedy] = LIMITED_TEXTS[kind];
	const length = countCharacters(text);
	if (length > limit)
		throw new InputFailure(
			label,
			`has ${length} characters; the service accepts up to ${limit}`,
			remedy,
		);
}

/** Counts characters as people do, so that nothing is refused that the service may accept. */
function countCharacters(text: string): number {
	return [...text].length;
}

/** Parts between single dots. Texts in quotes may be addresses, too, but nobody has one. */
const EMAIL =
	/^[^\s@.,:;<>()[\]\\"]+(?:\.[^\s@.,:;<>()[\]\\"]+)*@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+$/u;
/** Letters of other alphabets, some of which look like Latin ones. */
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;

/** Whether a text is one complete e-mail address. */
export const isEmail = (text: string): boolean => EMAIL.test(text) && !FOREIGN_LETTER.test(text);

/**
 * Parses an e-mail address. What a copied one has besides goes: marks that nobody sees, and `mailto:`.
 * @throws InputFailure when the text isn't one complete e-mail address
 */
export function parseEmail(text: string, label: string): string {
	const email = text
		.replace(/\p{Cf}/gu, '')
		.trim()
		.replace(/^mailto:\s*/i, '');
	if (isEmail(email)) return email;
	const [letter] = FOREIGN_LETTER.exec(email) ?? [];
	throw new InputFailure(
		label,
		letter === undefined
			? `is '${email}', which isn't an email address`
			: `is '${email}', in which '${letter}' is a letter of another alphabet`,
		'Enter one complete email address, e.g. jane@example.com',
	);
}

/**
 * Parses a whole number.
 * @param place where in the parameter it is, e.g. `, row 1: 'At Most'`
 * @throws InputFailure when it isn't one, or is smaller than the smallest allowed one
 */
export function parseWholeNumber(value: unknown, least: number, label: string, place = ''): number {
	const number = parseNumber(value);
	if (!Number.isInteger(number) || number < least)
		throw new InputFailure(
			label,
			`${place} is '${formatForDisplay(value)}', which isn't a whole number from ${least} on`.trimStart(),
			`Enter a whole number from ${least} on`,
		);
	return number;
}

/** @throws InputFailure when no field of a change is filled in */
export function requireChanges(params: Params, changes: IDataObject): void {
	if (Object.keys(changes).length === 0)
		throw new InputFailure(
			params.label('updateFields'),
			'is empty',
			'Add at least one field to change',
		);
}
