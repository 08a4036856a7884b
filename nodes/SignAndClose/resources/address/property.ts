import type { IDataObject } from 'n8n-workflow';

import { asObject, asText } from '../../values/json';

/* Tells properties apart by street and zip code, however the street is abbreviated. */

/** Words of streets, and how they're abbreviated. */
const STREET_WORDS: ReadonlyMap<string, string> = new Map(
	(
		'alley:aly avenue:ave,av boulevard:blvd circle:cir court:ct drive:dr expressway:expy highway:hwy lane:ln ' +
		'parkway:pkwy place:pl plaza:plz road:rd route:rte square:sq street:str,st terrace:ter,terr trail:trl ' +
		'way:wy north:n south:s east:e west:w northeast:ne northwest:nw southeast:se southwest:sw'
	)
		.split(' ')
		.flatMap((entry) => {
			const [word, short] = entry.split(':');
			return short.split(',').map((abbreviation): [string, string] => [abbreviation, word]);
		}),
);

const normalizeText = (text: string | undefined): string =>
	(
		text
			?.normalize('NFKC')
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
	)
		.map((word) => STREET_WORDS.get(word) ?? word)
		.join(' ');

/** Whether two streets are the same, however they're abbreviated. */
export const isSameStreet = (left: string, right: string): boolean =>
	normalizeText(left) !== '' && normalizeText(left) === normalizeText(right);

/** What tells a property from others, but for its unit; undefined without street and zip code. */
function buildPropertyKey(address: unknown): string | undefined {
	const { line1, postal, zip_code: zip, zipCode } = asObject(address) as IDataObject;
	const street = normalizeText(asText(line1));
	const code = [postal, zip, zipCode].map(asText).find(Boolean)?.slice(0, 5);
	return street !== '' && code !== undefined ? `${street} ${code}` : undefined;
}

/** Whether two addresses are of the same property; undefined where one of them doesn't say it. */
export function isSameProperty(left: unknown, right: unknown): boolean | undefined {
	const [leftKey, rightKey] = [buildPropertyKey(left), buildPropertyKey(right)];
	if (leftKey === undefined || rightKey === undefined) return undefined;
	const units = [left, right].map((address) => normalizeText(asText(asObject(address).line2)));
	return leftKey === rightKey && (units.includes('') || units[0] === units[1]);
}
