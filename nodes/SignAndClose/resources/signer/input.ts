import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseEach, parseTogether } from '../../messages/inputFaults';
import type { ParameterPath, Params } from '../../run/parameters/params';
import { SERVICE_LIMITS } from '../../transport/service/limits';
import { asObject, withoutEmpty } from '../../values/json';
import { formatForDisplay } from '../../values/plainValues';
import { toDay } from '../../values/times';
import { normalizeAddress } from '../address/form';
import { checkLength, parseEmail, parseWholeNumber } from '../../form/checks';
import { parseCollection } from '../../form/input';
import { toTitle } from '../../form/titles';
import { parsePhone, buildPhoneFields } from '../../form/phone';
import { rowDetailFields } from './form';
import { buildAssurance, parseIdentityChecks } from './identityChecks';
import { checkRecipient, checkSigners } from './people';
import { takeRoles, requireRole, type SignerRoles, type SignerWithRole } from './roles';

/* Parses and checks what is filled in for signers (docs/service/signers.md#signer-fields). */

/** Returns how messages name a field of a signer, e.g. with the number of its row. */
type LabelGetter = (field: string) => string;

/**
 * Parses all rows of signers, as fields of the request, and their roles.
 * @param assuranceField the service's name for the identity-assurance object
 * @throws InputFailure naming the row, from 1
 */
export function parseSignerRows(
	params: Params,
	name: string,
	assuranceField: string,
	value: unknown = params.getRaw(name),
): { signers: IDataObject[]; roles: SignerRoles } {
	const label = params.label(name);
	const rows = params.getRows(name, value);
	if (rows.length > SERVICE_LIMITS.signers)
		throw new InputFailure(
			label,
			`has ${rows.length} signers; the service accepts up to ${SERVICE_LIMITS.signers}`,
			'Create more than one transaction',
		);
	const parsed = parseEach(rows, (row, index) => {
		const getLabel = (field: string) => `${label}, entry ${index + 1}: ${field}`;
		return parseSigner(params, row, assuranceField, getLabel, [name, 'row', index]);
	});
	const { signers, roles } = takeRoles(parsed, label);
	checkSigners(signers, label);
	return { signers, roles };
}

/**
 * Parses one signer, as fields of the request beside the role.
 * @param values the row's values
 * @param path where the row stands in the parameters
 * @throws InputFailure naming the field
 */
export function parseSigner(
	params: Params,
	values: IDataObject,
	assuranceField: string,
	getLabel: LabelGetter,
	path: ParameterPath = ['signers'],
): SignerWithRole {
	const person = createParsers(params, values, getLabel);
	const { email, phone, names, role, details, checks } = parseTogether({
		...person,
		email() {
			const email = person.email();
			checkRecipient(params, { ...values, email }, getLabel, [...path, 'email']);
			return email;
		},
		role() {
			const text = params.getTextIn(values, 'role');
			return text === undefined ? undefined : requireRole(text, getLabel('Role'));
		},
		details() {
			const details = person.details();
			checkDetailPairs(details, getLabel);
			return details;
		},
		checks: () => parseChecks(params, values, getLabel),
	});
	const assurance = buildAssurance(checks);
	if (assurance !== undefined && details[assuranceField] !== undefined)
		throw new InputFailure(
			getLabel('Identity Checks'),
			`are chosen, and '${assuranceField}' stands in 'Additional Fields (JSON)' as well`,
			'Remove one of the two',
		);
	return {
		...withoutEmpty({ email, ...names }),
		...(role && { role }),
		...(phone && buildPhoneFields(phone)),
		...details,
		...(assurance && { [assuranceField]: assurance }),
	};
}

function parseChecks(params: Params, values: IDataObject, getLabel: LabelGetter) {
	const checks = parseIdentityChecks(values.identityChecks, getLabel('Identity Checks'));
	if (checks.has('sms') && params.getTextIn(values, 'phone_number') === undefined)
		throw new InputFailure(
			getLabel('Phone'),
			'is empty',
			"Enter the signer's phone number: the text message of 'Identity Checks' is sent there",
		);
	return checks;
}

/**
 * Parses what to correct of a signer, as fields of the request.
 * @throws InputFailure with all that can't be used, or when there is nothing to correct
 */
