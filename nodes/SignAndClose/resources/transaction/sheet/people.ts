import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import { parseEach } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import { withoutEmpty } from '../../../values/json';
import { parseEmail } from '../../../form/checks';
import { parseUsPhone } from '../../../form/phone';
import { parseSigner } from '../../signer/input';
import { splitName } from '../../signer/fullName';
import { buildExternalId, checkSigners } from '../../signer/people';
import {
	takeRoles,
	parseRole,
	toParty,
	type Party,
	type SignerRoles,
	type SignerWithRole,
} from '../../signer/roles';
import { readCellText, type Cell, type Cells, type RowReader } from './cells';
import { formatCellLabel, REQUIRED_NAMES, type Person, type RowKind } from './rowFields';
import { getCells, formatPerson, type Sheet, type SigningPerson } from './signerChoice';
import { PERSON_ADDRESSES, CONTACT_ROLES } from './words';

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
const SIGNER_GROUPS = [
	['email', ...NAMES],
	['middle_name'],
	['country_code', 'phone'],
	['external_id'],
	['role'],
	['vesting_type'],
	['dob'],
	['capacity', 'entity'],
	['order'],
	...PARTS.map((part) => [`address_${part}`]),
	['identity_checks'],
];
/** Nobody may rely on a check that isn't made, or get somebody else's places. */
const NEVER_LEFT_OUT = ['email', ...NAMES, 'identity_checks', 'role'];

/**
 * Reads the signers as the request has them, and their roles: what a cell says, or else the side that
 * the headings tell.
 * @param sides the sides that are the same person
 * @throws InputFailure naming the columns
 */
export function readSigners(
	call: OperationCall,
	kind: RowKind,
	reading: RowReader,
	signing: SigningPerson[],
	sides: string[] = [],
): { signers: IDataObject[]; roles: SignerRoles } {
	const label = 'Signers';
	const parsed = parseEach(signing, (signer) => readSigner(call, kind, reading, signer));
	const { signers, roles } = takeRoles(parsed, label);
	checkSigners(signers, label);
	let spouseCount = 0;
	for (const [index, { person }] of signing.entries()) {
		if (person.isSpouse) spouseCount++;
		if (parsed[index].role !== undefined) continue;
		const parties = person.isSpouse
			? [{ party: 'spouse', number: spouseCount }]
			: listParties(person, sides);
		roles.set(String(signers[index].external_id), { parties, hasMadeId: false });
	}
	return { signers, roles };
}

const listParties = ({ side, number }: Person, sides: string[]): Party[] =>
	(sides.includes(side) ? sides : [side]).flatMap((name) => {
		const role = parseRole(name);
		return role === undefined ? [] : toParty({ ...role, number });
	});

function readSigner(
	{ params, service }: OperationCall,
	kind: RowKind,
	reading: RowReader,
	{ person, cells, place }: SigningPerson,
): SignerWithRole {
	const filled = selectCells(cells);
	const findLabel = (name: string) =>
		(filled.get(name) ?? cells.get(name))?.label ??
		`${formatPerson(person)} ${formatCellLabel(name)}`;
	const fullName = filled.get('name');
	const split = () => fullName && splitFullName(fullName, filled, reading);
	const start: IDataObject = {
		// Otherwise, the role makes it.
		...(!filled.has('role') && { external_id: buildExternalId(place) }),
		...(kind === 'closing' || !fullName ? split() : reading.readOptional([fullName], split)),
	};
	parseEach(REQUIRED_NAMES[kind], (name) => {
		if (filled.has(name) || start[name] !== undefined) return;
		const column = name !== 'email' && !cells.has(name) && cells.has('name') ? 'name' : name;
		throw reading.describeMissing(findLabel(column), column, cells.has(column));
	});
	const parse = (values: IDataObject) =>
		parseSigner(params, { ...values, details: values }, service.settings.assuranceField, (field) =>
			findLabel(toCellName(field)),
		);
	const form = { formNames: FORM_NAMES, needed: NEVER_LEFT_OUT, check: parse };
	return parse(reading.assemble(filled, SIGNER_GROUPS, form, start));
}

/** The name that the tables of words have for a field of the form. */
const toCellName = (label: string) =>
	label === 'Phone Country Code' ? 'country_code' : label.toLowerCase().replace(/ /g, '_');

