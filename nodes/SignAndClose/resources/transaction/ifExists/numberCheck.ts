import { InputFailure } from '../../../messages/failures';
import { checkExactNumber } from '../../../run/parameters/texts';

/*
 * Numbers by which a transaction is recognized. Two borrowers who share one are taken for the same, so
 * what can't be exact, and what only stands where a number should, is refused. What is an empty cell
 * (docs/rows.md) is empty before.
 */

/** What stands between a prefix and a number, or ends a word. */
const SIGN = '[-–—#:_/=.\\s]';

/** What people enter until there is a number. */
const PLACEHOLDERS = [
	't\\.?b\\.?[acd]',
	'to be (?:determined|confirmed|announced|assigned)',
	'pending',
	'n\\.?/?a',
	'none',
	'nil',
	'null',
	'unknown',
	'unassigned',
	'not (?:available|applicable|assigned|known)',
	'new',
	'test(?:ing)?\\s?\\d?',
	'todo',
	'dummy',
	'x+',
].join('|');
/** Those that are never the end of a number. */
const ALSO_BEHIND_A_PREFIX = 'tb[acd]|pending|n/a';

/** What is left of a number whose digits are missing. */
const PREFIXES = [
	// Letters and a year at most, and a sign at the end.
	`(?:[\\p{L}\\s.]+${SIGN}*)?(?:(?:19|20)\\d\\d)?${SIGN}*[-–—#:_/=]`,
	'(?:ln|number|id)\\.?',
	'(?:loan|order|case|file|escrow)(?:\\s(?:nr|no|num|number|id)\\.?)?',
	// What an expression makes of nothing.
	`(?:.*${SIGN})?(?:undefined|null|nan|\\[object object\\])`,
].join('|');

const FORMULA = /#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|N\/A|ERROR!|SPILL!|CALC!)/i;
const SIGNS_AND_ZEROS = /^[^\p{L}\p{N}]*(?:0[^\p{L}\p{N}]*)*$/u;

const OF_MANY = 'which tells no transaction from another';
const OWN_NUMBER = 'Enter its own number, or leave the item out until it has one';

/** What is no number, what is the matter, and what to do. The first that fits counts. */
const NUMBER_FAULTS: ReadonlyArray<[pattern: RegExp, what: string, remedy: string]> = [
	[FORMULA, 'which a formula in the sheet has left', 'Correct the formula in the sheet'],
	[SIGNS_AND_ZEROS, OF_MANY, OWN_NUMBER],
	[new RegExp(`^(?:${PLACEHOLDERS})${SIGN}*$`, 'i'), OF_MANY, OWN_NUMBER],
	[new RegExp(`${SIGN}(?:${ALSO_BEHIND_A_PREFIX})$`, 'i'), OF_MANY, OWN_NUMBER],
	[
		new RegExp(`^(?:${PREFIXES})$`, 'iu'),
		'a prefix without a number',
		`Check the expression or the column: what comes behind the prefix is empty. ${OWN_NUMBER}`,
	],
];

/**
 * Checks a number by which a transaction is recognized. A text of digits is exact.
 * @param label the parameter's name in the editor, or the column's
 * @throws InputFailure with what to enter instead
 */
export function checkTransactionNumber(label: string, value: string): void {
	checkExactNumber(label, value);
	const [, fault, remedy] = NUMBER_FAULTS.find(([pattern]) => pattern.test(value.trim())) ?? [];
	if (fault !== undefined) throw new InputFailure(label, `is '${value}', ${fault}`, remedy!);
}
