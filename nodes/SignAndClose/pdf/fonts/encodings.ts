/* Predefined encodings of simple fonts (ISO 32000-2, Annex D), as the character of each code. */

/** Characters of the codes from a first one on; a full stop in a circle stands for none. */
const from = (first: number, characters: string): (string | undefined)[] => [
	...new Array<undefined>(first).fill(undefined),
	...[...characters].map((character) => (character === '⨀' ? undefined : character)),
];

const range = (first: number, last: number): string =>
	String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

const ASCII = range(32, 126);

const STANDARD =
	ASCII.replace("'", '’').replace('`', '‘') +
	'⨀'.repeat(34) +
	"¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ⨀–†‡·⨀¶•‚„”»…‰⨀¿⨀`´ˆ˜¯˘˙¨⨀˚¸⨀˝˛ˇ—" +
	'⨀'.repeat(16) +
	'Æ⨀ª⨀⨀⨀⨀ŁØŒº⨀⨀⨀⨀⨀æ⨀⨀⨀ı⨀⨀łøœß';

const MAC_ROMAN =
	'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨⨀ÆØ⨀±⨀⨀¥µ⨀⨀⨀⨀⨀ªº⨀æø¿¡¬⨀ƒ⨀⨀«»…\u00a0ÀÃÕŒœ–—“”‘’÷⨀ÿŸ⁄¤‹›ﬁﬂ' +
	'‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ⨀ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ';

const WIN_ANSI = '€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ';

export type Encoding = readonly (string | undefined)[];

export const STANDARD_ENCODING: Encoding = from(32, STANDARD);

/** The encodings that a font names, and the standard one. */
export const ENCODINGS = new Map<unknown, Encoding>([
	['StandardEncoding', STANDARD_ENCODING],
	['WinAnsiEncoding', from(32, `${ASCII}•${WIN_ANSI}${range(0xa0, 0xff)}`)],
	['MacRomanEncoding', from(32, `${ASCII}⨀${MAC_ROMAN}`)],
]);
