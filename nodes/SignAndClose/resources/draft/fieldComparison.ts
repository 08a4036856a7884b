import type { IDataObject } from 'n8n-workflow';

import type { FieldComparison } from '../../run/goals';
import type { TransactionAnswer } from '../../transport/answers/shapes';
import type { Platform } from '../../transport/service/endpoints';
import { isSameId } from '../../values/ids';
import { asObjects } from '../../values/json';
import { isBlank, isSame, type FieldDifference } from '../../values/comparison';
import { formatFullPhone } from '../../form/phone';
import { pairPeople, isSameAddress } from '../signer/people';
import { toAddressAnswer, NORMALIZED_FORMS } from './normalizedForms';
import {
	ANSWERED_IF_SET,
	SIGNER_ANSWERED_IF_SET,
	toSignerRequest,
	toTransactionRequest,
} from './requestFields';

/*
 * Compares what a transaction shows with the values of a request. A change is done when its value is
 * shown. What the service is known to write in another form is in normalizedForms.ts; any other value
 * that is neither the wanted one nor the one from before is handed on, so that a person sees both.
 */

/**
 * Compares a changed transaction with the request.
 * @param changes fields of the request
 * @param after the transaction as the service shows it
 * @param context with the transaction as it was, where that is known
 */
export const compareChange = (
	changes: IDataObject,
	after: TransactionAnswer,
	context: { platform: Platform; assuranceField: string; before?: TransactionAnswer },
): FieldComparison[] =>
	Object.entries(changes).flatMap(([name, expected]) =>
		name === 'signers'
			? compareSigners(asObjects(expected), after, context.assuranceField, context.before)
			: [compareTransactionField(name, expected, after, context.platform, context.before)],
	);

/**
 * Compares a signer with what is wanted. A value that no answer shows can't be known.
 * @param expected fields of the request
 * @returns whether every value is shown, and those that are shown otherwise
 */
export function compareSigner(
	signer: IDataObject,
	expected: IDataObject,
	assuranceField: string,
): { isShown: boolean; differing: FieldDifference[] } {
	const missing = compareSignerFields(expected, signer, assuranceField).filter(
		({ isShown }) => !isShown,
	);
	const differing = missing.filter(({ isAnswered }) => isAnswered);
	return { isShown: missing.length === 0, differing };
}

/** A field of the transaction itself. */
export function compareTransactionField(
	name: string,
	expected: unknown,
	after: TransactionAnswer,
	platform: Platform,
	before?: TransactionAnswer,
): FieldComparison {
	const actual = readTransactionField(name, after, platform);
	const isAnswered = ANSWERED_IF_SET.has(name) || actual !== undefined;
	const isOtherForm = () => NORMALIZED_FORMS[name]?.(actual, expected, platform) === true;
	return {
		field: name,
		expected,
		actual,
		isAnswered,
		earlier: before && { value: readTransactionField(name, before, platform) },
		isShown: isAnswered && (isSame(actual, expected) || isOtherForm()),
	};
}

/** The value of a field of the request in an answer. */
function readTransactionField(
	name: string,
	transaction: TransactionAnswer,
	platform: Platform,
): unknown {
	if (name === 'documents')
		return transaction.documents?.map(({ id, bundle_position: position }) => ({
			id,
			bundle_position: position,
		}));
	if (name === 'street_address') return toAddressAnswer(transaction.street_address);
	// A name or type that isn't written back is shown all the same.
	return toTransactionRequest(transaction, platform)[name] ?? transaction[name];
}

/** The values of all signers. Others or fewer signers are one value of their own. */
function compareSigners(
	expectedSigners: IDataObject[],
	after: TransactionAnswer,
	assuranceField: string,
	before?: TransactionAnswer,
): FieldComparison[] {
	const actualSigners = asObjects(after.signers);
	const earlier = before && asObjects(before.signers);
	const isAnswered = Array.isArray(after.signers);
	const listAddresses = (signers: IDataObject[]) => signers.map(({ email }) => email);
	if (!isAnswered || actualSigners.length !== expectedSigners.length)
		return [
			{
				field: 'signers',
				expected: listAddresses(expectedSigners),
				actual: listAddresses(actualSigners),
				isAnswered,
				earlier: earlier && { value: listAddresses(earlier) },
				isShown: false,
			},
		];
	const former = earlier && pairPeople(expectedSigners, earlier);
	const unpaired = earlier?.filter((signer) => !former!.includes(signer));
	// Whoever is left alone on both sides is one person, whose address changes.
	if (unpaired?.length === 1 && earlier!.length === expectedSigners.length)
		former![former!.indexOf(undefined)] = unpaired[0];
	const counterparts = pairPeople(
		expectedSigners.map((signer, index) => ({ ...signer, signer_id: former?.[index]?.signer_id })),
		actualSigners,
	);
	return expectedSigners.flatMap((signer, index) =>
		compareSignerFields(signer, counterparts[index] ?? {}, assuranceField, former?.[index]),
	);
}

/** The values of a signer. */
export function compareSignerFields(
	expected: IDataObject,
	after: IDataObject,
	assuranceField: string,
	before?: IDataObject,
): FieldComparison[] {
	const toComparable = (answer: IDataObject) =>
		normalizeSigner({ ...answer, ...toSignerRequest(answer, assuranceField) });
	const current = toComparable(after);
	const earlier = before && toComparable(before);
	return Object.entries(normalizeSigner(expected)).map(([field, value]): FieldComparison => {
		const actual = current[field];
		// A person whose address wasn't shown before has one that the service doesn't show.
		const isHidden = field === 'email' && earlier !== undefined && isBlank(earlier.email);
		const isAnswered = (SIGNER_ANSWERED_IF_SET.has(field) && !isHidden) || actual !== undefined;
		return {
			field,
			expected: value,
			actual,
			isAnswered,
			earlier: earlier && { value: earlier[field] },
			isShown:
				isAnswered &&
				(isSame(actual, value) ||
					(field === 'notary_id' && isSameId(actual, value)) ||
					(field === 'email' && isSameAddress(actual, value))),
		};
	});
}

/** A signer of a request, with one name and form for what has several. */
function normalizeSigner(signer: IDataObject): IDataObject {
	const { phone, phone_number: number, address, ...fields } = signer;
	return {
		...fields,
		...((phone !== undefined || number !== undefined) && { phone_number: formatFullPhone(signer) }),
		...(address !== undefined && { address: toAddressAnswer(address) }),
	};
}
