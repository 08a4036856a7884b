import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach } from '../../../messages/faults';
import type { Params } from '../../../run/parameters/params';
import { asObject } from '../../../values/json';
import { parseCountry } from '../../shared/places';
import { rowDetailFields } from '../../signer/form';
import { externalIdAt, parseSigner, type ParsedSigner } from '../../signer/input';
import { splitName } from '../../signer/names';
import {
	birthday,
	phoneNumber,
	stateOf,
	textOfCell,
	vestingType,
	zipCode,
	type Cell,
} from './cells';
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
const DETAILS = new Set(rowDetailFields.map(({ name }) => name));

/** The parts of an address; zip code and state depend on the country. */
const PARTS = ['country', 'line1', 'line2', 'city', 'state', 'zip'];

/** What is optional, in the order in which it's read. What needs each other is read together. */
const OPTIONAL = [
	['middle_name'],
	['phone', 'country_code'],
	['external_id'],
	['vesting_type'],
	['dob'],
	['capacity', 'entity'],
	['order'],
	...PARTS.map((part) => [`address_${part}`]),
];
const PHONES = ['cell_phone', 'mobile_phone', 'phone', 'home_phone'];

/** How a cell becomes a value of the form, where that isn't its text. */
const READERS: Readonly<Record<string, (cell: Cell, country: string | undefined) => string>> = {
	phone: phoneNumber,
	dob: birthday,
	vesting_type: vestingType,
	address_country: (cell) => parseCountry(textOfCell(cell), cell.label),
	address_state: stateOf,
	address_zip: zipCode,
};

/** What is needed to read a signer. */
export interface SignerReading {
	params: Params;
	kind: RowKind;
	/** The service's name for the identity-assurance object. */
	assuranceField: string;
	reading: Reading;
}

/** The cells with a value. Of several phones the first one counts, and parts of two addresses aren't mixed. */
function filledOf(cells: Cells): Cells {
	const filled = new Map([...cells].filter(([, { value }]) => value !== undefined));
	const has = (name: string) => filled.has(name);
	const [street, ...others] = OWN_ADDRESSES.filter((own) => has(`${own}_line1`));
	const any = OWN_ADDRESSES.find((own) => PARTS.some((part) => has(`${own}_${part}`))) ?? '';
	// Parts that don't say of which address they are, are of the only street.
	const own = street === undefined ? [any] : [street, ...(others.length > 0 ? [] : ['address'])];
	const sources: Array<[string, string[]]> = [
		['phone', PHONES],
		...PARTS.map((part): [string, string[]] => [
			`address_${part}`,
			own.map((one) => `${one}_${part}`),
		]),
	];
	const chosen = new Map(filled);
	for (const [name, from] of sources) {
		const cell = from.flatMap((one) => filled.get(one) ?? [])[0];
		if (cell === undefined) chosen.delete(name);
		else chosen.set(name, cell);
	}
	return chosen;
}

const NAMES = ['first_name', 'last_name'];
const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\d'’-]+/u);

/**
 * The names from a column with all of them. Where other columns give parts of it, they have to agree.
 * @throws InputFailure when it isn't certain how to split it
 */
function splitOf(cells: Cells): IDataObject {
	const cell = cells.get('name');
	if (cell === undefined) return {};
	const given = NAMES.flatMap((name) => cells.get(name) ?? []);
	const words = new Set(wordsOf(textOfCell(cell)));
	const other = given.find((part) => wordsOf(textOfCell(part)).some((word) => !words.has(word)));
	if (other !== undefined)
		throw new InputFailure(
			cell.label,
			`and '${other.label}' are about the same, and differ`,
			'Correct or remove one of the two',
		);
	return given.length === NAMES.length ? {} : splitName(textOfCell(cell), cell.label);
}

/**
 * Reads a signer as the request has it.
 * @throws InputFailure naming the columns
 */
export function readSigner(
	{ params, kind, assuranceField, reading }: SignerReading,
	{ owner, cells, place }: Signing,
): ParsedSigner {
	const title = personTitle(owner);
	const filled = filledOf(cells);
	const labelIn = (name: string) =>
		(filled.get(name) ?? cells.get(name))?.label ?? `${title} ${labelOf(name)}`;
	const parse = (values: IDataObject, labels = (field: string) => labelIn(nameOf(field))) =>
		parseSigner(params, values, assuranceField, labels);
	const own = (names: readonly string[]) => names.flatMap((name) => filled.get(name) ?? []);
	const read = (names: readonly string[], country?: string) =>
		names.flatMap((name): Array<[string, string]> => {
			const cell = filled.get(name);
			if (cell === undefined) return [];
			return [[FORM_NAMES[name] ?? name, (READERS[name] ?? textOfCell)(cell, country)]];
		});
	const split =
		kind === 'closing' ? splitOf(filled) : reading.optional(own(['name']), () => splitOf(filled));
	let values: IDataObject = {
		external_id: externalIdAt(place),
		...split,
		...Object.fromEntries(read(['email', ...NAMES])),
	};
	parseEach(NEEDED[kind], (name) => {
		if (values[name] !== undefined) return;
		const column = name !== 'email' && !cells.has(name) && cells.has('name') ? 'name' : name;
		throw reading.missing(labelIn(column), column, cells.has(column));
	});
	parse(values);
	reading.use(own(['email', 'name', ...NAMES]));
	for (const group of OPTIONAL) {
		const given = own(group);
		const label = group.length === 1 ? () => given[0].label : undefined;
		if (given.length > 0)
			reading.optional(given, () => {
				const details = asObject(values.details);
				const fields = read(group, details.address_country as string | undefined);
				const next = {
					...values,
					...Object.fromEntries(fields.filter(([name]) => !DETAILS.has(name))),
					details: {
						...details,
						...Object.fromEntries(fields.filter(([name]) => DETAILS.has(name))),
					},
				};
				parse(next, label);
				values = next;
			});
	}
	// Nobody may rely on a check that isn't made.
	reading.use(own(['identity_checks']));
	return parse({ ...values, ...Object.fromEntries(read(['identity_checks'])) });
}

/** The name that the tables of words have for a field of the form. */
const nameOf = (label: string) =>
	label === 'Phone Country Code' ? 'country_code' : label.toLowerCase().replace(/ /g, '_');
