import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach } from '../../../messages/faults';
import type { Params } from '../../../run/parameters/params';
import { externalIdAt, parseSigner, type ParsedSigner } from '../../signer/input';
import { splitName } from '../../signer/names';
import { READERS, textOfCell } from './cells';
import type { Cells, Reading } from './reading';
import { labelOf, NEEDED, type RowKind } from './rowFields';
import { personTitle, type Signing } from './whoSigns';
import { OWN_ADDRESSES } from './words';

/* Reads a signer of a row. */

/** What the form calls differently. */
const FORM_NAMES: Readonly<Record<string, string>> = {
	phone: 'phone_number',
	identity_checks: 'identityChecks',
	address_zip: 'address_postal',
	vesting_type: 'vestingType',
};
/** The parts of an address; zip code and state depend on the country. */
const PARTS = ['country', 'line1', 'line2', 'city', 'state', 'zip'];
const NAMES = ['first_name', 'last_name'];
/** What is optional, in the order in which it's read. What needs each other is read together. */
const OPTIONAL = [
	['middle_name'],
	['country_code', 'phone'],
	['external_id'],
	['vesting_type'],
	['dob'],
	['capacity', 'entity'],
	['order'],
	...PARTS.map((part) => [`address_${part}`]),
];
/** Of several, the first one counts. */
const PHONES = ['cell_phone', 'mobile_phone', 'phone', 'home_phone'];

/** What is needed to read a signer. */
export interface SignerReading {
	params: Params;
	kind: RowKind;
	/** The service's name for the identity-assurance object. */
	assuranceField: string;
	reading: Reading;
}

/** The cells with a value, with one phone, and one address: parts of two addresses aren't mixed. */
export function filledOf(cells: Cells): Cells {
	const filled = new Map([...cells].filter(([, { value }]) => value !== undefined));
	const streets = OWN_ADDRESSES.filter((own) => filled.has(`${own}_line1`));
	const own = OWN_ADDRESSES.find((one) => PARTS.some((part) => filled.has(`${one}_${part}`)));
	// Parts that don't say of which address they are, are of the only street.
	const places = streets.length === 1 ? [streets[0], 'address'] : [streets[0] ?? own];
	const chosen = new Map(filled);
	const choose = (name: string, names: string[]) => {
		const cell = names.flatMap((one) => filled.get(one) ?? [])[0];
		if (cell === undefined) chosen.delete(name);
		else chosen.set(name, cell);
	};
	choose('phone', PHONES);
	for (const part of PARTS)
		choose(
			`address_${part}`,
			places.map((place) => `${place}_${part}`),
		);
	return chosen;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\d'’-]+/u);

/**
 * The names from a column with all of them. Where other columns give parts of it, they have to agree,
 * unless it names the entity for which somebody signs.
 * @throws InputFailure when it isn't certain how to split it
 */
export function splitOf(cells: Cells, reading: Reading): IDataObject {
	const cell = cells.get('name');
	if (cell === undefined) return {};
	const text = textOfCell(cell);
	const given = NAMES.flatMap((name) => cells.get(name) ?? []);
	const isWhole = given.length === NAMES.length;
	const entity = cells.get('entity');
	if (isWhole && entity !== undefined && textOfCell(entity) === text) return {};
	reading.use([cell]);
	const words = new Set(wordsOf(text));
	const other = given.find((part) => wordsOf(textOfCell(part)).some((word) => !words.has(word)));
	if (other === undefined) return isWhole ? {} : splitName(text, cell.label);
	throw new InputFailure(
		cell.label,
		`and '${other.label}' are about the same, and differ`,
		'Correct or remove one of the two',
	);
}

/**
 * Reads a signer as the request has it.
 * @throws InputFailure naming the columns
 */
export function readSigner(
	{ params, kind, assuranceField, reading }: SignerReading,
	{ owner, cells, place }: Signing,
): ParsedSigner {
	const filled = filledOf(cells);
	const labelIn = (name: string) =>
		(filled.get(name) ?? cells.get(name))?.label ?? `${personTitle(owner)} ${labelOf(name)}`;
	const own = (names: readonly string[]) => names.flatMap((name) => filled.get(name) ?? []);
	let values: IDataObject = { external_id: externalIdAt(place) };
	/** Takes these cells if they can be read together with those before. */
	const add = (names: readonly string[], label = (field: string) => labelIn(nameOf(field))) => {
		const next = { ...values };
		for (const name of names) {
			const cell = filled.get(name);
			if (cell !== undefined)
				next[FORM_NAMES[name] ?? name] = (READERS[name] ?? textOfCell)(cell, next) as string;
		}
		const parsed = parseSigner(params, { ...next, details: next }, assuranceField, label);
		values = next;
		reading.use(own(names));
		return parsed;
	};
	const split = () => splitOf(filled, reading);
	Object.assign(values, kind === 'closing' ? split() : reading.optional(own(['name']), split));
	parseEach(NEEDED[kind], (name) => {
		if (filled.has(name) || values[name] !== undefined) return;
		const column = name !== 'email' && !cells.has(name) && cells.has('name') ? 'name' : name;
		throw reading.missing(labelIn(column), column, cells.has(column));
	});
	add(['email', ...NAMES]);
	for (const group of OPTIONAL) {
		const given = own(group);
		const label = group.length === 1 ? () => given[0].label : undefined;
		if (given.length > 0) reading.optional(given, () => add(group, label));
	}
	// Nobody may rely on a check that isn't made.
	return add(['identity_checks']);
}

/** The name that the tables of words have for a field of the form. */
const nameOf = (label: string) =>
	label === 'Phone Country Code' ? 'country_code' : label.toLowerCase().replace(/ /g, '_');
