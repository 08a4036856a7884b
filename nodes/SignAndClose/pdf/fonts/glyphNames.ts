/* Which characters the names of glyphs mean, after the Adobe Glyph List. */

const NAMES = (
	'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright ' +
	'asterisk plus comma hyphen period slash zero one two three four five six seven eight nine ' +
	'colon semicolon less equal greater question at bracketleft backslash bracketright ' +
	'asciicircum underscore grave braceleft bar braceright asciitilde quoteright quoteleft ' +
	'exclamdown cent sterling fraction yen florin section currency quotedblleft guillemotleft ' +
	'guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet ' +
	'quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown ' +
	'acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek ' +
	'caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi lslash oslash oe ' +
	'germandbls divide copyright Thorn multiply plusminus brokenbar registered Eth thorn ' +
	'twosuperior threesuperior onesuperior mu threequarters trademark onehalf onequarter degree ' +
	'minus logicalnot eth Euro nbspace sfthyphen ff ffi ffl'
).split(' ');

/** The characters of these names, in the same order. */
const CHARACTERS = [
	...(' !"#$%&\'()*+,-./0123456789:;<=>?@[\\]^_`{|}~’‘¡¢£⁄¥ƒ§¤“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæ' +
		'ıłøœß÷©Þ×±¦®Ðþ²³¹µ¾™½¼°−¬ð€\u00a0\u00adﬀﬃﬄ'),
];

const BY_NAME = new Map(NAMES.map((name, index) => [name, CHARACTERS[index]]));

/** Combining characters of the accents that letters have in their names, such as eacute. */
const ACCENTS: Record<string, string> = {
	grave: '\u0300',
	acute: '\u0301',
	circumflex: '\u0302',
	tilde: '\u0303',
	macron: '\u0304',
	breve: '\u0306',
	dotaccent: '\u0307',
	dieresis: '\u0308',
	ring: '\u030a',
	hungarumlaut: '\u030b',
	caron: '\u030c',
	commaaccent: '\u0327',
	cedilla: '\u0327',
	ogonek: '\u0328',
};

/** The text of a glyph by its name, or undefined if the name doesn't tell. */
export function textOfGlyphName(name: string): string | undefined {
	const texts = name
		.split('.')[0]
		.split('_')
		.map((part) => textOfComponent(part));
	return texts.includes(undefined) ? undefined : texts.join('');
}

function textOfComponent(name: string): string | undefined {
	if (/^[A-Za-z]$/.test(name)) return name;
	const known = BY_NAME.get(name);
	if (known !== undefined) return known;
	const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name);
	if (code !== null) {
		const number = parseInt(code[1] ?? code[2], 16);
		return number <= 0x10ffff ? String.fromCodePoint(number) : undefined;
	}
	const [, letter = '', accent = ''] = /^([A-Za-z])([a-z]+)$/.exec(name) ?? [];
	const composed = (letter + (ACCENTS[accent] ?? '')).normalize('NFC');
	return accent in ACCENTS && composed.length === 1 ? composed : undefined;
}
