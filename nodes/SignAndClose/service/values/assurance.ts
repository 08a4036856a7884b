import type { IDataObject } from 'n8n-workflow';

/** Parameters of the identity-assurance object (interface.md §2). */
export interface Assurance {
	selfie: boolean;
	knowledge: boolean;
	sms: boolean;
}

/**
 * The identity-assurance object; any of the three can be left out to use only the others
 * (interface.md §2).
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
