import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { Faults, readEach, readTogether } from '../../messages/faults';
import type { Params } from '../../run/parameters/params';
import { asObject, withoutEmpty } from '../../values/json';
import { titleOf } from '../shared/builders';
import { checkEmail, checkName } from '../shared/checks';
import { phoneFields } from '../shared/phone';
import { assuranceOf, readIdentityChecks } from './identityChecks';
import { checkTogether, readDetails, readSignerPhone } from './readDetails';

/* Reads and checks the fields of signers (docs/service/signers.md#signer-fields). */

/** How many signers a transaction can have (docs/service/api.md#limits). */
export const MOST_SIGNERS = 10;

/** A signer as the request takes it. */
export interface ReadSigner {
	signer: IDataObject;
	/**
	 * How many identity checks are chosen; three reach IAL2
	 * (docs/service/signers.md#highest-assurance-level).
	 */
	checks: number;
}

/**
 * Reads all rows of signers.
 * @param assuranceField the service's name for the identity-assurance object
 * @throws InputFailure naming the row, from 1
 */
export function readSignerRows(
	params: Params,
	name: string,
	assuranceField: string,
	value: unknown = params.raw(name),
): ReadSigner[] {
	const label = params.label(name);
	const given = params.rows(name, value);
	if (given.length > MOST_SIGNERS)
		throw new InputFailure(
			label,
			`has ${given.length} signers; the service accepts up to ${MOST_SIGNERS}`,
			'Create more than one transaction',
		);
	const read = readEach(given, (entry, index) =>
		readSigner(params, entry, assuranceField, (field) => `${label}, row ${index + 1}: ${field}`),
	);
	checkSigners(read, label);
	return read;
}

/**
 * Checks what signers have together: external IDs of their own, because designations refer to
 * signers by it (docs/service/documents.md#signer-identifier), and one notary for all who sign at
 * the same time (docs/service/transactions.md#rules-between-fields).
 * @throws InputFailure
 */
export function checkSigners(read: ReadSigner[], label: string): void {
	readTogether({
		ids: () => checkExternalIds(read, label),
		notaries: () => checkNotaries(read, label),
	});
}

function checkExternalIds(read: ReadSigner[], label: string): void {
	const ids = read.map(({ signer }) => signer.external_id).filter((id) => id !== undefined);
	const twice = ids.find((id, index) => ids.indexOf(id) !== index);
	if (twice !== undefined)
		throw new InputFailure(
			label,
			`has the external ID '${String(twice)}' twice`,
			'Give each signer an external ID of its own',
		);
}

function checkNotaries(read: ReadSigner[], label: string): void {
	const notaries = new Map<unknown, unknown>();
	for (const { signer } of read.filter(({ signer }) => signer.order !== undefined)) {
		const { order, notary_id: notary } = signer;
		if (notaries.has(order) && notaries.get(order) !== notary)
			throw new InputFailure(
				label,
				`has signers of order ${String(order)} with different notaries`,
				"Give signers who sign at the same time the same 'Notary', or another 'Order'",
			);
		notaries.set(order, notary);
	}
}

/**
 * Reads one signer.
 * @param values the row's values
 * @param labelOf returns a field's label for messages
 * @throws InputFailure naming the field
 */
export function readSigner(
	params: Params,
	values: IDataObject,
	assuranceField: string,
	labelOf: (field: string) => string,
): ReadSigner {
	const faults = new Faults();
	const email = faults.read(() => readEmail(params, values, labelOf));
	const given = faults.read(() => params.textOf(values, 'phone_number'));
	const details = asObject(values.details);
	const phone = faults.read(() => readSignerPhone(params, given, details, labelOf));
	const names = faults.read(() => readNames(params, values, labelOf));
	const chosen =
		faults.read(() => readIdentityChecks(values.identityChecks, labelOf('Identity Checks'))) ??
		new Set<string>();
	if (chosen.has('sms') && given === undefined)
		faults.note(
			new InputFailure(
				labelOf('Phone'),
				'is empty',
				"Enter the signer's phone number: the SMS code of 'Identity Checks' is sent there",
			),
		);
	const assurance = assuranceOf(chosen);
	const more = faults.read(() => readDetails(params, details, labelOf));
	if (more !== undefined) faults.read(() => checkTogether(more, labelOf));
	faults.tell();
	return {
		signer: {
			...withoutEmpty({ email, ...names }),
			...(phone && phoneFields(phone)),
			...more,
			...(assurance && { [assuranceField]: assurance }),
		},
		checks: chosen.size,
	};
}

/**
 * Reads the email address. A group has none, but a shared inbox.
 * @throws InputFailure
 */
function readEmail(
	params: Params,
	values: IDataObject,
	labelOf: (field: string) => string,
): string | undefined {
	const email = params.textOf(values, 'email');
	const inbox = asObject(values.details).shared_inbox_email ?? '';
	if (email === undefined && inbox === '')
		throw new InputFailure(
			labelOf('Email'),
			'is empty',
			"Enter the signer's email address. If it's an expression, check what it returns for this item",
		);
	if (email !== undefined && inbox !== '')
		throw new InputFailure(
			labelOf('Shared Inbox'),
			"is filled in together with 'Email'",
			'Remove one of the two: either a person signs, or one of a group',
		);
	if (email !== undefined) checkEmail(email, labelOf('Email'));
	return email;
}

/**
 * Reads the names and the external ID of a signer.
 * @param labelOf returns a field's label for messages
 * @throws InputFailure when a name is too long
 */
export function readNames(
	params: Params,
	values: IDataObject,
	labelOf: (field: string) => string,
): IDataObject {
	const name = (field: string) => () => {
		const text = params.textOf(values, field);
		if (text !== undefined) checkName(text, labelOf(titleOf(field)));
		return text;
	};
	return readTogether({
		first_name: name('first_name'),
		middle_name: name('middle_name'),
		last_name: name('last_name'),
		external_id: () => params.textOf(values, 'external_id'),
	});
}
