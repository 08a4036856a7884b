import { InputFailure } from '../../../messages/failures';
import { STATES } from '../../../form/statesAndCountries';
import { formatForDisplay } from '../../../values/plainValues';
import { isSameStreet } from '../../address/property';
import { readCellText, type Cell, type Cells, type RowReader } from './cells';
import { isPerson } from './rowFields';
import type { Sheet } from './signerChoice';
import { PERSON_ADDRESSES } from './words';

/*
 * Splits addresses of the United States that stand in one cell, where there is one way only: commas
 * or line ends divide them, and the zip code is of the state. What can't be split stays as it is.
 */

/** The parts of an address, by their names in the tables of words. */
type Parts = Partial<Record<'line1' | 'line2' | 'city' | 'state' | 'zip', string>>;

/** The states in which a zip code begins with 0, 1 and so on. */
const STATES_BY_DIGIT =
	'CT MA ME NH NJ PR RI VI VT|DE NY PA|DC MD NC SC VA WV|AL FL GA MS TN|IN KY MI OH|IA MN MT ND SD WI|' +
	'IL KS MO NE|AR LA OK TX|AZ CO ID NM NV UT WY|AK AS CA GU HI MP OR WA';
const DIGIT_OF_STATE = new Map(
	STATES_BY_DIGIT.split('|').flatMap((states, digit) =>
		states.split(' ').map((state): [string, string] => [state, String(digit)]),
	),
);

