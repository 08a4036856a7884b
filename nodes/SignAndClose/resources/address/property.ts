import type { IDataObject } from 'n8n-workflow';

import { asObject, asText } from '../../values/json';

/* Tells properties apart by street and zip code, however the street is abbreviated. */

/** Words of streets, and how they're abbreviated. */
const WORDS: ReadonlyMap<string, string> = new Map(
	(
		'alley:aly avenue:ave,av boulevard:blvd circle:cir court:ct drive:dr expressway:expy highway:hwy lane:ln ' +
		'parkway:pkwy place:pl plaza:plz road:rd route:rte square:sq street:str,st terrace:ter,terr trail:trl ' +
		'way:wy north:n south:s east:e west:w northeast:ne northwest:nw southeast:se southwest:sw'
	)
		.split(' ')
		.flatMap((entry) => {
			const [word, short] = entry.split(':');
			return short.split(',').map((one): [string, string] => [one, word]);
		}),
);

const plain = (text: string | undefined): string =>
	(
		text
			?.normalize('NFKC')
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
	)
		.map((word) => WORDS.get(word) ?? word)
		.join(' ');

/** What tells a property from others, but for its unit; undefined without street and zip code. */
function keyOf(address: unknown): string | undefined {
	const { line1, postal, zip_code: zip, zipCode } = asObject(address) as IDataObject;
	const street = plain(asText(line1));
	const code = [postal, zip, zipCode].map(asText).find(Boolean)?.slice(0, 5);
	return street !== '' && code !== undefined ? `${street} ${code}` : undefined;
}

/** Whether two addresses are of the same property; undefined where one of them doesn't say it. */
export function sameProperty(one: unknown, other: unknown): boolean | undefined {
	const [own, others] = [keyOf(one), keyOf(other)];
	if (own === undefined || others === undefined) return undefined;
	const units = [one, other].map((address) => plain(asText(asObject(address).line2)));
	return own === others && (units.includes('') || units[0] === units[1]);
}
