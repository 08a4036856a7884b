import type { IDataObject } from 'n8n-workflow';

import { parseEach } from '../../../messages/faults';
import type { OperationCall } from '../../../run/operation';
import { withoutEmpty } from '../../../values/json';
import { checkEmail } from '../../shared/checks';
import { parseUsPhone } from '../../shared/phone';
import { externalIdAt, parseSigner, type ParsedSigner } from '../../signer/input';
import { assemble, filledOf, NAMES, PARTS, splitOf } from './assemble';
import { textOfCell } from './cells';
import type { Reading } from './reading';
import { labelOf, NEEDED, type RowKind } from './rowFields';
import { personTitle, type Sheet, type Signing } from './whoSigns';
import { ROLES } from './words';

/* Reads the people of a row: signers and contacts. */

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
const NEVER_LEFT_OUT = new Set(['email', ...NAMES, 'identity_checks']);

/**
 * Reads a signer as the request has it.
 * @throws InputFailure naming the columns
 */
export function readSigner(
	{ params, service }: OperationCall,
	kind: RowKind,
	reading: Reading,
	{ owner, cells, place }: Signing,
): ParsedSigner {
	const filled = filledOf(cells);
	const labelIn = (name: string) =>
		(filled.get(name) ?? cells.get(name))?.label ?? `${personTitle(owner)} ${labelOf(name)}`;
	const split = () => splitOf(filled, reading);
	const names = [...filled].flatMap(([name, cell]) => (name === 'name' ? [cell] : []));
	const start: IDataObject = {
		external_id: externalIdAt(place),
		...(kind === 'closing' ? split() : reading.optional(names, split)),
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
	const how = { reading, formNames: FORM_NAMES, needed: NEVER_LEFT_OUT, check: parse };
	return parse(assemble(filled, OF_SIGNER, start, how));
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
	return [...new Set(ROLES.values())].flatMap((owner): IDataObject[] => {
		const email = sheet.get(owner)?.get('email');
		const all = filledOf(sheet.get(owner) ?? new Map());
		if (owner !== 'title_agent') all.delete('organization_name');
		const cells = new Map([...all].filter(([name]) => OF_CONTACT.includes(name)));
		if (email === undefined || cells.size === 0) return [];
		const name = cells.get('name');
		const read = () => {
			if (email.value === undefined) throw reading.missing(email.label, 'email', true);
			checkEmail(textOfCell(email), email.label);
			const start = name && reading.optional([name], () => splitOf(cells, reading));
			cells.delete('name');
			return assemble(
				cells,
				OF_CONTACT.map((one) => [one]),
				start ?? {},
				{
					reading,
					formNames: FORM_NAMES,
					needed: new Set(),
					check({ phone_number: phone }, [added]) {
						if (added === 'phone') parseUsPhone(String(phone), cells.get('phone')!.label);
					},
				},
			);
		};
		const contact = reading.optional([...cells.values()], read, 'the contact');
		const role = owner.replace(/^(?:buyer|listing)_agent$/, 'real_estate_agent');
		return contact === undefined ? [] : [withoutEmpty({ role, ...contact })];
	});
}
