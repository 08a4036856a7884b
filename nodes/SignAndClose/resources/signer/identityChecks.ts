import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/explainedFailure';
import { shownValue } from '../../values/shown';
import { toAssurance } from '../shared/assurance';

/* Reads which identity checks a signer has to pass (docs/service/signers.md#identity-assurance). */

const CHECKS = new Set(['knowledge', 'selfie', 'sms']);

/**
 * Reads the chosen checks, from the list or from an expression's text or array. Unknown ones are
 * refused, so that nobody relies on a check that isn't made.
 * @throws InputFailure naming the field by its label
 */
export function readIdentityChecks(value: unknown, label: string): Set<string> {
	const list = Array.isArray(value)
		? value.map(shownValue)
		: typeof value === 'string'
			? value.replace(/["'[\]]/g, '').split(',')
			: [];
	const chosen = new Set(
		list.map((check) => check.trim().toLowerCase()).filter((check) => check !== ''),
	);
	const unknown = [...chosen].find((check) => !CHECKS.has(check));
	if (
		unknown !== undefined ||
		(value !== undefined && value !== null && typeof value !== 'string' && !Array.isArray(value))
	) {
		throw new InputFailure(
			label,
			`holds '${unknown ?? shownValue(value)}'`,
			'Choose from the list. An expression must return selfie, knowledge, sms or several of them',
		);
	}
	return chosen;
}

/**
 * Builds the identity-assurance object of a request from the chosen checks.
 * @returns undefined when no check is chosen
 */
export function assuranceOf(chosen: ReadonlySet<string>): IDataObject | undefined {
	return toAssurance({
		selfie: chosen.has('selfie'),
		knowledge: chosen.has('knowledge'),
		sms: chosen.has('sms'),
	});
}