const COUNTRY = /^(?:u\.?\s?s\.?(?:\s?a\.?)?|united states(?: of america)?)$/i;
const ZIP = /^(.*?)\s*(?<!\d)(\d{5}(?:-\d{4})?)$/;
const CITY = /^\p{L}[\p{L}\p{M}\s.'’-]{2,}$/u;
const HOUSE = /^(?:\S*\d\S*\s.*\p{L}|p\.?\s?o\.?\s?box\s)/iu;
const UNIT_WORD =
	/^(?:#|(?:apt|apartment|unit|suite|ste|floor|fl|bldg|building|room|rm|lot|space|spc|trailer|trlr)\b\.?)\s*/i;
const UNIT_NUMBER = /^[\p{L}\d-]{1,6}$/u;

const isUnit = (text: string) =>
	UNIT_WORD.test(text) && UNIT_NUMBER.test(text.replace(UNIT_WORD, ''));

/** The code of a state, by its code or its name. */
const findState = (text: string): string | undefined =>
	STATES.find((state) => state.some((word) => word.toLowerCase() === text.toLowerCase()))?.[0];

/** Takes state and city off the end of an address. A zip code before which a code stands ends the city. */
function takePlace(segments: string[]): Parts | undefined {
	const last = segments.pop() ?? '';
	const [, before = last, zip] = ZIP.exec(last) ?? [];
	const stateText = before === '' ? (segments.pop() ?? '') : before;
	const [, cityBefore, code] = (zip && /^(.+)\s([a-z]{2})$/i.exec(stateText)) || [];
	const wholeState = findState(stateText);
	const state = wholeState ?? findState(code ?? '');
	const city = (wholeState === undefined ? cityBefore : segments.pop()) ?? '';
	const isCertain =
		state !== undefined &&
		CITY.test(city) &&
		!UNIT_WORD.test(city) &&
		(zip === undefined || zip.startsWith(DIGIT_OF_STATE.get(state) ?? '-'));
	return isCertain ? { city, state, zip } : undefined;
}

/** Splits an address with or without a street; undefined where it isn't certain how. */
function splitAddress(text: string): Parts | undefined {
	const segments = text
		.split(/[,\n]/)
		.map((segment) => segment.trim())
		.filter((segment) => segment !== '');
	if (COUNTRY.test(segments.at(-1) ?? '')) segments.pop();
	const place = takePlace(segments);
	const [street, ...units] = segments;
	if (place === undefined || street === undefined) return place;
	const isStreet = place.zip !== undefined && HOUSE.test(street) && units.every(isUnit);
	return isStreet ? { line1: street, line2: units.join(', ') || undefined, ...place } : undefined;
}

const toZip = (text: string) => text.padStart(text.length > 5 ? 9 : 5, '0').slice(0, 5);
/** Whether two texts for a part of an address mean the same. */
const COMPARISONS: Record<keyof Parts, (left: string, right: string) => boolean> = {
	line1: isSameStreet,
	line2: (left, right) => left.replace(UNIT_WORD, '') === right.replace(UNIT_WORD, ''),
	city: (left, right) => left.toLowerCase() === right.toLowerCase(),
	state: (left, right) => (findState(left) ?? left) === right,
	zip: (left, right) => toZip(left) === toZip(right),
};

const PART_NAMES = Object.keys(COMPARISONS) as Array<keyof Parts>;

/** Columns in which several parts may stand. The last two have no other meaning. */
const SOURCES = ['line1', 'city', 'city_state_zip', 'full'];
const HAS_STREET = ['line1', 'full'];
const ONLY_WHOLE = ['city_state_zip', 'full'];

/**
 * Splits the addresses of a row in their places. A person's stays whole where other columns differ.
 * @throws InputFailure when columns of the property differ, or when its city stands nowhere else
 */
export function splitAddresses(sheet: Sheet, reading: RowReader): void {
	for (const { owner, cells } of sheet)
		if (owner === 'property' || isPerson(owner))
			for (const addressKind of PERSON_ADDRESSES)
				for (const source of SOURCES)
					splitCell(cells, addressKind, source, owner === 'property' ? reading : undefined);
}

/** @param reading the row's, of the property; undefined for the address of a person */
function splitCell(
	cells: Cells,
	addressKind: string,
	source: string,
	reading: RowReader | undefined,
): void {
	const cell = cells.get(`${addressKind}_${source}`);
	if (typeof cell?.value !== 'string' || isAbroad(cells, addressKind)) return;
	const parts = splitAddress(readCellText(cell));
	const isComplete = parts !== undefined && HAS_STREET.includes(source) === 'line1' in parts;
	if (isComplete) addParts(cells, addressKind, { cell, source, parts }, reading);
	else if (reading !== undefined && ONLY_WHOLE.includes(source) && !hasCity(cells, addressKind))
		throw new InputFailure(
			cell.label,
			`is '${readCellText(cell)}', which can't be split in one way only`,
			'Use a column for each part, or write it as: 12 Elm Street, Boston, MA 02110',
		);
}

const hasCity = (cells: Cells, addressKind: string) =>
	cells.get(`${addressKind}_city`)?.value !== undefined;

function isAbroad(cells: Cells, addressKind: string): boolean {
	const country = cells.get(`${addressKind}_country`)?.value;
	return country !== undefined && !COUNTRY.test(formatForDisplay(country).trim());
}

function addParts(
	cells: Cells,
	addressKind: string,
	{ cell, source, parts }: { cell: Cell; source: string; parts: Parts },
	reading: RowReader | undefined,
): void {
	const partCells = PART_NAMES.flatMap((part) => {
		const partCell = part === source ? undefined : cells.get(`${addressKind}_${part}`);
		const isFilled = partCell?.value !== undefined && parts[part] !== undefined;
		return isFilled ? [{ part, partCell, text: formatForDisplay(partCell.value).trim() }] : [];
	});
	const differing = partCells.find(({ part, text }) => !COMPARISONS[part](text, parts[part]!));
	if (differing !== undefined && reading === undefined) return;
	if (differing !== undefined)
		throw new InputFailure(
			differing.partCell.label,
			`and '${cell.label}' are about the same, and differ`,
			'Correct or remove one of the two columns',
		);
	if (partCells.length > 0) reading?.use([cell]);
	const filledParts = partCells.map(({ part }) => part);
	for (const part of PART_NAMES)
		if (parts[part] !== undefined && !filledParts.includes(part))
			cells.set(`${addressKind}_${part}`, { value: parts[part], label: cell.label });
}
