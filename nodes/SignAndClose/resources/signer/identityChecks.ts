import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { parseTexts } from '../../run/parameters/texts';
import { defineChoice } from '../../form/fields';

/* How a signer proves their identity (docs/service/signers.md#identity-assurance). */

/** The identity checks of a signer. */
export const identityChecks = defineChoice(
	'Identity Checks',
	'identityChecks',
	[
		['Knowledge Questions', 'knowledge', 'Questions that only the signer can answer'],
		['Selfie', 'selfie', 'The service compares a picture of the signer with the photo ID'],
		['Text Message (SMS)', 'sms', "The service sends a code to the signer's phone"],
	],
	'How a signer of e-signature documents proves their identity. All three together reach the highest level, IAL2. No effect if a notary meets the signer.',
	{ type: 'multiOptions', default: [] },
);

const CHECKS = new Set(['knowledge', 'selfie', 'sms']);

/**
 * Parses the chosen identity checks, from the list or from an expression's text or array. Unknown
 * ones are refused, so that nobody relies on a check that isn't made.
 * @throws InputFailure naming the field by its label
 */
export function parseIdentityChecks(value: unknown, label: string): Set<string> {
	// An expression may return the text of a JSON array.
	const list = typeof value === 'string' ? value.replace(/["'[\]]/g, '') : value;
	const selection = new Set(parseTexts(label, list).map((check) => check.toLowerCase()));
	const unknown = [...selection].find((check) => !CHECKS.has(check));
	if (unknown === undefined) return selection;
	throw new InputFailure(
		label,
		`holds '${unknown}'`,
		'Choose from the list. An expression must return selfie, knowledge, sms or several of them',
	);
}

/**
 * Builds the identity-assurance object of a request (docs/service/signers.md#identity-assurance). A
 * live service requires `knowledge_based_authentication` in it, so that is also sent when it isn't
 * chosen; the other two are left out then.
 * @returns undefined when no check is chosen
 */
export function buildAssurance(selection: ReadonlySet<string>): IDataObject | undefined {
	if (selection.size === 0) return undefined;
	return {
		...(selection.has('selfie') && { id_verification: { selfie: true } }),
		knowledge_based_authentication: selection.has('knowledge'),
		...(selection.has('sms') && { multi_factor_authentication: { type: 'sms' } }),
	};
}
