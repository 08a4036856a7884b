import { InputFailure } from '../messages/failures';
import { withArticle } from '../values/words';
import { compareByName, defineChoice, type OptionTuple } from './fields';

/* States and countries by the codes that the service takes (docs/service/signers.md#addresses). */

/** A code of two capital letters, and the English name of the place. */
type CodedPlace = readonly [code: string, name: string];

const STATE_NAMES =
	'AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|CA California|CO Colorado|' +
	'CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|' +
	'ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|' +
	'MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|' +
	'NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|' +
	'NC North Carolina|ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|' +
	'PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|' +
	'TX Texas|UT Utah|VT Vermont|VA Virginia|VI Virgin Islands|WA Washington|WV West Virginia|' +
	'WI Wisconsin|WY Wyoming';

/** The states of the United States, its capital and its territories. */
export const STATES: readonly CodedPlace[] = readTable(STATE_NAMES);

function readTable(table: string): CodedPlace[] {
	return table.split('|').map((entry) => [entry.slice(0, 2), entry.slice(3)]);
}

/** ISO 3166-1. */
const COUNTRY_CODES =
	'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
	'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ' +
	'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT ' +
	'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
	'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
	'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG ' +
	'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
	'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

const englishName = new Intl.DisplayNames(['en'], { type: 'region' });

/** All countries. */
export const COUNTRIES: readonly CodedPlace[] = COUNTRY_CODES.split(' ').map((code) => [
	code,
	englishName.of(code) ?? code,
]);

/** Military and associated states, and what people write besides the names, as newspapers abbreviate them. */
const OTHER_STATES =
	'AA aa|AE ae|AP ap|FM fm|MH mh|PW pw|AL ala|AZ ariz|AR ark|CA calif|CA cal|CO colo|CT conn|DE del|DC washingtondc|FL fla|IL ill|' +
	'IN ind|KS kan|KS kans|MA mass|MI mich|MN minn|MS miss|MT mont|NE neb|NE nebr|NV nev|OK okla|' +
	'OR ore|OR oreg|PA penn|PA penna|TN tenn|TX tex|VI usvirginislands|WA wash|WV wva|WI wis|WI wisc|' +
	'WY wyo';
const OTHER_COUNTRIES = 'US america|US unitedstatesofamerica|US usa|GB greatbritain|GB uk';

/** Letters alone, so that punctuation, spaces and capitals don't matter. */
const keepLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '');

/** Builds the parser for codes and names of places. */
function createPlaceParser(
	places: readonly CodedPlace[],
	otherSpellings: string,
	noun: string,
	example: string,
) {
	const codes = new Map(
		[...places, ...readTable(otherSpellings)].flatMap(([code, name]): CodedPlace[] => [
			[keepLetters(name), code],
			[keepLetters(code), code],
		]),
	);
	/**
	 * Parses a code or an English name, e.g. MA, Massachusetts.
	 * @param isKnown refuses two letters that aren't in the list, which are left to the service otherwise
	 * @returns two capital letters
	 * @throws InputFailure for anything else
	 */
	return (text: string, label: string, mustBeListed = false): string => {
		const listedCode = codes.get(keepLetters(text));
		if (listedCode !== undefined) return listedCode;
		if (!mustBeListed && /^[a-z]{2}$/i.test(text.trim())) return text.trim().toUpperCase();
		throw new InputFailure(
			label,
			`is '${text}', which isn't ${withArticle(noun)}`,
			`Enter the name or the two-letter code of the ${noun}, e.g. ${example}`,
		);
	};
}

/** Parses a state by its code or name. */
export const parseState = createPlaceParser(STATES, OTHER_STATES, 'state', 'MA');
/** Parses a country by its code or English name. */
export const parseCountry = createPlaceParser(COUNTRIES, OTHER_COUNTRIES, 'country', 'US');

/** Builds the field for a place. The description ends in a period if it has several sentences. */
const createPlaceField = (places: readonly CodedPlace[]) => {
	const choices = places
		.map(([code, name]): OptionTuple => [`${name} (${code})`, code])
		.sort(compareByName);
	return (
		displayName: string,
		name: string,
		description = 'An expression may return the name or the two-letter code',
	) =>
		defineChoice(displayName, name, choices, description, {
			default: '',
			// Otherwise, the editor shows a place that nobody has chosen yet in red.
			allowArbitraryValues: true,
		});
};

/** Builds the choice of a state. */
export const defineStateField = createPlaceField(STATES);
/** Builds the choice of a country. */
export const defineCountryField = createPlaceField(COUNTRIES);
