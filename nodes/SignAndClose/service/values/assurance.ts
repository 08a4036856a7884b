import type { IDataObject } from 'n8n-workflow';

/* The identity-assurance object of a signer (docs/service/signers.md#identity-assurance). */

/** Which checks a signer has to pass. */
export interface Assurance {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
}

/**
 * Builds the identity-assurance object. Checks that aren't chosen are left out, as the documented
 * interface allows; a live service may require `knowledge_based_authentication`.
 * @returns undefined when no check is chosen
 */
export function toAssurance({ selfie, knowledge, sms }: Assurance): IDataObject | undefined {
	if (!selfie && !knowledge && !sms) return undefined;
	return {
		...(selfie && { id_verification: { selfie: true } }),
		...(knowledge && { knowledge_based_authentication: true }),
		...(sms && { multi_factor_authentication: { type: 'sms' } }),
	};
}
