import { CHARACTERS } from './characters';

/*
 * Widths of the standard fonts (ISO 32000-2, 9.6.2.2), which documents may use without saying how wide
 * their glyphs are. Oblique fonts are as wide as upright ones.
 */

/** For each of the CHARACTERS, as far as they go, in thousandths of the font size: two digits to base 36. */
const WIDTHS: Record<string, string> = {
	Helvetica:
		'7q7q9vfgfgopij5b9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg7q7qg8g8g8fgs7ijijk2k2ijgzlmk27qdwijfg' +
		'n5k2lmijlmk2ijgzk2ijq8ijijgz7q7q7qd1fg99fgfgdwfgfg7qfgfg6666dw66n5fgfgfgfg99dw7qfgdwk2dwdw' +
		'dw9a789ag8666699fgfg4nfgfgfgfg99fg9999dwdwfgfgfg7qex9q669999fgrsrsgz9999999999999999999999' +
		'99rsrsaafglmrsa5op7q66gzq8gzg8khijg8g878khk2fg999999fgn6rsn6n6b4g8g8fgfg',
	HelveticaBold:
		'7q99d6fgfgopk26m9999atg87q997q7qfgfgfgfgfgfgfgfgfgfg9999g8g8g8gzr3k2k2k2k2ijgzlmk27qfgk2gz' +
		'n5k2lmijlmk2ijgzk2ijq8ijijgz997q99g8fg99fggzfggzfg99gzgz7q7qfg7qopgzgzgzgzatfg99gzfglmfgfg' +
		'dwat7satg87q7q99fgfg4nfgfgfgfgdwfg9999gzgzfgfgfg7qfg9q7qdwdwfgrsrsgz9999999999999999999999' +
		'99rsrsaagzlmrsa5op7q7qgzq8gzg8khijg8g87skhk2gz999999gzn6rsn6n6b4g8g8gzfg',
	Times:
		'6y99bcdwdwn5lm509999dwfo6y996y7qdwdwdwdwdwdwdwdwdwdw7q7qfofofoccplk2ijijk2gzfgk2k299atk2gz' +
		'opk2k2fgk2ijfggzk2k2q8k2k2gz997q99d1dw99ccdwccdwcc99dwdw7q7qdw7qlmdwdwdwdw99at7qdwdwk2dwdw' +
		'ccdc5kdcf1999999dwdw4ndwdwdwdwccdw9999fgfgdwdwdw6ycl9q99ccccdwrsrscc9999999999999999999999' +
		'99rsop7ogzk2op8mij7q7qdwk2dwfol4fgfofo5kl4k2dw8c8c8cdwkur8kukub4fofodwdw',
	TimesBold:
		'6y99ffdwdwrsn57q9999dwfu6y996y7qdwdwdwdwdwdwdwdwdwdw9999fufufudwpuk2ijk2k2ijgzlmlmatdwlmij' +
		'q8k2lmgzlmk2fgijk2k2rsk2k2ij997q99g5dw99dwfgccfgcc99dwfg7q99fg7qn5fgdwfgfgccat99fgdwk2dwdw' +
		'ccay64ayeg999999dwdw4ndwdwdwdwdwdw9999fgfgdwdwdw6yf09q99dwdwdwrsrsdw9999999999999999999999' +
		'99rsrs8cijlmrs96k27q7qdwk2fgfukrgzfufu64krk2fg8c8c8cfgkurskukub4fufudwdw',
	TimesItalic:
		'6y99bodwdwn5lm5y9999dwir6y996y7qdwdwdwdwdwdwdwdwdwdw9999iririrdwpkgzgzijk2gzgzk2k299ccijfg' +
		'n5ijk2gzk2gzdwfgk2gzn5gzfgfgat7qatbqdw99dwdwccdwcc7qdwdw7q7qcc7qk2dwdwdwdwatat7qdwccijcccc' +
		'atb47nb4f19999atdwdw4ndwdwdwdwfgdw9999dwdwdwdwdw6yej9q99fgfgdwoprsdw9999999999999999999999' +
		'99opop7ofgk2q88mij7q7qdwijdwirl4gzirir7nl4k2dw8c8c8cdwkur8kukub4irirdwdw',
	TimesBoldItalic:
		'6yatffdwdwn5lm7q9999dwfu6y996y7qdwdwdwdwdwdwdwdwdwdw9999fufufudwn4ijijijk2ijijk2lmatdwijgz' +
		'opk2k2gzk2ijfggzk2ijopijgzgz997q99fudw99dwdwccdwcc99dwfg7q7qdw7qlmfgdwdwdwatat7qfgccijdwcc' +
		'at9o649ofu9999atdwdw4ndwdwdwdwdwdw9999fgfgdwdwdw6ydw9q99dwdwdwrsrsdw9999999999999999999999' +
		'99rsq87egzk2q88ck27q7qdwk2dwfukrgzfufu64krk2dw8c8c8cg0kurskukub4gugudwdw',
};

