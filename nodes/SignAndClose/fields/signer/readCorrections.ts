import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../core/explainedFailure';
import { Faults } from '../../core/faults';
import type { Params } from '../../core/params';
import { asObject, withoutEmpty } from '../../service/values/json';
import { checkedPhone, checkEmail } from '../shared/checks';
import { readNames } from '../transaction/readSigner';
import { readDetails } from './readDetails';

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
	const phone = faults.read(() =>
		written === undefined
			? undefined
			: checkedPhone(written, details.country_code, labelOf('Phone')).number,
	);
	const names = faults.read(() => readNames(params, given, labelOf));
	const more = faults.read(() => readDetails(params, details, phone ?? written, labelOf));
	faults.tell();
	const changes = { ...withoutEmpty({ email, ...names, phone_number: phone }), ...more };
	if (Object.keys(changes).length === 0)
		throw new InputFailure(label, 'is empty', 'Add what to correct, e.g. the email address');
	return changes;
}
