import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/explainedFailure';
import { parseEach } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import { withoutEmpty } from '../../../values/json';
import { checkEmail } from '../../shared/checks';
import { parseUsPhone } from '../../shared/phone';
import { parseSigner } from '../../signer/input';
import { splitName } from '../../signer/names';
import { externalIdAt } from '../../signer/people';
import { textOfCell, type Cell, type Cells, type Reading } from './cells';
import { labelOf, NEEDED, type RowKind } from './rowFields';
import { cellsOf, personTitle, type Sheet, type Signing } from './whoSigns';
import { OWN_ADDRESSES, ROLES } from './words';

/* Reads the people of a row: signers and contacts. */

/** The parts of an address; zip code and state depend on the country. */
const PARTS = ['country', 'line1', 'line2', 'city', 'state', 'zip'];
const NAMES = ['first_name', 'last_name'];
/** Of several, the first one counts. */
const PHONES = ['cell_phone', 'mobile_phone', 'phone', 'home_phone'];

const FORM_NAMES = new Map([
	['phone', 'phone_number'],
	['identity_checks', 'identityChecks'],
	['address_zip', 'address_postal'],
	['vesting_type', 'vestingType'],
]);
/** What is told of a signer, in the order in which it's read. */
const OF_SIGNER = [
	['email', ...NAMES],
	['middle_name'],
	['country_code', 'phone'],
	['external_id'],
	['vesting_type'],
	['dob'],
	['capacity', 'entity'],
	['order'],
	...PARTS.map((part) => [`address_${part}`]),
	['identity_checks'],
];
/** Nobody may rely on a check that isn't made. */
const NEVER_LEFT_OUT = ['email', ...NAMES, 'identity_checks'];

/**
 * Reads a signer as the request has it.
 * @throws InputFailure naming the columns
 */
export function readSigner(
	{ params, service }: OperationCall,
	kind: RowKind,
	reading: Reading,
	{ person, cells, place }: Signing,
): IDataObject {
	const filled = filledOf(cells);
	const labelIn = (name: string) =>
		(filled.get(name) ?? cells.get(name))?.label ?? `${personTitle(person)} ${labelOf(name)}`;
	const whole = filled.get('name');
	const split = () => whole && splitOf(whole, filled, reading);
	const start: IDataObject = {
		external_id: externalIdAt(place),
		...(kind === 'closing' || !whole ? split() : reading.optional([whole], split)),
	};
	parseEach(NEEDED[kind], (name) => {
		if (filled.has(name) || start[name] !== undefined) return;
		const column = name !== 'email' && !cells.has(name) && cells.has('name') ? 'name' : name;
		throw reading.missing(labelIn(column), column, cells.has(column));
	});
	const parse = (values: IDataObject) =>
		parseSigner(params, { ...values, details: values }, service.settings.assuranceField, (field) =>
			labelIn(nameOf(field)),
		);
	const form = { formNames: FORM_NAMES, needed: NEVER_LEFT_OUT, check: parse };
	return parse(reading.assemble(filled, OF_SIGNER, form, start));
}

/** The name that the tables of words have for a field of the form. */
const nameOf = (label: string) =>
	label === 'Phone Country Code' ? 'country_code' : label.toLowerCase().replace(/ /g, '_');

const OF_CONTACT = ['email', ...NAMES, 'name', 'phone', 'organization_name'];

/**
 * Reads contacts as the form has them. They have an email address, because the service knows contacts
 * by it, and it ignores organizations of others than title agents (docs/service/closings.md#contacts).
 */
export function readContacts(sheet: Sheet, reading: Reading): IDataObject[] {
	return [...new Set(ROLES.values())].flatMap((role): IDataObject[] => {
		const all = cellsOf(sheet, role);
		const cells = filledOf(all);
		for (const name of cells.keys())
			if (!OF_CONTACT.includes(name) || (name === 'organization_name' && role !== 'title_agent'))
				cells.delete(name);
		const email = all.get('email');
		if (email === undefined || cells.size === 0) return [];
		const read = () => readContact(email, cells, reading);
		const contact = reading.optional([...cells.values()], read, 'the contact');
		const formRole = role.replace(/^(?:buyer|listing)_agent$/, 'real_estate_agent');
		return contact === undefined ? [] : [withoutEmpty({ role: formRole, ...contact })];
	});
}

function readContact(email: Cell, cells: Cells, reading: Reading): IDataObject {
	if (email.value === undefined) throw reading.missing(email.label, 'email', true);
	checkEmail(textOfCell(email), email.label);
	const whole = cells.get('name');
	const start = whole && reading.optional([whole], () => splitOf(whole, cells, reading));
	cells.delete('name');
	const groups = OF_CONTACT.map((name) => [name]);
	const check = ({ phone_number: phone }: IDataObject, [added]: readonly string[]) => {
		if (added === 'phone') parseUsPhone(String(phone), cells.get('phone')!.label);
	};
	return reading.assemble(cells, groups, { formNames: FORM_NAMES, check }, start);
}

/** The cells with a value, with one phone, and one address: parts of two addresses aren't mixed. */
function filledOf(cells: Cells): Cells {
	const filled = new Map([...cells].filter(([, { value }]) => value !== undefined));
	const streets = OWN_ADDRESSES.filter((own) => filled.has(`${own}_line1`));
	const any = OWN_ADDRESSES.find((own) => PARTS.some((part) => filled.has(`${own}_${part}`)));
	// Parts that don't say of which address they are, are of the only street.
	const own = streets.length === 1 ? [streets[0], 'address'] : [streets[0] ?? any];
	const chosen = new Map(filled);
	const choose = (name: string, names: string[]) => {
		chosen.delete(name);
		const first = names.find((source) => filled.has(source));
		if (first !== undefined) chosen.set(name, filled.get(first)!);
	};
	choose('phone', PHONES);
	for (const part of PARTS)
		choose(
			`address_${part}`,
			own.map((address) => `${address}_${part}`),
		);
	return chosen;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\d'’-]+/u);

/**
 * The names from a column with all of them. Where other columns give parts of it, they have to agree,
 * unless it names the entity for which somebody signs.
 * @throws InputFailure when it isn't certain how to split it
 */
function splitOf(cell: Cell, cells: Cells, reading: Reading): IDataObject {
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
