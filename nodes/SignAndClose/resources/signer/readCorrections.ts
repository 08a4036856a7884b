import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { asObject, withoutEmpty } from '../../values/json';
import { checkEmail } from '../shared/checks';
import { phoneFields } from '../shared/phone';
import { readDetails, readSignerPhone } from './readDetails';
import { readNames } from './readSigner';

/**
 * Reads what to correct of a signer, as fields of the request
 * (docs/service/signers.md#signer-fields).
 * @throws InputFailure with all that can't be used, or when there is nothing to correct
 */
export function readCorrections(params: Params): IDataObject {
	const given = params.object('corrections');
	const details = asObject(given.details);
	const label = params.label('corrections');
	const labelOf = (field: string) => `${label}: ${field}`;
	const faults = new Faults();
	const email = faults.read(() => {
		const text = params.textOf(given, 'email');
		if (text !== undefined) checkEmail(text, labelOf('Email'));
		return text;
	});
	const written = faults.read(() => params.textOf(given, 'phone_number'));
	const phone = faults.read(() => readSignerPhone(params, written, details, labelOf));
	const names = faults.read(() => readNames(params, given, labelOf));
	const more = faults.read(() => readDetails(params, details, labelOf));
	faults.tell();
	// A number without a country code is in the country that the signer's number has.
	const number =
		phone?.country === undefined ? phone && { phone_number: phone.number } : phoneFields(phone);
	const changes = { ...withoutEmpty({ email, ...names }), ...number, ...more };
	if (Object.keys(changes).length === 0)
		throw new InputFailure(label, 'is empty', 'Add what to correct, e.g. the email address');
	return changes;
}
