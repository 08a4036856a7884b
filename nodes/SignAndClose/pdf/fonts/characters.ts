/* Which characters the names of glyphs mean, after the Adobe Glyph List. */

const NAMES = (
	'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright ' +
	'asterisk plus comma hyphen period slash zero one two three four five six seven eight nine ' +
	'colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W ' +
	'X Y Z bracketleft backslash bracketright ' +
	'asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z ' +
	'braceleft bar braceright asciitilde quoteright quoteleft ' +
	'exclamdown cent sterling fraction yen florin section currency quotedblleft guillemotleft ' +
	'guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet ' +
	'quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown ' +
	'acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek ' +
	'caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe ' +
	'germandbls divide copyright Thorn multiply plusminus brokenbar registered Eth thorn ' +
	'twosuperior threesuperior onesuperior mu threequarters trademark onehalf onequarter degree ' +
	'minus logicalnot eth Euro nbspace sfthyphen ff ffi ffl'
).split(' ');

const listCharacters = (first: number, last: number): string =>
	String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

const ASCII = listCharacters(32, 126);

/** The characters of these names, in the same order. */
export const CHARACTERS = [
	...ASCII,
	...('’‘¡¢£⁄¥ƒ§¤“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß÷©Þ×±¦®Ðþ²³¹µ¾™½¼°−¬ð€' +
		'\u00a0\u00adﬀﬃﬄ'),
];

const BY_NAME = new Map(NAMES.map((name, index) => [name, CHARACTERS[index]]));

/** Accents that letters have in their names, such as eacute, as the combining characters from U+0300 on. */
const ACCENTS_ABOVE = (
	'grave acute circumflex tilde macron overline breve dotaccent dieresis hookabove ring ' +
	'hungarumlaut caron'
).split(' ');

/** From U+0327 on. */
const ACCENTS_BELOW = ['cedilla', 'ogonek'];

/** How long the name of a glyph may be (ISO 32000-1, Annex C). */
const LONGEST_NAME = 127;

/** The text of a glyph by its name, or undefined if the name doesn't tell. */
export function readGlyphName(name: string): string | undefined {
	if (name.length > LONGEST_NAME) return undefined;
	const texts = name
		.split('.')[0]
		.split('_')
		.map((part) => readGlyphComponent(part));
	return texts.includes(undefined) ? undefined : texts.join('');
}

function readGlyphComponent(name: string): string | undefined {
	const character = BY_NAME.get(name);
	if (character !== undefined) return character;
	const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
	if (code !== null) {
		const number = parseInt(code[1] ?? code[2], 16);
		return number <= 0x10ffff ? String.fromCodePoint(number) : undefined;
	}
	const [, letter, accent] =
		/^([A-Za-z])([a-z]+)$/.exec(name.replace('commaaccent', 'cedilla')) ?? [];
	const [above, below] = [ACCENTS_ABOVE.indexOf(accent), ACCENTS_BELOW.indexOf(accent)];
	if (above < 0 && below < 0) return undefined;
	const combining = String.fromCharCode(above < 0 ? 0x327 + below : 0x300 + above);
	const composed = (letter + combining).normalize('NFC');
	return composed.length === 1 ? composed : undefined;
}

/* Predefined encodings of simple fonts (ISO 32000-2, Annex D), as the character of each code. */

/** Characters of the codes from a first one on; a full stop in a circle stands for none. */
const buildEncoding = (first: number, characters: string): (string | undefined)[] => [
	...new Array<undefined>(first).fill(undefined),
	...[...characters].map((character) => (character === '⨀' ? undefined : character)),
];

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

export const STANDARD_ENCODING: Encoding = buildEncoding(32, STANDARD);

/** The encodings that a font names, and the standard one. */
export const ENCODINGS = new Map<unknown, Encoding>([
	['StandardEncoding', STANDARD_ENCODING],
	['WinAnsiEncoding', buildEncoding(32, `${ASCII}•${WIN_ANSI}${listCharacters(0xa0, 0xff)}`)],
	['MacRomanEncoding', buildEncoding(32, `${ASCII}⨀${MAC_ROMAN}`)],
]);

/** The text of a glyph of which nobody knows what it is: the replacement character. */
export const UNKNOWN_GLYPH = '\ufffd';

/** The text of a glyph that's a sign and no letter, whatever it shows: the object replacement character. */
export const SIGN_GLYPH = '\ufffc';
