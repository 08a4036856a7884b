import { InputFailure } from '../../messages/failures';

/* Names of people. */

/** What stands behind a name, and what stands in the name of an organization or of several people. */
const NO_NAME = new RegExp(
	`^(?:jr|sr|ii|iii|iv|esq|md|phd|and|or|et|ux|aka|the|of|for|bank|trust|trustees?|estate|llc|llp|lp|inc|corp|corporation|co|company|credit|union|mortgage|lending|lenders?|loans|title|escrow|holdings?|group|partners|partnership|properties|property|realty|homes|investments?|capital|financial|services|ventures|enterprises|church|foundation|association|fund|national|federal|family|living|revocable)\\.?$`,
	'i',
);

/**
 * Splits a name where it's certain how: the last name before a comma, or two words, none of them in
 * capitals, in which some systems write the last name, before or after the others.
 * @throws InputFailure when it isn't certain, because documents are signed under this name
 */
export function splitName(text: string, label: string): Record<string, string> {
	const [last, after, ...furtherParts] = text.split(',').map((part) => part.trim());
	const words = text.split(/[\s,]+/).filter((word) => word !== '');
	const isPerson =
		furtherParts.length === 0 &&
		!words.some((word) => NO_NAME.test(word)) &&
		!/[/&+;()\d]/.test(text);
	const givenNames = (after ?? '').split(/\s+/).filter((word) => word !== '');
	if (isPerson && last !== '' && (givenNames.length === 1 || givenNames.length === 2))
		return {
			first_name: givenNames[0],
			last_name: last,
			...(givenNames[1] && { middle_name: givenNames[1] }),
		};
	const isMixed = words.every((word) => word !== word.toUpperCase() || /^\p{L}\.?$/u.test(word));
	if (isPerson && after === undefined && words.length === 2 && isMixed && !/^.\.?$/u.test(words[1]))
		return { first_name: words[0], last_name: words[1] };
	throw new InputFailure(
		label,
		`is '${text}', which can't be split into first and last name`,
		'Use two columns, for the first and the last name, or write the last name first, e.g. Garcia Lopez, Juana',
	);
}
