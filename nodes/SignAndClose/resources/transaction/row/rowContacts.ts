import type { IDataObject } from 'n8n-workflow';

import { shownValue } from '../../../values/shown';
import { checkEmail } from '../../shared/checks';
import { parseUsPhone } from '../../shared/phone';
import type { Cells } from './matchColumns';
import { CONTACT_FIELDS, ROLES } from './words';

/* Reads the contacts of a row. */

/**
 * Reads the contacts that have an email address, because the service knows contacts by it
 * (docs/service/closings.md#contacts).
 * @returns rows of the form
 * @throws InputFailure naming the column
 */
export function parseRowContacts(cells: Cells): IDataObject[] {
	return [...ROLES].flatMap((role) => {
		const of = (name: string) => cells.get(`${role}_${name}`);
		const email = of('email');
		if (email?.value === undefined) return [];
		checkEmail(shownValue(email.value).trim(), email.label);
		const phone = of('phone_number');
		if (phone?.value !== undefined) parseUsPhone(shownValue(phone.value), phone.label);
		const given = [...CONTACT_FIELDS].filter((name) => of(name)?.value !== undefined);
		const { name, ...row } = Object.fromEntries(
			given.map((field) => [field, shownValue(of(field)?.value)]),
		);
		return [{ role, ...(given.includes('name') && splitContact(name)), ...row }];
	});
}

/** The service shows the parts side by side, so that it matters little where a name is split. */
function splitContact(name: string): IDataObject {
	const [first, ...others] = name.trim().split(/\s+/);
	return { first_name: first, ...(others.length > 0 && { last_name: others.join(' ') }) };
}