const CONTACT_NAMES = ['email', ...NAMES, 'name', 'phone', 'organization_name'];

const NO_CONTACT = 'a contact needs an email address';

/**
 * Reads contacts as the form has them. They have an email address, because the service knows contacts
 * by it, and it ignores organizations of others than title agents (docs/service/closings.md#contacts).
 */
export function readContacts(sheet: Sheet, reading: RowReader): IDataObject[] {
	return [...new Set(CONTACT_ROLES.values())].flatMap((role): IDataObject[] => {
		const all = getCells(sheet, role);
		const cells = selectCells(all);
		for (const name of cells.keys())
			if (!CONTACT_NAMES.includes(name) || (name === 'organization_name' && role !== 'title_agent'))
				cells.delete(name);
		const email = all.get('email');
		if (email === undefined)
			for (const { label } of cells.values()) reading.reasons.set(label, NO_CONTACT);
		if (email === undefined || cells.size === 0) return [];
		const readCells = () => readContact(email, cells, reading);
		const contact = reading.readOptional([...cells.values()], readCells, 'the contact');
		const formRole = role.replace(/^(?:buyer|listing)_agent$/, 'real_estate_agent');
		return contact === undefined ? [] : [withoutEmpty({ role: formRole, ...contact })];
	});
}

function readContact(email: Cell, cells: Cells, reading: RowReader): IDataObject {
	if (email.value === undefined) throw reading.describeMissing(email.label, 'email', true);
	parseEmail(readCellText(email), email.label);
	const fullName = cells.get('name');
	const start =
		fullName && reading.readOptional([fullName], () => splitFullName(fullName, cells, reading));
	cells.delete('name');
	const groups = CONTACT_NAMES.map((name) => [name]);
	const check = ({ phone_number: phone }: IDataObject, [addedName]: readonly string[]) => {
		if (addedName === 'phone') parseUsPhone(String(phone), cells.get('phone')!.label);
	};
	return reading.assemble(cells, groups, { formNames: FORM_NAMES, check }, start);
}

/** The cells with a value, with one phone, and one address: parts of two addresses aren't mixed. */
function selectCells(cells: Cells): Cells {
	const filled = new Map([...cells].filter(([, { value }]) => value !== undefined));
	const streets = PERSON_ADDRESSES.filter((addressKind) => filled.has(`${addressKind}_line1`));
	const firstKind = PERSON_ADDRESSES.find((addressKind) =>
		PARTS.some((part) => filled.has(`${addressKind}_${part}`)),
	);
	// Parts that don't say of which address they are, are of the only street.
	const addressKinds = streets.length === 1 ? [streets[0], 'address'] : [streets[0] ?? firstKind];
	const selected = new Map(filled);
	const choose = (name: string, names: string[]) => {
		selected.delete(name);
		const first = names.find((source) => filled.has(source));
		if (first !== undefined) selected.set(name, filled.get(first)!);
	};
	choose('phone', PHONES);
	for (const part of PARTS)
		choose(
			`address_${part}`,
			addressKinds.map((address) => `${address}_${part}`),
		);
	return selected;
}

const splitWords = (text: string) => text.toLowerCase().split(/[^\p{L}\d'’-]+/u);

/**
 * The names from a column with all of them. Where other columns give parts of it, they have to agree,
 * unless it names the entity for which somebody signs.
 * @throws InputFailure when it isn't certain how to split it
 */
function splitFullName(cell: Cell, cells: Cells, reading: RowReader): IDataObject {
	const text = readCellText(cell);
	const parts = NAMES.flatMap((name) => cells.get(name) ?? []);
	const isWhole = parts.length === NAMES.length;
	const entity = cells.get('entity');
	if (isWhole && entity !== undefined && readCellText(entity) === text) return {};
	reading.use([cell]);
	const words = new Set(splitWords(text));
	const differingPart = parts.find((part) =>
		splitWords(readCellText(part)).some((word) => !words.has(word)),
	);
	if (differingPart === undefined) return isWhole ? {} : splitName(text, cell.label);
	throw new InputFailure(
		cell.label,
		`and '${differingPart.label}' are about the same, and differ`,
		'Correct or remove one of the two',
	);
}
