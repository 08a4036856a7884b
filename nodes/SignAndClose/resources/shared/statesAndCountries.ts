/* States and countries by the codes that the service takes (docs/service/signers.md#addresses). */

/** A code of two capital letters, and the English name of the place. */
export type Place = readonly [code: string, name: string];

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
export const STATES: readonly Place[] = STATE_NAMES.split('|').map((entry) => [
	entry.slice(0, 2),
	entry.slice(3),
]);

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
export const COUNTRIES: readonly Place[] = COUNTRY_CODES.split(' ').map((code) => [
	code,
	englishName.of(code) ?? code,
]);

/** What people write besides the names. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
	['america', 'US'],
	['unitedstatesofamerica', 'US'],
	['usa', 'US'],
	['greatbritain', 'GB'],
	['uk', 'GB'],
	['washingtondc', 'DC'],
]);

/** Letters alone, so that punctuation, spaces and capitals don't matter. */
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '');

/** Codes by names. */
const byName = (places: readonly Place[]) =>
	new Map(places.map(([code, name]) => [letters(name), code]));

const states = byName(STATES);
const countries = byName(COUNTRIES);

/**
 * Reads a code or a name.
 * @returns the code; undefined when it's neither
 */
function codeOf(text: string, names: ReadonlyMap<string, string>): string | undefined {
	const written = letters(text);
	const known = names.get(written) ?? OTHER_NAMES.get(written);
	if (known !== undefined) return known;
	// Codes that aren't in the list are left to the service.
	return /^[a-z]{2}$/i.test(text.trim()) ? text.trim().toUpperCase() : undefined;
}

/**
 * Reads a state by its code or name, e.g. MA, Massachusetts.
 * @returns two capital letters; undefined when it's neither
 */
export const stateIn = (text: string): string | undefined => codeOf(text, states);

/**
 * Reads a country by its code or English name, e.g. US, USA, United States.
 * @returns two capital letters; undefined when it's neither
 */
export const countryIn = (text: string): string | undefined => codeOf(text, countries);
