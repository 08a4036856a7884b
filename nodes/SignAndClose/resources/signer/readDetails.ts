import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { readTogether } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { withoutEmpty } from '../../values/json';
import { shownValue } from '../../values/shown';
import { toDay } from '../../values/times';
import { checkedAddress, type AddressParts } from '../address/address';
import { readCollection } from '../shared/builders';
import { checkedPhone, checkEmail, wholeNumber } from '../shared/checks';
import type { Phone } from '../shared/phone';
import { rowDetailFields } from './form';

/* Reads and checks the details of signers (docs/service/signers.md#signer-fields). */

/**
 * Reads the details of a signer as fields of the request: the address as an object, the date of
 * birth as a date. The phone's country code is read with the number (readSignerPhone()).
 * @throws InputFailure naming the field
 */
export function readDetails(
	params: Params,
	values: IDataObject,
	labelOf: (field: string) => string,
): IDataObject {
	const as = (name: string, field: string) => (value: unknown) => ({
		[name]: params.textOf({ [field]: value } as IDataObject, field),
	});
	const fields = readCollection(params, values, rowDetailFields, {
		vestingType: as('vesting_type', 'vestingType'),
		signingRequirement: as('signing_requirement', 'signingRequirement'),
		shared_inbox_email: (value) => ({ recipient_group: readInbox(params, value, labelOf) }),
	});
	const text = (name: string) => (fields[name] === undefined ? undefined : String(fields[name]));
	const {
		place: { zipCode, ...place },
		day,
	} = readTogether({
		place: () =>
			checkedAddress<AddressParts>(
				{
					line1: text('address_line1'),
					line2: text('address_line2'),
					city: text('address_city'),
					state: text('address_state'),
					zipCode: text('address_postal'),
					country: text('address_country'),
				},
				labelOf,
			),
		order: () => {
			if (fields.order !== undefined) wholeNumber(fields.order, 1, labelOf('Order'));
		},
		day: () => readBirthday(fields.dob, labelOf('Date of Birth')),
	});
	const address = withoutEmpty({ ...place, postal: zipCode });
	return {
		...Object.fromEntries(Object.entries(fields).filter(([name]) => !COMBINED.has(name))),
		...(Object.keys(address).length > 0 && { address }),
		...(day !== undefined && { dob: day }),
	};
}

function readBirthday(given: unknown, label: string): string | undefined {
	const day = given === undefined ? undefined : toDay(given);
	if (given !== undefined && day === undefined)
		throw new InputFailure(
			label,
			`is '${shownValue(given)}', which isn't a date`,
			'Enter it as year-month-day, e.g. 1980-05-17',
		);
	return day;
}

/** Fields of the form that become parts of other fields of the request. */
const COMBINED = new Set([
	'address_line1',
	'address_line2',
	'address_city',
	'address_state',
	'address_postal',
	'address_country',
	'country_code',
	'dob',
]);

/**
 * Reads a signer's phone number and its country code.
 * @param text the number as it was written; undefined for none
 * @param details where the form has the country code
 * @returns undefined when there is no number
 * @throws InputFailure when it isn't one, when the code has no digits or stands alone
 */
export function readSignerPhone(
	params: Params,
	text: string | undefined,
	details: IDataObject,
	labelOf: (field: string) => string,
): Phone | undefined {
	const country = params.textOf(details, 'country_code');
	const label = labelOf('Phone Country Code');
	if (country !== undefined && !/\d/.test(country))
		throw new InputFailure(
			label,
			`is '${country}', which has no digits`,
			'Enter its digits, e.g. 1 or +44',
		);
	if (country !== undefined && text === undefined)
		throw new InputFailure(
			label,
			'has no phone number with it',
			"Fill in 'Phone' too, or remove the country code",
		);
	return text === undefined ? undefined : checkedPhone(text, country, labelOf('Phone'));
}

/**
 * Checks details that require each other.
 * @param labelOf returns a field's label for messages
 * @throws InputFailure
 */
export function checkTogether(details: IDataObject, labelOf: (field: string) => string): void {
	readTogether({
		capacity: () => checkCapacity(details, labelOf),
		order: () => {
			if (details.notary_id !== undefined && details.order === undefined)
				throw new InputFailure(
					labelOf('Order'),
					'is empty',
					"Fill it in together with 'Notary', or remove the notary",
				);
		},
	});
}

/**
 * Capacity and entity require each other (docs/service/signers.md#capacities).
 * @throws InputFailure when one of them is missing
 */
function checkCapacity(
	{ capacity, entity }: IDataObject,
	labelOf: (field: string) => string,
): void {
	if ((capacity === undefined) === (entity === undefined)) return;
	const [missing, given] = capacity === undefined ? ['Capacity', 'Entity'] : ['Entity', 'Capacity'];
	throw new InputFailure(
		labelOf(missing),
		'is empty',
		`Fill it in together with '${given}', or remove '${given}'`,
	);
}

/** Reads the shared inbox of a group that signs (docs/service/signers.md#groups-as-signers). */
function readInbox(
	params: Params,
	value: unknown,
	labelOf: (field: string) => string,
): IDataObject | undefined {
	const email = params.textOf({ inbox: value as string }, 'inbox');
	if (email === undefined) return undefined;
	checkEmail(email, labelOf('Shared Inbox'));
	return { shared_inbox_email: email };
}