/** The same for the codes from 32 on of ZapfDingbats, which form fields have their check marks of. */
const DINGBAT_WIDTHS =
	'7qr2qpr2r8jzlxlylzj6qoq3f9nrpbpxpbq9r2kznil6l5fvitl7l4l3kydqfcexg1j8lulwlwlym1m2momvlxndmv' +
	'n5mon3pnkok3ktlym0jblklcm0l3jnjoiyjhmymnlxlxjnj3jcj5lulvjtlzltlzo9l5l6l6l3l3ososlwlsc63u7p' +
	'bjawawikik00auau8t8t7o7oe5e5bebe6i6i9a9a00000000000000000000000000000000000000kcf4f4paijl4' +
	'l4lkgjjahelwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlwlw' +
	'ounas8cqkspokspiprpspsn6o9n0popophpupvcvojn8n8o3o3jcjcoa00oal4qalfo1lfooqvoon3o9prqypi';

/** Letters that aren't as wide as without their accent. */
const EXCEPTIONS = 'ďťľĽį';

const NAME =
	/^(?:[A-Z]{6}\+)?(Arial|Helvetica|Times|TimesNewRoman|Courier|CourierNew)(?:PS)?(?:MT)?[-,]?(Roman|Regular|Bold|Italic|Oblique|BoldItalic|BoldOblique)?(?:MT)?$/;

const readWidth = (widths: string, index: number) =>
	parseInt(widths.slice(2 * index, 2 * index + 2), 36) || undefined;

/** The width of a code in a standard font of signs; undefined if nothing says so. */
export const findSignWidth = (baseFont: string, code: number): number | undefined =>
	baseFont === 'ZapfDingbats' ? readWidth(DINGBAT_WIDTHS, code - 32) : undefined;

/**
 * What tells the widths of a standard font.
 * @param baseFont the font's name, also one of the usual other names
 * @returns undefined if it's no standard font, or one of signs
 */
export function findStandardWidths(
	baseFont: string,
): ((character: string) => number | undefined) | undefined {
	const [, family = '', style = ''] = NAME.exec(baseFont.replaceAll(' ', '')) ?? [];
	if (family === '') return undefined;
	if (family.startsWith('Courier')) return () => 600;
	const [isTimes, isBold] = [family.startsWith('Times'), style.startsWith('Bold')];
	const slant = isTimes && /Italic|Oblique/.test(style) ? 'Italic' : '';
	const name = `${isTimes ? 'Times' : 'Helvetica'}${isBold ? 'Bold' : ''}${slant}`;
	const byCharacter = new Map(
		CHARACTERS.map((glyph, index) => [glyph, readWidth(WIDTHS[name], index)]),
	);
	return (character) => {
		const plain = character === '\u00a0' ? ' ' : character === '\u00ad' ? '-' : character;
		const [base, ...accents] = plain.normalize('NFD');
		if (accents.length > 0 && EXCEPTIONS.includes(character)) return undefined;
		return byCharacter.get(accents.length > 0 && base === 'i' ? 'ı' : base);
	};
}