export function parseCorrections(params: Params): IDataObject {
	const label = params.label('corrections');
	const { email, phone, names, details } = parseTogether(
		createParsers(params, params.getObject('corrections'), (field) => `${label}: ${field}`),
	);
	// A number without a country code is in the country that the signer's number has.
	const number =
		phone?.country === undefined
			? phone && { phone_number: phone.number }
			: buildPhoneFields(phone);
	const changes = { ...withoutEmpty({ email, ...names }), ...number, ...details };
	if (Object.keys(changes).length === 0)
		throw new InputFailure(label, 'is empty', 'Add what to correct, e.g. the email address');
	return changes;
}

/** The parsers for the fields that a signer has in every form. */
function createParsers(params: Params, values: IDataObject, getLabel: LabelGetter) {
	const details = asObject(values.details);
	return {
		email() {
			const text = params.getTextIn(values, 'email');
			return text && parseEmail(text, getLabel('Email'));
		},
		phone() {
			const text = params.getTextIn(values, 'phone_number');
			const country = params.getTextIn(details, 'country_code');
			if (text !== undefined) return parsePhone(text, country, getLabel);
			if (country === undefined) return undefined;
			throw new InputFailure(
				getLabel('Phone Country Code'),
				'has no phone number with it',
				"Fill in 'Phone' too, or remove the country code",
			);
		},
		names: () => parseNames(params, values, getLabel),
		details: () => parseSignerDetails(params, details, getLabel),
	};
}

/**
 * Parses the names and the external ID of a signer.
 * @throws InputFailure when a name is too long
 */
export function parseNames(
	params: Params,
	values: IDataObject,
	getLabel: LabelGetter,
): IDataObject {
	const names = parseEach(['first_name', 'middle_name', 'last_name'], (field) => {
		const text = params.getTextIn(values, field);
		if (text !== undefined) checkLength('name', text, getLabel(toTitle(field)));
		return [field, text];
	});
	return { ...Object.fromEntries(names), external_id: params.getTextIn(values, 'external_id') };
}

/** The parts of the address, which the form has as `address_line1` and so on. */
const ADDRESS_PARTS = ['line1', 'line2', 'city', 'state', 'postal', 'country'];

/**
 * Parses the details of a signer as fields of the request: the address as an object, the date of
 * birth as a date. The phone's country code belongs to the number.
 * @throws InputFailure naming the field
 */
export function parseSignerDetails(
	params: Params,
	values: IDataObject,
	getLabel: LabelGetter,
): IDataObject {
	const renameText = (name: string) => (value: unknown) => ({
		[name]: params.getTextIn({ [name]: value as string }, name),
	});
	const fields = parseCollection(params, values, rowDetailFields, {
		vestingType: renameText('vesting_type'),
		signingRequirement: renameText('signing_requirement'),
		dob: (value) => ({ dob: parseBirthday(value, getLabel('Date of Birth')) }),
		order: (value) => ({ order: parseWholeNumber(value, 1, getLabel('Order')) }),
		shared_inbox_email(value) {
			const text = params.getTextIn({ inbox: value as string }, 'inbox');
			if (text === undefined) return {};
			const email = parseEmail(text, getLabel('Shared Inbox'));
			return { recipient_group: { shared_inbox_email: email } };
		},
	});
	// It belongs to the phone.
	delete fields.country_code;
	const parts: IDataObject = {};
	for (const part of ADDRESS_PARTS) {
		const name = `address_${part}`;
		if (fields[name] !== undefined) parts[part] = String(fields[name]);
		delete fields[name];
	}
	const address = withoutEmpty({ ...normalizeAddress(parts, getLabel) });
	return { ...fields, ...(Object.keys(address).length > 0 && { address }) };
}

function parseBirthday(value: unknown, label: string): string {
	const day = toDay(value);
	if (day !== undefined) return day;
	throw new InputFailure(
		label,
		`is '${formatForDisplay(value)}', which isn't a date`,
		'Enter it as year-month-day, e.g. 1980-05-17',
	);
}

/**
 * Checks details that require each other: capacity and entity (docs/service/signers.md#capacities),
 * a notary and an order.
 * @throws InputFailure
 */
export function checkDetailPairs(details: IDataObject, getLabel: LabelGetter): void {
	const rules = [
		['Capacity', 'capacity', 'Entity', 'entity'],
		['Entity', 'entity', 'Capacity', 'capacity'],
		['Order', 'order', 'Notary', 'notary_id'],
	];
	parseEach(rules, ([missing, missingField, partner, partnerField]) => {
		if (details[missingField] === undefined && details[partnerField] !== undefined)
			throw new InputFailure(
				getLabel(missing),
				'is empty',
				`Fill it in together with '${partner}', or remove '${partner}'`,
			);
	});
}
